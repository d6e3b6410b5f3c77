"""Months of evenings, and one that never ends: memory stays flat."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

from firmware_bridge.clock import VirtualClock
from table.config import Settings
from table.door.access import Access
from table.journal.shelf import tidied
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.parts import proof
from tests.table.games import stroll

KIB = 1024


async def test_a_month_of_evenings_leaves_memory_flat(tmp_path: Path) -> None:
    """Every evening the table is switched on, plays whole games with refusals and corrections, and is switched off."""
    book = tmp_path / "journal.sqlite"
    settings, sizes = Settings.read(None), list[int]()
    tracemalloc.start()
    try:
        for evening in range(proof(5, 30)):
            clock = VirtualClock()
            room = TableRoom(settings, clock, Journal(tidied(book, 4 * 2**20)), Access(clock, lan=False))
            room.start()
            for game in range(proof(1, 6)):
                desk = room.new_game("ice-cult", ("yellow", "red"), {})
                stroll(desk, 20, 100 * evening + game)
                desk.play("tilt n>N", None)
                desk.undo()
                await clock.advance(120.0)
            await room.stop()
            del room, desk
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[-1] - sizes[1] < 64 * KIB, sizes  # after the first evenings every cache is filled


async def test_one_evening_that_never_ends_leaves_memory_flat() -> None:
    """A club's table that is never switched off: hundreds of games in one run."""
    clock = VirtualClock()
    room = TableRoom(Settings.read(None), clock, Journal(None), Access(clock, lan=False))
    sizes = []
    tracemalloc.start()
    try:
        for game in range(proof(30, 300)):
            desk = room.new_game("ice-cult", ("yellow", "red"), {})
            stroll(desk, 20, game)
            if game % 10 == 9:
                gc.collect()
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
        await room.stop()
    assert sizes[-1] - sizes[0] < 64 * KIB, sizes
