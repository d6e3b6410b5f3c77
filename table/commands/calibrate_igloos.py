"""`polartable calibrate igloos`: record sweeps, fit a profile, test it honestly, report."""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from calibration.confounding import look
from calibration.evaluate import Tested, evaluate_left_out, evaluate_profile, folds_to_test
from calibration.folds import Unit
from calibration.honesty import flattering
from calibration.prior import Starts, automatic, fit_from
from calibration.scores import summary
from calibration.takes import Row
from firmware_bridge.errors import UsageError
from sensors.ear import profile as profiles
from sensors.ear.profile import Profile
from sensors.gesture import profile as gestures
from sensors.gesture.profile import is_gesture_profile
from table.commands import calibrate_taps
from table.commands.igloo_options import (
    Complaints,
    Counts,
    Dask,
    Folder,
    Jobs,
    Json,
    Only,
    Sensor,
    StartFrom,
    parse_counts,
    progress,
    read_rows,
    seat_taps,
    starting_profile,
    workers,
)
from table.commands.igloo_words import in_words, say

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Record sweeps, fit a profile, test it honestly, report.",
    epilog="Example: polartable calibrate igloos evaluate recordings --leave-out session --json",
)


@app.command(
    epilog="Example: polartable calibrate igloos record mine --source default --player anna --device table-1"
)
def record(
    folder: Annotated[
        Path, typer.Argument(help="Where to put the recordings; a folder that exists is added to.")
    ],
    source: Annotated[
        str, typer.Option(help="An input device (name, number or `default`), or mock.")
    ] = "default",
    profile: Annotated[
        str, typer.Option(help="What the sensor is: microphone, contact, or a profile's file.")
    ] = "microphone",
    counts: Counts = None,
    sweeps: Annotated[
        int, typer.Option(help="Sweeps to record; each holds every igloo once, in random order.")
    ] = 1,
    device: Annotated[str, typer.Option(help="A name for this set of igloos and its sensor.")] = "table",
    player: Annotated[str, typer.Option(help="Who shakes.")] = "maker",
    session: Annotated[
        str | None, typer.Option(help="A name for this occasion (default: today's date).")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1.5, max=8.0, help="How long to shake each igloo.")] = 3.0,
    as_json: Json = False,
) -> None:
    """Record sweeps with a live coach: random order, gripped anew, any take thrown out and taken again, resumable."""
    from table.commands import calibrate_record as wizard
    from table.ear_sources import choose_profile

    kept = wizard.record(
        folder,
        source,
        choose_profile(profile, "microphone"),
        wizard.check(parse_counts(counts), sweeps),
        sweeps,
        device,
        player,
        session or datetime.date.today().isoformat(),
        seconds,
        as_json,
        wizard.ask_person,
    )
    print(f"{kept} takes kept in {folder}", file=sys.stderr)


