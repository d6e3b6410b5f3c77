"""Do a set's labels fit its weights? The loose mass is proportional to the count.

A list with two lines exchanged shows this by itself: an igloo of three beads that is labelled twelve has a quarter of
the expected loose mass. A shift of all labels by one is not seen: the ratio of the seat's masses absorbs it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from calibration.seat.taps import Tapped, all_weights
from sensors.ear.errors import FitError
from sensors.gesture.gathered import Gesture
from sensors.gesture.model import Noise, Weighing
from sensors.gesture.one_day import shares_of_days
from sensors.gesture.unknown_set import LEAST_IGLOOS, MOST_CHOICES
from sensors.gesture.ways import Lines, all_ways

# ln of the likelihood ratio that other labels must reach. Right labels reached 5.3 at most (20 simulated sittings of
# twelve igloos, and parts of them); exchanged neighbours reach the bound in about half of all sittings.
CLEARLY_LIKELIER = 8.0


def in_doubt(tapped: Sequence[Tapped], counts: Sequence[int]) -> dict[str | None, dict[int, int]]:
    """For one set: the labels that the weights contradict, with the counts that fit instead, by the sitting whose
    weights say so (`occasion`); None: all sittings without those. `counts`: the possible counts."""
    sittings: dict[str, list[Tapped]] = defaultdict(list)
    for t in tapped:
        sittings[t.recording.occasion].append(t)
    out: dict[str | None, dict[int, int]] = {}
    for occasion, mine in sittings.items():
        if doubts := _contradicted(_weighings(mine), counts):
            out[occasion] = doubts
    if len(sittings) > 1 and (
        doubts := _contradicted(_weighings(_on_one_day(believed(tapped, out))), counts)
    ):
        out[None] = doubts
    return out


def believed(tapped: Sequence[Tapped], doubts: Mapping[str | None, Mapping[int, int]]) -> list[Tapped]:
    """The recordings whose labels are not in doubt."""
    whole = doubts.get(None, {})
    return [t for t in tapped if t.recording.beads not in {*whole, *doubts.get(t.recording.occasion, {})}]


def as_error(name: str, doubts: Mapping[int, int], session: str | None = None) -> FitError:
    """The doubts as a sentence with its remedy; `session`: the one whose weights say so, if there are several."""
    labels = sorted(doubts)
    one = len(labels) == 1
    those = _listed(labels)
    like = _listed([doubts[n] for n in labels])
    there = "" if session is None else f" in the session {session}"
    return FitError(
        f"the set {name} is used without {'that' if one else 'those'} recorded{there} as {those} beads: by what is "
        f"loose in {'it, it weighs' if one else 'them, they weigh'} like {like}",
        'if they were exchanged, mend "beads" in recordings.jsonl, else weigh them again',
    )


def _listed(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} and {last}" if others else last


def _weighings(tapped: Iterable[Tapped]) -> dict[int, Weighing]:
    gestures: dict[int, list[Gesture]] = defaultdict(list)
    for t in tapped:
        if t.gesture is not None and t.gesture.weights and t.recording.beads is not None:
            gestures[t.recording.beads].append(t.gesture)
    return {n: Weighing.of(all_weights(mine)) for n, mine in sorted(gestures.items())}


def _on_one_day(tapped: Sequence[Tapped]) -> list[Tapped]:
    """The recordings as if all had been weighed in one sitting: other feet must not look like other labels."""
    known = [(t, t.gesture, t.recording.beads) for t in tapped if t.gesture is not None and t.gesture.weights]
    labelled = [(t, gesture, beads) for t, gesture, beads in known if beads is not None]
    shares = shares_of_days(
        [Weighing.of(gesture.weights) for _, gesture, _ in labelled],
        [beads for *_, beads in labelled],
        [t.recording.occasion for t, *_ in labelled],
        Noise(),
    )
    out = []
    for t, gesture, _ in labelled:
        up, side = shares.get(t.recording.occasion, (0.0, 0.0))
        weights = [
            replace(w, upright=w.upright / (1 + up), sideways=w.sideways / (1 + side))
            for w in gesture.weights
        ]
        out.append(replace(t, gesture=replace(gesture, weights=weights)))
    return out


def _contradicted(weighings: Mapping[int, Weighing], counts: Sequence[int]) -> dict[int, int]:
    labels = list(weighings)
    if len(labels) < LEAST_IGLOOS:
        return {}
    listed = sorted({*counts, *labels})
    if math.comb(len(listed), len(labels)) > MOST_CHOICES:
        listed = labels  # at least the listed labels, permuted
    lines = Lines([weighings[n] for n in labels])
    ways = all_ways(lines, listed)
    told = float(lines.fit(np.array([labels], np.float64)).log[0])
    likely = ways.counts[ways.log > max(told, float(ways.log.max()) - CLEARLY_LIKELIER)]
    if float(ways.log.max()) - told < CLEARLY_LIKELIER:
        return {}
    # among the likely labellings, take the one that contradicts the fewest labels: a shift of all is as likely
    best = likely[int(np.argmax(np.sum(likely == np.array(labels), axis=1)))]
    return {n: int(other) for n, other in zip(labels, best, strict=True) if n != other}
