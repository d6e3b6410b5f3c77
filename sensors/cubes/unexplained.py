"""Words for what no move of the game explains: what it looks like, and what may be wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sensors.cubes import turns
from sensors.cubes.change import Change
from sensors.cubes.explain import ACTS

_WORDS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def in_words(changes: Mapping[str, Change], stuck: Callable[[str], bool]) -> dict[str, str]:
    """The sentence for each slot of `changes`; `stuck` tells whether a slot's sensor may be dead."""
    diagonal = _diagonal(changes)
    return {
        s: diagonal.get(s) or _looks_like(s, c.net) + _missed(s, c.net, stuck) for s, c in changes.items()
    }


def _looks_like(slot: str, net: int) -> str:
    """What a turn of the table's frame looks like on one cube, in words."""
    for side, turn in turns.TILT.items():
        if net == turn:
            return f"{slot} alone was tilted to the {_WORDS[side]}; a tilt takes two neighbours together"
        if net == turns.compose((turn, turn)):
            axis = "north to south" if side in "NS" else "east to west"
            return f"{slot} alone was put back upside down, turned over from {axis}"
    if turns.angle_of(net) == 120:
        return f"{slot} was put back over a corner, tilted and turned at once; no single move does that"
    return (
        f"{slot} was put back another way round, turned by {turns.angle_of(net)}°; no single move does that"
    )


def _missed(slot: str, net: int, stuck: Callable[[str], bool]) -> str:
    """A partner of a tilt that may have been tilted, too, without feeling it."""
    for act in ACTS:
        if (
            slot in act.slots
            and act.what in turns.PAIRS
            and net in (act.turn, turns.compose((act.turn,) * 2))
        ):
            (other,) = (s for s in act.slots if s != slot)
            if stuck(other):
                return f". But the sensor in {other} has said the same to the last bit for long: is it dead?"
    return ""


def _diagonal(changes: Mapping[str, Change]) -> dict[str, str]:
    """Two cubes tilted together and alike that are not a pair: perhaps two cubes were exchanged unseen."""
    out: dict[str, str] = {}
    for a in changes:
        for b in changes:
            one, two = changes[a], changes[b]
            if a == b or one.net != two.net or one.net not in turns.TILT.values():
                continue
            if max(one.rest.since, two.rest.since) < min(one.rest.t, two.rest.t):
                first, second = sorted((a, b), key=turns.SLOTS.index)
                out[a] = (
                    f"{first} and {second} were tilted together, which is no pair for that side: are two cubes "
                    "exchanged, or one in the wrong slot? Show each cube its slot again (`polartable calibrate cubes`)"
                )
    return out
