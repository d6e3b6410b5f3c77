"""The trap of people who each shake their own igloos: does the hand give the count away?

People differ more in how they shake than igloos do in sound, and everybody shakes the same way on another day. Where
each person always had the same igloos, a fit confuses hands with counts: leaving a whole session out is no test then,
because the same hands hold the same counts in all others. It does not matter who shook most of the igloos, nor igloos
that several people had.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.recordings.folder import Recording
from calibration.recordings.one_shake import united
from calibration.recordings.sweep import LEAST_TAKES

FEW_COUNTS = 0.5  # of all counts; a hand with more counts tells little
ALONE = 0.75  # of a count's shakes by that hand
AGAIN = 2  # occasions on which a hand shook a count; a single one is an evening's chance
# least share of such takes: where three people are dealt igloos on two evenings it is a third
OWN_SHARE = 2 / 3


@dataclass(frozen=True, slots=True)
class OwnIgloos:
    """The share of takes of igloos that one person shook repeatedly, and hardly anybody else."""

    people: int
    takes: int
    of: int

    @property
    def what(self) -> str:
        return "the hand"

    @property
    def refuses(self) -> bool:
        return True

    def advice(self) -> str:
        return "Let everybody shake every igloo: where each has igloos of his own, nothing tells hand from count."

    def sentence(self) -> str:
        return (
            f"{self.takes} of {self.of} takes are of igloos that one person shook each time and next to nobody else "
            f"({self.people} people, each other igloos): nothing tells the hand from the count, so figures flatter "
            "even with whole sessions left out, and say little of other hands; let everybody shake every igloo"
        )


def own_igloos(
    recordings: Sequence[Recording], tested: Sequence[Recording] | None = None
) -> OwnIgloos | None:
    """Has each of these people his own igloos, among the `tested` takes (None: all)?"""
    # two sensors' recordings of one shake are one
    shakes = united(recordings, [f"{i:09d}" for i in range(len(recordings))])
    known = {shake: r for r, shake in zip(recordings, shakes, strict=True) if r.kept_with_count}
    if len(known) < LEAST_TAKES:
        return None
    occasions: dict[tuple[str | None, int | None], list[str]] = defaultdict(list)
    held: dict[str | None, set[int | None]] = defaultdict(set)
    for r in known.values():
        occasions[r.player, r.beads].append(r.occasion)
        held[r.player].add(r.beads)
    of_count = Counter(r.beads for r in known.values())
    own = {
        (player, beads)
        for (player, beads), of in occasions.items()
        if player is not None
        and len(held[player]) <= FEW_COUNTS * len(of_count)
        and len(set(of)) >= AGAIN
        and len(of) >= ALONE * of_count[beads]
    }
    asked = [r for r in tested or recordings if r.kept_with_count]
    those = [r for r in asked if (r.player, r.beads) in own]
    people = {r.player for r in those}
    if len(people) < 2 or len(those) < OWN_SHARE * len(asked):
        return None
    return OwnIgloos(len(people), len(those), len(asked))
