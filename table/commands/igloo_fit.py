"""The fit for `polartable calibrate igloos fit`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

from calibration.fitting.prior import FROM_NOTHING, Starts, fit_from
from calibration.takes.features import Row
from sensors.ear.errors import FitError
from sensors.ear.profiles.profile import Profile
from table.commands.igloo_oddities import empty
from table.steps import progress


def best_fit(
    heard: Sequence[Sequence[Row]], counts: tuple[int, ...] | None, starts: Starts, for_others: bool
) -> Profile:
    """The fit that is best on left-out takes.

    Raises FitError. Says before that which igloos hold nothing: what was not counted may be why there are too few.
    """
    try:
        with progress(len(starts), "fitting") as step:
            return fit_from(heard, counts, unit="device" if for_others else None, starts=starts, step=step)
    except FitError:
        if hold_nothing := empty([of_one[0].recording for of_one in heard]):
            print(f"polartable: {hold_nothing}", file=sys.stderr)
        raise


def started_as_asked(fitted: Profile, start: Profile | None) -> Profile:
    """The same profile; if a start was asked for, it is recorded, so that the report's tests start there as well."""
    asked = start.digest if start else FROM_NOTHING
    return replace(fitted, fitted_on=replace(fitted.fitted_on, asked_start=asked))
