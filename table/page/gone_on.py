"""Whoever tapped at a position that is gone by now is told so: nothing was done."""

from __future__ import annotations

from table.page.texts import Texts


def gone_on(texts: Texts) -> None:
    """Where NiceGUI stands now."""
    from nicegui import ui

    ui.notify(texts["hand.gone_on"])
