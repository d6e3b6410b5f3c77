"""Where a pyramid may be placed, as areas to tap: the rules' exact free space, cut into rectangles (IG-9, IG-12)."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from rules.looney.options import SIZES
from rules.looney.room import Rectangle, room
from rules.looney.state import PLACE, State
from table.page.texts import Texts

# in widths of a small piece: a tap within this distance means the nearest place; one farther away none
_NEAR = 4 / 3
_BY_KEYBOARD = 24  # areas that are tab stops, and are read out: the largest ones
# of a small piece's width: even a place of one unit is drawn this wide, so that a finger can hit it
_LEAST = 5 / 18


def kinds(view: dict[str, Any], seat: str | None) -> list[tuple[str, str, int]]:
    """Colour, size and remaining number of the pieces that may be placed now; empty in other phases."""
    if view["phase"] != PLACE or not view["to_act"]:
        return []
    acting = view["to_act"][0]
    if seat is not None and seat != acting:
        return []
    side = acting if acting in view["sides"] else None
    colours = view["sides"][side] if side is not None else [acting]
    return [(c, size, view["stash"][c][size]) for c in colours for size in SIZES if view["stash"][c][size]]


def areas(state: State, size: str) -> tuple[Rectangle, ...]:
    """Legal south-west corners of a piece of that size; empty if some pieces have no coordinates (D-84)."""
    if state.phase != PLACE or not state.measured:
        return ()
    return room(state, SIZES.index(size)).rectangles


def meant(state: State, size: str, x: float, y: float) -> tuple[int, int] | None:
    """The legal corner for a tap at `x`, `y` on the centre of the piece; None if there is none nearby."""
    widths = state.setting.widths
    width = widths[SIZES.index(size)]
    corner = round(x - width / 2), round(y - width / 2)
    for near in room(state, SIZES.index(size)).nearest(*corner):
        far = max(abs(near[0] - corner[0]), abs(near[1] - corner[1]))
        return near if far <= _NEAR * widths[0] else None
    return None


def drawn(
    rectangles: tuple[Rectangle, ...], move: str, width: int, small: int, texts: Texts
) -> Iterator[str]:
    """The areas in which the centre of the piece may lie; `move` is the part before the coordinates.

    `width` is the piece's; `small` is that of the smallest pieces, from which all sizes derive.
    """
    least = _LEAST * small
    by_size = sorted(rectangles, key=lambda r: (r[0] - r[2]) * (r[3] - r[1]))
    stops = set(by_size[:_BY_KEYBOARD])
    for west, south, east, north in rectangles:
        x, y = (west + east - 1) // 2, (south + north - 1) // 2
        wide, high = max(least, east - west), max(least, north - south)
        left, top = (west + east - 1 + width - wide) / 2, -(south + north - 1 + width + high) / 2
        stop = ' tabindex="0"' if (west, south, east, north) in stops else ' aria-hidden="true"'
        label = escape(texts("looney.place", x=x, y=y))
        yield (
            f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" class="place" role="button"{stop} '
            f'aria-label="{label}" data-place="{move}" data-moves="{move} @ {x},{y}"/>'
        )
