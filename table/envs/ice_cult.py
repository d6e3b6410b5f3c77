"""Ice Cult for agents: 1,660 actions on paths of five spaces; nothing is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from rules.ice_cult.cubeset import COLOURS, CUBES, SIDES, SLOTS, SYMBOLS
from rules.ice_cult.notation import TILTS
from rules.ice_cult.position import PHASES
from rules.ice_cult.turns import FACES

from .codec import Codec, View, code, padded

HIGHEST_STACK = 20  # all pawns: four colours of five


class IceCultCodec(Codec):
    """Observation: cubes and tops, phase, pool, home, then every stack from N1 to W5, bottom first."""

    def __init__(self, players: Sequence[str], options: Mapping[str, Any]) -> None:
        super().__init__(players, options)
        self.length: int = options.get("length", 5)
        steps = ["pool"]
        for space in range(1, self.length + 1):
            steps += [f"{space}", *(f"{space}#{k}" for k in range(1, HIGHEST_STACK))]
        self.index(
            [
                *(f"tilt {tilt}" for tilt in TILTS),
                *(f"use {slot} {step}" for slot, step in product(SLOTS, steps)),
                *(f"copy {a} {b} {step}" for a, b, step in product(SLOTS, SLOTS, steps) if a != b),
                *(f"turn {a} {b} {sense}" for a, b, sense in product(SLOTS, SLOTS, ("cw", "ccw"))),
                "end",
            ]
        )
        self.width = 4 * 5 + 4 + 8 + 4 * self.length * HIGHEST_STACK

    def observe(self, view: View, seat: str) -> list[int]:
        out = []
        for slot in SLOTS:
            lies = view["cubes"][slot] or {}
            out += [code(view["tops"][slot], SYMBOLS), int(slot in view["spent"])]
            out += [
                code(lies.get("cube"), CUBES),
                code(lies.get("up"), FACES),
                code(lies.get("north"), FACES),
            ]
        out += [code(view["phase"], PHASES), code(view["first_tilt"], TILTS)]
        out += [code(seat, COLOURS), code((view["to_act"] or [None])[0], COLOURS)]
        out += [*view["pool"].values(), *view["home"].values()]
        for side in SIDES:
            for stack in view["paths"][side]:
                out += padded([COLOURS.index(pawn) for pawn in stack], HIGHEST_STACK, -1)
        return out
