"""`polartable simulate cubes`: simulated cubes on pseudo-terminals for other programs to read, until interrupted."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import PolartableError, UsageError
from table.commands.simulate_options import Seconds, WireFault, number, shares
from table.commands.simulate_out import unwritable
from table.leaving import ends

CUBES = 4
_PROTOCOLS = ("polar", "bno08x-rvc", "witmotion", "witmotion-ble")
# possible samples a second, and the reason: data sheets of BNO080 (UART-RVC) and of WitMotion (register 03)
_RATES = {
    "bno08x-rvc": (100.0, 100.0, "a BNO08x in RVC mode speaks 100 times a second, and at no other rate"),
    "witmotion": (10.0, 200.0, "WitMotion's sensors speak at most 200 times a second"),
    "witmotion-ble": (10.0, 200.0, "WitMotion's sensors speak at most 200 times a second"),
}
_TOLD_BY_POLAR = ("wrong_node", "slow_clock")


def cubes(
    protocol: Annotated[str, typer.Option(help=f"One of {', '.join(_PROTOCOLS)}.")] = "polar",
    wiring: Annotated[str, typer.Option(help="ports (one a cube) or dongle (all on one).")] = "ports",
    links: Annotated[Path | None, typer.Option(help="Folder for lasting names cube-1 … cube-4.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the bytes of each port to a file here, too.")
    ] = None,
    seconds: Seconds = None,
    temper: Annotated[
        str, typer.Option(help="Of the hands: calm, brisk, hasty, slow, shaky, sloppy.")
    ] = "brisk",
    lead: Annotated[
        float, typer.Option(parser=number(0), metavar="SECONDS", help="At rest before the first move.")
    ] = 4.0,
    rate: Annotated[
        float | None,
        typer.Option(
            parser=number(10, 1000),
            metavar="HZ",
            help="Samples a second: polar 10 to 1000 (200 if not given), witmotion up to 200 (100), bno08x-rvc 100.",
        ),
    ] = None,
    fault: WireFault = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same movements.")] = 1,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line: ports, then each move.")
    ] = False,
) -> None:
    """Serial traffic of four simulated cubes that simulated hands move; the truth is told on standard output."""
    _check(protocol, wiring, temper, rate)
    wire = shares(fault or [], () if protocol == "polar" else _TOLD_BY_POLAR, protocol)
    for folder in (links, out):
        _make(folder)
    if links is not None:
        _check_free(links, "cube-{}", Path.exists, "end the run that made it")
    if out is not None:
        _check_free(out, "cube-{}.bin", Path.is_file, "move it away")
    hindered: Exception | None = None
    try:
        with contextlib.suppress(asyncio.CancelledError):
            hindered = asyncio.run(
                _run(
                    protocol=protocol,
                    wiring=wiring,
                    links=links,
                    out=out,
                    seconds=seconds,
                    temper=temper,
                    lead=lead,
                    rate=rate,
                    wire=wire,
                    seed=seed,
                    as_json=as_json,
                )
            )
    except (PolartableError, BrokenPipeError):
        raise
    except OSError as error:
        if error.filename is None and out is None and links is None:
            raise
        raise unwritable(out or links or Path(), error, "choose a folder of your own, with room") from error
    if hindered is not None:  # standard output, for example, has nothing to do with the folders
        raise hindered


def _check(protocol: str, wiring: str, temper: str, rate: float | None) -> None:
    """Raises UsageError for unknown values, and for a rate that the protocol does not have."""
    from hw_mock.cubes import TEMPERS

    if protocol not in _PROTOCOLS:
        raise UsageError(f"there is no protocol {protocol!r}", f"use one of {', '.join(_PROTOCOLS)}")
    if wiring not in ("ports", "dongle"):
        raise UsageError(f"there is no wiring {wiring!r}", "use ports or dongle")
    if wiring == "dongle" and protocol != "polar":
        raise UsageError(f"{protocol} carries no node number", "use --wiring ports with it")
    if temper not in TEMPERS:
        raise UsageError(f"there is no temper {temper!r}", f"use one of {', '.join(TEMPERS)}")
    least, most, why = _RATES.get(protocol, (0.0, 1000.0, ""))
    if rate is not None and not least <= rate <= most:
        raise UsageError(why, f"leave --rate out, or say --rate {most:g}")


def _make(folder: Path | None) -> None:
    """Create the folder. Raises UsageError if that is impossible."""
    if folder is None:
        return
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file", "give a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error, "choose a folder of your own") from error


def _check_free(folder: Path, name: str, taken: Callable[[Path], bool], mend: str) -> None:
    """Check that no file or folder has the name of a link, which would overwrite it; a dangling link is a leftover.

    Raises UsageError.
    """
    for path in (folder / name.format(k) for k in range(1, CUBES + 1)):
        if taken(path):
            raise UsageError(f"{path} is there already", f"name a folder without it, or {mend}")


async def _run(
    protocol: str,
    wiring: str,
    links: Path | None,
    out: Path | None,
    seconds: float | None,
    temper: str,
    lead: float,
    rate: float | None,
    wire: dict[str, float],
    seed: int,
    as_json: bool,
) -> Exception | None:
    """Run until the end; returns what stopped the hands or the output. Raises OSError from ports and files."""
    from hw_mock.cubes import SimulatedTable
    from hw_mock.cubes.script import idle_game

    clock = SystemClock()
    table = SimulatedTable(
        clock,
        seed=seed,
        temper=temper,
        protocol=protocol,
        rate_hz=rate,
        wiring=wiring,
        links=links,
        copies=out,
    )
    for node in table.nodes.values():
        node.wire.set(**wire)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for ending in ends():
        loop.add_signal_handler(ending, stop.set)
    ports = json.dumps({"event": "ports", "ports": table.ports}) if as_json else " ".join(table.ports)
    try:
        print(ports, flush=True)
    except OSError as error:
        return error
    async with table:
        hands = asyncio.create_task(idle_game(table, seed, lead))
        teller = asyncio.create_task(_tell(table.hands.done, clock, as_json))
        ended = asyncio.create_task(stop.wait())
        # it ends only on a full disk, and leaving the table reports that
        speaking = asyncio.create_task(table.speaking())
        # hands and output run for ever, unless something stops them
        tasks = (hands, teller, ended, speaking)
        await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        by_hands, by_teller, *_ = await asyncio.gather(*tasks, return_exceptions=True)
    return next((one for one in (by_teller, by_hands) if isinstance(one, Exception)), None)


async def _tell(done: list[tuple[float, str]], clock: SystemClock, as_json: bool) -> None:
    """Print each move when it is over: the truth to compare a reader's events with."""
    told = 0
    while True:
        while told < len(done) and done[told][0] <= clock.now():
            t, move = done[told]
            print(
                json.dumps({"event": "done", "t": round(t, 3), "move": move})
                if as_json
                else f"{t:8.2f} s  {move}",
                flush=True,
            )
            told += 1
        await clock.sleep(0.05)
