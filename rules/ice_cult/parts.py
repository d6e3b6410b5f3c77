"""Completes a part of a move that no legal move fits, in order to say why it is refused.

The result is the whole moves that the part may stand for, or what is missing where it can stand for none. Only what the
player said is completed and judged. Where he named no ticket, no particular ticket can be blamed, so the reason has to
hold for all four cubes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.core.notation import is_part, words
from rules.core.refusal import Forbidden

from .cubeset import ARC, CIRCLE, SLOTS, UNKNOWN
from .moves import sources
from .notation import TILTS, VERBS, Move, Step, Tilt, Turn
from .state import MOVE, State, playable

NONE_LEFT = {
    "use": "no arrow is left in this turn",
    "copy": "no circle is left in this turn",
    "turn": "no arc is left in this turn",
}


def guesses(state: State, text: str) -> Iterator[Move]:
    """Whole moves that a part may stand for. Raises Forbidden where the missing words cannot be filled in."""
    typed = [word.upper() for word in words(text)]
    if not is_part(typed, VERBS):
        return
    verb, slots = typed[0].lower(), [SLOTS.index(word) for word in typed if word in SLOTS]
    if verb == "tilt":
        yield from (
            Tilt(how) for how in TILTS if all(word in (how[0].upper(), how[1:]) for word in typed[1:])
        )
    elif verb in NONE_LEFT and state.phase != MOVE:
        # no ticket at all can be used yet
        yield Turn(0, 0, "cw") if verb == "turn" else Step(0, 0, 0, 0, verb == "copy")
    elif verb == "use":
        yield _use(state, slots, typed)
    elif verb == "copy":
        yield _copy(state, slots, typed)
    elif verb == "turn":
        ticket = _ticket(state, verb, slots)
        yield Turn(ticket, slots[-1] if slots else ticket, "cw")


def _use(state: State, slots: Sequence[int], typed: Sequence[str]) -> Step:
    ticket = _ticket(state, "use", slots)
    if slots:
        return Step(ticket, ticket, _space(state, ticket, typed), 0, False)
    _known(state, _unspent(state))
    if any(playable(state, state.tops[slot]) for slot in _unspent(state)):
        raise Forbidden("IC-7", "no arrow that is left moves a pawn from there")
    raise Forbidden("IC-10", "no arrow that is left can be used")


def _copy(state: State, slots: Sequence[int], typed: Sequence[str]) -> Step:
    """Either the circle or the arrow that it is to repeat is named, or both."""
    ticket = _ticket(state, "copy", slots)
    if len(slots) > 1 or (slots and slots[0] != ticket):
        return Step(ticket, slots[-1], _space(state, slots[-1], typed), 0, True)
    if state.spent >> ticket & 1:
        return Step(ticket, ticket, 0, 0, True)
    _known(state, range(4))
    if any(playable(state, top) for top in state.tops):
        raise Forbidden("IC-7", "no arrow on top moves a pawn from there")
    raise Forbidden("IC-10", "no arrow on top can be repeated")


def _ticket(state: State, verb: str, slots: Sequence[int]) -> int:
    """The named ticket, else the first one left of its kind; a slot alone may also be the target."""
    if slots and (verb == "use" or len(slots) > 1 or _is_ticket(state, verb, slots[0])):
        return slots[0]
    left = [slot for slot in _unspent(state) if _is_ticket(state, verb, slot)]
    if left:
        return left[0]
    _known(state, [slot for slot in (*slots, *range(4)) if slot in _unspent(state)])
    raise Forbidden("IC-7", NONE_LEFT[verb])


def _is_ticket(state: State, verb: str, slot: int) -> bool:
    top = state.tops[slot]
    if verb == "use":
        return 0 <= top < CIRCLE
    return top == (CIRCLE if verb == "copy" else ARC)


def _unspent(state: State) -> list[int]:
    return [slot for slot in range(4) if not state.spent >> slot & 1]


def _known(state: State, slots: Sequence[int]) -> None:
    """Raises Forbidden while a cube is unknown: until then no reason holds for all of them."""
    for slot in slots:
        if state.tops[slot] == UNKNOWN:
            raise Forbidden("IC-3", f"what lies on top of {SLOTS[slot]} is not known: say it with correct")


def _space(state: State, arrow: int, typed: Sequence[str]) -> int:
    """Where a step starts: as said, else from where the arrow can move a pawn, if anywhere."""
    said = next((int(word) for word in typed if word.isdecimal()), 0)
    top = state.tops[arrow]
    if said or "POOL" in typed or not playable(state, top):
        return said
    source = sources(state, top)[0].strip()
    return 0 if source == "pool" else int(source)
