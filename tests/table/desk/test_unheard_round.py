"""A round of Igloo Pop that no microphone hears: nothing is reckoned of it, and nothing loaded for that."""

from __future__ import annotations

import subprocess
import sys

import pytest

from table.desk.ear_watch import EarWatch
from table.desk.kept_shakes import COUNTS
from tests.parts import ROOT
from tests.table.shakes import end_shaking, place

ROUND = """
import asyncio, sys
from firmware_bridge.clock import VirtualClock
from table.door.access import Access
from table.config import Settings
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.table.shakes import CARDS

async def play():
    clock = VirtualClock()
    settings = Settings(game={"name": "igloo-pop", "players": ["red", "blue"]})
    room = TableRoom(settings, clock, Journal(None), Access(clock, lan=False))
    room.start()
    room.seat_giant("blue", "sharp")
    moves = [f"deal {slot} {card}" for slot, card in enumerate(CARDS, 1)]
    for move in (*moves, "count", "grab red A", "place red 1", "pass red"):
        assert room.desk.play(move), room.desk.said[-1].text
    for t in (0.0, 60.0):
        room.pop.ice_giants.tick(t)
    await asyncio.sleep(0.01)
    assert len(room.desk.question.choices) == 12
    await room.stop()

before = "scipy.optimize" in sys.modules
asyncio.run(play())
print(before, "scipy.optimize" in sys.modules)
"""


def test_nothing_is_loaded_in_the_middle_of_it() -> None:
    """It takes a third of a second here, several times that on a small computer, and everything stands meanwhile."""
    command = [sys.executable, "-c", ROUND]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.stdout.strip() == "False False", done.stderr


def test_every_count_that_was_not_found_is_as_likely_as_any_other(watch: EarWatch) -> None:
    place(watch, "red", "A", 1, None)
    place(watch, "blue", "B", 2, None)
    assert watch.odds() == {letter: {n: pytest.approx(1 / 12) for n in COUNTS} for letter in "AB"}
    end_shaking(watch)
    assert watch.desk.play("found 1 5 red")
    assert watch.odds() == {
        "A": {n: float(n == 5) for n in COUNTS},
        "B": {n: pytest.approx(0.0 if n == 5 else 1 / 11) for n in COUNTS},
    }
    watch.settle()
    assert watch.desk.question is not None
    assert [c.text for c in watch.desk.question.choices[:-1]] == [str(n) for n in COUNTS if n != 5]
