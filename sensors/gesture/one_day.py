"""Converts weighings of several days to one day: other feet would otherwise bias what a set is known by.

Each day's changes (`day`) are found from igloos that were weighed on that day and on the reference day, the one on
which most were weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sensors.gesture.day import Day
from sensors.gesture.model import Noise, Weighing, fit_set

LEAST_COUNTS = 2  # of a reference day: enough for κ and one bead


def on_one_day(
    weighings: Sequence[Weighing], beads: Sequence[int], sessions: Sequence[str], noise: Noise
) -> list[Weighing]:
    """The weighings as if all had been made in the session with the most counts. `beads` and `sessions`: of each
    weighing; sessions that share no count with it stay as they are."""
    shares = shares_of_days(weighings, beads, sessions, noise)
    return [
        weighing if name not in shares else _as_on(weighing, *shares[name])
        for weighing, name in zip(weighings, sessions, strict=True)
    ]


def fullest(beads: Sequence[int], sessions: Sequence[str]) -> str:
    """The session in which most counts were weighed, the first of equals; the others are converted to its day."""
    held = {name: {n for n, s in zip(beads, sessions, strict=True) if s == name} for name in sessions}
    return max(dict.fromkeys(sessions), key=lambda name: len(held[name]))


def shares_of_days(
    weighings: Sequence[Weighing], beads: Sequence[int], sessions: Sequence[str], noise: Noise
) -> dict[str, tuple[float, float]]:
    """For each session, how much heavier all loads were, upright and sideways, relative to the session with the most
    counts; only for sessions that share a count with it."""
    of_session = {name: [i for i, s in enumerate(sessions) if s == name] for name in dict.fromkeys(sessions)}
    if len(of_session) < 2:
        return {}
    first = of_session.pop(fullest(beads, sessions))
    counts = tuple(sorted({beads[i] for i in first}))
    if len(counts) < LEAST_COUNTS:
        return {}
    model = fit_set([weighings[i] for i in first], [beads[i] for i in first], counts, noise)
    out = {}
    for name, mine in of_session.items():
        shared = [i for i in mine if beads[i] in counts]
        day = Day.unknown(model)
        for i in shared:
            day = day.named(weighings[i], beads[i])
        if shared:
            out[name] = day.heavier[0], day.sideways[0]
    return out


def _as_on(weighing: Weighing, upright: float, sideways: float) -> Weighing:
    up, side = 1 + upright, 1 + sideways
    placed = None if weighing.placed is None else weighing.placed / np.array([up, side])
    return replace(weighing, upright=weighing.upright / up, sideways=weighing.sideways / side, placed=placed)
