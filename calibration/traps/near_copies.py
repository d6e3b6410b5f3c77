"""Finds copies of takes by their envelopes (`takes.course`), where no sample is the same.

Copies that were attenuated in 16 bits, resampled or saved as OGG or MP3 correlate by .99, at 16 kHz by .98. The most
similar different shakes of the same count, of a real matchbox and of three simulated worlds, reach .95 at a microphone
in a room with echoes, and .9 on the shell: one hand's strokes may be alike, but not its beads' hits. Takes played
backwards, by which learners make more of few, have nearly the same features, so envelopes are compared backwards too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from calibration.recordings.folder import Recording
from calibration.takes.course import LENGTH, OUTSIDE

COPIES_CORRELATE = 0.97
# Played backwards: a band's filter rings after a hit in either direction, so copies correlate less. Judgement.
BACKWARDS_CORRELATE = 0.95
LEAST_SHARED = LENGTH // 2  # steps that two envelopes must have in common: a truncated copy lacks some
CORRELATIONS_AT_ONCE = 2**19  # correlations at once, some 50 MB

Whole = npt.NDArray[np.float32]  # whole numbers whose sums are exact, so no order of summation changes them


def near_copies(
    recordings: Sequence[Recording], courses: Sequence[bytes], units: Sequence[str]
) -> dict[int, int]:
    """Takes of which a copy exists in another unit, with one such copy, as indices. A take is compared with those of
    the same count by the same kind of sensor, at the same place as far as known; gestures are not compared, for one
    knock is like another."""
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for i, recording in enumerate(recordings):
        if courses[i] and recording.gesture is None:
            groups[recording.sensor, recording.beads].append(i)
    out: dict[int, int] = {}
    for group in groups.values():
        unit = np.unique([units[i] for i in group], return_inverse=True)[1]
        if not unit.any():
            continue
        place = np.array([recordings[i].place or "" for i in group])
        for first, alike in _alike([courses[i] for i in group]):
            of = slice(first, first + len(alike))
            nowhere = (place[of, None] == "") | (place == "")
            asked = (unit[of, None] != unit) & (nowhere | (place[of, None] == place))
            copies = alike & asked
            for k in np.flatnonzero(copies.any(axis=1)):
                out[group[first + k]] = group[int(np.argmax(copies[k]))]
    return out


def _alike(courses: Sequence[bytes]) -> Iterator[tuple[int, npt.NDArray[np.bool_]]]:
    """For groups of takes: the index of the first one, and which of all each is like, bool[some, all]."""
    lengths = np.array([len(course) // LENGTH for course in courses])
    begins = np.concatenate([[0], np.cumsum(lengths)])
    each = np.frombuffer(b"".join(courses), np.int8).reshape(-1, LENGTH)
    parts, backwards = _parts(each), _parts(each[:, ::-1])
    many = max(1, int(CORRELATIONS_AT_ONCE / begins[-1] / lengths.max()))
    for first in range(0, len(courses), many):
        end = min(first + many, len(courses))
        some = parts[:, begins[first] : begins[end]]
        either = _correlated(some, parts, COPIES_CORRELATE)
        either |= _correlated(some, backwards, BACKWARDS_CORRELATE)
        alike = np.logical_or.reduceat(either, begins[:-1], axis=1)
        yield first, np.logical_or.reduceat(alike, begins[first:end] - begins[first], axis=0)


def _parts(courses: npt.NDArray[np.int8]) -> Whole:
    """Which steps exist, their levels and the squares of these, float32[3, courses, LENGTH]."""
    there = courses != OUTSIDE
    levels = np.where(there, courses, 0).astype(np.float32)
    return np.stack([there.astype(np.float32), levels, levels * levels])


def _correlated(some: Whole, all_: Whole, least: float) -> npt.NDArray[np.bool_]:
    """Which of `some` correlate by the `least` with which of all, over their common steps."""
    there, level, square = some
    with_there, with_level, with_square = (part.T for part in all_)
    n = (there @ with_there).astype(np.float64)
    ours, theirs = (level @ with_there).astype(np.float64), (there @ with_level).astype(np.float64)
    both = n * (level @ with_level) - ours * theirs
    spread = (n * (square @ with_there) - ours * ours) * (n * (there @ with_square) - theirs * theirs)
    alike: npt.NDArray[np.bool_] = (n >= LEAST_SHARED) & (both > least * np.sqrt(spread))
    return alike
