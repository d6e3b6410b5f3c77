"""Tells a person who tapped at a position that is gone that nothing was done."""

from __future__ import annotations

from table.page.texts import Texts


def gone_on(texts: Texts) -> None:
    """Notify at NiceGUI's current position."""
    from nicegui import ui

    ui.notify(texts["hand.gone_on"])
