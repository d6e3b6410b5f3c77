"""`polartable simulate cubes`: simulated cubes on pseudo-terminals for other programs to read, until interrupted."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import PolartableError, UsageError
from table.commands.simulate_out import unwritable

CUBES = 4
_PROTOCOLS = ("polar", "bno08x-rvc", "witmotion", "witmotion-ble")


def cubes(
    protocol: Annotated[str, typer.Option(help=f"One of {', '.join(_PROTOCOLS)}.")] = "polar",
    wiring: Annotated[str, typer.Option(help="ports (one a cube) or dongle (all on one).")] = "ports",
    links: Annotated[Path | None, typer.Option(help="Folder for lasting names cube-1 … cube-4.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the bytes of each port to a file here, too.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after so many seconds.")] = None,
    temper: Annotated[
        str, typer.Option(help="Of the hands: calm, brisk, hasty, slow, shaky, sloppy.")
    ] = "brisk",
    lead: Annotated[float, typer.Option(min=0, help="Seconds at rest before the first move.")] = 4.0,
    rate: Annotated[float | None, typer.Option(min=10, max=1000, help="Samples a second.")] = None,
    fault: Annotated[
        list[str] | None, typer.Option(help="NAME=SHARE: drop, repeat, reorder, flip, garbage, …")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same movements.")] = 1,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line: ports, then each move.")
    ] = False,
) -> None:
    """Serial traffic of four simulated cubes that simulated hands move; the truth is told on standard output."""
    from hw_mock.cubes import TEMPERS

    if protocol not in _PROTOCOLS:
        raise UsageError(f"there is no protocol {protocol!r}", f"use one of {', '.join(_PROTOCOLS)}")
    if wiring not in ("ports", "dongle"):
        raise UsageError(f"there is no wiring {wiring!r}", "use ports or dongle")
    if wiring == "dongle" and protocol != "polar":
        raise UsageError(f"{protocol} carries no node number", "use --wiring ports with it")
    if temper not in TEMPERS:
        raise UsageError(f"there is no temper {temper!r}", f"use one of {', '.join(TEMPERS)}")
    shares = _faults(fault or [])
    for folder in (links, out):
        _make(folder)
    if links is not None:
        _check_free(links)
    try:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(
                _run(protocol, wiring, links, out, seconds, temper, lead, rate, shares, seed, as_json)
            )
    except (PolartableError, BrokenPipeError):
        raise
    except OSError as error:
        if error.filename is None and out is None and links is None:
            raise
        raise unwritable(out or links or Path(), error, "choose a folder of your own, with room") from error


def _make(folder: Path | None) -> None:
    """Raises UsageError where there can be no such folder."""
    if folder is None:
        return
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file", "give a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error, "choose a folder of your own") from error


def _check_free(links: Path) -> None:
    """What has the name of a link would be lost to it; one that leads nowhere was left behind. Raises UsageError."""
    for link in (links / f"cube-{k}" for k in range(1, CUBES + 1)):
        if link.exists():
            raise UsageError(
                f"{link} is there already", "name a folder without it, or end the run that made it"
            )


def _faults(words: list[str]) -> dict[str, float]:
    from hw_mock.ports import Faults

    names = [f.name for f in fields(Faults)]
    out: dict[str, float] = {}
    for word in words:
        name, _, share = word.partition("=")
        try:
            value = float(share)
        except ValueError:
            value = -1.0
        if name not in names or not 0 <= value <= 1:
            raise UsageError(
                f"{word!r} is no fault", f"write NAME=SHARE with NAME of {', '.join(names)}, SHARE 0 to 1"
            )
        out[name] = value
    return out


async def _run(
    protocol: str,
    wiring: str,
    links: Path | None,
    out: Path | None,
    seconds: float | None,
    temper: str,
    lead: float,
    rate: float | None,
    shares: dict[str, float],
    seed: int,
    as_json: bool,
) -> None:
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
        node.wire.set(**shares)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    print(
        json.dumps({"event": "ports", "ports": table.ports}) if as_json else " ".join(table.ports), flush=True
    )
    async with table:
        hands = asyncio.create_task(idle_game(table, seed, lead))
        teller = asyncio.create_task(_tell(table.hands.done, clock, as_json))
        ended = asyncio.create_task(stop.wait())
        # ends on a full disk alone; leaving the table says so
        speaking = asyncio.create_task(table.speaking())
        await asyncio.wait((ended, speaking), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        tasks = (hands, teller, ended, speaking)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _tell(done: list[tuple[float, str]], clock: SystemClock, as_json: bool) -> None:
    """Each move when it is over: the truth that a reader's events can be held against."""
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
