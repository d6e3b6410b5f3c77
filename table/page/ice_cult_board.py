"""Ice Cult as a picture: the four cubes from above, the four paths with their stacks, the pool, and who is home."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from table.page.colours import disc
from table.page.symbols import SHEET, symbol
from table.page.texts import Texts

SLOTS = {"NW": (-1, -1), "NE": (1, -1), "SE": (1, 1), "SW": (-1, 1)}
_OUT = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
_CUBE = 112.0  # width of a cube
_PAWN = 27.0  # radius
# the arcs' centres lie in the middle of the four cubes: how far each slot's arc is turned from SE
_FALLBACK_ARC = {"NW": 0, "NE": 90, "SE": 180, "SW": 270}


def board(
    view: Mapping[str, Any],
    texts: Texts,
    moves: Iterable[str] = (),
    fresh: Iterable[str] = (),
    arcs: Mapping[str, float] | None = None,
) -> str:
    """The board as SVG.

    `moves`: legal moves; their pawns become buttons (`data-moves`). `fresh`: places that the last move touched (`N3`,
    `NE`, `pool`, `home N`). `arcs`: how far each slot's arc is turned clockwise from SE, in degrees.
    """
    touched, length, tapped = set(fresh), int(view["length"]), taps(view, moves)
    pitch = 322.0 / length
    still, tappable = list[str](), list[str]()
    for side, (dx, dy) in _OUT.items():
        for index, stack in enumerate(view["paths"][side]):
            distance = _CUBE + 18 + pitch * (index + 0.5)
            name = f"{side}{index + 1}"
            mine = tapped.get(name, [])
            x, y = dx * distance, dy * distance
            space = _space(name, x, y, pitch, bool(dx), stack, name in touched, mine, texts)
            (tappable if mine else still).append(space)
        still.append(_label(side, dx, dy))
    for slot, (sx, sy) in SLOTS.items():
        still.append(_cube(view, slot, sx, sy, slot in touched, (arcs or _FALLBACK_ARC).get(slot, 0)))
    pool = tapped.get("pool", [])
    (tappable if pool else still).append(_pool(view, pool, "pool" in touched, texts))
    still.append(_home(view, "home" in touched, texts))
    # screen readers do not read the inside of an img; of a picture with buttons, the label covers the rest
    return (
        f'<svg viewBox="-500 -500 1000 1000" class="board" role="{"group" if tappable else "img"}" '
        f'aria-label="{escape(describe(view, texts))}">'
        f'<g aria-hidden="true">{"".join(still)}</g>{"".join(tappable)}</svg>'
    )


def describe(view: Mapping[str, Any], texts: Texts) -> str:
    """The position in words, for a screen reader."""
    tops = ", ".join(f"{slot} {_said(top, texts)}" for slot, top in view["tops"].items())
    stacks = [
        f"{side}{i + 1}: {' '.join(texts[f'colour.{c}'] for c in stack)}"
        for side, path in view["paths"].items()
        for i, stack in enumerate(path)
        if stack
    ]
    home = ", ".join(f"{texts[f'colour.{c}']} {n}" for c, n in view["home"].items() if n)
    return texts("board.described", tops=tops, stacks="; ".join(stacks) or "–", home=home or "–")


def _said(top: str | None, texts: Texts) -> str:
    """`red>W` in words: “Red W”."""
    if top is None:
        return texts["term.unknown"]
    name, _, side = top.partition(">")
    return f"{texts[f'colour.{name}']} {side}" if side else texts[f"term.{name}"]


def taps(view: Mapping[str, Any], moves: Iterable[str]) -> dict[str, list[str]]:
    """The moves that a tap on a place can mean: `pool` or a space (`N3`) → moves in notation."""
    out: dict[str, list[str]] = {}
    for move in moves:
        words = move.split()
        if words[0] not in ("use", "copy"):
            continue
        arrow, pawn = words[-2], words[-1].split("#")[0]
        side = str(view["tops"][arrow]).partition(">")[2]
        out.setdefault(pawn if pawn == "pool" else f"{side}{pawn}", []).append(move)
    return out


def _tap(moves: list[str], label: str) -> str:
    if not moves:
        return ""
    words = escape(label)
    return (
        f' data-moves="{escape("|".join(moves))}" tabindex="0" role="button" aria-label="{words}" class="tap"'
    )


def _space(
    name: str,
    x: float,
    y: float,
    pitch: float,
    across: bool,
    stack: list[str],
    fresh: bool,
    moves: list[str],
    texts: Texts,
) -> str:
    """One space: a ledge across the path, with the stack along it from the bottom pawn (first) to the top (last)."""
    long, wide = 2 * _CUBE - 4, pitch - 8
    width, height = (wide, long) if across else (long, wide)
    box = (
        f'<rect x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" height="{height:.1f}" rx="14" '
        f'class="space{" fresh" if fresh else ""}"/>'
    )
    number = (
        f'<text x="{x - width / 2 + 15:.1f}" y="{y - height / 2 + 26:.1f}" class="tiny">{name[1:]}</text>'
    )
    step = min(2 * _PAWN - 8, (long - 2 * _PAWN - 30) / max(1, len(stack) - 1))
    radius = min(_PAWN, wide / 2 - 3)
    pawns = []
    for index, colour in enumerate(stack):
        along = (index - (len(stack) - 1) / 2) * step
        px, py = (x, y - along) if across else (x + along, y)
        pawns.append(disc(colour, px, py, radius, texts[f"colour.{colour}"]))
    label = texts("board.space", space=name, pawns=", ".join(texts[f"colour.{c}"] for c in stack))
    return f"<g{_tap(moves, label)}>{box}{number}{''.join(pawns)}</g>"


def _label(side: str, dx: int, dy: int) -> str:
    """The side's letter as in the notation, in every language: sentences and buttons say NE and E1."""
    x, y = dx * 478, dy * 478
    middle = 'text-anchor="middle" dominant-baseline="central"'
    return f'<text x="{x}" y="{y}" class="side" {middle}>{side}</text>'


