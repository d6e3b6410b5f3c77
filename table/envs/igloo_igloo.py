"""Igloo Igloo for agents: every square of the board, one's own hand, and the public part of the others'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from rules.igloo_igloo.board import COLOURS, CORNER_NAMES, SQUARES
from rules.igloo_igloo.state import PHASES

from .codec import Codec, View, code

ICE = (None, "hidden", "pack")
VALUES = (1, 2, 3)
HAND = ("thaw", "harpoon", "animals", "stamina-1", "stamina-2", "stamina-3", None)
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def beside(square: str) -> list[str]:
    column, row = "abcdefgh".index(square[0]), int(square[1])
    return [
        f"{'abcdefgh'[column + dx]}{row + dy}"
        for dx, dy in STEPS
        if 0 <= column + dx < 8 and 1 <= row + dy <= 8
    ]


class IglooIglooCodec(Codec):
    """Observation: thirteen numbers a square, then the phase, then each tribe's hand, prey and reserve."""

    reported = True

    def __init__(self, players: Sequence[str], options: Mapping[str, Any]) -> None:
        super().__init__(players, options)
        animals = [f"fish {value}" for value in VALUES] + [f"fox {value}" for value in VALUES] + ["bear"]
        armed = ("", " harpoon")
        neighbours = [(a, b) for a in SQUARES for b in beside(a)]
        texts = [f"{verb} {square}" for verb in ("place", "melt", "igloo", "thaw") for square in SQUARES]
        texts += [f"drift {square} {way}" for square, way in product(SQUARES, "NESW")]
        texts += [f"displace {animal} {square}" for animal, square in product(animals, SQUARES)]
        texts += [f"walk {a} {b}{arm}" for (a, b), arm in product(neighbours, armed)]
        texts += [f"kayak {a} {b}{arm}" for a, b, arm in product(SQUARES, SQUARES, armed) if a != b]
        texts += [f"hunt {square} {animal}{arm}" for square, animal, arm in product(SQUARES, animals, armed)]
        texts += [f"step {animal} {a} {b}" for animal, (a, b) in product(animals, neighbours)]
        texts += [f"stamina {value}" for value in range(1, 10)]
        texts += [f"flee {colour} {corner}" for colour, corner in product(COLOURS, CORNER_NAMES)]
        self.index([*texts, "animals", "harpoon", "no harpoon", "end"])
        self.width = 64 * 13 + 6 + 4 * 14

    def observe(self, view: View, seat: str) -> list[int]:
        out = []
        for square in SQUARES:
            fish, foxes = view["fish"].get(square, ()), view["foxes"].get(square, ())
            inuits = view["inuits"].get(square, ())
            out += [3 if square in CORNER_NAMES else ICE.index(view["ice"].get(square))]
            out += [int(square in view["bears"]), code(view["igloos"].get(square), COLOURS)]
            out += [fish.count(value) for value in VALUES] + [foxes.count(value) for value in VALUES]
            out += [inuits.count(colour) for colour in COLOURS]
        pending = view["pending"] or {}
        out += [
            code(view["phase"], PHASES),
            view["ap"] or 0,
            code(seat, COLOURS),
            code(view["turn"], COLOURS),
        ]
        out += [code(pending.get("square"), SQUARES), pending.get("points") or 0]
        for colour in COLOURS:
            hand = view["hands"].get(colour, ())
            prey, reserve = view["prey"].get(colour, {}), view["reserve"].get(colour, {})
            out += [hand.count(kind) for kind in HAND] + [len(hand)]
            out += [sum(prey.get("fish", ())), sum(prey.get("foxes", ())), prey.get("bears", 0)]
            out += [reserve.get("inuits", 0), reserve.get("igloos", 0), int(colour in self.players)]
        return out
