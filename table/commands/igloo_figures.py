"""The figures in a report on a folder, and how they were obtained: for the profile, or for fits like it.

A profile that knows the folder would flatter itself. Then every session (or other unit that the profile shall
generalize to) is left out in turn, and tested with a fit on the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from calibration.bulk import Hands
from calibration.errors import NothingToTest
from calibration.fitting.prior import FROM_NOTHING, Starts, automatic, given
from calibration.recordings.named import name_them, unnamed
from calibration.report.page import to_follow
from calibration.takes.features import Takes
from calibration.testing.evaluate import Tested, evaluate_left_out, evaluate_profile, folds_to_test
from calibration.testing.lately import as_in_a_stream
from calibration.traps.confounding import Confounding
from calibration.traps.fingerprints import TOO_MANY, share_known
from calibration.traps.flattering import flattering, unit_of
from calibration.traps.given_away import given_away, refusals
from calibration.traps.not_left_out import not_left_out
from calibration.words import CALLED, many
from sensors.ear.errors import FitError
from sensors.ear.profiles.profile import SHIPPED, Profile, load_shipped
from table.commands.grouped import Grouped
from table.commands.igloo_options import Complaints
from table.steps import progress

AS_IT_IS = (
    "The profile was asked as it is: it was not fitted on these takes; the figures are honest if it knows none of "
    "their sittings either"
)
LEFT_OUT = (
    "Every {unit} was left out in turn and heard by what the others taught: these are the figures of such profiles, "
    "and not of this one, which would flatter, for {why}"
)


@dataclass(slots=True)
class Figures:
    """`how` they were obtained; `refused`: why none are shown; `untested`: what they leave out.

    If no figures are shown, the results are still the profile's own: the report describes the takes.
    """

    results: list[Tested]
    how: str = ""
    refused: list[str] = field(default_factory=list)
    untested: list[str] = field(default_factory=list)
    traps: list[Confounding] = field(default_factory=list)  # what gives the counts away


def figures_of(
    folder: Path,
    known: Profile,
    heard: Takes,
    hands: Hands,
    complain: Complaints,
) -> Figures:
    """For the profile as it is, if it knows none of the recordings; else with each unit left out."""
    warning = flattering(known, heard)
    traps = given_away(heard, None if warning is None else unit_of(known))
    if warning is None:
        figures = Figures([], AS_IT_IS)
    elif (copies := not_left_out(None, heard, unit_of(known))) is not None:
        figures = Figures([], refused=[f"No figures are shown: {copies}."])
    elif given := refusals(traps):
        figures = Figures([], refused=[f"No figures are shown: {why}." for why in given])
    else:
        figures = _left_out(folder, known, heard, hands, complain, warning)
    if not figures.results:
        grouped = Grouped(complain)
        figures.results = as_in_a_stream(evaluate_profile(known, heard, grouped))
        grouped.tell()
    figures.traps = traps
    if not figures.refused and not any(t.counted for t in figures.results):
        figures.refused.append(
            "No figures are shown: no recording could be tested; what is missing is said below."
        )
    for why in figures.refused:
        print(f"polartable: {why}", file=sys.stderr)
    return figures


def _left_out(
    folder: Path,
    known: Profile,
    heard: Takes,
    hands: Hands,
    complain: Complaints,
    warning: str,
) -> Figures:
    """`warning`: why the profile's own figures would flatter."""
    unit = unit_of(known)
    called = CALLED[unit]
    try:
        starts, elsewhere = starts_of(known)
        fit_and_test = partial(
            evaluate_left_out, heard, unit, None, known.counts, starts=starts, digests=False
        )
        with progress(len(folds_to_test(heard, unit, None)), "fitting and testing") as step:
            folds = []
            for fold in fit_and_test(hands=hands, complain=complain):
                folds.append(fold)
                step()
    except NothingToTest:
        unsaid = [u for u in unnamed(of_one[0].recording for of_one in heard) if u == unit]
        mend = f"To leave each {unit} out, {name_them(unsaid)}" if unsaid else f"One more {called} is enough"
        sessions = len({of_one[0].recording.occasion for of_one in heard})
        return Figures([], refused=[f"No figures are shown: {to_follow(warning, folder, sessions)}. {mend}."])
    except FitError as error:
        return Figures([], refused=[f"No figures are shown: {error.cause}; {error.mend}."])
    figures = Figures([tested for fold in folds for tested in fold])
    figures.untested += [elsewhere] if elsewhere else []
    if gone := sum(not fold for fold in folds):
        figures.untested.append(
            f"{gone} of {many(len(folds), unit)} could not be tested: see the sentences above"
        )
    if figures.results:
        figures.how = LEFT_OUT.format(unit=called, why=_known(known, heard))
        print(f"polartable: {figures.how[:1].lower()}{figures.how[1:]}", file=sys.stderr)
    else:
        figures.refused.append(f"No figures are shown: no {called} could be tested.")
    return figures


def _known(profile: Profile, heard: Takes) -> str:
    share = share_known(profile, heard)
    return f"it was fitted on {share:.0%} of these takes" if share > TOO_MANY else "it knows their sittings"


def starts_of(known: Profile) -> tuple[Callable[[Takes], Starts], str | None]:
    """Where the tests' fits start, like the profile's own did; and a sentence if that start is no longer available."""
    asked = known.fitted_on.asked_start
    if asked is None:
        return automatic, None
    if asked == FROM_NOTHING:
        return partial(given, None), None
    for kind in SHIPPED:
        if (shipped := load_shipped(kind)).digest == asked:
            return partial(given, shipped), None
    return automatic, (
        "The profile was fitted from another one that is not at hand, and the tests began from those that ship; its "
        "own figure is told by polartable calibrate igloos evaluate with --start-from and --leave-out "
        f"{unit_of(known)}"
    )
