"""Many simulated tables on one real Mosquitto broker and one hub, all on loopback: delays, losses, cost.

`python -m benchmarks.fleet` plays three minutes at a hundred tables, kills the broker twice in between, and counts at
the hub which events arrived, which twice, and which are missing. `--hold` leaves everything running, to look at the
hub's page. The tables are in one process, the hub in another; on a busy machine the figures are worse.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from firmware_bridge.clock import SystemClock
from table.config import Settings
from table.door.access import Access
from table.journal.store import Journal
from table.room.table_room import TableRoom

GAMES = (
    {"name": "ice-cult", "players": ["yellow", "red"]},
    {"name": "igloo-pop", "players": ["red", "blue", "green"]},
)
PATIENCE_S = 120.0


@dataclass
class Came:
    """What the hub received: each event's number by journal, and its delay."""

    numbers: dict[str, list[int]] = field(default_factory=dict)
    delays: list[float] = field(default_factory=list)
    odd: int = 0

    def line(self, line: dict[str, Any]) -> None:
        if line["event"] == "told":
            self.numbers.setdefault(line["book"], []).append(line["n"])
            self.delays.append((datetime.now(UTC) - datetime.fromisoformat(line["at"])).total_seconds())
        self.odd += line["event"] in ("odd", "missed")


class Broker:
    def __init__(self, folder: Path) -> None:
        found = shutil.which("mosquitto", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if found is None:
            raise SystemExit("there is no mosquitto on this machine: apt-get install mosquitto")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        (folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nuser root\n"
        )
        self._command = [found, "-c", str(folder / "mosquitto.conf")]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


async def play(room: TableRoom, pause: float, seed: int) -> None:
    """Play any legal move now and then, like people; start a new game when one has ended."""
    chance, game = random.Random(seed), room.settings.game
    await asyncio.sleep(chance.random() * pause)
    while True:
        desk = room.desk
        legal = [move for move in desk.sitting.game.moves(desk.sitting.state) if move not in ("abandon",)]
        if desk.sitting.over is not None or not legal:
            room.new_game(game.name, game.players, {"mode": "digital"} if game.name == "igloo-pop" else {})
        else:
            desk.play(chance.choice(legal))
        await asyncio.sleep(pause * chance.uniform(0.5, 1.5))


async def fleet(args: argparse.Namespace, folder: Path) -> None:
    broker = Broker(folder)
    hub = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "table", "hub", "--json", "--broker", f"mqtt://127.0.0.1:{broker.port}"),
        *("--book", str(folder / "hub.sqlite"), "--port", "0"),
        stdout=subprocess.PIPE,
        limit=1 << 22,
    )
    came = Came()
    reading = asyncio.create_task(_read(hub, came))
    rooms = [_room(folder, broker.port, k) for k in range(args.tables)]
    before = psutil.Process().cpu_times()
    for room in rooms:
        room.start()
    began = time.monotonic()
    playing = [asyncio.create_task(play(room, args.pause, k)) for k, room in enumerate(rooms)]
    if args.hold:
        await asyncio.Event().wait()
    await asyncio.sleep(args.seconds / 9)
    came.delays.clear()  # a hundred tables that start at once in one process are not realistic
    await asyncio.sleep(args.seconds * 2 / 9)
    quiet = sorted(came.delays)
    for _ in range(2):
        broker.kill()
        await asyncio.sleep(args.seconds / 12)
        broker.start()
        await asyncio.sleep(args.seconds / 4)
    for task in playing:
        task.cancel()
    played = time.monotonic() - began
    last = time.monotonic()
    while not _all_there(rooms, came) and time.monotonic() - last < PATIENCE_S:
        await asyncio.sleep(0.1)
    settled = time.monotonic() - last
    after = psutil.Process().cpu_times()
    hub_process = psutil.Process(hub.pid)
    events = sum(_newest(room) for room in rooms)
    lacking = sum(len(set(range(1, _newest(r) + 1)) - set(came.numbers.get(_book(r), []))) for r in rooms)
    twice = sum(len(numbers) - len(set(numbers)) for numbers in came.numbers.values())
    away = args.seconds / 12
    print(
        f"{args.tables} tables, {events} events in {played:.0f} s; broker killed twice, away {away:.0f} s each time: "
        f"{lacking} lacking, {twice} twice, {came.odd} complaints; all there {settled:.1f} s after the last move"
    )
    shares = [quiet[int(len(quiet) * p)] * 1000 for p in (0.5, 0.95, 0.99)] if quiet else [0.0] * 3
    print(
        f"journal to hub while the broker stood: {shares[0]:.0f} ms (median), "
        f"{shares[1]:.0f} ms (95 %), {shares[2]:.0f} ms (99 %)"
    )
    spent = sum(after[:2]) - sum(before[:2])
    print(
        f"CPU: {1000 * spent / played / args.tables:.1f} ms a second and table (with its game), hub "
        f"{1000 * sum(hub_process.cpu_times()[:2]) / played:.0f} ms a second; memory of the hub "
        f"{hub_process.memory_info().rss / 2**20:.0f} MB"
    )
    for room in rooms:
        await room.stop()
    reading.cancel()
    hub.terminate()
    await hub.wait()
    broker.kill()


async def _read(hub: asyncio.subprocess.Process, came: Came) -> None:
    assert hub.stdout is not None
    while line := await hub.stdout.readline():
        said = json.loads(line)
        if said["event"] == "ready":
            print(f"the hub is at {said['address']}", file=sys.stderr)
        came.line(said)


def _room(folder: Path, port: int, k: int) -> TableRoom:
    game = GAMES[k % len(GAMES)]
    fleet = {"broker": f"mqtt://127.0.0.1:{port}", "table": f"table-{k + 1:03d}", "title": f"Table {k + 1}"}
    settings = Settings.model_validate({"game": game, "fleet": fleet})
    clock = SystemClock()
    return TableRoom(settings, clock, Journal(folder / f"table-{k}.sqlite"), Access(clock, lan=False))


def _newest(room: TableRoom) -> int:
    assert room.journal.outbox is not None
    return room.journal.outbox.newest


def _book(room: TableRoom) -> str:
    assert room.journal.outbox is not None
    return room.journal.outbox.book


def _all_there(rooms: list[TableRoom], came: Came) -> bool:
    return all(len(set(came.numbers.get(_book(room), []))) == _newest(room) for room in rooms)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between two moves of a table")
    parser.add_argument("--hold", action="store_true", help="leave everything running until Ctrl-C")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(fleet(args, Path(folder)))


if __name__ == "__main__":
    main()
