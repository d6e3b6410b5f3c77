"""Tokens are drawn from a supply and laid face up; physical play reports their values (II-5, II-9, D-34, II-25)."""

from __future__ import annotations

from typing import Any

from rules.core.game import Event
from rules.core.refusal import Illegal

from .board import CENTRE_SQUARES, SQUARES
from .notation import Action
from .state import UNKNOWN, Pending, State, effect
from .turns import begin_action

Events = list[Event]


def lay(state: State, squares: tuple[int, ...], count: int, back: str, events: Events) -> State:
    """Draws tokens face up: fish onto sea, a fox onto ice. Physical play asks for their values."""
    on_ice = bool(state.ice >> squares[0] & 1)
    supply = state.supply_foxes if on_ice else state.supply_fish
    count = min(count, len(supply))
    if not count:
        return go_on(state, back)
    if state.rules.physical:
        square = squares[0] if len(squares) == 1 else None
        return state._replace(
            phase="draws", pending=Pending("draws", state.turn, square, points=count, back=back)
        )
    return _laid(state, squares, supply[:count], supply[count:], back, events)


def draws(state: State, action: Action, events: Events) -> State:
    """Physical play: the values of the laid tokens; at set-up those of d4, e4, d5, e5 in this order (II-5)."""
    pending = effect(state)
    squares = draw_squares(pending)
    values = action.values
    if len(values) != pending.points:
        needed = f"draws needs a value for each token that is laid ({pending.points})"
        raise Illegal("II-25", f"{needed}, and has {len(values)}")
    on_ice = bool(state.ice >> squares[0] & 1)
    if not can_be_drawn(state, on_ice, values):
        raise Illegal("II-25", _why_not(state, on_ice, values))
    left = list(state.supply_foxes if on_ice else state.supply_fish)
    for value in values:
        left.remove(value if value in left else UNKNOWN)
    return _laid(state, squares, values, tuple(left), pending.back, events)


def can_be_drawn(state: State, on_ice: bool, values: tuple[int, ...]) -> bool:
    """Whether tokens of these values can all be in the supply: known ones, and unknown ones seen nowhere else."""
    mix = state.rules.mix
    supply, counts, lying = (
        (state.supply_foxes, mix.foxes, state.foxes) if on_ice else (state.supply_fish, mix.fish, state.fish)
    )
    unknown = supply.count(UNKNOWN)
    for value in set(values):
        more = values.count(value) - supply.count(value)
        if more > 0:
            seen = supply.count(value) + [code & 3 for code in lying].count(value)
            for prey in state.prey:
                seen += (prey.foxes if on_ice else prey.fish).count(value)
            unknown -= more
            if seen + more > counts.get(value, 0):
                return False
    return unknown >= 0


def _why_not(state: State, on_ice: bool, values: tuple[int, ...]) -> str:
    """Which of these values cannot be in the supply, so that nobody suspects the others."""
    one, several = ("fox", "foxes") if on_ice else ("fish", "fish")
    counts = state.rules.mix.foxes if on_ice else state.rules.mix.fish
    for value in values:
        if value not in counts:
            return f"no {one} is worth {value}"
    for value in values:
        said = values.count(value)
        left = next(n for n in range(said, -1, -1) if can_be_drawn(state, on_ice, (value,) * n))
        if left < said:
            what = one if left == 1 else several
            return f"no more than {left} {what} of value {value} can be left in the supply, not {said}"
    # each may be among the unknown ones, but there are too few of these
    return f"the supply cannot have {several} of values {', '.join(map(str, values))} together"


def draw_squares(pending: Pending) -> tuple[int, ...]:
    """Where tokens are to be laid: one square, or (none named) the four of the set-up."""
    return CENTRE_SQUARES if pending.square is None else (pending.square,)


def _laid(
    state: State,
    squares: tuple[int, ...],
    values: tuple[int, ...],
    left: tuple[int, ...],
    back: str,
    events: Events,
) -> State:
    where = squares * len(values) if len(squares) == 1 else squares
    on_ice = bool(state.ice >> squares[0] & 1)
    codes = [square << 2 | value for square, value in zip(where, values, strict=False)]
    what = "fox" if on_ice else "fish"
    names = ", ".join(SQUARES[square] for square in squares)
    said = ", ".join(map(str, values))
    events.append(
        Event(
            "laid",
            "II-9",
            f"{what} of value {said} on {names}",
            None,
            {"animal": what, "squares": [SQUARES[square] for square in squares], "values": list(values)},
        )
    )
    if on_ice:
        return go_on(state, back, foxes=tuple(sorted((*state.foxes, *codes))), supply_foxes=left)
    return go_on(state, back, fish=tuple(sorted((*state.fish, *codes))), supply_fish=left)


def go_on(state: State, back: str, **changes: Any) -> State:
    """The state after the tokens: placing of the tribes (set-up), or ACTION."""
    if back == "place":
        return state._replace(phase="place", pending=None, **changes)
    return begin_action(state, **changes)
