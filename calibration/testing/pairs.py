"""Joins two sensors of one shake, such as an accelerometer on the shell and a microphone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calibration.recordings.one_shake import of_one_shake, united
from calibration.testing.evaluate import Tested
from sensors.ear.verdicts.pair import of_all


def join_pairs(tested: Sequence[Tested]) -> list[Tested]:
    """Fill `in_pair` of recordings of one shake (`calibration.recordings.one_shake`).

    A recording that was heard badly (`pair.believable`), or taken for no shake, is ignored where its partner was not;
    one that is listed twice counts once.
    """
    out = list(tested)
    told = [i for i, t in enumerate(tested) if t.probabilities]
    for group in of_one_shake([tested[i].row.recording for i in told]):
        members = [told[k] for k in group]
        # each has a sensor or place of its own
        once = {(t.row.recording.sensor, t.row.recording.place): t for t in (tested[i] for i in members)}
        both = of_all([(t.heard, t.probabilities) for t in once.values()])
        best = max(both, key=lambda n: both[n])
        # one profile may know a count that the other one does not: then only its recording is in the figures
        speaker = next((i for i in members if tested[i].counted), members[0])
        for i in members:
            out[i] = replace(tested[i], in_pair=best, speaks=i == speaker)
    return out


def in_sittings(tested: Sequence[Tested]) -> list[Tested]:
    """Fill `sitting`: sessions that share shakes (devices are named after sensors) count once in intervals, and so do
    left-out units."""
    recordings = [t.row.recording for t in tested]
    sittings = united(recordings, [r.occasion for r in recordings])
    units = united(recordings, [t.left_out[1] if t.left_out else "" for t in tested])
    return [
        replace(t, sitting=sitting, left_out=t.left_out and (t.left_out[0], unit))
        for t, sitting, unit in zip(tested, sittings, units, strict=True)
    ]
