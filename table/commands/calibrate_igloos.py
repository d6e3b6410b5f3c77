"""`polartable calibrate igloos`: record sweeps, fit a profile, test it honestly, write a report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from calibration.fitting.asked import (
    check_counts,
    check_enough,
    check_not_overdriven,
    check_one_kind,
    check_start,
    usable,
)
from calibration.fitting.prior import automatic, given
from calibration.recordings.folder import Recording
from calibration.recordings.folds import Unit, key_of
from calibration.report.sensors_trouble import sensors_trouble
from calibration.testing.gather import refusal
from calibration.testing.left_out import LeftOut, leave_units_out, why_not
from calibration.testing.outside import never_said
from calibration.traps.flattering import unit_of
from calibration.traps.given_away import given_away
from calibration.traps.strange_sweep import strange_sweep
from calibration.words import CALLED, many
from firmware_bridge.errors import UsageError
from firmware_bridge.host.shown import shown
from sensors.ear.profiles import profile as profiles
from sensors.gesture import profile as gestures
from sensors.gesture.profile import is_gesture_profile
from table.commands import calibrate_taps
from table.commands.calibrate_igloos_record import record
from table.commands.igloo_choice import (
    check_no_start,
    check_others,
    check_same_sensor,
    sensors_of,
    shakes_of,
)
from table.commands.igloo_fit import best_fit, started_as_asked
from table.commands.igloo_fitted import tell_fitted
from table.commands.igloo_options import (
    WHAT,
    Complaints,
    Counts,
    Dask,
    Folder,
    Jobs,
    Only,
    Sensor,
    StartFrom,
    broken_off,
    parse_counts,
    read_rows,
    seat_taps,
    some,
    starting_profile,
    workers,
)
from table.commands.igloo_tested import Asked, as_it_is, by_turns
from table.commands.igloo_warnings import evaluate_command, for_whom, heard_on_the_shell_too, warnings
from table.commands.igloo_words import in_words, say_evaluated
from table.commands.key_oddities import misspelt_keys_told
from table.commands.options import Json
from table.out_file import PAGE, PROFILE, check_out
from table.steps import progress

NOTHING = "nothing was written"  # what Ctrl-C would leave behind

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Record sweeps, fit a profile, test it honestly, report.",
    epilog="Example: polartable calibrate igloos evaluate recordings --leave-out session --json",
)


app.command(
    epilog="Example: polartable calibrate igloos record mine --source default --player anna --device table-1"
)(record)


@app.command(epilog="Example: polartable calibrate igloos fit recordings --out mine.profile --counts 2-13")
def fit(
    folder: Folder,
    out: Annotated[Path, typer.Option(help="The profile to write.")],
    counts: Counts = None,
    start_from: StartFrom = None,
    for_others: Annotated[
        bool,
        typer.Option(
            "--for-others",
            help="For sets of igloos that are not in the folder: by what its sets have in common.",
        ),
    ] = False,
    sensor: Sensor = None,
    only: Only = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Fit a profile on a folder of recordings."""
    wanted = parse_counts(counts)
    check_out(out, PROFILE, replaced=True)
    complain = Complaints()
    if taps := seat_taps(folder, complain, sensor, only):
        if for_others:
            check_others(len(taps), True)
        check_no_start(start_from)
        _fit_seat(taps, out, wanted, as_json, complain)
        return
    start = starting_profile(start_from)
    check_enough(wanted)  # before thousands of recordings are read
    check_start(start, sensors_of(folder, sensor, only))
    with misspelt_keys_told(folder):
        listed = shakes_of(folder, sensor, only)
        check_one_kind([r for r in listed if r.beads])
        check_counts(listed, wanted)
        if for_others and listed:
            check_others(len({r.device for r in listed}), False)
    fronts = [h.front for h in start.heads] if start else None
    choose = automatic if start_from is None else partial(given, start)
    written = NOTHING
    with misspelt_keys_told(folder), broken_off(lambda: written), workers(jobs, dask) as hands:
        heard = some(read_rows(folder, complain, sensor, hands, fronts, only), "fitted on")
        check_counts([of_one[0].recording for of_one in heard], wanted)
        check_not_overdriven([of_one[0] for of_one in heard])
        if for_others:
            check_others(len({of_one[0].recording.device for of_one in heard}), False)
        best = best_fit(heard, wanted, choose(heard), for_others)
        if start_from is not None:
            best = started_as_asked(best, start)
        fitted = profiles.save(best, out)
        written = f"{out} is written, and how well it counts is not told"
        # many sets make a profile for other people's igloos, whether or not that was asked for
        unit = unit_of(fitted)
        command = evaluate_command(folder, sensor, only, unit, counts, start_from)
        units = len({key_of(of_one[0].recording, unit) for of_one in heard})
        with progress(units, f"leaving each {CALLED[unit]} out") as step:
            traps = given_away(heard, unit)
            why = why_not(heard, unit, command, start, traps)
            honest = (
                LeftOut(why=why)
                if why
                else leave_units_out(heard, wanted, unit, choose, hands, complain, step)
            )
    # a sentence that refuses the figures replaces them, and is not repeated here
    beside = [sentence for trap in traps if (sentence := trap.sentence()) not in (honest.why or "")]
    unsaid = never_said(fitted.counts) if wanted is None else None
    takes = usable([of_one[0] for of_one in heard])
    doubts = (
        unsaid,
        refusal(honest.tested),
        strange_sweep(fitted),
        for_whom(fitted, for_others),
        # whoever names a start has said where the microphone is
        heard_on_the_shell_too(fitted, takes) if start_from is None else None,
    )
    said = [
        *warnings(heard, wanted, unit=unit, told=fitted.counts),
        *beside,
        *sensors_trouble(takes, fitted.sensor, fitted.fixed),
        *(doubt for doubt in doubts if doubt),
    ]
    tell_fitted(fitted, out, honest, unit, said, as_json)
    complain.leave()


