"""IGLOO as a picture: the pieces on the table from above, their connections, and which are open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from rules.looney.options import widths_of
from table.page.colours import PAINTS, mark
from table.page.texts import Texts

# in widths of a small piece, whatever the game's unit is
_EDGE = 4 / 3
_NUMBER = 1 / 3  # least height of a piece's number
# in widths of the piece itself: the largest height of its number (two digits side by side); the height from which its
# mark moves aside; where the mark moves; and its size there
_LARGEST_NUMBER, _IN_THE_WAY = 0.85, 2 / 5
_ASIDE, _SIZE_ASIDE = (0.8, 0.19), 1 / 5
_STROKE = 1 / 18  # `--unit` of the style
# CSS pixels: the space for a board on a phone; the least readable text; the least width of the smallest pieces to hold
# it
_PHONE, _READABLE, _LEAST_PIECE = (320, 480), 11, 13


def board(
    view: Mapping[str, Any], texts: Texts, moves: Iterable[str] = (), places: str = "", width: int = 0
) -> str:
    """The table as SVG, north up; open pieces that may be captured are buttons.

    `places`: the areas where the next piece, `width` units wide, may lie; drawn below the pieces.
    """
    widths = widths_of(view["options"])
    small = widths["S"]
    placed = [p for p in view["pieces"] if "x" in p]
    captures = {int(m.split("#")[1]): m for m in moves if m.startswith("capture #")}
    if not placed and not places:
        if view["pieces"]:
            return ""  # they are in a list instead (`looney_told`)
        return f'<p class="small">{escape(texts["looney.empty"])}</p>'
    edge = max(1, round(_EDGE * small)) + (round(width / 2) if places else 0)
    left = min((p["x"] for p in placed), default=0) - edge
    right = max((p["x"] + widths[p["size"]] for p in placed), default=width) + edge
    low = min((p["y"] for p in placed), default=0) - edge
    high = max((p["y"] + widths[p["size"]] for p in placed), default=width) + edge
    centres = {p["id"]: (p["x"] + widths[p["size"]] / 2, -p["y"] - widths[p["size"]] / 2) for p in placed}
    scale, enlarged = _scale(right - left, high - low, small)
    least = f"min-width:{scale * (right - left):.0f}px;min-height:{scale * (high - low):.0f}px"
    parts = [
        f'<svg viewBox="{left} {-high} {right - left} {high - low}" class="looney" role="group" '
        f'style="--unit:{_STROKE * small:g}{";" + least if enlarged else ""}" '
        f'aria-label="{escape(texts["looney.table"])}"><g class="places">{places}</g>'
    ]
    for a, b in view["links"]:
        if a in centres and b in centres:
            (ax, ay), (bx, by) = centres[a], centres[b]
            parts.append(f'<line x1="{ax}" y1="{ay}" x2="{bx}" y2="{by}" class="link"/>')
    last = max((p["id"] for p in placed), default=0)
    number = max(_NUMBER * small, _READABLE / scale)
    for piece in placed:
        is_open, is_last = piece["id"] in view["open"], piece["id"] == last
        move = captures.get(piece["id"])
        parts.append(_piece(piece, widths[piece["size"]], is_open, is_last, move, texts, number))
    # a picture wider than the phone scrolls under the finger, or with the arrow keys
    return f'<div class="wide"{" tabindex=0" if enlarged else ""}>{"".join(parts)}</svg></div>'


def _scale(wide: float, high: float, small: int) -> tuple[float, bool]:
    """CSS pixels per unit on a phone, and whether the board is larger there than the visible part.

    It is larger if the smallest pieces could not hold their numbers otherwise.
    """
    scale, least = min(_PHONE[0] / wide, _PHONE[1] / high), _LEAST_PIECE / small
    return max(scale, least), least > scale


def _piece(
    piece: Mapping[str, Any],
    width: int,
    is_open: bool,
    is_last: bool,
    move: str | None,
    texts: Texts,
    number: float,
) -> str:
    colour = texts[f"colour.{piece['colour']}"]
    key = "looney.open" if is_open else "looney.piece"
    label = escape(texts(key, number=piece["id"], colour=colour, size=piece["size"]))
    number = min(_LARGEST_NUMBER * width, number)
    (x, y), size = (_ASIDE, _SIZE_ASIDE) if number > _IN_THE_WAY * width else ((1 / 2, 1 / 2), 1 / 5)
    tap = f' data-moves="{escape(move)}" tabindex="0"' if move else ""
    return (
        f'<g transform="translate({piece["x"]} {-piece["y"] - width})" role="{"button" if move else "img"}"{tap} '
        f'aria-label="{label}" class="{"tap" if move else ""}">'
        f'<rect width="{width}" height="{width}" fill="{PAINTS[piece["colour"]].fill}" '
        f'class="pyramid{" open" if is_open else ""}{" fresh" if is_last else ""}"/>'
        f'<path d="M0 0L{width} {width}M{width} 0L0 {width}" class="ridge"/>'
        f'<g transform="translate({x * width:g} {y * width:g}) scale({size * width:g})">'
        f"{mark(piece['colour'])}</g>"
        f'<text x="{width / 20:g}" y="{width - width / 16:g}" class="number" font-size="{number:g}">'
        f"{piece['id']}</text></g>"
    )


def stash(view: Mapping[str, Any], texts: Texts) -> str:
    """How many pieces are left to place, and who holds how many prisoners."""
    rows = []
    for side, colours in view["sides"].items():
        left = ", ".join(
            f"{texts[f'colour.{c}']} " + " ".join(f"{size}{n}" for size, n in view["stash"][c].items())
            for c in colours
        )
        words = texts("looney.side", side=side, left=left, prisoners=len(view["prisoners"][side]))
        rows.append(f"<li class='player'>{escape(words)}</li>")
    return f'<ul class="players">{"".join(rows)}</ul>'
