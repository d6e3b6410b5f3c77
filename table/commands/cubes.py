"""`polartable cubes`: follow the cubes on serial ports, or on simulated ones (docs/contracts.md 5)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from firmware_bridge.clock import SystemClock
from firmware_bridge.detecting import PROTOCOLS
from firmware_bridge.errors import UsageError
from firmware_bridge.node_words import NodeTold
from firmware_bridge.opening import is_url
from firmware_bridge.samples import LinkCount
from sensors.cubes.reader import CubeEvent, CubeReader
from sensors.cubes.turns import SLOTS
from sensors.evidence import CubePose
from table.commands.mock_protocol import spoken_by_mock

app = typer.Typer(rich_markup_mode=None, add_completion=False)
FASTEST_BAUD = 12_000_000  # fastest rate of any USB serial chip
GONE_S = 8.0  # after this a pseudo-terminal or socket counts as ended, not as unplugged
_EXAMPLE = "Example: polartable cubes /dev/ttyACM0 /dev/ttyACM1 --protocol polar --json"


@app.command(epilog=_EXAMPLE)
def cubes(
    ports: Annotated[
        list[str], typer.Argument(help="Serial ports in the order NW, NE, SE, SW, a pySerial URL, or mock.")
    ],
    protocol: Annotated[str, typer.Option(help=f"One of {', '.join(PROTOCOLS)}.")] = "auto",
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after so many seconds.")] = None,
    stats: Annotated[bool, typer.Option("--stats", help="Say the counts of each wire every second.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    baud: Annotated[
        int | None,
        typer.Option(
            min=300, max=FASTEST_BAUD, help="Speed of the ports; without it the usual ones are tried."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the simulated hands (mock).")] = 1,
    temper: Annotated[
        str, typer.Option(help="Of the simulated hands (mock): calm, brisk, hasty, slow, shaky, sloppy.")
    ] = "brisk",
) -> None:
    """Follow the cubes and say each rest, tilt and turn; an interrupt ends it with the counts."""
    if protocol not in PROTOCOLS:
        raise UsageError(f"there is no protocol {protocol!r}", f"use one of {', '.join(PROTOCOLS)}")
    if "mock" in ports and len(ports) > 1:
        raise UsageError("mock stands for all four cubes", "give `mock` alone, or real ports alone")
    if len(ports) > len(SLOTS):
        raise UsageError(
            f"{len(ports)} ports, but four cubes", "name those of the cubes alone, or that of their dongle"
        )
    run = _Run(protocol, seconds, stats, as_json, baud)
    asyncio.run(run.mock(seed, temper) if ports == ["mock"] else run.follow(ports))


@dataclass(slots=True)
class _Run:
    protocol: str
    seconds: float | None
    stats: bool
    as_json: bool
    baud: int | None

    async def follow(self, ports: list[str], clock: SystemClock | None = None) -> None:
        """Print events until the time is up, or an interrupt comes."""
        clock = clock or SystemClock()
        from table.senses.saved_cubes import saved_seats

        with CubeReader(ports, self.protocol, clock=clock, seats=saved_seats(), baudrate=self.baud) as reader:
            stop = asyncio.Event()
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, stop.set)
            tasks = [asyncio.create_task(self._print(reader)), asyncio.create_task(_end_of_input(reader))]
            if self.stats:
                tasks.append(asyncio.create_task(self._count_each_second(reader)))
            waiter = asyncio.create_task(stop.wait())
            done, _ = await asyncio.wait(
                [waiter, *tasks], timeout=self.seconds, return_when=asyncio.FIRST_COMPLETED
            )
            for task in (waiter, *tasks):
                task.cancel()
            await asyncio.gather(waiter, *tasks, return_exceptions=True)
            for task in done:
                if task is not waiter:
                    task.result()  # a broken pipe or a defect must not be hidden
            for event in reader.finish():
                self._tell(event)
            self._counts(reader.counts())

    async def mock(self, seed: int, temper: str) -> None:
        """Run four simulated cubes behind real pseudo-terminals, moved by simulated hands."""
        from hw_mock.cubes import TEMPERS, SimulatedTable
        from hw_mock.cubes.script import idle_game

        if temper not in TEMPERS:
            raise UsageError(f"there is no temper {temper!r}", f"use one of {', '.join(TEMPERS)}")
        protocol, clock = spoken_by_mock(self.protocol), SystemClock()
        table = SimulatedTable(clock, seed=seed, temper=temper, protocol=protocol)
        async with table, _running(idle_game(table, seed)):
            await self.follow(table.ports, clock)

    async def _print(self, reader: CubeReader) -> None:
        async for event in reader.events():
            self._tell(event)

    async def _count_each_second(self, reader: CubeReader) -> None:
        while True:
            await asyncio.sleep(1.0)
            self._counts(reader.counts())

    def _tell(self, event: CubeEvent) -> None:
        if isinstance(event, NodeTold):  # for people: programs that read our lines do not know this event
            print(f"polartable: {event.port}: {event.sentence}", file=sys.stderr, flush=True)
        elif not isinstance(event, CubePose) or event.changed:
            self._say(event.to_json())

    def _counts(self, counts: list[LinkCount]) -> None:
        for count in counts:
            self._say(count.to_json())

    def _say(self, event: dict[str, Any]) -> None:
        print(json.dumps(event, ensure_ascii=False) if self.as_json else _words(event), flush=True)


async def _end_of_input(reader: CubeReader) -> None:
    """Returns when nothing more can come: all ports are pseudo-terminals or sockets, and have been gone for long.

    A real port is waited for indefinitely: somebody will plug it in again.
    """
    links = reader.bridge.links
    if not all(is_url(link.port) or str(Path(link.port).resolve()).startswith("/dev/pts/") for link in links):
        await asyncio.Event().wait()
    while not all(link.lost_for > GONE_S for link in links):
        await asyncio.sleep(0.25)


@contextlib.asynccontextmanager
async def _running(coroutine: Any) -> AsyncIterator[None]:
    task = asyncio.create_task(coroutine)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def _words(e: dict[str, Any]) -> str:
    """An event as a line for people."""
    match e["event"]:
        case "link":
            return f"{e['port']}: {e['state']} ({e['protocol'] or 'protocol unknown'}; {e['why']})"
        case "pose":
            sure = f"{e['off_deg']:.1f}° off, runner-up {e['margin_deg']:.0f}° further"
            return f"{e['t']:8.2f} s  {e['slot']}: cube {e['cube']} lies with {e['up']} up, {e['north']} north ({sure})"
        case "tilt":
            return f"{e['t']:8.2f} s  tilt {e['pair']}>{e['to']}"
        case "turn":
            return f"{e['t']:8.2f} s  turn {e['slot']} {e['to']}"
        case "odd":
            return f"{e['t']:8.2f} s  odd: {e['text']}"
        case _:
            rest = ", ".join(f"{v} {k}" for k, v in e.items() if k not in ("event", "port"))
            return f"{e['port']}: {rest}"
