"""The tests of `calibrate igloos evaluate`: profiles as they are, or fits without the tested unit; pairs are joined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from calibration.bulk import Hands
from calibration.errors import NothingToTest
from calibration.fitting.asked import check_counts, check_enough, check_start, on_the_shell
from calibration.fitting.prior import Starts, automatic
from calibration.recordings.folder import Recording
from calibration.recordings.folds import Unit
from calibration.report.sensors_trouble import sensors_trouble
from calibration.scores import Told, summary
from calibration.takes.features import Row, Takes
from calibration.testing.evaluate import (
    Tested,
    evaluate_left_out,
    evaluate_profile,
    folds_to_test,
    units_to_test,
)
from calibration.testing.lately import as_in_a_stream, out_of_date
from calibration.testing.pairs import in_sittings, join_pairs
from calibration.testing.several_shakes import join_shakes
from calibration.traps.confounding import Confounding
from calibration.traps.flattering import flattering
from calibration.traps.given_away import given_away, refusals
from calibration.traps.not_left_out import not_left_out
from calibration.words import many
from firmware_bridge.errors import PolartableError, UsageError
from sensors.ear.errors import a_sensor, of_a_kind
from sensors.ear.frames.frontend import FrontEnd
from sensors.ear.profiles.profile import Profile
from table.commands.grouped import Grouped
from table.commands.igloo_choice import (
    check_as_it_is,
    check_same_sensor,
    of_session,
    only_sessions,
    sensors_of,
    shake_profile,
    shakes_of,
)
from table.commands.igloo_oddities import others_train
from table.commands.igloo_options import Complaints, read_rows, some, starting_profile
from table.commands.igloo_warnings import warnings
from table.steps import progress


@dataclass(frozen=True, slots=True)
class Asked:
    """What to test, according to the command's options."""

    folder: Path
    wanted: tuple[int, ...] | None  # counts
    start_from: str | None
    test_on: str | None
    sensor: str | None
    only: list[str] | None
    hands: Hands
    complain: Complaints

    def listed(self, sensor: str | None) -> list[Recording]:
        """The selected recordings of that sensor, without gestures, by their lines."""
        return shakes_of(self.folder, sensor, self.only)

    def rows(
        self,
        sensor: str | None,
        fronts: Sequence[FrontEnd] | None,
        wanted: Callable[[Recording], bool] = lambda recording: True,
    ) -> list[list[Row]]:
        """The selected and `wanted` rows, through these front ends."""
        return read_rows(self.folder, self.complain, sensor, self.hands, fronts, self.only, wanted)

    def tested(self, heard: Takes) -> list[Sequence[Row]]:
        """Those of the rows whose session was asked for."""
        named = only_sessions([of_one[0].recording for of_one in heard], self.test_on)
        return [of_one for of_one, chosen in zip(heard, named, strict=True) if chosen]


@dataclass(slots=True)
class Evaluated:
    """Results and sentences: why figures flatter, how counts are given away, and further remarks."""

    results: list[Tested] = field(default_factory=list)
    flattering: list[str] = field(default_factory=list)
    confounded: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    unheard: int = 0  # selected recordings that could not be heard, or answered

    def add(
        self,
        results: Sequence[Tested],
        flattering: str | None,
        traps: Sequence[Confounding],
        said: Sequence[str],
    ) -> None:
        """Add the results for one kind of sensor; sentences already said for another kind are not repeated."""
        self.results += results
        for known, new in (
            (self.flattering, [*([flattering] if flattering else []), *refusals(traps)]),
            (self.confounded, [trap.sentence() for trap in traps]),
            (self.said, said),
        ):
            known += [sentence for sentence in new if sentence not in known]

    def join(self) -> Evaluated:
        self.results = in_sittings(join_shakes(join_pairs(self.results)))
        return self

    def of_each_kind(self) -> dict[str, dict[str, Any]]:
        """The figures of each kind of sensor separately, if there are several."""
        by_kind: dict[str, list[Told]] = {}
        for t in self.results:
            if t.counted:
                by_kind.setdefault(t.row.recording.kind, []).append(
                    replace(t.told(), in_pair=None, again=False)
                )
        return {kind: summary(told) for kind, told in sorted(by_kind.items())} if len(by_kind) > 1 else {}


def as_it_is(asked: Asked, names: Sequence[Path]) -> Evaluated:
    """Test each profile on the recordings of its sensor; several profiles for different kinds of sensor also on pairs.

    Raises UsageError if profiles, or profiles and recordings, do not fit together.
    """
    known = [shake_profile(name) for name in names]
    kinds = [_kind(profile) for profile in known]
    if len(set(kinds)) < len(kinds):
        raise UsageError(
            "two profiles are for one kind of sensor",
            "test one after the other; several are for pairs of sensors",
        )
    out = Evaluated()
    for name, profile in zip(names, known, strict=True):
        check_as_it_is(profile, asked.wanted, asked.start_from)
        check_same_sensor(asked.folder, profile.sensor, asked.sensor, asked.only)
        sensor = asked.sensor or profile.sensor
        listed = asked.listed(sensor)
        its_own = [recording for recording in listed if _goes_with(recording, profile, known)]
        if listed and not its_own:
            raise UsageError(
                f"no recording is of the kind of sensor that {name} is for",
                'leave it out, or say where microphones are ("place":"shell" in recordings.jsonl)',
            )
        only_sessions(its_own, asked.test_on)  # do not start if no session has that name
        tested = asked.rows(
            sensor,
            [head.front for head in profile.heads],
            partial(_asked_of, profile, known, asked.test_on),
        )
        grouped = Grouped(asked.complain)
        results = as_in_a_stream(evaluate_profile(profile, tested, grouped))
        grouped.tell()
        out.unheard += sum(of_session(r, asked.test_on) for r in its_own) - len(results)
        said = warnings(tested, asked.wanted, profile=profile, told=profile.counts)
        said += sensors_trouble([r.row for r in results if r.counted], profile.sensor, profile.fixed)
        said += [sentence] if (sentence := out_of_date(results)) else []
        out.add(results, flattering(profile, tested), given_away(tested, None), said)
    if aside := _not_tested(asked, known):
        out.said.append(aside)
    return out.join()


