"""What keeps the cubes' ports from being opened at the start, or from being understood, is told to the table."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import cast

import pytest

from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import PortMissing
from firmware_bridge.samples import LinkChange, LinkCount
from sensors.cubes.reader import CubeReader
from table.senses import cube_wire
from table.senses.cube_wire import CubeWire
from table.senses.live import LiveCubes
from table.senses.watchdog import Change, Senses
from tests.table.waiting import until

PORT = "/dev/ttyACM0"


class Reader:
    """Cubes at one port, that cannot be opened for as many times as there are errors."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.news: list[object] = []
        self.frames = self.packets = 0
        self.opened = asyncio.Event()
        self.bridge = SimpleNamespace(links=(SimpleNamespace(port=PORT),), open=self._open)
        self.follower = SimpleNamespace(seats={}, heard_at={}, trackers={})

    def _open(self) -> None:
        if self.errors:
            raise self.errors.pop(0)
        self.opened.set()

    def poll(self) -> list[object]:
        return [self.news.pop(0)] if self.news else []

    def counts(self) -> list[LinkCount]:
        self.frames += 1
        return [LinkCount(PORT, frames=self.frames, packets=self.packets)]

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("error", "why", "logged"),
    [
        (PortMissing("there is no port", "check the cable"), "PT-301: there is no port", False),
        (RuntimeError("can't start new thread"), "RuntimeError: can't start new thread", True),
    ],
)
async def test_it_is_tried_again_whatever_it_was(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    why: str,
    logged: bool,
) -> None:
    monkeypatch.setattr(cube_wire, "RETRY_S", 0.01)
    told: list[Change] = []
    reader = Reader(error, error)
    wire = CubeWire(
        cast(CubeReader, reader), False, lambda: None, LiveCubes(), Senses(told.append), SystemClock()
    )
    with caplog.at_level(logging.ERROR, "polartable"):
        task = asyncio.create_task(wire.run())
        await asyncio.wait_for(reader.opened.wait(), 5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert [(change.source, change.state) for change in told] == [(f"cubes on {PORT}", "alarmed")]
    assert why in told[0].why
    assert bool(caplog.records) == logged


async def test_frames_without_readings_are_no_sign_of_life() -> None:
    """As a WitMotion sends them that was set to angles alone; what comes at the port is told, not "nothing"."""
    told: list[Change] = []
    reader = Reader()
    why = "it speaks witmotion, but sends no readings – have it send both"
    reader.news.append(LinkChange(PORT, "open", "witmotion", why, 3.0, deaf=True))
    wire = CubeWire(
        cast(CubeReader, reader), False, lambda: None, LiveCubes(), Senses(told.append), SystemClock()
    )
    task = asyncio.create_task(wire.run())
    await until(lambda: reader.frames > 3, "frames were counted")
    assert [(c.state, c.why, c.mend) for c in told] == [
        ("alarmed", "it speaks witmotion, but sends no readings", "have it send both")
    ]
    reader.packets = 1
    await until(lambda: told[-1].state == "healthy", "it is back")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
