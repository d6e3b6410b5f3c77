"""`polartable simulate together`: several people shake at once at one table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from firmware_bridge.errors import UsageError
from table.commands.simulate_options import Fault, Faulty, each_once, wrongs
from table.commands.simulate_out import check_many, put_down, say_made, writing_to

if TYPE_CHECKING:
    from hw_mock.igloo.together import Round

MOST_SEATS = 6


def together(
    out: Annotated[Path, typer.Option(help="Folder to write to; goes on where an earlier run stopped.")],
    tables: Annotated[int, typer.Option(min=1, help="Rooms with a set of igloos and people.")] = 5,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds at each table.")] = 3,
    people: Annotated[str, typer.Option(help="How many shake at once, such as 2,4,6.")] = "4",
    seats: Annotated[int, typer.Option(min=2, max=MOST_SEATS, help="Seats at the table.")] = 6,
    sensor: Annotated[
        list[str] | None,
        typer.Option(
            help="accelerometer or contact (on each shell), seat (a microphone each), microphone (one for all)."
        ),
    ] = None,
    cardioid: Annotated[
        bool, typer.Option("--cardioid", help="The seats' microphones look at their players.")
    ] = False,
    faulty: Faulty = None,
    fault: Fault = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same recordings.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One line a recording on standard output.")] = False,
) -> None:
    """Simulate rounds in which several people shake at once, with the truth of who shook what when."""
    from hw_mock.igloo import together as evenings
    from hw_mock.igloo.faults import FAULTS

    try:
        at_once = each_once([int(n) for n in people.split(",")], "--people", "--rounds")
    except ValueError:
        raise UsageError(f"{people!r} is no list of numbers", "write it like 2,4,6") from None
    if min(at_once) < 1:
        raise UsageError("nobody would shake", "give numbers of people from 1 on")
    if max(at_once) > MOST_SEATS:
        raise UsageError(
            f"{max(at_once)} people are more than sit at a table", f"ask for {MOST_SEATS} at most"
        )
    if max(at_once) > seats:
        raise UsageError(
            f"{max(at_once)} people need as many seats, and there are {seats}",
            "ask for fewer with --people, or for more with --seats",
        )
    sensors = tuple(dict.fromkeys(sensor or ["accelerometer"]))
    for name in sensors:
        if name not in evenings.SENSORS:
            raise UsageError(f"no sensor is called {name!r}", f"choose among {', '.join(evenings.SENSORS)}")
    if cardioid and "seat" not in sensors:
        raise UsageError(
            "--cardioid is of the seats' microphones, and none is asked for", "add --sensor seat"
        )
    spoiled, spoils = wrongs(faulty, fault, FAULTS, "fault", "--faulty")
    check_many(tables * rounds * len(at_once), "rounds", "--tables, --rounds and --people")
    pattern = 0.5 if cardioid else 0.0
    plan = evenings.Evening(
        seed, tables, rounds, at_once, seats, sensors, pattern=pattern, faulty=spoiled, faults=spoils
    )
    with writing_to(out):
        _run(list(evenings.rounds(plan)), out, as_json)


def _run(everything: Sequence[Round], out: Path, as_json: bool) -> None:
    from rich.console import Console
    from rich.progress import Progress

    from hw_mock.igloo import recordings, together
    from hw_mock.igloo.going_on_rounds import check_same_rounds

    out.mkdir(parents=True, exist_ok=True)
    done, others = recordings.written(out), check_same_rounds(out, everything)
    todo = [one for one in everything if not one.files() <= done]
    with (
        recordings.open_index(out) as index,
        Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar,
    ):
        for one in bar.track(todo, description="simulating"):
            put_down(together.write(out, one), done, index, as_json)
    say_made(len(todo), "round", out, others)
