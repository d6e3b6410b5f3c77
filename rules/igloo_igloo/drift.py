"""The push of a drift tile, and the animals in its way (II-10, D-39 … D-42)."""

from __future__ import annotations

from rules.core.game import Event
from rules.core.refusal import Illegal

from .board import LAND, NEAR, OPPOSITE, RAYS, SQUARES, STEPS, squares_of
from .notation import Action
from .state import Pending, State, added, effect, removed, where
from .steps import check_animal, move_bear
from .turns import begin_action

Events = list[Event]


def run_of(state: State, start: int, direction: str) -> tuple[list[int], int | None]:
    """The unbroken ice from `start` in that direction, and the square after it (None: the border)."""
    run = [start]
    for square in RAYS[direction][start]:
        if not state.ice >> square & 1:
            return run, square
        run.append(square)
    return run, None


def push_of(pending: Pending) -> tuple[int, str]:
    """Start and direction of the chosen push."""
    assert pending.direction is not None
    return where(pending), pending.direction


def push_goal(state: State, pending: Pending) -> int:
    """The sea square that the chosen push will fill."""
    _, goal = run_of(state, *push_of(pending))
    assert goal is not None
    return goal


def can_clear(state: State, square: int) -> bool:
    """Whether every fish and bear on this sea square has an adjacent sea square to go to (II-10, D-42)."""
    refuge = NEAR[square] & state.sea
    if state.bears >> square & 1:
        return bool(refuge & ~state.bears)
    return bool(refuge) or not any(code >> 2 == square for code in state.fish)


def pushes(state: State) -> list[tuple[int, str]]:
    """All pushes, as start and direction: found backwards from each sea square that can be filled."""
    out = []
    ice = state.ice
    for goal in squares_of(state.sea):
        if NEAR[goal] & ice and can_clear(state, goal):
            for direction in STEPS:
                for square in RAYS[OPPOSITE[direction]][goal]:
                    if not ice >> square & 1:
                        break
                    out.append((square, direction))
    return out


def drift(state: State, action: Action, events: Events) -> State:
    """Chooses the push, which is made at once, or after the animals in its way have been moved (D-41)."""
    start, direction = action.square, action.direction
    name = SQUARES[start]
    if not state.ice >> start & 1:
        raise Illegal("II-10", f"there is no ice on {name} to push")
    _, goal = run_of(state, start, direction)
    if goal is None:
        raise Illegal("II-10", f"the ice from {name} would be pushed off the board")
    if LAND >> goal & 1:
        raise Illegal("II-10", f"the ice from {name} would be pushed onto the land of {SQUARES[goal]}")
    if not can_clear(state, goal):
        raise Illegal("II-10", f"an animal on {SQUARES[goal]} has no adjacent sea to be moved to")
    pending = Pending("displace", state.turn, start, direction)
    if in_the_way(state, goal):
        return state._replace(phase="displace", pending=pending)
    return push(state, pending, events)


def in_the_way(state: State, goal: int) -> list[tuple[str, int]]:
    """Kinds and values of the animals on the square that will be filled, equal ones once."""
    values = dict.fromkeys(code & 3 for code in state.fish if code >> 2 == goal)
    out = [("fish", value) for value in values]
    if state.bears >> goal & 1:
        out.append(("bear", 0))
    return out


def refuges(state: State, pending: Pending, goal: int, animal: str) -> int:
    """Where an animal in the way may go: adjacent sea, for a bear without another bear (D-41, D-42)."""
    allowed = NEAR[goal] & state.sea
    together = not state.rules.refuge_per_token
    if together and pending.refuge is not None:
        return allowed & 1 << pending.refuge
    if animal == "bear" or (together and state.bears >> goal & 1):
        allowed &= ~state.bears
    return allowed


def displace(state: State, action: Action, events: Events) -> State:
    """Moves one animal out of the way; after the last one, makes the push."""
    pending = effect(state)
    goal = push_goal(state, pending)
    animal, refuge = action.animal, action.to
    if animal == "fox":
        raise Illegal("II-10", f"there is no fox in the sea on {SQUARES[goal]}")
    check_animal(state, animal, action.value, goal)
    allowed = refuges(state, pending, goal, animal)
    if not allowed >> refuge & 1:
        raise Illegal("II-10", _why_not(state, pending, goal, refuge))
    events.append(
        Event(
            "displaced",
            "II-10",
            f"a {animal} makes way to {SQUARES[refuge]}",
            None,
            {"animal": animal, "from": SQUARES[goal], "to_square": SQUARES[refuge]},
        )
    )
    if animal == "bear":
        state = move_bear(state, goal, refuge, events)
    else:
        codes = removed(state.fish, goal << 2 | action.value)
        state = state._replace(fish=added(codes, refuge << 2 | action.value))
    if not state.rules.refuge_per_token:
        pending = pending._replace(refuge=refuge)
    if in_the_way(state, goal):
        return state._replace(pending=pending)
    return push(state, pending, events)


def _why_not(state: State, pending: Pending, goal: int, refuge: int) -> str:
    name = SQUARES[refuge]
    if not NEAR[goal] >> refuge & 1:
        return f"{name} is not adjacent to {SQUARES[goal]}"
    if not state.sea >> refuge & 1:
        return f"{name} is no sea"
    if pending.refuge is not None and pending.refuge != refuge:
        return f"all animals go to one square, which is {SQUARES[pending.refuge]}"
    return f"there is a bear on {name}, and two bears never meet"


def push(state: State, pending: Pending, events: Events) -> State:
    """Moves the run by one square, with everything on it (II-10)."""
    start, direction = push_of(pending)
    run, _ = run_of(state, start, direction)
    by = STEPS[direction]
    moving = 0
    for square in run:
        moving |= 1 << square

    def carried(squares: int) -> int:
        moved = squares & moving
        return squares & ~moving | (moved << by if by > 0 else moved >> -by)

    tiles = list(state.tiles)
    for square in reversed(run):
        tiles[square + by] = tiles[square]
    tiles[start] = ""
    ice = SQUARES[start] if len(run) == 1 else f"{SQUARES[start]} to {SQUARES[run[-1]]}"
    events.append(
        Event(
            "pushed",
            "II-10",
            f"the ice on {ice} drifts {direction}",
            None,
            {"from": SQUARES[start], "direction": direction, "tiles": len(run)},
        )
    )
    return begin_action(
        state,
        hidden=carried(state.hidden),
        pack=carried(state.pack),
        tiles=tuple(tiles),
        foxes=tuple(sorted(code + 4 * by if moving >> (code >> 2) & 1 else code for code in state.foxes)),
        bears=carried(state.bears),
        inuits=tuple(
            tuple(sorted(square + by if moving >> square & 1 else square for square in tribe))
            for tribe in state.inuits
        ),
        igloos=tuple(carried(squares) for squares in state.igloos),
    )
