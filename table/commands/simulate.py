"""`polartable simulate`: simulated recordings in the format of docs/contracts.md 3."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from calibration.bulk import Hands, Lost, each, lost
from firmware_bridge.errors import PolartableError, UsageError
from table.commands import simulate_cubes, simulate_igloos, simulate_seat, simulate_taps, simulate_together
from table.commands.igloo_options import Dask, workers
from table.commands.ranges import with_hyphens
from table.commands.simulate_options import Fault, Faulty, counts, each_once, number, wrongs
from table.commands.simulate_out import check_many, put_down, say_made, writing_to

MOST_PEOPLE = 10_000

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback(epilog="Example: polartable simulate shakes --out shakes --devices 3")
def _group() -> None:
    """Simulated recordings, and serial traffic of simulated cubes, igloos and counting seats."""


app.command(epilog="Example: polartable simulate cubes --protocol bno08x-rvc --fault drop=0.05")(
    simulate_cubes.cubes
)

app.command(
    epilog="Example: polartable simulate together --out round --people 2,4 --sensor seat --sensor microphone"
)(simulate_together.together)

app.command(epilog="Example: polartable simulate igloos --counts 3,7,12 --link igloos")(
    simulate_igloos.igloos
)
app.command(epilog="Example: polartable simulate seat --link seat")(simulate_seat.seat)
app.command(epilog="Example: polartable simulate taps --out taps --devices 3 --sensor accelerometer")(
    simulate_taps.taps
)


@app.command(
    epilog="Example: polartable simulate shakes --out shakes --devices 3 --sensor accelerometer --takes 1"
)
def shakes(
    out: Annotated[Path, typer.Option(help="Folder to write to; goes on where an earlier run stopped.")],
    devices: Annotated[int, typer.Option(min=1, help="Sets of igloos.")] = 30,
    players: Annotated[int, typer.Option(min=1, max=MOST_PEOPLE, help="People.")] = 12,
    sensor: Annotated[
        list[str] | None, typer.Option(help="microphone, near, contact or accelerometer; may be given again.")
    ] = None,
    beads: Annotated[
        str, typer.Option("--counts", help="Bead counts of a set, such as 2-13 or 2,5,9.")
    ] = "2-13",
    anchors: Annotated[str, typer.Option(help="Further counts, in every fourth session.")] = "",
    sessions: Annotated[int, typer.Option(min=1, help="Occasions a device, each another person's.")] = 2,
    takes: Annotated[int, typer.Option(min=1, help="Sweeps over all counts in a session.")] = 1,
    gesture: Annotated[str, typer.Option(help="shake, or another gesture by name.")] = "shake",
    seconds: Annotated[str, typer.Option(help="Length of a shake, shortest-longest.")] = "1.6-3.2",
    faulty: Faulty = None,
    fault: Fault = None,
    rate: Annotated[
        float | None,
        typer.Option(
            parser=number(800, 3400),
            metavar="HZ",
            help="Of every accelerometer, 800 to 3400, instead of what each device's chip runs at.",
        ),
    ] = None,
    wide: Annotated[
        bool, typer.Option("--wide", help="Igloos and people beyond what is believed, to learn from.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same recordings.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Processes; the result does not depend on it.")] = 1,
    dask: Dask = None,
    as_json: Annotated[bool, typer.Option("--json", help="One line a recording on standard output.")] = False,
) -> None:
    """Simulate people who shake igloos, and write what microphones and accelerometers get of it."""
    from hw_mock.igloo.faults import FAULTS
    from hw_mock.igloo.gestures import GESTURES
    from hw_mock.igloo.plan import Plan
    from hw_mock.igloo.shake import SENSORS

    sensors = tuple(dict.fromkeys(sensor or ["microphone"]))
    for name in sensors:
        if name not in SENSORS:
            raise UsageError(f"no sensor is called {name!r}", f"choose among {', '.join(SENSORS)}")
    if gesture not in GESTURES:
        raise UsageError(f"no gesture is called {gesture!r}", f"choose among {', '.join(GESTURES)}")
    if rate is not None and "accelerometer" not in sensors:
        raise UsageError("--rate is of accelerometers, and none is asked for", "add --sensor accelerometer")
    spoiled, spoils = wrongs(faulty, fault, FAULTS, "fault", "--faulty")
    plan = Plan(
        seed=seed,
        devices=devices,
        players=players,
        sensors=sensors,
        counts=each_once(counts(beads), "--counts", "--takes"),
        anchors=each_once(counts(anchors), "--anchors", "--takes"),
        sessions=sessions,
        takes=takes,
        seconds=_span(seconds),
        gesture=gesture,
        faulty=spoiled,
        rate=rate,
        wide=wide,
        faults=spoils,
    )
    if not plan.counts:
        raise UsageError("there are no counts to simulate", "write them like 2-13 or 2,5,9")
    session = takes * len(plan.counts) + len(plan.anchors)
    check_many(devices * sessions * session, "shakes", "--devices, --sessions and --takes")
    try:
        with writing_to(out), workers(jobs, dask) as hands:
            missing = _run(plan, out, hands, as_json)
    except PolartableError:
        raise
    except ValueError as error:  # more beads than a small igloo can hold
        raise UsageError(str(error), "ask for fewer beads") from error
    if missing:
        raise typer.Exit(1)


def _run(plan: object, out: Path, hands: Hands, as_json: bool) -> int:
    """Write what is missing; returns how many shakes could not be simulated."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from hw_mock.igloo import plan as plans
    from hw_mock.igloo import recordings
    from hw_mock.igloo.going_on import check_same_plan

    assert isinstance(plan, plans.Plan)
    out.mkdir(parents=True, exist_ok=True)
    done, everything = recordings.written(out), list(plans.jobs(plan))
    others = check_same_plan(out, everything)
    todo = [job for job in everything if not set(job.files().values()) <= done]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    missing: list[str] = []
    write = partial(recordings.write, out.resolve() if hands.client else out)
    with (
        recordings.open_index(out) as index,
        Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar,
    ):
        task = bar.add_task("simulating", total=len(todo))
        for lines in each(write, todo, hands):
            bar.advance(task)
            if isinstance(lines, Lost):
                missing += lines.piece.files().values()
                continue
            put_down(lines, done, index, as_json)
    for name in missing:
        print(f"polartable: {lost(name)}", file=sys.stderr)
    say_made(len(todo) - len(missing), "shake", out, others)
    return len(missing)


def _span(text: str) -> tuple[float, float]:
    low, _, high = with_hyphens(text).partition("-")
    try:
        span = float(low), float(high or low)
    except ValueError:
        raise UsageError(f"{text!r} is no length", "write it like 1.6-3.2, in seconds") from None
    if not 0.2 <= span[0] <= span[1] <= 60:
        raise UsageError(
            f"{text!r} is no length of a shake", "give seconds between 0.2 and 60, the shorter first"
        )
    return span
