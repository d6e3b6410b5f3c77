"""`polartable simulate seat`: a counting seat with a node on a pseudo-terminal, tapped igloo after igloo."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.errors import UsageError
from table.commands.simulate_options import MOST_BEADS, Seconds, WireFault, number, shares
from table.commands.simulate_options import counts as beads_of
from table.commands.simulate_port import simulated_port


def seat(
    counts: Annotated[
        str, typer.Option(help="Beads of the igloos that are weighed, such as 3,7,12 or 2-13.")
    ] = "2-13",
    link: Annotated[Path | None, typer.Option(help="A lasting name for the port.")] = None,
    seconds: Seconds = None,
    pause: Annotated[
        float, typer.Option(parser=number(0.6, 60), metavar="SECONDS", help="Between two igloos, 0.6 to 60.")
    ] = 2.0,
    fault: WireFault = None,
    device: Annotated[int, typer.Option(min=1, max=99, help="Whose seat: 1 is D01 of `simulate taps`.")] = 1,
    seed: Annotated[
        int, typer.Option(min=0, help="The same seed as `simulate taps` gives the same seats and igloos.")
    ] = 1,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line: the port, then each igloo.")
    ] = False,
) -> None:
    """Serial traffic of a simulated seat's node, at which a simulated person weighs igloos; the truth is told on
    standard output."""
    from hw_mock.igloo.played import DoNotFit
    from hw_mock.igloo.tapped import TappedSeat

    wire = shares(fault or [])
    fewer = f"name igloos of 1 to {MOST_BEADS} beads with --counts"
    try:
        tapped = TappedSeat(beads_of(counts), seed, device - 1, pause_s=pause)
    except ValueError as error:
        raise UsageError(str(error), fewer) from error
    tapped.node.wire.set(**wire)
    with simulated_port(link, seconds) as there:
        about = {"event": "port", "port": there.port.name, "device": f"D{device:02d}"}
        print(
            json.dumps(about) if as_json else f"{there.port.name}: the seat of D{device:02d}",
            flush=True,
        )
        try:
            for one in tapped.run(
                there.clock.now, there.wait, there.port.write, there.stopped, there.port.read
            ):
                line = {"event": "weighed", "beads": one.beads}
                times = {"start_s": round(one.start_s, 3), "end_s": round(one.end_s, 3)}
                print(
                    json.dumps(line | times)
                    if as_json
                    else f"{one.start_s:8.2f} s  weighed: {one.beads} beads",
                    flush=True,
                )
        except DoNotFit as error:
            raise UsageError(str(error), fewer) from error
