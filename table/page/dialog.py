"""A dialog of the page, which says its name to whoever does not see it (WAI-ARIA)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nicegui import ui


def dialog_called(name: str) -> ui.dialog:
    """A closed one, where NiceGUI stands now."""
    from nicegui import ui

    dialog = ui.dialog()
    dialog.props["aria-label"] = name  # not as text for props(): a name may hold quotes
    return dialog
