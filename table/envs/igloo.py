"""Andrew Looney's IGLOO for agents.

The game's geometry is continuous; an agent places on a grid: south-west corners at multiples of `grid` units (1/32
inch, 9 by default) up to `cells` steps from the origin each way (30 by default, 270 units). If the grid has no legal
place but the field has one, the action `elsewhere` lets the environment draw one, by the seed of `reset`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from rules.core.game import Game
from rules.looney.options import SIZES
from rules.looney.room import room
from rules.looney.state import PHASES

from .codec import Codec, View, code

MOST_PIECES = 60
ELSEWHERE = "elsewhere"


class IglooCodec(Codec):
    """Observation: five numbers for each of 60 pieces, then stashes, prisoners, real colours, seat and phase.

    The five numbers of a piece, in the order of piece numbers: colour, size, x, y, open; -1 while it is not in play.
    """

    def __init__(
        self, players: Sequence[str], options: Mapping[str, Any], grid: int = 9, cells: int = 30
    ) -> None:
        super().__init__(players, options)
        self.grid, self.cells = grid, cells
        self.side = 2 * cells + 1
        captures = [f"capture #{number}" for number in range(1, MOST_PIECES + 1)]
        words = ["commit 0", "commit 1", "reveal", "done", "pass", "capture all", ELSEWHERE, *captures]
        places = [
            f"place {c} {size} {x} {y}" for c, size, x, y in product(range(2), SIZES, *[range(self.side)] * 2)
        ]
        self.first_place = len(words)
        self.index([*words, *places])
        self.width = 5 * MOST_PIECES + 4 * 3 + 4 * 3 + 4
        self.highest = 10**6

    def actions(self, game: Game[Any], state: Any, seat: str) -> list[int]:
        if game.phase(state) != "place":
            own = self._own(state, seat)
            return sorted(
                self._action[f"commit {own.index(move.split()[2])}" if move.startswith("commit") else move]
                for move in game.moves(state, seat)
            )
        out = []
        own = self._own(state, seat)
        kinds = [(state.setting.colours[colour], size) for colour, size in state.kinds_left()]
        for size in sorted({size for _, size in kinds}):
            corners = self._corners(room(state, size).rectangles)
            for colour in [colour for colour, other in kinds if other == size]:
                base = self.first_place + (own.index(colour) * 3 + size) * self.side**2
                out += [base + corner for corner in corners]
        if out:
            return sorted(out)
        return [self._action["pass" if next(game.moves(state, seat)) == "pass" else ELSEWHERE]]

    def _corners(self, rectangles: Sequence[tuple[int, int, int, int]]) -> list[int]:
        """Grid points in rectangles; east and north edges are excluded."""
        out = []
        for west, south, east, north in rectangles:
            xs = range(max(-(-west // self.grid), -self.cells), min(-(-east // self.grid), self.cells + 1))
            ys = range(max(-(-south // self.grid), -self.cells), min(-(-north // self.grid), self.cells + 1))
            out += [(x + self.cells) * self.side + y + self.cells for x, y in product(xs, ys)]
        return out

    def _own(self, state: Any, seat: str) -> list[str]:
        """The colours that a seat's actions call 0 and 1: those it places, or may choose to be the real one."""
        setting = state.setting
        at = setting.seats.index(seat)
        side = setting.side_of[at]
        choosable = setting.colours[2 * side : 2 * side + 2]
        return list(choosable)

    def move(self, game: Game[Any], state: Any, seat: str, action: int, rng: random.Random) -> str | None:
        words = self.texts[action].split()
        own = self._own(state, seat)
        if words[0] == "commit":
            return f"commit {seat} {own[int(words[1])]}"
        if words[0] == ELSEWHERE:
            return game.random_move(state, rng.randrange)
        if words[0] == "place":
            x, y = ((int(word) - self.cells) * self.grid for word in words[3:])
            return f"place {own[int(words[1])]} {words[2]} @ {x},{y}"
        return self.texts[action]

    def observe(self, view: View, seat: str) -> list[int]:
        colours = [colour for side in view["sides"].values() for colour in side]
        out = [-1] * (5 * MOST_PIECES)
        for piece in view["pieces"]:
            number = piece["id"]
            if number <= MOST_PIECES:  # more are never placed, but a position may use higher numbers
                row = [colours.index(piece["colour"]), SIZES.index(piece["size"])]
                row += [piece.get("x") or 0, piece.get("y") or 0, int(number in view["open"])]
                out[5 * number - 5 : 5 * number] = row
        out += [view["stash"][colour][size] for colour in colours for size in SIZES]
        taken = [(one["colour"], one["size"]) for side in view["prisoners"].values() for one in side]
        out += [taken.count((colour, size)) for colour in colours for size in SIZES]
        out += [code(view["real"][side], colours) for side in view["sides"]]
        return [*out, code(seat, view["seats"]), code(view["phase"], PHASES)]
