"""`polartable simulate taps`: the counting gesture at simulated seats (docs/gesture.md)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.errors import UsageError
from table.commands.simulate_options import Fault, Faulty, number, wrongs
from table.commands.simulate_out import check_many, put_down, say_made, writing_to


def taps(
    out: Annotated[Path, typer.Option(help="Folder to write to; goes on where an earlier run stopped.")],
    devices: Annotated[int, typer.Option(min=1, help="Makers, each with a set of igloos and a seat.")] = 3,
    sessions: Annotated[
        int, typer.Option(min=1, help="Occasions a maker: the owner's, then other people's.")
    ] = 2,
    sensor: Annotated[
        list[str] | None,
        typer.Option(help="accelerometer, or contact (a piezo disc), on the seat; may be given again."),
    ] = None,
    placings: Annotated[
        int, typer.Option(min=1, max=6, help="How often an igloo is set down and tapped.")
    ] = 3,
    printed: Annotated[bool, typer.Option("--printed", help="Leaves of PLA instead of steel.")] = False,
    mistaken: Annotated[
        float | None,
        typer.Option(
            parser=number(0, 1),
            metavar="SHARE",
            help="Share of gestures made with a mistake.  [default: 0; with --mistake: 1]",
        ),
    ] = None,
    mistake: Annotated[
        list[str] | None,
        typer.Option(
            help="holding, crooked, soft, hard, no-empty, nothing, hasty or resting; may be given again.  "
            "[default: any]"
        ),
    ] = None,
    faulty: Faulty = None,
    fault: Fault = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same recordings.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One line a recording on standard output.")] = False,
) -> None:
    """Simulate people who count igloos at a seat: tap it empty, set the igloo down, let go, tap, lift it."""
    from rich.console import Console
    from rich.progress import Progress

    from hw_mock.igloo import seat_recordings
    from hw_mock.igloo.faults import FAULTS
    from hw_mock.igloo.going_on_taps import check_same_taps
    from hw_mock.igloo.recordings import open_index, written
    from hw_mock.igloo.seat_recordings import SENSORS
    from hw_mock.igloo.seat_tap import MISTAKES

    sensors = tuple(dict.fromkeys(sensor or ["accelerometer"]))
    for name in sensors:
        if name not in SENSORS:
            raise UsageError(f"no sensor of a seat is called {name!r}", f"choose among {', '.join(SENSORS)}")
    wrong, named = wrongs(mistaken, mistake, MISTAKES, "mistake", "--mistaken")
    spoiled, spoils = wrongs(faulty, fault, FAULTS, "fault", "--faulty")
    plan = seat_recordings.SeatPlan(
        seed,
        devices,
        sessions,
        placings=placings,
        printed=printed,
        sensors=sensors,
        mistaken=wrong,
        mistakes=tuple(known for known in MISTAKES if known in named),
        faulty=spoiled,
        faults=spoils,
    )
    check_many(devices * sessions * len(plan.counts), "gestures", "--devices and --sessions")
    with writing_to(out):
        out.mkdir(parents=True, exist_ok=True)
        done, everything = written(out), list(seat_recordings.jobs(plan))
        others = check_same_taps(out, everything)
        todo = [job for job in everything if not {job.file(name) for name in sensors} <= done]
        with (
            open_index(out) as index,
            Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar,
        ):
            for job in bar.track(todo, description="tapping"):
                put_down(seat_recordings.write(out, job), done, index, as_json)
    say_made(len(todo), "gesture", out, others)