def by_turns(asked: Asked, unit: Unit, choose: Callable[[Profile | None, Takes], Starts]) -> Evaluated:
    """Fit on the others, test on each: each kind of sensor separately, then pairs."""
    start = starting_profile(asked.start_from)
    check_start(start, sensors_of(asked.folder, asked.sensor, asked.only))
    check_enough(asked.wanted)  # before thousands of recordings are heard
    check_counts(asked.listed(asked.sensor), asked.wanted)
    if listed := shakes_of(asked.folder, asked.sensor, asked.only, asked.complain):
        units_to_test(listed, unit, asked.test_on)
    starts = automatic if asked.start_from is None else partial(choose, start)
    heard = some(asked.rows(asked.sensor, [head.front for head in start.heads] if start else None), "tested")
    sensors = sorted({of_one[0].recording.sensor for of_one in heard})
    lots = [heard]
    if len(sensors) > 1 and asked.start_from is None:
        lots = [[of_one for of_one in heard if of_one[0].recording.sensor == sensor] for sensor in sensors]
    out = Evaluated()
    to_test = {id(of_one[0].recording) for of_one in asked.tested(heard)}
    out.unheard = sum(of_session(r, asked.test_on) for r in asked.listed(asked.sensor)) - len(to_test)
    folds: list[int] = []  # number of folds for each kind
    for lot in lots:
        try:
            folds.append(len(folds_to_test(lot, unit, asked.test_on)))
        except NothingToTest as error:
            if lot is lots[-1] and not any(folds):
                raise
            folds.append(0)
            out.said.append(f"of {a_sensor(lot[0][0].recording.sensor)} nothing is tested: {error}")
    if asked.test_on is not None and (others := others_train(heard, unit, asked.test_on)):
        out.said.append(others)
    with progress(sum(folds), "fitting and testing") as step:
        for lot in (lot for lot, n in zip(lots, folds, strict=True) if n):
            results: list[Tested] = []
            unanswered: list[PolartableError] = []
            fit_and_test = partial(evaluate_left_out, lot, unit, asked.test_on, asked.wanted, starts=starts)
            try:
                for fold in fit_and_test(hands=asked.hands, complain=unanswered.append):
                    results += fold
                    step()
            finally:  # what was left out may be why the rest cannot be tested
                grouped = Grouped(asked.complain)
                for left_out in unanswered:
                    grouped(left_out)
                grouped.tell()
            of_lot = asked.tested(lot)
            out.unheard += len(of_lot) - len(results)
            told = results[0].counts if results else ()
            said = warnings(lot, asked.wanted, unit=unit, told=told)
            takes = [r.row for r in results if r.counted]
            said += sensors_trouble(takes, lot[0][0].recording.sensor, on_the_shell(takes)) if takes else []
            flatters = not_left_out(start, lot, unit, of_lot)
            out.add(results, flatters, given_away(lot, unit, of_lot), said)
    return out.join()


def _not_tested(asked: Asked, known: Sequence[Profile]) -> str | None:
    """A sentence for the recordings that none of the profiles fits."""
    seen = Counter(
        r.kind
        for r in asked.listed(asked.sensor)
        if of_session(r, asked.test_on) and not any(_goes_with(r, profile, known) for profile in known)
    )
    said = [f"{many(n, 'recording')} of {of_a_kind(kind)}" for kind, n in sorted(seen.items())]
    if not said:
        return None
    return (
        f"{' and '.join(said)} {'was' if sum(seen.values()) == 1 else 'were'} not tested: name a profile for them "
        f"as well (--profile {min(seen)})"
    )


def _asked_of(profile: Profile, known: Sequence[Profile], test_on: str | None, recording: Recording) -> bool:
    return _goes_with(recording, profile, known) and of_session(recording, test_on)


def _goes_with(recording: Recording, profile: Profile, known: Sequence[Profile]) -> bool:
    """A single profile is tested on all recordings of its sensor; several each on their own kind, if that is known."""
    if recording.sensor != profile.sensor or len(known) == 1:
        return recording.sensor == profile.sensor
    alone = sum(other.sensor == profile.sensor for other in known) == 1
    return recording.kind == _kind(profile) or (recording.place is None and alone)


def _kind(profile: Profile) -> str:
    """Like `Recording.kind`."""
    return "contact" if profile.sensor == "microphone" and profile.fixed else profile.sensor
