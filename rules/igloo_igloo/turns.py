"""Placing the tribes, beginning and ending a turn, continuing after an effect (II-5 … II-8, II-13, II-16)."""

from __future__ import annotations

from typing import Any

from rules.core.game import Event
from rules.core.refusal import Illegal

from .board import LAND, RING, SQUARES
from .notation import Action
from .score import finish
from .state import Pending, State, added, effect, meltable, replaced
from .steps import any_step

Events = list[Event]


def place(state: State, action: Action, events: Events) -> State:
    """Puts an Inuit of the placing player onto an ice tile of the outer ring (II-6)."""
    square, player = action.square, state.turn
    if not RING >> square & 1:
        raise Illegal("II-6", f"{SQUARES[square]} is not on the outer ring")
    if not state.ice >> square & 1:
        raise Illegal("II-6", f"there is no ice on {SQUARES[square]}")
    inuits, igloos = state.reserve[player]
    colour = state.colour(player)
    events.append(
        Event(
            "placed",
            "II-6",
            f"{colour} places an Inuit on {SQUARES[square]}",
            None,
            {"player": colour, "square": SQUARES[square]},
        )
    )
    state = state._replace(
        inuits=replaced(state.inuits, player, added(state.inuits[player], square)),
        reserve=replaced(state.reserve, player, (inuits - 1, igloos)),
    )
    return next_to_place(state, events)


def next_to_place(state: State, events: Events) -> State:
    """The next player round the table who has Inuits left places; when all stand, the first turn begins."""
    count = len(state.rules.players)
    for step in range(1, count + 1):
        player = (state.turn + step) % count
        if state.reserve[player][0]:
            return state._replace(turn=player, phase="place")
    return begin_turn(state, (state.turn + 1) % count, events)


def begin_turn(state: State, player: int, events: Events) -> State:
    """TURN_START: the game is over at once if nothing can be melted (II-7, D-36)."""
    state = state._replace(turn=player, phase="pre-melt", ap=0, played=(), pending=None)
    colour = state.colour(player)
    events.append(Event("turn", "II-13", f"{colour}'s turn", None, {"player": colour}))
    return end_if_frozen(state, "II-7", events)


def end_if_frozen(state: State, rule: str, events: Events) -> State:
    """Ends the game when the player in turn can melt nothing (II-7, D-37)."""
    if meltable(state):
        return state
    text = f"{state.colour(state.turn)} can melt no tile: the game is over"
    state = finish(state, rule, text)
    assert state.over is not None
    events.append(Event("over", rule, text, None, {"winners": list(state.over.winners)}))
    return state


def end(state: State, action: Action, events: Events) -> State:
    """Ends the turn (II-13); or, where the three points need not all be used, the moving of animals (D-45)."""
    if state.phase == "animals":
        if state.rules.exact_points:
            raise Illegal("D-45", "all three points must be used while any animal can move")
        return resume(state, 0, effect(state).back, events)
    return begin_turn(state, (state.turn + 1) % len(state.rules.players), events)


def resume(state: State, points: int, back: str, events: Events) -> State:
    """After a step, an attack or a flight: continues with the rest of the three points (D-45), else in the previous
    phase."""
    if points and any_step(state):
        return state._replace(
            phase="animals", pending=Pending("animals", state.turn, points=points, back=back)
        )
    if back == "pre-melt":
        return end_if_frozen(state._replace(phase="pre-melt", pending=None), "D-37", events)
    if state.phase != "action":
        state = state._replace(phase="action", pending=None)
    return state


def begin_action(state: State, **changes: Any) -> State:
    """ACTION, with three points (II-11); applies `changes` to the position as well."""
    return state._replace(phase="action", ap=3, pending=None, **changes)


def flee(state: State, action: Action, events: Events) -> State:
    """The mover or thawer puts one fleeing Inuit on a land corner (II-12, II-14)."""
    pending = effect(state)
    colour = action.colour
    players = state.rules.players
    if colour not in players or players.index(colour) not in pending.fleeing:
        raise Illegal("II-14", f"no Inuit of {colour} has to flee")
    if not LAND >> action.to & 1:
        raise Illegal("II-14", f"{SQUARES[action.to]} is no land corner; Inuits flee to a1, a8, h1 or h8")
    player = players.index(colour)
    at = pending.fleeing.index(player)
    left = pending.fleeing[:at] + pending.fleeing[at + 1 :]
    events.append(
        Event(
            "fled",
            "II-14",
            f"an Inuit of {colour} flees to {SQUARES[action.to]}",
            None,
            {"player": colour, "square": SQUARES[action.to]},
        )
    )
    state = state._replace(inuits=replaced(state.inuits, player, added(state.inuits[player], action.to)))
    if left:
        return state._replace(pending=pending._replace(fleeing=left))
    return resume(state, pending.points, pending.back, events)
