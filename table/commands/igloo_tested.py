"""What `calibrate igloos evaluate` tests: profiles as they are, or fits without what is tested; pairs are joined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from calibration.bulk import Hands
from calibration.evaluate import Tested, evaluate_left_out, evaluate_profile, folds_to_test
from calibration.folds import Unit
from calibration.honesty import flattering, not_left_out
from calibration.pairs import join_pairs
from calibration.prior import Starts, automatic
from calibration.takes import Row
from calibration.words import many
from firmware_bridge.errors import PolartableError, UsageError
from sensors.ear.errors import a_sensor
from sensors.ear.profile import Profile
from table.commands.igloo_choice import (
    Grouped,
    check_as_it_is,
    check_same_sensor,
    chosen_of,
    only_sessions,
    shake_profile,
)
from table.commands.igloo_options import Complaints, progress, read_rows, starting_profile


@dataclass(slots=True)
class Evaluated:
    """Answers, the rows that were read for them, and why the figures would flatter."""

    results: list[Tested] = field(default_factory=list)
    heard: list[list[Row]] = field(default_factory=list)
    flattering: list[str] = field(default_factory=list)
    profile: Profile | None = None  # the one that was tested, where there is but one

    def join(self) -> Evaluated:
        self.results = join_pairs(self.results)
        return self


def as_it_is(
    folder: Path,
    names: Sequence[Path],
    wanted: Sequence[int] | None,
    start_from: str | None,
    test_on: str | None,
    sensor: str | None,
    only: list[str] | None,
    hands: Hands,
    complain: Complaints,
) -> Evaluated:
    """Each profile on the recordings of its sensor; several, of as many kinds of sensor, also on pairs."""
    known = [shake_profile(name) for name in names]
    kinds = [_kind(profile) for profile in known]
    if len(set(kinds)) < len(kinds):
        raise UsageError(
            "two profiles are for one kind of sensor",
            "test one after the other; several are for pairs of sensors",
        )
    out = Evaluated(profile=known[0] if len(known) == 1 else None)
    for profile, kind in zip(known, kinds, strict=True):
        check_as_it_is(profile, wanted, start_from)
        check_same_sensor(folder, profile.sensor, sensor, only)
        fronts = [head.front for head in profile.heads]
        heard = read_rows(folder, complain, sensor or profile.sensor, hands, fronts, only)
        if len(known) > 1:
            heard = [of_one for of_one in heard if of_one[0].recording.kind == kind]
        named = only_sessions([of_one[0].recording for of_one in heard], test_on)
        heard = [of_one for of_one, chosen in zip(heard, named, strict=True) if chosen]
        if warning := flattering(profile, heard):
            out.flattering.append(warning)
        grouped = Grouped(complain)
        out.results += evaluate_profile(profile, heard, grouped)
        grouped.tell()
        out.heard += heard
    return out.join()


def by_turns(
    folder: Path,
    unit: Unit,
    wanted: tuple[int, ...] | None,
    start_from: str | None,
    choose: Callable[[Profile | None, Sequence[Sequence[Row]]], Starts],
    test_on: str | None,
    sensor: str | None,
    only: list[str] | None,
    hands: Hands,
    complain: Complaints,
) -> Evaluated:
    """Fit on the others, test on each; the recordings of each kind of sensor by themselves, then pairs."""
    start = starting_profile(start_from)
    starts = automatic if start_from is None else partial(choose, start)
    fronts = [head.front for head in start.heads] if start else None
    heard = read_rows(folder, complain, sensor, hands, fronts, only)
    kinds = {of_one[0].recording.sensor for of_one in heard}
    lots = [heard]
    if len(kinds) > 1 and start_from is None:
        lots = [[of_one for of_one in heard if of_one[0].recording.sensor == kind] for kind in sorted(kinds)]
    out = Evaluated(heard=heard)
    folds = [len(folds_to_test(lot, unit, test_on)) for lot in lots]
    with progress(sum(folds), "fitting and testing") as step:
        for lot in lots:
            asked = only_sessions([of_one[0].recording for of_one in lot], test_on)
            tested = [of_one for of_one, chosen in zip(lot, asked, strict=True) if chosen]
            if warning := not_left_out(start, lot, unit, tested):
                out.flattering.append(warning)
            for fold in evaluate_left_out(
                lot, unit, test_on, wanted, starts=starts, hands=hands, complain=complain
            ):
                out.results += fold
                step()
    return out.join()


def not_tested(
    folder: Path, profiles: Sequence[Path], sensor: str | None, only: Sequence[str] | None
) -> str | None:
    """A sentence for the recordings of a sensor that none of the profiles is for."""
    silent: list[PolartableError] = []
    known = {shake_profile(name).sensor for name in profiles}
    seen = Counter(r.sensor for r in chosen_of(folder, sensor, only, silent.append) if r.sensor not in known)
    said = [f"{many(n, 'recording')} of {a_sensor(other)}" for other, n in sorted(seen.items())]
    if not said:
        return None
    return (
        f"{' and '.join(said)} {'was' if sum(seen.values()) == 1 else 'were'} not tested: name a profile for them "
        f"as well (--profile {min(seen)})"
    )


def _kind(profile: Profile) -> str:
    """As `Recording.kind`."""
    return "contact" if profile.sensor == "microphone" and profile.fixed else profile.sensor
