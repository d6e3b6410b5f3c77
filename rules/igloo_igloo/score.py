"""Islands and points (II-17 … II-20, II-23b, D-54, D-58, D-59, D-65). Points are kept doubled to avoid halves."""

from __future__ import annotations

from typing import Any, NamedTuple

from rules.core.game import Over

from .board import flood, names_of
from .state import State

HARDCORE_WORTH = (0, 1, 3, 6, 10, 15, 21)


class Island(NamedTuple):
    """A connected group of ice tiles, each tribe's strength on it, and doubled points for each player."""

    squares: int
    strength: tuple[int, ...]
    doubled: tuple[int, ...]


def islands(state: State) -> list[Island]:
    """All islands, by their lowest square. Land belongs to none and connects none (II-18)."""
    out, left = [], state.ice
    while left:
        squares = flood(left & -left, left)
        left &= ~squares
        strength = tuple(_strength(state, player, squares) for player in range(len(state.rules.players)))
        out.append(Island(squares, strength, worth(squares.bit_count(), strength, state)))
    return out


def _strength(state: State, player: int, squares: int) -> int:
    inuits = sum(squares >> square & 1 for square in state.inuits[player])
    return inuits + 2 * (state.igloos[player] & squares).bit_count()


def worth(tiles: int, strength: tuple[int, ...], state: State) -> tuple[int, ...]:
    """Doubled points for each player from an island of this many tiles (II-20; II-23b)."""
    levels = sorted({value for value in strength if value > 0}, reverse=True)
    if not levels:
        return (0,) * len(strength)
    table = state.rules.table_scores
    base = HARDCORE_WORTH[min(tiles, 6)] if table else tiles
    alone = sum(value > 0 for value in strength) == 1
    first = 2 * (base * base if alone and not table else base)
    second = {"exact": base, "down": base - base % 2, "up": base + base % 2}[state.rules.rounding]
    points = {levels[0]: first}
    if len(levels) > 1:
        points[levels[1]] = second
    return tuple(points.get(value, 0) for value in strength)


def halved(doubled: int) -> int | float:
    """Doubled points as points: an integer, or ending in .5."""
    return doubled // 2 if doubled % 2 == 0 else doubled / 2


def doubled_totals(state: State) -> list[int]:
    """Doubled points of each player, from animals and islands (II-17)."""
    totals = [2 * prey.points() for prey in state.prey]
    for island in islands(state):
        for player, points in enumerate(island.doubled):
            totals[player] += points
    return totals


def parts(state: State) -> dict[str, Any]:
    """The parts of each player's total."""
    found = islands(state)
    out: dict[str, Any] = {}
    for player, colour in enumerate(state.rules.players):
        prey = state.prey[player]
        lands = [
            {
                "squares": names_of(island.squares),
                "tiles": island.squares.bit_count(),
                "strength": island.strength[player],
                "points": halved(island.doubled[player]),
            }
            for island in found
            if island.strength[player]
        ]
        out[colour] = {"animals": prey.points(), "islands": lands}
    return out


def finish(state: State, rule: str, text: str) -> State:
    """The same position, ended and scored (II-16 … II-21, D-60)."""
    totals = doubled_totals(state)
    players = state.rules.players
    winners = tuple(colour for colour, total in zip(players, totals, strict=True) if total == max(totals))
    scores = {colour: halved(total) for colour, total in zip(players, totals, strict=True)}
    return state._replace(phase="over", ap=0, pending=None, over=Over(winners, rule, text, scores))
