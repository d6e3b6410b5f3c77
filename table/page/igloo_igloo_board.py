"""Igloo Igloo as a picture: the eight by eight squares, ice and sea, animals, Inuits, igloos."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from table.page.colours import PAINTS, disc
from table.page.texts import Texts
from table.page.tiles import tile

_SQUARE = re.compile(r"\b([a-h][1-8])\b")
_FISH = '<path d="M-16 0Q0 -14 14 0Q0 14 -16 0ZM12 0L24 -9V9Z" class="fish"/>'
_FOX = '<path d="M-14 -12L-6 -4H6L14 -12L12 8L0 16L-12 8Z" class="fox"/>'
_EAR = '<circle cx="{}" cy="-12" r="6" class="bear"/>'
_BEAR = f'{_EAR.format(-12)}{_EAR.format(12)}<circle r="17" class="bear"/>'


def board(view: Mapping[str, Any], texts: Texts, moves: Iterable[str] = ()) -> str:
    """The board as SVG; squares on which something can be done are buttons (`data-moves`)."""
    tapped = taps(moves)
    parts = [
        f'<svg viewBox="-44 -4 852 852" class="seaboard" role="group" aria-label="{escape(texts["island.board"])}">'
    ]
    for row in range(8, 0, -1):
        for column in range(8):
            name = f"{'abcdefgh'[column]}{row}"
            parts.append(_square(name, column * 100, (8 - row) * 100, view, texts, tapped.get(name, [])))
    for index, letter in enumerate("abcdefgh"):
        parts.append(
            f'<text x="{index * 100 + 50}" y="836" text-anchor="middle" class="side">{letter}</text>'
        )
        parts.append(
            f'<text x="-24" y="{index * 100 + 62}" text-anchor="middle" class="side">{8 - index}</text>'
        )
    return "".join(parts) + "</svg>"


def taps(moves: Iterable[str]) -> dict[str, list[str]]:
    """Which moves a tap on a square can mean: those that end there, or are about it."""
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


def _square(name: str, x: int, y: int, view: Mapping[str, Any], texts: Texts, moves: list[str]) -> str:
    kind = ground(name, view)
    pieces, words = _pieces(name, view, texts)
    beneath = view["tiles"].get(name) if kind == "hidden" else None
    if beneath:  # opened after the end, when all agreed
        shown = tile(beneath, texts)
        pieces += f'<text x="50" y="19" text-anchor="middle" class="beneath">{escape(shown)}</text>'
        words = f"{shown}, {words}" if words else shown
    label = escape(texts("island.square", square=name, ground=texts[f"island.{kind}"], pieces=words or "–"))
    tap = f' data-moves="{escape("|".join(moves))}" tabindex="0"' if moves else ""
    return (
        f'<g transform="translate({x} {y})" role="{"button" if moves else "img"}"{tap} aria-label="{label}" '
        f'class="{"tap" if moves else ""}"><rect x="2" y="2" width="96" height="96" rx="12" class="ground on-{kind}"/>'
        f"{pieces}</g>"
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
    for index, (shape, kind, value) in enumerate(animals):
        few = len(animals) <= 2  # large enough to be read from afar
        px, py = (28 + index * 44, 32) if few else (26 + (index % 3) * 26, 26 + (index // 3) * 24)
        out.append(
            f'<g transform="translate({px} {py}){" scale(1.45)" if few else ""}" class="animal">{shape}'
            f'<text y="7" text-anchor="middle">{value}</text></g>'
        )
        words.append(f"{texts[f'island.{kind}']} {value}".strip())
    people = view["inuits"].get(name, ())
    for index, colour in enumerate(people):
        out.append(
            disc(
                colour, 20 + index * min(22, 60 / max(1, len(people) - 1)), 80, 14, texts[f"colour.{colour}"]
            )
        )
        words.append(texts("island.inuit", colour=texts[f"colour.{colour}"]))
    return "".join(out), ", ".join(words)


def hands(view: Mapping[str, Any], seat: str | None, texts: Texts) -> str:
    """What is in the hand of the seat that looks, and how many tiles the others hold; all that is known at the end."""
    rows = []
    for colour in view["players"]:
        hand = view["hands"][colour]
        known = [tile(kind, texts) for kind in hand if kind] if colour == seat or view["over"] else []
        shown = "".join(f'<i class="tilecard">{escape(name)}</i>' for name in known)
        words = texts("island.hand", colour=texts[f"colour.{colour}"], tiles=len(hand))
        rows.append(f"<li class='player'><b>{escape(words)}</b><span>{shown}</span></li>")
    return f'<ul class="players">{"".join(rows)}</ul>'
