"""Two sensors of one shake, such as an accelerometer on the shell and a microphone: what both say together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from calibration.evaluate import Tested
from sensors.ear.pair import together


def join_pairs(tested: Sequence[Tested]) -> list[Tested]:
    """Fill `in_pair`: recordings of one `pair` and occasion, each of another sensor or place, are of one shake.

    What was overdriven or drowned, or was taken for no shake, is left aside where its partner was not.
    """
    pairs: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, t in enumerate(tested):
        r = t.row.recording
        if r.pair is not None and r.rejected is None and t.probabilities:
            pairs[r.occasion, r.pair].append(i)
    out = list(tested)
    for members in pairs.values():
        sensors = {(tested[i].row.recording.sensor, tested[i].row.recording.place) for i in members}
        if len(members) < 2 or len(sensors) < len(members):
            continue
        both = together([(tested[i].heard, tested[i].probabilities) for i in members])
        for i in members:
            best = max(both, key=lambda n: both[n])
            out[i] = replace(tested[i], in_pair=best, speaks=i == members[0])
    return out
