"""A month of evenings and hours of cubes in virtual time: how large the journal gets, and whether memory grows.

    python -m benchmarks.long_life [--evenings 30] [--minutes 30]

Moves are random legal ones, each durable; the simulated cubes lie in their tray and stream over pseudo-terminals.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import resource
import tempfile
import time
import tracemalloc
from itertools import islice
from pathlib import Path

from firmware_bridge.clock import VirtualClock
from table.config import Settings
from table.demo.ice_cult import IceCultTable
from table.desk.desk import Desk
from table.door.access import Access
from table.games import GAMES
from table.journal.shelf import shelf, tidied
from table.journal.store import Journal
from table.room.table_room import TableRoom
from table.senses.live import LiveCubes

GAMES_AN_EVENING = 6
MOVES = 80  # a game of Ice Cult takes some dozens of turns
QUOTA = 1024 * 2**20  # the default of [journal] most_mb


def stroll(desk: Desk, moves: int, chance: random.Random) -> int:
    made = 0
    while made < moves and desk.sitting.over is None:
        made += desk.play(chance.choice(list(islice(desk.sitting.game.moves(desk.sitting.state), 30))))
    return made


async def month(evenings: int, book: Path) -> None:
    chance, moves, sizes = random.Random(1), 0, list[int]()
    tracemalloc.start()
    for _ in range(evenings):
        clock = VirtualClock()
        room = TableRoom(Settings(), clock, Journal(tidied(book, QUOTA)), Access(clock, lan=False))
        room.start()
        for _ in range(GAMES_AN_EVENING):
            moves += stroll(room.new_game("ice-cult", ("yellow", "red"), {}), MOVES, chance)
            await clock.advance(30.0)
        await room.stop()
        del room
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    taken = book.stat().st_size + sum(path.stat().st_size for path in shelf(book))
    each, games = taken / evenings, evenings * GAMES_AN_EVENING
    print(f"{evenings} evenings, {games} games, {moves} moves: the journal takes {taken / 2**20:.1f} MiB")
    years = QUOTA / each / 365
    print(f"  {taken / moves:.0f} bytes a move, {each / 1024:.0f} KiB an evening")
    print(f"  the quota of {QUOTA >> 20} MiB is {years:.0f} years of daily evenings")
    first, last = sizes[1] / 2**20, sizes[-1] / 2**20
    print(f"  Python's memory after the second evening {first:.2f} MiB, after the last {last:.2f} MiB")


def resident() -> float:
    """This process's memory, in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


async def hours(minutes: int) -> None:
    clock = VirtualClock()
    desk = Desk.new(
        Journal(None), GAMES, clock, name="long", game="ice-cult", players=["yellow", "red"], seed=1,
        options={"mode": "physical"},
    )  # fmt: skip
    table = IceCultTable(desk, clock, 1, LiveCubes())
    table.open()
    pump = asyncio.create_task(table.pump())
    began, sizes = time.perf_counter(), list[float]()
    for _ in range(minutes):
        await clock.advance(60.0)
        gc.collect()
        sizes.append(resident())
    pump.cancel()
    table.close()
    frames = sum(link.count().frames for link in table._links.values())
    wrong = len(desk.sitting.steps)
    print(
        f"{minutes} minutes of four simulated cubes at rest: {frames} frames, {wrong} moves felt where none was made"
    )
    took = time.perf_counter() - began
    print(
        f"  the process after the first minute {sizes[0]:.1f} MiB, after the last {sizes[-1]:.1f} MiB ({took:.0f} s)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--evenings", type=int, default=30, help="two at least")
    parser.add_argument("--minutes", type=int, default=30)
    given = parser.parse_args()
    if given.evenings < 2 or given.minutes < 1:
        parser.error("memory is compared: ask for two evenings and one minute at least")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(month(given.evenings, Path(folder) / "journal.sqlite"))
    asyncio.run(hours(given.minutes))


if __name__ == "__main__":
    main()
