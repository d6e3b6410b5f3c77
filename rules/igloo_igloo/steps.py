"""Moving animals: the three points, possible steps, and the bear's attack (II-12, II-14, D-43 … D-49)."""

from __future__ import annotations

from rules.core.game import Event
from rules.core.refusal import Illegal

from .board import LAND, NEAR, SQUARES, spread
from .notation import Action
from .state import Pending, State, added, effect, left_of, removed, set_of, where

Events = list[Event]


def any_step(state: State) -> bool:
    """Whether any animal can be moved by one square."""
    sea, ice = state.sea, state.ice
    if spread(set_of(state.fish)) & sea or spread(set_of(state.foxes)) & ice:
        return True
    bears = state.bears
    while bears:
        low = bears & -bears
        if spread(low) & ~LAND & ~state.bears:
            return True
        bears ^= low
    return False


def step_goals(state: State, animal: str, square: int) -> int:
    """Where an animal on this square may be moved to with one point (II-12)."""
    if animal == "fish":
        return NEAR[square] & state.sea
    if animal == "fox":
        return NEAR[square] & state.ice
    return NEAR[square] & ~LAND & ~state.bears


def check_animal(state: State, animal: str, value: int, square: int) -> None:
    """Refuses where there is no such animal on the square."""
    if animal == "bear":
        there = bool(state.bears >> square & 1)
    else:
        there = square << 2 | value in (state.fish if animal == "fish" else state.foxes) and value < 4
    if not there:
        name = animal if animal == "bear" else f"{animal} of value {value}"
        raise Illegal("II-12", f"there is no {name} on {SQUARES[square]}")


def step(state: State, action: Action, events: Events) -> tuple[State, bool]:
    """Moves one animal by one square; returns the state, and whether Inuits stand where a bear was moved to.

    A bear eats what it meets (II-14.1) before anybody is asked for a harpoon (D-47).
    """
    animal, start, goal = action.animal, action.square, action.to
    check_animal(state, animal, action.value, start)
    if not NEAR[start] >> goal & 1:
        raise Illegal("II-12", f"{SQUARES[goal]} is not adjacent to {SQUARES[start]}")
    if not step_goals(state, animal, start) >> goal & 1:
        raise Illegal("II-12", _why_not(state, animal, goal))
    events.append(
        Event(
            "stepped",
            "II-12",
            f"a {animal} moves from {SQUARES[start]} to {SQUARES[goal]}",
            None,
            {"animal": animal, "from": SQUARES[start], "to_square": SQUARES[goal]},
        )
    )
    if animal == "fish":
        codes = removed(state.fish, start << 2 | action.value)
        return state._replace(fish=added(codes, goal << 2 | action.value)), False
    if animal == "fox":
        codes = removed(state.foxes, start << 2 | action.value)
        return state._replace(foxes=added(codes, goal << 2 | action.value)), False
    state = move_bear(state, start, goal, events)
    return state, any(goal in tribe for tribe in state.inuits)


def _why_not(state: State, animal: str, goal: int) -> str:
    name = SQUARES[goal]
    if animal == "fish":
        return f"{name} is no sea: fish swim"
    if animal == "fox":
        return f"{name} is no ice: foxes walk on ice"
    if LAND >> goal & 1:
        return f"{name} is land: no bear goes there"
    return f"there is a bear on {name} already"


def move_bear(state: State, start: int, goal: int, events: Events) -> State:
    """A bear comes to a square and eats the fish and foxes there (II-14.1, D-42)."""
    fish = tuple(code for code in state.fish if code >> 2 != goal)
    foxes = tuple(code for code in state.foxes if code >> 2 != goal)
    eaten = len(state.fish) - len(fish) + len(state.foxes) - len(foxes)
    if eaten:
        events.append(
            Event(
                "eaten",
                "II-14",
                f"the bear eats all animals on {SQUARES[goal]} ({eaten})",
                None,
                {"square": SQUARES[goal], "count": eaten},
            )
        )
    return state._replace(bears=state.bears & ~(1 << start) | 1 << goal, fish=fish, foxes=foxes)


def attack(state: State, square: int, points: int, back: str, events: Events) -> State:
    """The bear attacks the Inuits on `square`: their owners are asked, clockwise, the mover last (II-14.2, D-49)."""
    asked = [player for player in left_of(state, state.turn) if square in state.inuits[player]]
    events.append(
        Event(
            "attacked", "II-14", f"the bear attacks on {SQUARES[square]}", None, {"square": SQUARES[square]}
        )
    )
    pending = Pending(
        "attack", state.turn, square, asked=(asked[0],), waiting=tuple(asked[1:]), points=points, back=back
    )
    return state._replace(phase="attack", pending=pending)


def scatter(state: State, events: Events) -> State | None:
    """Nobody threw a harpoon: Inuits without an igloo there must flee (II-14.3). None when all can hide."""
    pending = effect(state)
    square = where(pending)
    fleeing: list[int] = []
    tribes = list(state.inuits)
    for player in left_of(state, pending.mover):
        count = tribes[player].count(square)
        if count and not state.igloos[player] >> square & 1:
            fleeing += [player] * count
            tribes[player] = tuple(other for other in tribes[player] if other != square)
        elif count:
            colour = state.colour(player)
            events.append(Event("hidden", "II-14", f"{colour} hides in the igloo", None, {"player": colour}))
    if not fleeing:
        return None
    return state._replace(
        inuits=tuple(tribes),
        phase="flee",
        pending=pending._replace(kind="flee", asked=(), waiting=(), fleeing=tuple(fleeing)),
    )
