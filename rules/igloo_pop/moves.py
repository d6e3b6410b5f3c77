"""All legal moves of an Igloo Pop position in canonical notation, in an order that depends on the position alone."""

from __future__ import annotations

from collections.abc import Iterator

from .deck import written
from .state import (
    COUNTDOWN,
    LETTERS,
    ON_CARD,
    RESOLVING,
    SHAKING,
    VALUES,
    VILLAGE,
    State,
    out_of_sight,
    to_be_dealt,
)


def legal(state: State, seat: str | None = None) -> list[str]:
    """All legal moves of one seat, or of all."""
    if state.phase == SHAKING:
        return _shaking(state, seat)
    if state.phase == COUNTDOWN:
        return [*_countdown(state), *_stops(state, seat)]
    return _resolving(state) if state.phase == RESOLVING else []


def _countdown(state: State) -> Iterator[str]:
    slots = to_be_dealt(state) if state.setting.physical else ()
    if not slots:
        yield "count"
        return
    for card in sorted(out_of_sight(state), key=lambda card: (len(card), card)):
        for slot in slots:
            yield f"deal {slot + 1} {written(card)}"


def _stops(state: State, seat: str | None) -> Iterator[str]:
    """D-13: possible after two rounds in which nobody placed anything."""
    if state.empty_rounds >= 2:
        for k, player in enumerate(state.setting.players):
            if not state.stopped >> k & 1 and seat in (None, player):
                yield f"stop {player}"


def _shaking(state: State, seat: str | None) -> list[str]:
    where, own = state.where, state.own
    village = [LETTERS[k] for k, at in enumerate(where) if at == VILLAGE]
    slots = [k for k, card in enumerate(state.table, 1) if card]
    out: list[str] = []
    for k, player in enumerate(state.setting.players):
        if seat is not None and seat != player:
            continue
        if k in where:
            out.append(f"return {player}")
            if own[k]:
                out += [f"place {player} {slot}" for slot in slots]
        elif own[k]:
            out += [f"grab {player} {letter}" for letter in village]
        if own[k]:  # without a taler of his own he counts as having passed, whatever he said before (D-6)
            out.append(f"unpass {player}" if state.passed >> k & 1 else f"pass {player}")
    return out


def _resolving(state: State) -> list[str]:
    if not state.setting.physical:
        return ["resolve"]
    free = [value for value in VALUES if value not in state.values]
    waiting = {at for k, at in enumerate(state.where) if at >= ON_CARD and not state.values[k]}
    village = VILLAGE in state.where
    out = [] if waiting else ["resolve"]
    for slot, card in enumerate(state.table, 1):
        if card is None:
            continue
        for k, player in enumerate(state.setting.players):
            if ON_CARD * slot + k in waiting or (village and state.own[k]):
                out += [f"found {slot} {value} {player}" for value in free]
    return out
