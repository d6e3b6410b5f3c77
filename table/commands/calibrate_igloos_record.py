"""The command line of `polartable calibrate igloos record`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from calibration.words import many
from firmware_bridge.errors import UsageError
from firmware_bridge.host.shown import shown
from firmware_bridge.host.spelling import on_disk
from table.commands.igloo_options import parse_counts
from table.commands.options import Browser, Json, PagePort

if TYPE_CHECKING:
    from calibration.recordings.folder import Recording
    from table.recording.asking import Ask, Screen


def record(
    folder: Annotated[
        Path,
        # else it would create a folder that looks like the existing one
        typer.Argument(
            help="Where to put the recordings; a folder that exists is added to.", callback=on_disk
        ),
    ],
    source: Annotated[
        str,
        typer.Option(
            help="An input device (name, number or `default`), the serial port of nodes (/dev/ttyACM0), or mock."
        ),
    ] = "default",
    profile: Annotated[
        str | None,
        typer.Option(
            help="What the sensor is: microphone, contact (one on the shell), accelerometer, or a profile's file "
            "(default: accelerometer at a serial port, contact for mock, else microphone)."
        ),
    ] = None,
    counts: Annotated[
        str | None,
        typer.Option(help="The igloos of a sweep by their beads, such as 2-13 (default) or 2,4,6."),
    ] = None,
    sweeps: Annotated[
        int, typer.Option(help="Sweeps to record; each holds every igloo once, in random order.")
    ] = 1,
    device: Annotated[
        str, typer.Option(help="A name for this set of igloos, the same for every sensor on it.")
    ] = "table",
    player: Annotated[str, typer.Option(help="Who shakes.")] = "maker",
    session: Annotated[
        str | None,
        typer.Option(
            help="A name for this occasion (default: that of the player's unfinished sweep, or today's date)."
        ),
    ] = None,
    gesture: Annotated[
        str | None,
        typer.Option(
            help="Instead of shaking: seat-tap (the counting gesture on a seat), or a name of your own, such as knock "
            "(default: the profile's)."
        ),
    ] = None,
    seconds: Annotated[float, typer.Option(min=1.5, max=8.0, help="How long to shake each igloo.")] = 3.0,
    throw_out: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Record nothing, but throw out this take of an earlier run, so that its igloo is asked for again; "
            "may be repeated.",
        ),
    ] = None,
    page: Annotated[
        bool,
        typer.Option(
            "--page", help="Ask and show on a page instead of here: on a phone, it lies beside the igloos."
        ),
    ] = False,
    port: PagePort = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="With --page: also for other machines on the network, after a code.")
    ] = False,
    browser: Browser = False,
    as_json: Json = False,
) -> None:
    """Record sweeps with a live coach: random order, gripped anew, any take thrown out and taken again, resumable."""
    from table import leaving
    from table.commands import calibrate_record as wizard
    from table.commands.record_again import throw_out_takes
    from table.commands.record_screen import TERMINAL, ask_person
    from table.commands.record_takes import not_left_empty
    from table.commands.record_way import way_of

    if throw_out:
        wizard.check(parse_counts(counts), sweeps)
        throw_out_takes(folder, throw_out, as_json)
        return
    if not page:
        for option, given in (("--lan", lan), ("--port", port is not None), ("--browser", browser)):
            if given:
                raise UsageError(
                    f"{option} is of a page", "add --page, or leave it out to record in this terminal"
                )
    way, wanted = way_of(profile, source, gesture, seconds), wizard.check(parse_counts(counts), sweeps)

    def recorded(player: str, ask: Ask, screen: Screen) -> int:
        return wizard.record(
            folder, source, way, wanted, sweeps, device, player, session, seconds, as_json, ask, screen
        )

    if page:
        from firmware_bridge.clock import SystemClock
        from firmware_bridge.errors import PolartableError
        from table.commands.record_page import serve
        from table.commands.record_page_again import at_the_page
        from table.commands.record_words import ended, fit_command, way_on
        from table.recording.desk import RecordingDesk
        from table.recording.fitting import Fitting
        from table.recording.takes import Takes

        if sweeps != 1:
            raise UsageError(
                "--sweeps does not go with --page", "leave it out: the page begins one at a time"
            )
        with not_left_empty(folder):
            wizard.checked(folder, source, way, device, player, session, seconds)
            clock = SystemClock()
            desk = RecordingDesk(
                lambda player, desk: recorded(player, desk.ask, desk), clock, player, source == "mock"
            )
            takes = Takes(folder, desk, at_the_page(wanted, device, session, way))

            def listed() -> list[Recording]:
                try:
                    return takes.read()
                except PolartableError:  # the list is broken: the wizard says so when it begins
                    return []

            def kept_files() -> set[str]:
                return {take.file for take in listed() if take.rejected is None}

            fitting = Fitting(folder, lambda: fit_command(folder, listed(), way.more.get("gesture")), clock)
            before = kept_files()
            asyncio.run(serve(desk, takes, fitting, port, lan, browser, as_json))
            kept = len(kept_files() - before)  # without what was thrown out again at the page
            TERMINAL.tell(ended(kept, folder, desk.cut_off, way_on(sweeps, sweeps, TERMINAL.again)))
        return
    with leaving.as_end_of_input(), not_left_empty(folder):
        kept = recorded(player, ask_person, TERMINAL)
    TERMINAL.tell(f"{many(kept, 'take')} kept in {shown(folder)}")
