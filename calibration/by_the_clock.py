"""Does the clock alone tell the count? Takes of one igloo in a row, whatever names their sessions, players or devices
have: then what is tested was made minutes from takes of that very count that were fitted on, in one sitting with them.

In sweeps the takes around one are of other counts, so the clock tells nothing.
"""

from __future__ import annotations

import datetime
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import scipy  # its parts are loaded when they are first asked

from calibration.recordings import Recording

NEAR, MOST_OF_THEM = 5, 3  # so many of the nearest takes of the same count give it away
WITHIN_S = 30 * 60.0
GIVEN_AWAY = 0.15  # of what is tested, beyond chance: eight who shake at once in random order come to .08
COARSE = 0.05  # of times that are two counts' at once: that clock tells the day, and not the take
LEAST_TAKES = 10
MOST_KEPT = 1000  # takes in a profile: of more it knows a world of igloos, and no table


class Moment(NamedTuple):
    """When a take of so many beads was made, s since 1970."""

    at: float
    beads: int


def moment(recording: Recording) -> Moment | None:
    """None where nobody noted the time, or the count."""
    if recording.beads is None or len(str(recording.taken or "")) <= len("2026-11-20"):
        return None
    try:
        taken = datetime.datetime.fromisoformat(str(recording.taken))
        at = taken.replace(tzinfo=taken.tzinfo or datetime.UTC).timestamp()
    except (ValueError, OverflowError):
        return None  # what others write there is theirs
    return Moment(round(at, 3), recording.beads)


def coarse(recordings: Iterable[Recording]) -> bool:
    """Do these times tell no take from another? Nobody shakes two igloos in one instant."""
    counts: dict[tuple[str, str, float], set[int]] = defaultdict(set)
    for recording in recordings:
        if (made := moment(recording)) is not None:
            counts[recording.device or "", recording.player or "", made.at].add(made.beads)
    return sum(len(beads) > 1 for beads in counts.values()) > COARSE * len(counts)


class Clock:
    """Takes that are known, in the order of time; each of a unit that is left out together."""

    def __init__(self, known: Sequence[tuple[Moment, str]]) -> None:
        self._known = sorted(known)
        self._all = Counter(made.beads for made, _ in known)
        self._of_unit: dict[str, Counter[int]] = defaultdict(Counter)
        for made, unit in known:
            self._of_unit[unit][made.beads] += 1

    def tells(self, tested: Sequence[tuple[Moment, str]]) -> float:
        """Share of these counts, beyond chance, that most of the nearest takes of other units have. Chance: how often
        each count is among those."""
        if len(tested) < LEAST_TAKES:
            return 0.0
        given, chance = 0, 0.0
        for asked, unit in tested:
            near = self._nearest(asked.at, unit)
            given += sum(one.beads == asked.beads for one in near) >= MOST_OF_THEM
            own = self._of_unit.get(unit, Counter())
            others = self._all.total() - own.total()
            share = (self._all[asked.beads] - own[asked.beads]) / max(1, others)
            chance += float(scipy.stats.binom.sf(MOST_OF_THEM - 1, len(near), share))
        return (given - chance) / len(tested)

    def _nearest(self, at: float, unit: str) -> list[Moment]:
        middle = bisect_left(self._known, at, key=lambda one: one[0].at)
        sides = (range(middle - 1, -1, -1), range(middle, len(self._known)))
        near = [one for side in sides for one in self._beside(at, unit, side)]
        return sorted(near, key=lambda one: abs(one.at - at))[:NEAR]

    def _beside(self, at: float, unit: str, places: Iterable[int]) -> Iterator[Moment]:
        left = NEAR
        for i in places:
            one, of = self._known[i]
            if left == 0 or abs(one.at - at) > WITHIN_S:
                return
            if of != unit:
                left -= 1
                yield one


def beside_in_time(
    recordings: Sequence[Recording], units: Sequence[str], tested: Sequence[tuple[Recording, str]]
) -> float:
    """What the clock tells of the `tested` when each unit is left out in turn; 0 where it tells no takes apart."""
    return (
        0.0 if coarse(recordings) else Clock(_made(zip(recordings, units, strict=True))).tells(_made(tested))
    )


def known_in_time(fitted_on: Mapping[str, Any], recordings: Sequence[Recording]) -> float:
    """What the clock tells of these by the takes that a profile was fitted on."""
    known = known_moments(fitted_on)
    if not known or coarse(recordings):
        return 0.0
    return Clock([(one, "") for one in known]).tells(_made((one, "tested") for one in recordings))


def _made(recordings: Iterable[tuple[Recording, str]]) -> list[tuple[Moment, str]]:
    return [(made, unit) for one, unit in recordings if (made := moment(one)) is not None]


def kept(recordings: Sequence[Recording], before: Sequence[Moment]) -> list[list[float]]:
    """What a profile keeps of the takes that it is fitted on, and of those that what it starts from was: times and
    counts; nothing of very many, or of a coarse clock."""
    if coarse(recordings):
        return []
    known = {*before, *(made for recording in recordings if (made := moment(recording)) is not None)}
    return [[one.at, one.beads] for one in sorted(known)] if len(known) <= MOST_KEPT else []


def known_moments(fitted_on: Mapping[str, Any]) -> list[Moment]:
    """Those that a profile carries."""
    told = fitted_on.get("moments")
    pairs = [one for one in told if isinstance(one, list) and len(one) == 2] if isinstance(told, list) else []
    return sorted(
        Moment(float(at), int(beads))
        for at, beads in pairs
        if isinstance(at, int | float) and isinstance(beads, int | float)
    )
