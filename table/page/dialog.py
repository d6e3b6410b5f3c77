"""A dialog of the page with an accessible name (WAI-ARIA)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nicegui import ui


def dialog_called(name: str) -> ui.dialog:
    """A closed dialog at NiceGUI's current position."""
    from nicegui import ui

    dialog = ui.dialog()
    dialog.props["aria-label"] = name  # not as text for props(): a name may contain quotes
    return dialog
