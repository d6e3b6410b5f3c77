"""`polartable simulate igloos`: igloo nodes on a pseudo-terminal, shaken one after the other, until interrupted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.errors import UsageError
from table.commands.simulate_options import MOST_BEADS, Seconds, WireFault, number, shares
from table.commands.simulate_options import counts as beads_of
from table.commands.simulate_port import simulated_port


def igloos(
    counts: Annotated[
        str,
        typer.Option(
            help="Beads of each igloo, such as 3,7,12 or 2-13; the first has node 17, the next 18, …"
        ),
    ] = "3,7,12",
    link: Annotated[Path | None, typer.Option(help="A lasting name for the port.")] = None,
    seconds: Seconds = None,
    pause: Annotated[
        float, typer.Option(parser=number(0.6, 60), metavar="SECONDS", help="Between two shakes, 0.6 to 60.")
    ] = 1.5,
    fault: WireFault = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same shakes.")] = 2,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line: the port, then each shake.")
    ] = False,
) -> None:
    """Serial traffic of simulated igloo nodes that a simulated person shakes; the truth is told on standard output."""
    from hw_mock.igloo.nodes import ShakenNodes
    from hw_mock.igloo.played import DoNotFit

    wire = shares(fault or [])
    try:
        shaken = ShakenNodes(beads_of(counts), seed, pause_s=pause)
    except ValueError as error:
        raise UsageError(
            str(error), f"name up to 12 igloos of 1 to {MOST_BEADS} beads with --counts"
        ) from error
    for node in shaken.nodes:
        node.wire.set(**wire)
    try:
        with simulated_port(link, seconds) as there:
            nodes = {str(number): beads for number, beads in shaken.numbers.items()}
            held = " · ".join(f"{there.port.name}#{number}: {beads} beads" for number, beads in nodes.items())
            print(
                json.dumps({"event": "port", "port": there.port.name, "nodes": nodes}) if as_json else held,
                flush=True,
            )
            for shake in shaken.run(
                there.clock.now, there.wait, there.port.write, there.stopped, there.port.read
            ):
                line = {"event": "shaken", "node": shake.node, "beads": shake.beads}
                times = {"start_s": round(shake.start_s, 3), "end_s": round(shake.end_s, 3)}
                print(
                    json.dumps(line | times)
                    if as_json
                    else f"{shake.start_s:8.2f} s  #{shake.node} was shaken: {shake.beads} beads",
                    flush=True,
                )
    except DoNotFit as error:  # the beads fit in one arrangement, but not in this one
        raise UsageError(str(error), "ask for fewer beads with --counts") from error
