"""Imports NiceGUI without its HTTP clients, so that it loads faster.

Its web socket library imports two HTTP clients, for programs that call servers. We only serve pages and never need
them, and the library works without them if they are not installed.
"""

from __future__ import annotations

import sys

CLIENTS = ("aiohttp", "requests")


def prepare() -> None:
    """Import NiceGUI, before anything else in the process does. Other code can import the clients afterwards."""
    hidden = [name for name in CLIENTS if name not in sys.modules]
    # None marks a module as missing (Python's reference, 5.3.1)
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        import nicegui  # noqa: F401
    finally:
        for name in hidden:
            del sys.modules[name]
