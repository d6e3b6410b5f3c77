"""Commitments, the windows for captures, passing, and the end (IG-2, IG-13 … IG-17, D-71, D-72, D-78 … D-83)."""

from __future__ import annotations

from rules.core.game import Event, Over
from rules.core.refusal import Illegal

from .capture import disconnected, reopened
from .notation import Move
from .options import SIDES, SIZES
from .placing import can_place
from .state import AFTER, BEFORE, COMMIT, OVER, PLACE, REVEAL, State, all_measured, capturable

Events = list[Event]


def seats_of(state: State, side: int) -> tuple[str, ...]:
    """The seats of a side: one, or the two partners (IG-18)."""
    setting = state.setting
    return tuple(seat for seat, owner in zip(setting.seats, setting.side_of, strict=True) if owner == side)


def commit(state: State, move: Move, events: Events) -> State:
    """A side writes down its real colour, once and for all (D-83)."""
    setting = state.setting
    if move.seat not in setting.seats:
        raise Illegal("IG-2", f"nobody here is called {move.seat}; say one of {', '.join(setting.seats)}")
    side = setting.side_of[setting.seats.index(move.seat)]
    own = setting.colours[2 * side : 2 * side + 2]
    if state.real[side] is not None:
        raise Illegal("D-83", f"side {SIDES[side]} has chosen, and nobody changes it")
    if move.colour not in own:
        raise Illegal("IG-2", f"side {SIDES[side]} has {own[0]} and {own[1]}, and one of them is real")
    real = list(state.real)
    real[side] = setting.colours.index(move.colour)
    events.append(
        Event(
            "committed", "IG-2", f"side {SIDES[side]} has chosen its real colour", None, {"side": SIDES[side]}
        )
    )
    events.append(
        Event(
            "real",
            "IG-2",
            f"your real colour is {move.colour}",
            seats_of(state, side),
            {"colour": move.colour},
        )
    )
    state = state._replace(real=(real[0], real[1]))
    if state.phase == COMMIT and None not in state.real:
        return state._replace(phase=PLACE)
    return state


def after_placing(state: State) -> State:
    """The placer's W1, if there is anything to capture; else the next turn."""
    if capturable(state, state.side):
        return state._replace(phase=AFTER)
    return next_turn(state)


def next_turn(state: State) -> State:
    """The next seat: W2 if there is anything to capture, then its placement; REVEAL when everything is placed
    (IG-17)."""
    state = state._replace(turn=(state.turn + 1) % len(state.setting.seats))
    window = state.threat or not state.setting.aftermath_only
    if window and capturable(state, state.side):
        return state._replace(phase=BEFORE)
    return state._replace(phase=PLACE if state.any_left() else REVEAL)


def end_window(state: State) -> State:
    """Ends the captures: before a placement, the placement follows; after one, the next turn."""
    if state.phase == AFTER:
        return next_turn(state)
    return state._replace(phase=PLACE if state.any_left() else REVEAL)


def done(state: State, move: Move, events: Events) -> State:
    """Leaves the rest uncaptured (D-71)."""
    if not state.setting.captures_optional:
        raise Illegal("D-71", "every open piece must be captured (option captures_optional)")
    return end_window(state)


def capture(state: State, move: Move, events: Events) -> State:
    """Captures one open enemy piece, or all possible ones; the window ends when nothing is left (IG-13, D-75)."""
    if move.number:
        piece = state.pieces.get(move.number)
        if piece is None:
            raise Illegal("IG-13", f"there is no piece #{move.number} in play")
        if piece.side == state.side:
            raise Illegal("IG-13", f"#{move.number} is your own side's piece")
        if move.number not in state.open:
            raise Illegal("IG-10", f"#{move.number} is not open to capture")
        state = _taken(state, move.number, events)
    else:
        while targets := capturable(state, state.side):
            state = _taken(state, targets[0], events)
    return state if capturable(state, state.side) else end_window(state)


def _taken(state: State, number: int, events: Events) -> State:
    piece = state.pieces.get(number)
    assert piece is not None
    around = state.links[number]
    pieces = dict(state.pieces)
    del pieces[number]
    links = disconnected(state.links, number)
    prisoners = list(state.prisoners)
    prisoners[state.side] = (*prisoners[state.side], (piece.colour, piece.size))
    colour, size = state.setting.colours[piece.colour], SIZES[piece.size]
    events.append(
        Event(
            "captured",
            "IG-13",
            f"side {SIDES[state.side]} captures the {colour} {size} #{number}",
            None,
            {"id": number, "colour": colour, "size": size, "side": SIDES[state.side]},
        )
    )
    return state._replace(
        pieces=pieces,
        measured=state.measured or all_measured(pieces),
        links=links,
        open=reopened(state.open, (number, *around), pieces, links),
        prisoners=tuple(prisoners),
    )


def skip(state: State, move: Move, events: Events) -> State:
    """A seat that can place nothing keeps its pieces; when all pass in a row, the game ends (D-78).

    With declared connections the referee cannot know whether there is room: it takes the player's word.
    """
    if state.measured and can_place(state):
        raise Illegal("D-78", "only who can place nothing passes")
    seat = state.setting.seats[state.turn]
    events.append(Event("passed", "D-78", f"{seat} can place nothing, and passes", None, {"seat": seat}))
    state = state._replace(passes=state.passes + 1, threat=False)
    if state.passes == len(state.setting.seats):
        return state._replace(phase=REVEAL)
    return next_turn(state)


def reveal(state: State, move: Move, events: Events) -> State:
    """Shows both real colours; captured pieces of these count (IG-17, D-80)."""
    for side in (0, 1):
        if state.real[side] is None:
            raise Illegal("IG-2", f"side {SIDES[side]} has not said its real colour")
    over = outcome(state)
    real = " and ".join(state.setting.colours[colour] for colour in state.real if colour is not None)
    events.append(
        Event("revealed", "IG-17", f"the real colours are {real}", None, {"real": real.split(" and ")})
    )
    events.append(Event("over", "IG-17", over.text, None, {"winners": list(over.winners)}))
    return state._replace(phase=OVER, over=over)


def outcome(state: State) -> Over:
    """The winner, with both real colours known."""
    scores = {SIDES[side]: worth(state, side, state.real[1 - side]) for side in (0, 1)}
    if scores["A"] == scores["B"]:
        return Over((), "D-80", f"a draw, {scores['A']} to {scores['B']}", dict(scores))
    best = 0 if scores["A"] > scores["B"] else 1
    text = f"side {SIDES[best]} wins, {scores[SIDES[best]]} to {scores[SIDES[1 - best]]}"
    return Over(seats_of(state, best), "IG-17", text, dict(scores))


def worth(state: State, side: int, real: int | None) -> int:
    """Points of a side's prisoners of that colour."""
    return sum(size + 1 for colour, size in state.prisoners[side] if colour == real)
