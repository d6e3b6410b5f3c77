"""IGLOO pieces entered by their connections instead of their place (D-84): listed, since no picture can show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from table.page.colours import chip
from table.page.texts import Texts


def unplaced(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The pieces in play that the picture cannot show."""
    return [piece for piece in view["pieces"] if "x" not in piece]


def listed(view: Mapping[str, Any], texts: Texts) -> str:
    """These pieces as HTML: number, colour, size, whether open, and connections; empty if the picture shows all."""
    pieces = unplaced(view)
    if not pieces:
        return ""
    rows = []
    for piece in pieces:
        near = sorted(b if a == piece["id"] else a for a, b in view["links"] if piece["id"] in (a, b))
        key = "looney.open" if piece["id"] in view["open"] else "looney.piece"
        words = texts(key, number=piece["id"], colour=texts[f"colour.{piece['colour']}"], size=piece["size"])
        said = f"{words}, {texts('looney.linked', pieces=numbers(near))}" if near else words
        rows.append(f'<li class="player">{chip(piece["colour"], 24)}<span>{escape(said)}</span></li>')
    title = escape(texts["looney.unplaced"])
    return f'<p class="small">{title}</p><ul class="players" data-part="unplaced">{"".join(rows)}</ul>'


def numbers(ids: Iterable[int]) -> str:
    """`#2, #4`, as moves name pieces."""
    return ", ".join(f"#{number}" for number in ids)
