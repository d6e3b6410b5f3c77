"""`polartable simulate igloos`: igloo nodes on a pseudo-terminal, shaken one after the other, until interrupted."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import UsageError
from table import leaving
from table.commands.simulate_options import MOST_BEADS, Seconds, WireFault, number, shares
from table.commands.simulate_options import counts as beads_of


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
    from hw_mock.ports import PtyPort

    wire = shares(fault or [])
    try:
        shaken = ShakenNodes(beads_of(counts), seed, pause_s=pause)
    except ValueError as error:
        raise UsageError(
            str(error), f"name up to 12 igloos of 1 to {MOST_BEADS} beads with --counts"
        ) from error
    for node in shaken.nodes:
        node.wire.set(**wire)
    if link is not None and link.exists():  # a link that leads nowhere was left behind
        raise UsageError(f"{link} is there already", "name a link that is not, or end the run that made it")
    clock, never = SystemClock(), threading.Event()
    try:
        port = PtyPort(link)
    except OSError as error:
        raise UsageError(
            f"{link} cannot be made ({error.strerror})", "name a link in a folder of yours"
        ) from error
    end = None if seconds is None else clock.now() + seconds

    def wait(for_s: float) -> None:
        never.wait(for_s)

    try:
        with leaving.asked() as asked:
            nodes = {str(number): beads for number, beads in shaken.numbers.items()}
            held = " · ".join(f"{port.name}#{number}: {beads} beads" for number, beads in nodes.items())
            print(
                json.dumps({"event": "port", "port": port.name, "nodes": nodes}) if as_json else held,
                flush=True,
            )

            def stopped() -> bool:
                return asked() or (end is not None and clock.now() >= end)

            for shake in shaken.run(clock.now, wait, port.write, stopped, port.read):
                line = {"event": "shaken", "node": shake.node, "beads": shake.beads}
                times = {"start_s": round(shake.start_s, 3), "end_s": round(shake.end_s, 3)}
                print(
                    json.dumps(line | times)
                    if as_json
                    else f"{shake.start_s:8.2f} s  #{shake.node} was shaken: {shake.beads} beads",
                    flush=True,
                )
    except DoNotFit as error:  # beads that fitted in one way of lying, and not in this one
        raise UsageError(str(error), "ask for fewer beads with --counts") from error
    finally:
        port.unplug()
