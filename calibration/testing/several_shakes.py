"""Several shakes of one igloo by one person on one occasion, added up as at the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from calibration.recordings.folder import Recording
from calibration.testing.evaluate import Tested
from sensors.ear.verdicts.pair import of_all

Igloo = tuple[str | int | None, ...]


def same_igloo(r: Recording) -> Igloo | None:
    """The common key of takes of one igloo by one person on one occasion with one sensor. None where no igloo is named:
    then each take counts as an igloo of its own, because adding up takes of one count would give the count away."""
    return None if r.igloo is None else (r.kind, r.place, r.occasion, r.player, r.igloo, r.beads)


def join_shakes(tested: Sequence[Tested]) -> list[Tested]:
    """Fill `in_shakes` of igloos that one sensor heard more than once; a file that is listed twice is one shake.

    A take that was heard badly (`pair.believable`), or taken for no shake, is ignored where others were not.
    """
    groups: dict[Igloo, dict[str, int]] = defaultdict(dict)
    for i, t in enumerate(tested):
        igloo = same_igloo(t.row.recording)
        if t.counted and t.probabilities and igloo is not None:
            groups[igloo].setdefault(t.row.recording.below, i)
    out = list(tested)
    for members in (list(of_one.values()) for of_one in groups.values() if len(of_one) > 1):
        p = of_all([(tested[i].heard, tested[i].probabilities) for i in members])
        best = max(p, key=lambda n: p[n])
        for i in members:
            first = len(members) if i == members[0] else 0
            out[i] = replace(out[i], in_shakes=best, shakes=first)
    return out
