"""The demo's cubes in real time: the page is served by the same thread, and may not stand still for a late byte."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge.clock import Clock, SystemClock, VirtualClock
from table.demo.ice_cult import IceCultTable
from table.desk.desk import Desk
from table.games import GAMES
from table.journal.store import Journal
from table.senses.live import LiveCubes


class Late:
    """A port whose bytes the kernel has not carried yet."""

    waiting = 0


def looks(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often one pump looks for them before it gives up."""
    desk = Desk.new(
        Journal(None),
        GAMES,
        clock,
        name="cult",
        game="ice-cult",
        players=["yellow", "red"],
        seed=1,
        options={},
    )
    table = IceCultTable(desk, clock, 1, LiveCubes())
    yields: Iterator[int] = iter(range(10**6))
    monkeypatch.setattr("os.sched_yield", lambda: next(yields))
    monkeypatch.setattr(table.cubes, "port", lambda slot: Late())
    monkeypatch.setattr(table.cubes, "advance", lambda now: {"NW": b"late"})
    try:
        table._pump_once()
    finally:
        table.close()
    return next(yields)


def test_in_real_time_a_late_byte_is_read_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(SystemClock(), monkeypatch) <= 1  # the clock's own grain


def test_where_time_stands_still_the_kernel_gets_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(VirtualClock(), monkeypatch) == 20_000
