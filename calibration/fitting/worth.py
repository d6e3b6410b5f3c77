"""What a start is worth: how well a fit from it predicts takes that the fit never met.

A fit chooses its penalties and shares on its own left-out takes, so its figures on them are too good: there are shares
of a dozen experts by which the shifts of three sittings cancel, while those of a fourth sitting do not. On simulated
sets of three sweeps a fit from nothing promised 1.5 nats a take too much, one from a shipped profile hardly anything.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.fitting.asked import counts_known, usable
from calibration.fitting.fit import fit
from calibration.recordings.folds import Unit, inner_folds
from calibration.takes.features import Row
from calibration.takes.seen_by import seen_by
from sensors.ear.errors import FitError, ProfileError
from sensors.ear.profiles.profile import Profile
from sensors.ear.verdicts.probabilities import probabilities_of

MOST_PARTS = 5  # that are left out by turns; each needs another fit
# Sessions. With more, a dozen shares can cancel the shifts less and less. With 12 to 20, such fits chose starts that on
# average gave new people .02 nats a take more, but less in MuJoCo and Bullet, for more than twice the time.
FEW_SESSIONS = 12


def few_sessions(rows: Sequence[Sequence[Row]]) -> bool:
    """Whether there are so few sessions that a fit's own figures cannot be trusted."""
    return len({row.recording.occasion for of_one in rows for row in usable(of_one)}) < FEW_SESSIONS


def worth(
    rows: Sequence[Sequence[Row]], counts: tuple[int, ...] | None, unit: Unit | None, start: Profile | None
) -> float | None:
    """Mean ln probability of the true counts, nats a take: by fits from `start` on all sessions (or `unit`s) except the
    tested ones. None where leaving one part out leaves too few takes to fit on."""
    rows = [mine for of_one in rows if (mine := usable(of_one))]
    counts = counts or counts_known([row for of_one in rows for row in of_one])
    folds = inner_folds([of_one[0].recording for of_one in rows], unit)[0] % MOST_PARTS
    told: list[float] = []
    for part in np.unique(folds):
        inside = [of_one for of_one, fold in zip(rows, folds, strict=True) if fold == part]
        others = [of_one for of_one, fold in zip(rows, folds, strict=True) if fold != part]
        try:
            profile = fit(others, counts, unit=unit, start_from=start).profile
        except FitError:
            return None
        told += [_told(profile, of_one, counts) for of_one in inside if of_one[0].recording.beads in counts]
    return float(np.mean(told)) if told else None


def _told(profile: Profile, of_one: Sequence[Row], counts: tuple[int, ...]) -> float:
    try:
        heads = profile.heads_for(of_one[0].recording.sensor, max(row.rate for row in of_one))
    except ProfileError:
        return -float(np.log(len(counts)))  # no answers: a uniform distribution over the counts
    p = probabilities_of(heads, seen_by(heads, of_one).shake)
    return float(np.log(p.get(of_one[0].recording.beads or 0, 0.0) + 1e-9))
