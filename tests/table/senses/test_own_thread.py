"""Each ear of a table waits in a thread of its own: others may use asyncio's pool, and no thread outlives the table."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from firmware_bridge.clock import SystemClock, VirtualClock
from sensors.ear.profiles import profile as profiles
from sensors.gesture.profile import GestureProfile
from table.senses.ear_wire import EarWire
from table.senses.live import LiveEar
from table.senses.own_thread import in_own_thread
from table.senses.tap_wire import LiveTaps, TapWire
from table.senses.watchdog import Senses
from tests.knowing import weighing


def listens(
    source: str, profile: Any, partial: bool, clock: Any, seconds: None, wait: Callable[[float], None],
    alive: Callable[[float], None], stopped: Callable[[], bool], at_seat: Any = None, microphones: int = 1,
    **_: Any,
) -> Iterator[Any]:  # fmt: skip
    """A device that is never done."""
    if at_seat is not None:
        at_seat(1600.0, 3)
    while not stopped():
        alive(-60.0)
        wait(0.01)
    yield {"event": "count", "source": source, "overflows": 0}


async def test_more_ears_than_the_pool_has_threads_are_heard_and_leave_it_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("table.listening.live.hear_live", listens)
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    senses, clock, known = Senses(lambda change: None), SystemClock(), profiles.load_shipped("microphone")
    told = (lambda seat, heard: None), (lambda seat: None), LiveEar(), senses, clock
    ears = [EarWire(seat, f"mic {seat}", known, *told) for seat in ("red", "blue")]
    taps = TapWire(
        "seat", GestureProfile("accelerometer", (3, 6, 9), {}, 0.9, weighing(), {}), LiveTaps(), senses, clock
    )
    wires = [asyncio.create_task(wire.run()) for wire in (*ears, taps)]

    async def met() -> None:
        while not all(dog.met for dog in senses.dogs.values()):
            await asyncio.sleep(0)

    try:
        await asyncio.wait_for(met(), 20)
        assert len(senses.dogs) == 3
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "other work"), 20) == "other work"
    finally:
        for wire in (*ears, taps):
            wire._stop.set()  # also where this fails: the pool's own threads would be waited for
        for task in wires:
            task.cancel()
        await asyncio.gather(*wires, return_exceptions=True)


async def test_whatever_breaks_a_seats_ear_it_listens_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the counting seat as of any other: else it would be deaf for the rest of the evening."""
    broken = set[str]()

    def breaks_once(source: str, *args: Any, **more: Any) -> Iterator[Any]:
        if source not in broken:
            broken.add(source)
            raise RuntimeError("a driver's own")
        yield from listens(source, *args[:7], *args[7:] if source == "seat" else ())

    monkeypatch.setattr("table.listening.live.hear_live", breaks_once)
    for wire in ("ear_wire", "tap_wire"):
        monkeypatch.setattr(f"table.senses.{wire}.RETRY_S", 0.01)
    told: list[str] = []
    senses, clock = Senses(lambda change: told.append(change.why)), SystemClock()
    known = profiles.load_shipped("microphone")
    ear = EarWire("red", "mic", known, lambda seat, heard: None, lambda seat: None, LiveEar(), senses, clock)
    weigher = GestureProfile("accelerometer", (3, 6, 9), {}, 0.9, weighing(), {})
    wires = [ear, TapWire("seat", weigher, LiveTaps(), senses, clock)]
    tasks = [asyncio.create_task(wire.run()) for wire in wires]

    async def back() -> None:
        while told.count("it is back") < 2:
            await asyncio.sleep(0.01)

    try:
        await asyncio.wait_for(back(), 20)
        assert sum("a defect of ours" in why for why in told) == 2
    finally:
        for wire, task in zip(wires, tasks, strict=True):
            wire._stop.set()
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_whoever_is_cancelled_waits_for_the_thread_to_end() -> None:
    begun, stop, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        stop.wait(20)
        ended.set()

    task = asyncio.create_task(in_own_thread("patient", work, stop))
    await asyncio.to_thread(begun.wait, 20)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert ended.is_set()


async def test_what_breaks_in_the_thread_is_raised() -> None:
    def work() -> None:
        raise ValueError("a defect")

    with pytest.raises(ValueError, match="a defect"):
        await in_own_thread("broken", work, threading.Event())


async def test_after_the_end_a_thread_tells_the_loop_nothing() -> None:
    senses = Senses(lambda change: None)
    told = (lambda seat, heard: None), (lambda seat: None), LiveEar(), senses, VirtualClock()
    wire, called = EarWire("red", "mic", profiles.load_shipped("microphone"), *told), list[float]()
    loop = asyncio.get_running_loop()
    wire._tell(loop, called.append, 1.0)
    wire._stop.set()
    wire._tell(loop, called.append, 2.0)
    await asyncio.sleep(0)
    assert called == [1.0]
