"""Does the time alone give the count away?

With takes of one igloo in a row, whatever the names of their sessions, players or devices, a tested take was made
minutes from takes of the very same count that were fitted on, in one sitting with them. In sweeps the neighbouring
takes have other counts, so the time tells nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from calibration.recordings.folder import Recording
from calibration.recordings.taken import DAY, WITHIN_S, taken_at
from sensors.ear.profiles.fitted_on import FittedOn

# takes of other units on both sides of a take, or the two after it; all as close as the second one count too
NEAR = 2
GIVEN_AWAY = 0.15  # of the tested takes, beyond chance
PLAIN = 0.5  # the same where no order of rows could be chance: whatever the reason, figures flatter
SHUFFLED = 999  # permutations of the counts, none of which may tell as much
# with more takes at one instant or distance, the clock shows the hour or day, not the take
MOST_AT_AN_INSTANT = 8
# share of instants that two counts have in common: then the times are of minutes, not of shakes
SHARED = 0.05
TO_THE_MINUTE = 0.5  # share of times without seconds; by chance it is a sixtieth
LEAST_TESTED = 10  # takes
TIMED = 0.5  # least share of takes with a time: then the clock tells more about them than an ear
# takes kept in a profile, some 100 KB; a profile of more knows a whole world of igloos, and no table
MOST_KEPT = 5000


class Moment(NamedTuple):
    """When a take of so many beads was made, s since 1970."""

    at: float
    beads: int


def moment(recording: Recording) -> Moment | None:
    """None where the time or the count is missing."""
    if recording.beads is None or len(str(recording.taken or "")) <= len(DAY):
        return None
    taken = taken_at(recording)
    return None if taken is None else Moment(taken, recording.beads)


def coarse(recordings: Iterable[Recording]) -> bool:
    """Do these times show the hour or the day, but not the take? Then most of a hand's takes share their instants with
    many."""
    made = Counter(
        (of.device, of.player, of.session, m.at) for of in recordings if (m := moment(of)) is not None
    )
    return sum(n for n in made.values() if n > MOST_AT_AN_INSTANT) > made.total() / 2


def timed(recordings: Sequence[Recording]) -> bool:
    """Is the time of most of these known?"""
    known = sum(moment(recording) is not None for recording in recordings)
    return known > TIMED * len(recordings) and not coarse(recordings)


def to_the_second(recordings: Iterable[Recording]) -> bool:
    """Does an instant identify a shake? Nobody shakes two igloos at once, and few shakes begin on a full minute."""
    counts: dict[tuple[str, str, float], set[int]] = defaultdict(set)
    for recording in recordings:
        if (made := moment(recording)) is not None:
            counts[recording.device or "", recording.player or "", made.at].add(made.beads)
    if sum(at % 60 == 0 for _, _, at in counts) > TO_THE_MINUTE * len(counts):
        return False
    return sum(len(beads) > 1 for beads in counts.values()) <= SHARED * len(counts)


class Clock:
    """Known takes in order of time, each with the unit that it is left out with."""

    def __init__(self, known: Iterable[tuple[Moment, str]]) -> None:
        self._known = sorted(set(known))  # two sensors' recordings of one shake are one
        self._at = np.array([made.at for made, _ in self._known])
        self._beads = np.array([made.beads for made, _ in self._known], dtype=np.intp)
        self._units = np.array([unit for _, unit in self._known], dtype=str)
        self._place = {one: i for i, one in enumerate(self._known)}

    def tells(self, tested: Sequence[tuple[Moment, str]]) -> float:
        """The share of these counts, beyond chance, that one of the two nearest takes of other units has; 0 where that
        may still be chance. Chance: the frequency of each count among the other units' takes.

        A permutation test: counts are permuted over the rows of one igloo within a unit, or over single takes where
        much is told, because a few rows have only few permutations. With few takes, or where all have the same
        neighbours, a permutation often tells as much.
        """
        if len(tested) < LEAST_TESTED or not self._known:
            return 0.0
        near = [self._nearest(made.at, unit) for made, unit in tested]
        whose = np.repeat(np.arange(len(tested)), [len(of_one) for of_one in near])
        if not len(whose):
            return 0.0
        which = np.concatenate(near)
        weight = 1.0 / np.bincount(whose, minlength=len(tested))[whose]
        own = np.array([made.beads for made, _ in tested], dtype=np.intp)
        place = np.array([self._place.get(one, -1) for one in tested], dtype=np.intp)

        def told(beads: npt.NDArray[np.intp]) -> float:
            asked = np.where(place >= 0, beads[place], own)  # a tested take may be known to others' tests
            return float(weight[beads[which] == asked[whose]].sum()) / len(tested)

        asked = [one for one, of_one in zip(tested, near, strict=True) if len(of_one)]
        beyond = told(self._beads) - self._chance(asked) / len(tested)
        if beyond <= GIVEN_AWAY:
            return beyond
        rows = np.arange(len(self._known)) if beyond > PLAIN else self._rows()
        held = self._beads[np.unique(rows, return_index=True)[1]]
        draw, found = np.random.default_rng(1), told(self._beads)
        return 0.0 if any(told(draw.permutation(held)[rows]) >= found for _ in range(SHUFFLED)) else beyond

    def _rows(self) -> npt.NDArray[np.intp]:
        """The row of each known take: consecutive takes of one igloo within a unit."""
        out, rows = np.empty(len(self._known), dtype=np.intp), 0
        last: dict[str, tuple[Moment, int]] = {}
        for i, (made, unit) in enumerate(self._known):
            before, row = last.get(unit, (None, 0))
            if before is None or before.beads != made.beads or made.at - before.at > WITHIN_S:
                row, rows = rows, rows + 1
            last[unit], out[i] = (made, row), row
        return out

    def _chance(self, asked: Sequence[tuple[Moment, str]]) -> float:
        """The expected number of these counts that a random take of another unit would tell."""
        everything, of_unit = Counter(self._beads.tolist()), defaultdict[str, Counter[int]](Counter)
        for made, unit in self._known:
            of_unit[unit][made.beads] += 1
        out = 0.0
        for made, unit in asked:
            own = of_unit.get(unit, Counter[int]())
            others = everything.total() - own.total()
            out += (everything[made.beads] - own[made.beads]) / max(1, others)
        return out

    def _nearest(self, at: float, unit: str) -> npt.NDArray[np.intp]:
        """The nearest known takes of other units; none where too many are equally near."""
        first, last = np.searchsorted(self._at, (at - WITHIN_S, at + WITHIN_S))
        others: npt.NDArray[np.intp] = first + np.flatnonzero(self._units[first:last] != unit)
        if not len(others):
            return others
        away = np.abs(self._at[others] - at)
        as_near: npt.NDArray[np.intp] = others[away <= np.sort(away)[min(NEAR, len(away)) - 1]]
        return as_near if len(as_near) <= MOST_AT_AN_INSTANT else as_near[:0]


def beside_in_time(
    recordings: Sequence[Recording], units: Sequence[str], tested: Sequence[tuple[Recording, str]]
) -> float:
    """What the clock tells about the `tested` takes when each unit is left out in turn; 0 where it does not separate
    takes."""
    return (
        0.0 if coarse(recordings) else Clock(_made(zip(recordings, units, strict=True))).tells(_made(tested))
    )


def known_in_time(fitted_on: FittedOn, recordings: Sequence[Recording]) -> float:
    """What the clock tells about these by the takes that a profile was fitted on."""
    known = known_moments(fitted_on)
    if not known or coarse(recordings):
        return 0.0
    return Clock([(one, "") for one in known]).tells(_made((one, "tested") for one in recordings))


def _made(recordings: Iterable[tuple[Recording, str]]) -> list[tuple[Moment, str]]:
    return [(made, unit) for one, unit in recordings if (made := moment(one)) is not None]


def kept(recordings: Sequence[Recording], before: Sequence[Moment]) -> list[tuple[float, int]]:
    """The times and counts that a profile keeps, of its own takes and of its start's; none for very many takes, or for
    a coarse clock."""
    if coarse(recordings):
        return []
    known = {*before, *(made for recording in recordings if (made := moment(recording)) is not None)}
    return [(one.at, one.beads) for one in sorted(known)] if len(known) <= MOST_KEPT else []


def known_moments(fitted_on: FittedOn) -> list[Moment]:
    """The moments that a profile carries."""
    return sorted(Moment(float(at), int(beads)) for at, beads in fitted_on.moments or ())