def _fit_seat(
    taps: Sequence[Recording],
    out: Path,
    counts: tuple[int, ...] | None,
    as_json: bool,
    complain: Complaints,
) -> None:
    """The same for a counting seat's gestures."""
    with broken_off(lambda: NOTHING):
        calibrate_taps.fit(taps, out, counts, as_json, complain)
    complain.leave()


@app.command(
    epilog="Example: polartable calibrate igloos evaluate recordings --leave-out session --test-on 'sweep-*' --json"
)
def evaluate(
    folder: Folder,
    profile: Annotated[
        list[Path] | None,
        typer.Option(
            help="Test this profile (a file, or a shipped one's name) as it is; once more for a second sensor of the "
            "same shakes, which are then also told by both together."
        ),
    ] = None,
    leave_out: Annotated[
        str | None, typer.Option(help="session, device or player: fit on the others, test on it.")
    ] = None,
    test_on: Annotated[
        str | None, typer.Option(help="Only sessions so named are tested, such as 'sweep-*'.")
    ] = None,
    counts: Counts = None,
    start_from: StartFrom = None,
    sensor: Sensor = None,
    only: Only = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Test a profile on a folder, or fit and test with whole sessions, devices or players left out."""
    if profile and leave_out is not None:
        raise UsageError("a profile as it is, or one fitted without what is tested?", WHAT)
    if leave_out not in (None, "session", "device", "player"):
        raise UsageError(f"{leave_out!r} cannot be left out", "say session, device or player")
    complain = Complaints()
    seat_profile = profile[0] if profile and is_gesture_profile(profile[0]) else None
    seat_sensor = gestures.load(seat_profile).sensor if seat_profile is not None else None
    if seat_profile is not None and len(profile or ()) > 1:
        raise UsageError("a seat's profile is tested alone", "leave the other --profile out")
    if seat_sensor is not None:
        check_same_sensor(folder, seat_sensor, sensor, only)
    if taps := seat_taps(folder, complain, sensor or seat_sensor, only, seat_sensor is not None):
        check_no_start(start_from)
        with broken_off(lambda: NOTHING):
            calibrate_taps.evaluate(
                recordings=taps,
                profile=profile[0] if profile else None,
                unit=leave_out,  # type: ignore[arg-type]
                test_on=test_on,
                counts=parse_counts(counts),
                as_json=as_json,
                complain=complain,
                in_words=in_words,
            )
        complain.leave()
        return
    if not profile and leave_out is None:
        raise UsageError("say what is to be tested", WHAT)
    wanted = parse_counts(counts)
    with misspelt_keys_told(folder), broken_off(lambda: NOTHING), workers(jobs, dask) as hands:
        asked = Asked(
            folder=folder,
            wanted=wanted,
            start_from=start_from,
            test_on=test_on,
            sensor=sensor,
            only=only,
            hands=hands,
            complain=complain,
        )
        if profile:
            done = as_it_is(asked, profile)
        else:
            unit: Unit = leave_out  # type: ignore[assignment]
            done = by_turns(asked, unit, given)
    say_evaluated(done, as_json)
    complain.leave()


@app.command(
    epilog="Example: polartable calibrate igloos report recordings --profile mine.profile --out report.html"
)
def report(
    folder: Folder,
    profile: Annotated[list[Path], typer.Option(help="The profile to report on: one, of one sensor.")],
    out: Annotated[Path, typer.Option(help="The page to write.")],
    sensor: Sensor = None,
    only: Only = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Write a page with pictures: how well, which igloos are confused, which takes are odd, what to do next."""
    from table.commands.igloo_report import write_report

    check_out(out, PAGE)
    if len(profile) > 1:
        raise UsageError(
            f"a report is on one profile, and {len(profile)} were named ({', '.join(map(str, profile))})",
            "write a page for each; what both sensors say together is told by polartable calibrate igloos evaluate",
        )
    complain = Complaints()
    with broken_off(lambda: NOTHING), workers(jobs, dask) as hands:
        recordings = write_report(folder, profile[0], out, sensor, only, hands, complain)
    print(
        json.dumps({"report": str(out), "recordings": recordings})
        if as_json
        else f"{shown(out)}: {many(recordings, 'recording')}"
    )
    complain.leave()
