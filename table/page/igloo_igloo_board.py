"""Igloo Igloo as a picture: the eight by eight squares, ice and sea, animals, Inuits, igloos."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from table.page.colours import PAINTS, chip, disc
from table.page.texts import Texts
from table.page.tiles import tile

_DOT = "\u00a0· "  # keeps lines from beginning with it
_SQUARE = re.compile(r"\b([a-h][1-8])\b")
_FISH = '<path d="M-17 0Q-1 -28 15 0Q-1 28 -17 0ZM12 0L24 -10V10Z" class="fish"/>'
_FOX = '<path d="M-14 -12L-6 -4H6L14 -12L12 8L0 16L-12 8Z" class="fox"/>'
_EAR = '<circle cx="{}" cy="-12" r="6" class="bear"/>'
# a line with a casing is visible on ice, sea and land alike
_REACH = "".join(
    f'<rect x="7" y="7" width="86" height="86" rx="9" class="{line}"/>' for line in ("casing", "reach")
)
_WIDE, _HIGH = 45.0, 36.0  # the space that an animal needs, as drawn above
_WIDEST, _LARGEST = 92.0, 1.6  # of a square of 100; the largest scale
_QUERY = '<text x="50" y="66" text-anchor="middle" class="query">?</text>'
_BEAR = f'{_EAR.format(-12)}{_EAR.format(12)}<circle r="17" class="bear"/>'


def board(view: Mapping[str, Any], texts: Texts, moves: Iterable[str] = (), asked: str = "") -> str:
    """The board as SVG; squares on which something can be done are buttons (`data-moves`).

    If there are any, all squares are cells of a grid (`walked`), and the first button is its tab stop. `asked`: the
    square that a question beside the board is about.
    """
    tapped = taps(moves)
    names = [f"{letter}{row}" for row in range(8, 0, -1) for letter in "abcdefgh"]
    stop = next((name for name in names if name in tapped), "")
    parts = [
        f'<svg viewBox="-44 -4 852 852" class="seaboard" role="{"grid" if stop else "group"}" '
        f'aria-label="{escape(texts["island.board"])}">'
    ]
    for index, name in enumerate(names):
        x, y = index % 8 * 100, index // 8 * 100
        tab = None if not stop else 0 if name == stop else -1
        square = _square(name, x, y, view, texts, tapped.get(name, []), tab)
        if stop:
            square = f'<g role="gridcell">{square}</g>'
            square = f'<g role="row">{square}' if x == 0 else f"{square}</g>" if x == 700 else square
        parts.append(square)
    if asked:
        x, y = "abcdefgh".index(asked[0]) * 100, (8 - int(asked[1])) * 100
        parts.append(f'<g transform="translate({x} {y})" data-asked="{asked}">{_REACH}{_QUERY}</g>')
    for index, letter in enumerate("abcdefgh"):
        parts.append(
            f'<text x="{index * 100 + 50}" y="836" text-anchor="middle" class="side">{letter}</text>'
        )
        parts.append(
            f'<text x="-24" y="{index * 100 + 62}" text-anchor="middle" class="side">{8 - index}</text>'
        )
    return "".join(parts) + "</svg>"


def taps(moves: Iterable[str]) -> dict[str, list[str]]:
    """The moves that a tap on a square can mean: those that end there, or refer to it."""
    out: dict[str, list[str]] = {}
    for move in moves:
        squares = _SQUARE.findall(move)
        if squares:
            out.setdefault(squares[-1], []).append(move)
    return out


def ground(name: str, view: Mapping[str, Any]) -> str:
    """`land`, `sea`, `hidden` (a tile face down) or `pack`."""
    if name in ("a1", "a8", "h1", "h8"):
        return "land"
    return str(view["ice"].get(name, "sea"))


def _square(
    name: str, x: int, y: int, view: Mapping[str, Any], texts: Texts, moves: list[str], tab: int | None
) -> str:
    kind = ground(name, view)
    pieces, words = _pieces(name, view, texts)
    beneath = view["tiles"].get(name) if kind == "hidden" else None
    if beneath:  # revealed after the end, when all agreed
        shown = tile(beneath, texts)
        pieces += f'<text x="50" y="19" text-anchor="middle" class="beneath">{escape(shown)}</text>'
        words = f"{shown}, {words}" if words else shown
    reach = _REACH if moves else ""
    label = escape(texts("island.square", square=name, ground=texts[f"island.{kind}"], pieces=words or "–"))
    tap = f' data-moves="{escape("|".join(moves))}"' if moves else ""
    tap += "" if tab is None else f' tabindex="{tab}"'
    return (
        f'<g transform="translate({x} {y})" role="{"button" if moves else "img"}"{tap} aria-label="{label}" '
        f'class="{"tap" if moves else ""}"><rect x="2" y="2" width="96" height="96" rx="12" class="ground on-{kind}"/>'
        f"{reach}{pieces}</g>"
    )


def _pieces(name: str, view: Mapping[str, Any], texts: Texts) -> tuple[str, str]:
    out, words = [], []
    if name in view["igloos"]:
        colour = view["igloos"][name]
        out.append(
            f'<path d="M14 62A36 40 0 0 1 86 62Z" fill="{PAINTS[colour].fill}" class="rimmed"/>'
            f"{disc(colour, 50, 44, 12)}"
        )
        words.append(texts("island.igloo", colour=texts[f"colour.{colour}"]))
    animals = [(_FISH, "fish", v) for v in view["fish"].get(name, ())]
    animals += [(_FOX, "fox", v) for v in view["foxes"].get(name, ())]
    animals += [(_BEAR, "bear", "")] if name in view["bears"] else []
    people = view["inuits"].get(name, ())
    room = 34 if name in view["igloos"] else 58 if people else 92
    # beside an igloo, not on the disc that says whose it is
    spots, scale = _spots(max(len(animals), 2) if name in view["igloos"] else len(animals), room)
    for (shape, kind, value), (px, py) in zip(animals, spots, strict=False):
        px -= 4 * scale if kind == "fish" else 0  # its tail is longer than its head
        out.append(
            f'<g transform="translate({px:.1f} {py:.1f}) scale({scale:.2f})" class="animal">{shape}'
            f'<text y="7" text-anchor="middle">{value}</text></g>'
        )
        words.append(f"{texts[f'island.{kind}']} {value}".strip())
    for index, colour in enumerate(people):
        out.append(
            disc(
                colour, 20 + index * min(22, 60 / max(1, len(people) - 1)), 80, 14, texts[f"colour.{colour}"]
            )
        )
        words.append(texts("island.inuit", colour=texts[f"colour.{colour}"]))
    return "".join(out), ", ".join(words)


def _spots(count: int, height: float) -> tuple[list[tuple[float, float]], float]:
    """Where the centres of that many animals are in the upper `height` of a square, and their scale.

    They stand side by side, in as many rows as make them largest: none covers another or crosses the edge.
    """
    if not count:
        return [], 1.0

    def size(columns: int) -> float:
        return min(_WIDEST / columns / _WIDE, height / math.ceil(count / columns) / _HIGH, _LARGEST)

    columns = max(range(1, count + 1), key=size)
    across, down = _WIDEST / columns, height / math.ceil(count / columns)
    spots = [(4 + across * (k % columns + 0.5), 4 + down * (k // columns + 0.5)) for k in range(count)]
    return spots, size(columns)


def turn(view: Mapping[str, Any], texts: Texts) -> str:
    """What to do now and with how many points; empty when the game is over."""
    if view["over"] or not view["to_act"]:
        return ""
    phase, pending, left = view["phase"], view["pending"], int(view["ap"] or 0)
    points = (pending or {}).get("points", 0) if phase == "animals" else left
    words = [texts(f"sea.phase_{phase.replace('-', '_')}", points=points)]
    if left and phase != "action":  # an effect in the middle of the actions
        words.append(texts("sea.phase_action", points=left))
    return escape(_DOT.join(words))


def players(
    view: Mapping[str, Any], seat: str | None, texts: Texts, scores: Mapping[str, float | None] | None = None
) -> str:
    """A line per player: the hand (its tiles only for the viewing seat, and for all at the end), prey, what is left.

    Prey, igloos and the number of tiles in hand are public (D-63, D-64); `scores`: the points as the board stands.
    """
    rows = []
    for colour in view["players"]:
        hand, prey, left = view["hands"][colour], view["prey"][colour], view["reserve"][colour]
        known = [tile(kind, texts) for kind in hand if kind] if colour == seat or view["over"] else []
        cards = "".join(f'<i class="tilecard">{escape(name)}</i>' for name in known)
        words = [texts("island.in_hand", tiles=len(hand)), _hunted(prey, texts)]
        words.append(texts("island.igloos_left", igloos=left["igloos"]))
        if left["inuits"]:
            words.append(texts("island.inuits_left", inuits=left["inuits"]))
        points = (scores or {}).get(colour)
        if points is not None:
            words.append(texts("island.so_far", points=texts.number(points)))
        rows.append(
            f'<li class="player{" acting" if colour in view["to_act"] else ""}">{chip(colour, 28)}'
            f"<b>{escape(texts[f'colour.{colour}'])}</b><span>{escape(_DOT.join(words))}</span>"
            f"{f'<span>{cards}</span>' if cards else ''}</li>"
        )
    return f'<ul class="players">{"".join(rows)}</ul>'


def _hunted(prey: Mapping[str, Any], texts: Texts) -> str:
    """`hunted: 8 (fish 1, 3; bear)`; a bear is worth four points (II-3)."""
    fish, foxes, bears = prey["fish"], prey["foxes"], int(prey["bears"] or 0)
    kinds = [
        f"{texts[f'island.{kind}']} {', '.join(map(str, sorted(values)))}"
        for kind, values in (("fish", fish), ("fox", foxes))
        if values
    ]
    kinds += [f"{texts['island.bear']}{f' × {bears}' if bears > 1 else ''}"] if bears else []
    words = texts("island.hunted", points=sum(fish) + sum(foxes) + 4 * bears)
    return f"{words} ({'; '.join(kinds)})" if kinds else words
