"""The invitation on the host's screen: this table's code, and a QR code of its address with the code in it."""

from __future__ import annotations

import io
from html import escape

from table.page.dialog import dialog_called
from table.page.room import Room
from table.page.texts import Texts


def invite(room: Room, texts: Texts) -> None:
    """The code, and a button that shows the picture large. Nothing if nobody else can connect."""
    from nicegui import ui

    code = room.code()
    if code is None:
        return
    ui.html(f'<span class="badge">{escape(texts("door.code", code=code))}</span>', sanitize=False)
    if room.invitation() is None:
        return
    with dialog_called(texts["door.invite"]) as dialog, ui.card().classes("invite") as card:
        pass

    def show() -> None:
        """Uses the present address: the page may have been open before the network was up."""
        address = room.invitation() or ""
        card.clear()
        with card:
            words = texts("door.scan", address=address.partition("#")[0], code=code)
            ui.html(qr(address, words), sanitize=False).classes("w-full")
            ui.label(words)
            ui.button(texts["door.done"], on_click=dialog.close).props("no-caps unelevated")
        dialog.open()

    ui.button(texts["door.invite"], on_click=show).props("no-caps outline")


def qr(address: str, label: str) -> str:
    """A QR code as SVG, black on white even in dark mode: many cameras cannot read it inverted."""
    import segno

    out = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(out, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, svgns=False, omitsize=True)
    return (
        out.getvalue().decode().strip().replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)
    )
