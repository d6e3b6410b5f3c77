"""`polartable simulate together`: several people shake at once at one table."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.errors import UsageError


def together(
    out: Annotated[Path, typer.Option(help="Folder to write to; goes on where an earlier run stopped.")],
    tables: Annotated[int, typer.Option(min=1, help="Rooms with a set of igloos and people.")] = 5,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds at each table.")] = 3,
    people: Annotated[str, typer.Option(help="How many shake at once, such as 2,4,6.")] = "4",
    seats: Annotated[int, typer.Option(min=2, max=6, help="Seats at the table.")] = 6,
    sensor: Annotated[
        list[str] | None,
        typer.Option(
            help="accelerometer or contact (on each shell), seat (a microphone each), microphone (one for all)."
        ),
    ] = None,
    cardioid: Annotated[
        bool, typer.Option("--cardioid", help="The seats' microphones look at their players.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same recordings.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One line a recording on standard output.")] = False,
) -> None:
    """Simulate rounds in which several people shake at once, with the truth of who shook what when."""
    from hw_mock.igloo import together as evenings

    try:
        at_once = tuple(int(n) for n in people.split(","))
    except ValueError:
        raise UsageError(f"{people!r} is no list of numbers", "write it like 2,4,6") from None
    if min(at_once) < 1:
        raise UsageError("nobody would shake", "give numbers of people from 1 on")
    plan = evenings.Evening(
        seed, tables, rounds, at_once, seats,
        tuple(dict.fromkeys(sensor or ["accelerometer"])), pattern=0.5 if cardioid else 0.0,
    )  # fmt: skip
    try:
        todo = list(evenings.rounds(plan))
    except ValueError as error:
        raise UsageError(str(error), "see polartable simulate together --help") from error
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file", "give a folder")
    try:
        _run(todo, out, as_json)
    except OSError as error:
        raise UsageError(
            f"{error.filename or out} cannot be written ({error.strerror})", "choose a folder of your own"
        ) from error


def _run(todo: Sequence[object], out: Path, as_json: bool) -> None:
    from rich.console import Console
    from rich.progress import Progress

    from hw_mock.igloo import recordings, together

    out.mkdir(parents=True, exist_ok=True)
    done = {Path(name).parent.as_posix() for name in recordings.written(out)}
    with (
        recordings.open_index(out) as index,
        Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar,
    ):
        for one in bar.track(todo, description="simulating"):
            assert isinstance(one, together.Round)
            if one.name in done:
                continue
            lines = [json.dumps(line, ensure_ascii=False) for line in together.write(out, one)]
            index.write("".join(line + "\n" for line in lines))
            index.flush()
            if as_json:
                print(*lines, sep="\n", flush=True)
    print(f"{len(todo)} rounds simulated in {out}", file=sys.stderr)
