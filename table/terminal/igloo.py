"""Andrew Looney's IGLOO drawn: squares from above, at a coarse scale, with the number of each piece."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rules.looney.options import widths_of

from .inks import INK, LETTER, joined, named

ACROSS, DOWN = 5 / 18, 10 / 18  # of a small piece's width: the size of a column and of a row of letters
FARTHEST = 400  # columns or rows; if the field is larger, the pieces are only listed


def draw(view: Mapping[str, Any]) -> RenderableType:
    """The field of a view (docs/contracts.md 2)."""
    placed = [piece for piece in view["pieces"] if piece.get("x") is not None]
    return Group(_field(view, placed) if placed else Text("an empty field"), _pieces(view), _stash(view))


def _field(view: Mapping[str, Any], pieces: list[Mapping[str, Any]]) -> Text:
    widths = widths_of(view["options"])
    one_across, one_down = max(1, round(ACROSS * widths["S"])), max(1, round(DOWN * widths["S"]))
    west, south = min(p["x"] for p in pieces), min(p["y"] for p in pieces)
    columns = max((p["x"] + widths[p["size"]] - west) // one_across for p in pieces) + 1
    rows = max((p["y"] + widths[p["size"]] - south) // one_down for p in pieces) + 1
    if columns > FARTHEST or rows > FARTHEST:
        return Text("the pieces lie too far apart to be drawn")
    field = [[(" ", "")] * columns for _ in range(rows)]
    for piece in pieces:
        ink = INK.get(piece["colour"], "") + (" reverse" if piece["id"] in view["open"] else "")
        width = widths[piece["size"]]
        left, low = (piece["x"] - west) // one_across, (piece["y"] - south) // one_down
        across, high = max(width // one_across, 3), max(width // one_down, 1)
        label = f"{LETTER.get(piece['colour'], '?')}{piece['size']}{piece['id']}".center(across, "·")
        for y in range(high):
            text = label if y == high // 2 else "·" * across
            for x, letter in enumerate(text):
                if low + y < rows and left + x < columns:
                    field[rows - 1 - low - y][left + x] = (letter, ink)
    out = Text()
    for line in field:
        for letter, ink in line:
            out.append(letter, style=ink)
        out.append("\n")
    return out


def _pieces(view: Mapping[str, Any]) -> Text:
    parts = []
    for piece in view["pieces"]:
        where = "" if piece.get("x") is None else f" @ {piece['x']},{piece['y']}"
        mark = " OPEN" if piece["id"] in view["open"] else ""
        parts.append(joined([f"#{piece['id']}", named(piece["colour"]), f"{piece['size']}{where}{mark}"]))
    return joined(parts, "   ")


def _stash(view: Mapping[str, Any]) -> Table:
    table = Table("side", "colours", "left to place", "prisoners", "real colour")
    for side, colours in view["sides"].items():
        left = joined([joined([named(one), _sizes(view["stash"][one])]) for one in colours], "; ")
        taken = " ".join(f"{LETTER.get(one['colour'], '?')}{one['size']}" for one in view["prisoners"][side])
        table.add_row(side, joined(map(named, colours)), left, taken, named(view["real"][side]))
    return table


def _sizes(stash: Mapping[str, int]) -> str:
    return " ".join(f"{count}{size}" for size, count in stash.items())