def _cube(view: Mapping[str, Any], slot: str, sx: int, sy: int, fresh: bool, arc: float) -> str:
    top, spent = view["tops"][slot], slot in (view.get("spent") or ())
    x, y = sx * (_CUBE / 2 + 2), sy * (_CUBE / 2 + 2)
    inner = symbol(top, arc if top == "arc" else None)
    done = '<path d="M-44 44L-26 44M-44 44L-44 26" class="spentmark"/>' if spent else ""
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) scale({_CUBE / 100:.3f})" class="cube{" spent" if spent else ""}">'
        f'<rect x="-50" y="-50" width="100" height="100" rx="9" fill="{SHEET}" class="ice{" fresh" if fresh else ""}"/>'
        f"{inner}{done}</g>"
    )


def _pool(view: Mapping[str, Any], moves: list[str], fresh: bool, texts: Texts) -> str:
    return _corner(view["pool"], -340, -340, texts["board.pool"], fresh, moves, texts)


def _home(view: Mapping[str, Any], fresh: bool, texts: Texts) -> str:
    return _corner(view["home"], 340, 340, texts["board.home"], fresh, [], texts)


def _corner(
    counts: Mapping[str, int],
    x: float,
    y: float,
    title: str,
    fresh: bool,
    moves: list[str],
    texts: Texts,
) -> str:
    rows = []
    for row, (colour, count) in enumerate(counts.items()):
        top = y - 62 + row * 46
        rows += [disc(colour, x - 92 + i * 40, top, 18.5, texts[f"colour.{colour}"]) for i in range(count)]
        if not count:  # the nought has to say whose it is
            rows.append(f'<g class="nobody">{disc(colour, x - 92, top, 18.5, texts[f"colour.{colour}"])}</g>')
        rows.append(
            f'<text x="{x + 122:.0f}" y="{top + 1:.0f}" class="count" dominant-baseline="central">{count}</text>'
        )
    label = f"{title}: " + ", ".join(f"{texts[f'colour.{c}']} {n}" for c, n in counts.items())
    return (
        f"<g{_tap(moves, label)}>"
        f'<rect x="{x - 150}" y="{y - 140}" width="300" height="250" rx="22" '
        f'class="corner{" fresh" if fresh else ""}"/>'
        f'<text x="{x}" y="{y - 108}" class="cornertitle" text-anchor="middle">{escape(title)}</text>'
        f"{''.join(rows)}</g>"
    )


def changed(before: Mapping[str, Any], view: Mapping[str, Any]) -> list[str]:
    """What the last move touched: slots with another top, spaces, `pool`, `home`."""
    if not before:
        return []
    out = [slot for slot in SLOTS if before["tops"][slot] != view["tops"][slot]]
    for side, path in view["paths"].items():
        out += [f"{side}{i + 1}" for i, stack in enumerate(path) if stack != before["paths"][side][i]]
    return out + [name for name in ("pool", "home") if before[name] != view[name]]
