"""Igloo Pop's commands up to the resolution (IP-4 to IP-7, D-13), and the reports of physical play (IP-14)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core.game import Event
from rules.core.refusal import Forbidden

from .deck import MOST, Card, written
from .notation import Move
from .state import (
    COUNTDOWN,
    LETTERS,
    ON_CARD,
    RESOLVING,
    SHAKING,
    SLOTS,
    VALUES,
    VILLAGE,
    State,
    held,
    out_of_sight,
    shaking_ended,
    to_be_dealt,
)

Done = tuple[State, tuple[Event, ...]]


def count(state: State) -> Done:
    """IP-4: three, two, one: everybody may grab."""
    if state.phase != COUNTDOWN:
        raise Forbidden("IP-4", f"the round was counted in already; the phase is {state.phase}")
    if state.setting.physical and to_be_dealt(state):
        raise Forbidden(
            "IP-9",
            f"slot {to_be_dealt(state)[0] + 1} still waits for a card of the deck: report it with deal",
        )
    cards = sum(card is not None for card in state.table)
    last = state.last_round or cards < SLOTS
    text = f"three, two, one: round {state.round} begins" + (", the last one" if last else "")
    new = settled(state, range(len(LETTERS)))._replace(phase=SHAKING, last_round=last, passed=0, stopped=0)
    return _unless_ended(new, Event("counted", "IP-4", text))


def settled(state: State, igloos: Iterable[int]) -> State:
    """In digital play the referee holds the values: draws those of these igloos that are undetermined."""
    unknown = [igloo for igloo in igloos if not state.values[igloo]]
    if not unknown or state.setting.physical:
        return state
    free, chance = state.chance.shuffled([value for value in VALUES if value not in state.values])
    values = list(state.values)
    for igloo, value in zip(unknown, free, strict=False):
        values[igloo] = value
    return state._replace(values=tuple(values), chance=chance)


def in_shaking(state: State, move: Move) -> Done:
    """Applies grab, return, place, pass, unpass."""
    if state.phase == COUNTDOWN:
        raise Forbidden("IP-4", "no igloo is touched before the count")
    if state.phase == RESOLVING:
        raise Forbidden("IP-7", "the shaking of this round has ended")
    player = state.setting.players.index(move.colour)
    return _unless_ended(*_COMMANDS[move.verb](state, move, player))


def _unless_ended(state: State, event: Event) -> Done:
    """IP-7: the shaking continues, unless this has just ended it."""
    if not shaking_ended(state):
        return state, (event,)
    full = VILLAGE not in state.where
    text = "the village is empty" if full else "everybody who still has talers has passed"
    return state._replace(phase=RESOLVING), (
        event,
        Event("shaking-ended", "IP-7", f"{text}: the cards are checked"),
    )


def _at(state: State, igloo: int, at: int) -> tuple[int, ...]:
    return (*state.where[:igloo], at, *state.where[igloo + 1 :])


def _grab(state: State, move: Move, player: int) -> tuple[State, Event]:
    igloo, name = LETTERS.index(move.letter), move.colour
    if player in state.where:
        raise Forbidden("IP-5", f"{name} holds igloo {LETTERS[state.where.index(player)]}: one at a time")
    if not state.own[player]:
        raise Forbidden(
            "IP-5", f"{name} has no talers of his own left to shake for (captured ones are points only)"
        )
    at = state.where[igloo]
    if at >= ON_CARD:
        raise Forbidden(
            "IP-5",
            f"igloo {move.letter} stands on card {at // ON_CARD}, and stays there in this round",
        )
    if at != VILLAGE:
        raise Forbidden("IP-5", f"igloo {move.letter} is in {state.setting.players[at]}'s hand")
    new = state._replace(where=_at(state, igloo, player), passed=state.passed & ~(1 << player))
    back = ", and has not passed any more" if state.passed >> player & 1 else ""
    return new, Event("grabbed", "IP-5", f"{name} takes igloo {move.letter}{back}")


def _return(state: State, move: Move, player: int) -> tuple[State, Event]:
    igloo = held(state, player)
    if igloo is None:
        raise Forbidden("IP-5", f"{move.colour} holds no igloo")
    return state._replace(where=_at(state, igloo, VILLAGE)), Event(
        "returned", "IP-5", f"{move.colour} puts igloo {LETTERS[igloo]} back into the village"
    )


def _place(state: State, move: Move, player: int) -> tuple[State, Event]:
    (slot,) = move.numbers
    igloo, name = held(state, player), move.colour
    if igloo is None:
        raise Forbidden("IP-5", f"{name} holds no igloo")
    if not state.own[player]:
        raise Forbidden("IP-5", f"{name} has no taler of his own left to stake")
    card = _card(state, slot)
    own = (*state.own[:player], state.own[player] - 1, *state.own[player + 1 :])
    new = state._replace(where=_at(state, igloo, ON_CARD * slot + player), own=own)
    return new, Event(
        "placed", "IP-5", f"{name} puts igloo {LETTERS[igloo]} on card {slot} ({written(card)}) with a taler"
    )


def _card(state: State, slot: int) -> Card:
    if not 1 <= slot <= SLOTS:
        raise Forbidden("IP-3", f"there is no slot {slot}: the ring has slots 1 to {SLOTS}")
    card = state.table[slot - 1]
    if card is None:
        raise Forbidden("IP-5", f"no card lies in slot {slot}")
    return card


def _pass(state: State, move: Move, player: int) -> tuple[State, Event]:
    name = move.colour
    if state.passed >> player & 1:
        raise Forbidden("IP-7", f"{name} has passed already")
    _has_talers(state, name, player)
    return state._replace(passed=state.passed | 1 << player), Event(
        "passed", "IP-7", f"{name} does not wish to place any more"
    )


def _has_talers(state: State, name: str, player: int) -> None:
    """A player without talers can neither pass nor take that back (D-6)."""
    if not state.own[player]:
        raise Forbidden("IP-7", f"{name} has no talers of his own, and counts as having passed")


def _unpass(state: State, move: Move, player: int) -> tuple[State, Event]:
    if not state.passed >> player & 1:
        raise Forbidden("IP-7", f"{move.colour} has not passed")
    _has_talers(state, move.colour, player)
    return state._replace(passed=state.passed & ~(1 << player)), Event(
        "unpassed", "D-6", f"{move.colour} goes on after all"
    )


_COMMANDS = {"grab": _grab, "return": _return, "place": _place, "pass": _pass, "unpass": _unpass}


def deal(state: State, move: Move) -> Done:
    """IP-14: a card was put into an empty slot (physical play)."""
    slot, card = move.numbers[0], tuple(move.numbers[1:])
    if not state.setting.physical:
        raise Forbidden("IP-2", "in digital play the referee deals the cards")
    if state.phase != COUNTDOWN:
        raise Forbidden("IP-9", "cards are dealt before the count")
    if not 1 <= slot <= SLOTS:
        raise Forbidden("IP-3", f"there is no slot {slot}: the ring has slots 1 to {SLOTS}")
    if state.table[slot - 1] is not None:
        raise Forbidden("IP-9", f"card {written(state.table[slot - 1] or ())} lies in slot {slot} already")
    if not state.deck:
        raise Forbidden("IP-9", "the deck is used up")
    if card not in state.setting.deck:
        raise Forbidden("IP-1", f"the deck has no card {written(card)}")
    if not out_of_sight(state)[card]:
        raise Forbidden("IP-14", f"card {written(card)} is out of the deck already")
    k = state.deck.index(card) if card in state.deck else len(state.deck) - 1
    table = (*state.table[: slot - 1], card, *state.table[slot:])
    new = state._replace(table=table, deck=(*state.deck[:k], *state.deck[k + 1 :]))
    return new, (Event("dealt", "IP-2", f"card {written(card)} lies in slot {slot}"),)


def found(state: State, move: Move) -> Done:
    """IP-14: the number read under an igloo on a card, and whose taler it carries (physical play)."""
    slot, value = move.numbers
    if not state.setting.physical:
        raise Forbidden("IP-8", "in digital play the referee knows the igloos: say resolve")
    if state.phase != RESOLVING:
        raise Forbidden("IP-6", "nobody looks underneath an igloo before the shaking has ended")
    if value not in VALUES:
        raise Forbidden("IP-1", f"no igloo holds {value} beads: they hold 2 to {MOST}")
    if value in state.values:
        slot = state.where[state.values.index(value)] // ON_CARD
        raise Forbidden("IP-14", f"the igloo with {value} was found already, on card {slot}")
    card = _card(state, slot)
    player = state.setting.players.index(move.colour)
    at = ON_CARD * slot + player
    own, where = state.own, state.where
    known = [k for k, place in enumerate(where) if place == at and not state.values[k]]
    if known:  # its placing was reported
        igloo = known[0]
    elif VILLAGE not in where:
        raise Forbidden("IP-14", "all twelve igloos stand on cards already")
    elif not own[player]:
        raise Forbidden("IP-14", f"{move.colour} has no taler left that could stand there")
    else:
        igloo = where.index(VILLAGE)
        own = (*own[:player], own[player] - 1, *own[player + 1 :])
        where = _at(state, igloo, at)
    values = (*state.values[:igloo], value, *state.values[igloo + 1 :])
    new = state._replace(own=own, where=where, values=values)
    text = f"on card {slot} ({written(card)}) stands an igloo with {value}, and {move.colour}'s taler"
    return new, (Event("found", "IP-14", text),)


def stop(state: State, move: Move) -> tuple[State, Event, bool]:
    """D-13: after two empty rounds all may agree to stop; the last value tells whether all have."""
    if state.phase != COUNTDOWN or state.empty_rounds < 2:
        raise Forbidden(
            "D-13", "a stop can be agreed on between rounds, after two in which nobody placed an igloo"
        )
    player = state.setting.players.index(move.colour)
    if state.stopped >> player & 1:
        raise Forbidden("D-13", f"{move.colour} has said so already")
    stopped = state.stopped | 1 << player
    event = Event("stop-wished", "D-13", f"{move.colour} wishes to stop")
    return state._replace(stopped=stopped), event, stopped == (1 << len(state.own)) - 1
