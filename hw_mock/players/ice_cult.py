"""Scripted players of Ice Cult: like most people they look one turn ahead, and they favour their own pawns."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from rules.core.game import Game
from rules.core.refusal import Refusal

_TRIES = 14  # pairs of tilts that a person really looks at


def turn(game: Game[Any], state: Any, seat: str, chance: random.Random) -> list[str]:
    """One whole turn of `seat`, from the first tilt to `end`, as moves in notation, each legal after those before it.

    It is the best of a few pairs of tilts, each followed by steps chosen greedily.
    """
    plans = []
    for first, second in _tilts(game, state, chance):
        after = _played(game, state, first)
        after = None if after is None else _played(game, after, second)
        if after is not None:
            moves, end = _steps(game, after, seat, chance)
            plans.append((worth(game.view(end, seat), seat) + chance.random() * 0.2, [first, second, *moves]))
    return max(plans, key=lambda plan: plan[0])[1]


def rest_of_turn(game: Game[Any], state: Any, seat: str, chance: random.Random) -> list[str]:
    """The rest of a turn that has begun: a tilt if one is due, then steps and `end`."""
    if game.phase(state) == "tilt-1":
        return turn(game, state, seat, chance)
    if game.phase(state) == "tilt-2":
        best: tuple[float, list[str]] | None = None
        for tilt in [m for m in game.moves(state, seat) if m.startswith("tilt")]:
            moves, end = _steps(game, game.play(state, tilt)[0], seat, chance)
            value = worth(game.view(end, seat), seat)
            if best is None or value > best[0]:
                best = (value, [tilt, *moves])
        return [] if best is None else best[1]
    return _steps(game, state, seat, chance)[0]


def worth(view: Any, seat: str) -> float:
    """How good a position looks to `seat`: its own pawns far out and home count for it, others' against it."""
    length, total = view["length"], 0.0
    weight = dict.fromkeys(view["players"], -0.45) | {seat: 1.0}
    for path in view["paths"].values():
        for space, stack in enumerate(path, 1):
            if not stack:
                continue
            for pawn in stack:
                total += weight.get(pawn, 0.0) * space
            if len(stack) > 2:  # five of one colour in one stack win (IC-17)
                total += 2.0 * max(0, stack.count(seat) - 2)
                rivals = [stack.count(other) for other in view["players"] if other != seat]
                total -= 3.0 * sum(max(0, n - 2) for n in rivals)
    for colour, count in view["home"].items():
        total += weight.get(colour, 0.0) * (length + 2) * count
    over = view["over"]
    if over is not None:
        total += 1000.0 if seat in over["winners"] else -1000.0
    return total


def _tilts(game: Game[Any], state: Any, chance: random.Random) -> Iterator[tuple[str, str]]:
    tilts = [m for m in game.moves(state) if m.startswith("tilt")]
    pairs = [(a, b) for a in tilts for b in tilts]
    chance.shuffle(pairs)
    found = 0
    for first, second in pairs:
        after = _played(game, state, first)
        if after is not None and _played(game, after, second) is not None:
            yield first, second
            found += 1
            if found == _TRIES:
                return


def _steps(game: Game[Any], state: Any, seat: str, chance: random.Random) -> tuple[list[str], Any]:
    """The steps of a turn, best first, up to `end` or the end of the game; an arc is turned only if that pays."""
    moves: list[str] = []
    while game.over(state) is None:
        view = game.view(state, seat)
        here = worth(view, seat)
        # keyed by the top faces, which are the same after many turns: of another arc, or of a cube that shows no arrow
        promises: dict[tuple[str | None, ...], float] = {}
        ranked: list[tuple[float, float, str, Any]] = []
        for move in game.moves(state, seat):
            if move == "abandon":
                continue
            after, _ = game.play(state, move, seat)
            seen = game.view(after, seat)
            value = worth(seen, seat)
            if move.startswith("turn"):
                before, turned = tuple(view["tops"].values()), tuple(seen["tops"].values())
                for tops, stands in ((before, state), (turned, after)):
                    if tops not in promises:
                        promises[tops] = _promise(game, stands, seat, here)
                value += promises[turned] - promises[before] - 0.3
            ranked.append((value, chance.random(), move, after))
        ending = [r for r in ranked if r[2] == "end"]
        best = max(r for r in ranked if r[2] != "end") if len(ranked) > len(ending) else ending[0]
        if ending and best[0] <= here:
            best = ending[0]
        moves.append(best[2])
        if best[2] == "end":
            return moves, best[3]
        state = best[3]
    return moves, state


def _promise(game: Game[Any], state: Any, seat: str, here: float) -> float:
    """The gain of the best single step over standing still, which is worth `here`."""
    steps = [m for m in game.moves(state, seat) if m.startswith(("use", "copy"))]
    return max(
        (worth(game.view(game.play(state, m, seat)[0], seat), seat) - here for m in steps), default=0.0
    )


def _played(game: Game[Any], state: Any, move: str) -> Any | None:
    try:
        return game.play(state, move)[0]
    except Refusal:
        return None
