"""All legal moves of a position as text, in ascending order of squares."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations

from .action_moves import actions, effects, pairs
from .board import COLOURS, CORNERS, NEAR, RING, SQUARES, names_of, squares_of
from .drift import in_the_way, push_goal, pushes, refuges
from .melt import reports
from .state import State, actor, effect, holds, meltable
from .steps import step_goals
from .tokens import can_be_drawn, draw_squares

_MELT = tuple(f"melt {name}" for name in SQUARES)
_DRIFT = {direction: tuple(f"drift {name} {direction}" for name in SQUARES) for direction in "NESW"}
_BEAR_STEP = pairs("step bear")
_FISH_STEP = ((), *(pairs(f"step fish {value}") for value in (1, 2, 3)))
_FOX_STEP = ((), *(pairs(f"step fox {value}") for value in (1, 2, 3)))


def legal_moves(state: State) -> list[str]:
    """All legal moves of the one player who acts; empty when the game is over."""
    return _BY_PHASE[state.phase](state)


def _place(state: State) -> list[str]:
    return [f"place {name}" for name in names_of(RING & state.ice)]


def _pre_melt(state: State) -> list[str]:
    tiles = meltable(state)
    if state.rules.physical:
        kinds = reports(state)
        out = [f"{_MELT[square]} {kind}" for square in squares_of(tiles) for kind in kinds]
    else:
        out = [_MELT[square] for square in squares_of(tiles)]
    return out + effects(state)


def _drift(state: State) -> list[str]:
    return [_DRIFT[direction][square] for square, direction in pushes(state)]


def _displace(state: State) -> list[str]:
    pending = effect(state)
    goal = push_goal(state, pending)
    out = []
    for animal, value in in_the_way(state, goal):
        name = f"{animal} {value}" if value else animal
        out += [f"displace {name} {to}" for to in names_of(refuges(state, pending, goal, animal))]
    return out


def _draws(state: State) -> list[str]:
    pending = effect(state)
    squares = draw_squares(pending)
    on_ice = bool(state.ice >> squares[0] & 1)
    kinds = sorted(state.rules.mix.foxes if on_ice else state.rules.mix.fish)
    groups = set(combinations_with_replacement(kinds, pending.points))
    if len(squares) > 1:
        groups = {order for group in groups for order in permutations(group)}
    fitting = (group for group in groups if can_be_drawn(state, on_ice, group))
    return [" ".join(["draws", *map(str, group)]) for group in sorted(fitting)]


def _animals(state: State) -> list[str]:
    sea, ice, bears = state.sea, state.ice, state.bears
    out: list[str] = []
    for codes, goals_on, table in ((state.fish, sea, _FISH_STEP), (state.foxes, ice, _FOX_STEP)):
        last = -1
        for code in codes:
            if code != last:
                square = code >> 2
                goals = NEAR[square] & goals_on
                texts = table[code & 3][square]
                while goals:
                    low = goals & -goals
                    goals ^= low
                    out.append(texts[low.bit_length() - 1])
            last = code
    for square in squares_of(bears):
        out += [_BEAR_STEP[square][goal] for goal in squares_of(step_goals(state, "bear", square))]
    if not state.rules.exact_points:
        out.append("end")
    return out


def _attack(state: State) -> list[str]:
    player = actor(state)
    assert player is not None
    spent = player == state.turn and "harpoon" in state.played
    can_harpoon = not spent and holds(state, player, "harpoon")
    return ["harpoon", "no harpoon"] if can_harpoon else ["no harpoon"]


def _flee(state: State) -> list[str]:
    pending = effect(state)
    colours = [state.colour(player) for player in dict.fromkeys(pending.fleeing)]
    return [
        f"flee {colour} {SQUARES[corner]}"
        for colour in sorted(colours, key=COLOURS.index)
        for corner in CORNERS
    ]


def _over(state: State) -> list[str]:
    return []


_BY_PHASE = {
    "place": _place,
    "pre-melt": _pre_melt,
    "drift": _drift,
    "displace": _displace,
    "draws": _draws,
    "action": actions,
    "animals": _animals,
    "attack": _attack,
    "flee": _flee,
    "over": _over,
}
