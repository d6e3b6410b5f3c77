"""NiceGUI, imported sooner than it imports itself.

The library of its web sockets brings two HTTP clients along, for those who call servers. A page is served: nobody asks
for them, and that library does without where they are not installed.
"""

from __future__ import annotations

import sys

CLIENTS = ("aiohttp", "requests")


def prepare() -> None:
    """Import NiceGUI, before anything else of the process does. What else wants the clients gets them afterwards."""
    hidden = [name for name in CLIENTS if name not in sys.modules]
    # None says that there is no such module (Python's reference, 5.3.1)
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        import nicegui  # noqa: F401
    finally:
        for name in hidden:
            del sys.modules[name]
