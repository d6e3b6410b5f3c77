"""`polartable listen`: count the beads in what is heard."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from calibration.words import many
from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import PolartableError
from firmware_bridge.host.shown import shown
from firmware_bridge.host.spelling import on_disk
from sensors.ear.sources.igloo_port import is_port
from sensors.evidence import Heard
from table.commands.listen_checks import check_source
from table.commands.listen_losses import gathered
from table.commands.listen_sources import events_of
from table.commands.listen_unheard import tell_unheard
from table.commands.listen_words import Said, in_words
from table.commands.options import Json
from table.listening import counting_seat, seat_profile
from table.listening.added_up import AddedUp, shakes_of

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    epilog="Examples: polartable listen shake.wav · polartable listen default --partial --json · "
    "polartable listen /dev/ttyACM0 · polartable listen mock"
)
def listen(
    source: Annotated[
        list[str],
        typer.Argument(
            help="An input device (name, number or `default`), a sound file, a folder, `mock`, or the serial port "
            "of igloo nodes (`/dev/ttyACM0`; `/dev/ttyACM0#17`: one of them) or a counting seat's; with --seats also "
            "several sound files that began together; or two sound files of one igloo, by an accelerometer and a "
            "microphone. No pipe (`-`): record to a file first."
        ),
    ],
    profile: Annotated[
        list[str] | None,
        typer.Option(
            help="A profile: a file, or microphone, accelerometer, contact (shipped); of two files one for each sensor."
        ),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Say several times a second what it sounds like so far.")
    ] = False,
    seats: Annotated[
        str | None,
        typer.Option(
            help="Several people shake at once, each before a microphone: the seats' names, a channel (or file) each."
        ),
    ] = None,
    same_igloo: Annotated[
        bool,
        typer.Option(
            "--same-igloo", help="All shakes are of one igloo: say after each what they tell together."
        ),
    ] = False,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="Stop after so many seconds (of each file of a folder).")
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            help="Which set stands at a seat, where its profile holds several: its name in the list."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Count the beads in what is heard: a device, a file, a folder, or mock."""
    bad = False

    def complain(error: PolartableError) -> None:
        nonlocal bad
        bad = True  # keep only that: the exception would keep a whole listener alive
        print(f"polartable: {error}", file=sys.stderr)

    shakes, unheard = 0, list[str]()
    last: Heard | None = None
    what = "shake" if not profile or seat_profile.named(profile[0]) is None else "gesture"
    try:
        for one in source:
            check_source(one)
        source = [str(there) if (there := on_disk(Path(one))) != Path(one) else one for one in source]
        # asked while it exists: a permanent name leads nowhere once the cable is unplugged
        felt = is_port(source[0])
        events = events_of(
            source,
            profile,
            seats=seats,
            partial=partial,
            seconds=seconds,
            same_igloo=same_igloo,
            device=device,
            complain=complain,
            unheard=unheard.append,
        )
        added = AddedUp(shakes_of(Path(source[0])) if same_igloo and Path(source[0]).is_dir() else None)
        for said in events if as_json else gathered(events, SystemClock()):
            if isinstance(said, Heard):
                shakes += last is None or not counting_seat.revises(said, last)
                last = said
            _say(said, as_json, felt, what)
            if same_igloo and isinstance(said, Heard):  # each igloo of a port is a source of its own
                together = added.after(said, said.source if felt else "")
                if together is not None:
                    _say(together, as_json, felt, what)
    except KeyboardInterrupt:
        print(f"polartable: broken off by Ctrl-C; {many(shakes, what)} heard until then", file=sys.stderr)
        raise typer.Exit(130) from None
    if shakes == 0 and not bad and Path(source[0]).exists() and not felt:
        tell_unheard(source, [], profile, seconds)
        raise typer.Exit(1)
    if unheard:
        tell_unheard(source, unheard, profile, seconds)
    if bad:
        raise typer.Exit(2)


def _say(said: Said, as_json: bool, felt: bool, what: str) -> None:
    if as_json:
        print(json.dumps(said if isinstance(said, dict) else said.to_json(), ensure_ascii=False), flush=True)
    else:
        print(shown(in_words(said, felt, what)), flush=True)