@app.command(epilog="Example: polartable calibrate igloos fit recordings --out mine.profile --counts 2-13")
def fit(
    folder: Folder,
    out: Annotated[Path, typer.Option(help="The profile to write.")],
    counts: Counts = None,
    start_from: StartFrom = None,
    sensor: Sensor = None,
    only: Only = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Fit a profile on a folder of recordings."""
    wanted = parse_counts(counts)
    complain = Complaints()
    if taps := seat_taps(folder, complain, sensor, only):
        calibrate_taps.fit(taps, out, wanted, as_json, complain)
        complain.leave()
        return
    start = starting_profile(start_from)
    fronts = [h.front for h in start.heads] if start else None
    with workers(jobs, dask) as hands:
        heard = read_rows(folder, complain, sensor, hands, fronts, only)
    starts = automatic(heard) if start_from is None else (start,)
    fitted = profiles.save(fit_from(heard, wanted, starts=starts), out)
    if as_json:
        print(
            json.dumps(
                {
                    "profile": fitted.digest,
                    "file": str(out),
                    "accuracy": fitted.accuracy,
                    "fitted_on": fitted.fitted_on,
                }
            )
        )
    else:
        a = fitted.accuracy
        print(
            f"{out}: {fitted.fitted_on['takes']} takes of {fitted.fitted_on['sessions']} sessions, counts "
            f"{fitted.counts[0]}–{fitted.counts[-1]}; with every {a['left_out_by']} left out in turn: "
            f"{a['exact']:.2f} exact, {a['within_one']:.2f} within one"
        )
    complain.leave()


@app.command(
    epilog="Example: polartable calibrate igloos evaluate recordings --leave-out session --test-on 'sweep-*' --json"
)
def evaluate(
    folder: Folder,
    profile: Annotated[Path | None, typer.Option(help="Test this profile as it is.")] = None,
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
    if (profile is None) == (leave_out is None):
        raise UsageError(
            "say what is to be tested", "give either --profile FILE or --leave-out session|device|player"
        )
    if leave_out not in (None, "session", "device", "player"):
        raise UsageError(f"{leave_out!r} cannot be left out", "say session, device or player")
    complain = Complaints()
    if profile is not None and is_gesture_profile(profile):
        sensor = sensor or gestures.load(profile).sensor
    if taps := seat_taps(folder, complain, sensor, only):
        calibrate_taps.evaluate(
            taps, profile, leave_out, test_on, parse_counts(counts), as_json, complain, in_words  # type: ignore[arg-type]
        )  # fmt: skip
        complain.leave()
        return
    results: list[Tested] = []
    if profile is not None:
        known = profiles.load(profile)
        fronts = [h.front for h in known.heads]
        with workers(jobs, dask) as hands:
            heard = read_rows(folder, complain, sensor or known.sensor, hands, fronts, only)
        warning = flattering(known, heard)
        results = evaluate_profile(known, heard, complain)
        for result in results:
            say(result, as_json)
    else:
        unit: Unit = leave_out  # type: ignore[assignment]
        warning = None
        start = starting_profile(start_from)
        choose = automatic if start_from is None else partial(_given, start)
        with workers(jobs, dask) as hands:
            heard = read_rows(
                folder, complain, sensor, hands, [h.front for h in start.heads] if start else None, only
            )
            folds = folds_to_test(heard, unit, test_on)
            with progress(len(folds), "fitting and testing") as step:
                for fold in evaluate_left_out(
                    heard,
                    unit,
                    test_on,
                    parse_counts(counts),
                    starts=choose,
                    hands=hands,
                    complain=complain,
                ):
                    results += fold
                    step()
        for result in results:
            say(result, as_json)
    told = [r.told() for r in results if r.counted]
    if not told:
        raise UsageError(
            "no recording has a count that the profile knows", 'give "beads" in recordings.jsonl'
        )
    figures = summary(told)
    traps = [trap.sentence() for trap in look([of_one[0] for of_one in heard])]
    for sentence in [*([warning] if warning else []), *traps]:
        print(f"polartable: {sentence}", file=sys.stderr)
    if as_json:
        print(
            json.dumps(
                {"summary": figures | {"flattering": warning, "confounded": traps}}, ensure_ascii=False
            )
        )
    elif warning is None:
        for line in in_words(figures):
            print(line)
    complain.leave()


@app.command(
    epilog="Example: polartable calibrate igloos report recordings --profile mine.profile --out report.html"
)
def report(
    folder: Folder,
    profile: Annotated[Path, typer.Option(help="The profile to report on.")],
    out: Annotated[Path, typer.Option(help="The page to write.")],
    sensor: Sensor = None,
    only: Only = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    as_json: Json = False,
) -> None:
    """Write a page with pictures: how well, which igloos are confused, which takes are odd, what to do next."""
    from table.commands.igloo_report import write_report

    complain = Complaints()
    with workers(jobs, dask) as hands:
        recordings = write_report(folder, profile, out, sensor, only, hands, complain)
    print(
        json.dumps({"report": str(out), "recordings": recordings})
        if as_json
        else f"{out}: {recordings} recordings"
    )
    complain.leave()


def _given(start: Profile | None, train: Sequence[Sequence[Row]]) -> Starts:
    """The profile to start from, whatever there is to fit on."""
    return (start,)
