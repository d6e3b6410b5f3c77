"""A link whose other side is another's is lost once, and one whose other side takes no bytes is not lost at all."""

from __future__ import annotations

from typing import Any

import serial

from firmware_bridge import packets as p
from firmware_bridge.clock import VirtualClock
from firmware_bridge.link import Link
from firmware_bridge.samples import BridgeEvent, LinkChange
from tests.firmware_bridge.cables import hello, motion

ADDRESS = "socket://127.0.0.1:4711"


class Line:
    """A cube at the other side, which says who it is whenever it is read; or the cable is pulled."""

    def __init__(self, cube: int) -> None:
        self.cube, self.seq, self.baudrate, self.timeout, self.pulled = cube, 0, 115200, 0.0, False
        self._data = b""
        self.asked, self.full = 0, False

    def read(self, size: int = 1) -> bytes:
        if self.pulled:
            raise OSError(5, "Input/output error")
        if not self._data and self.timeout == 0.0 and size == 1:
            self.seq += 2
            self._data = hello(self.cube, self.seq) + motion(self.cube, self.seq + 1)
        out, self._data = self._data[:size], self._data[size:]
        return out

    def write(self, data: bytes) -> int:
        self.asked += 1
        if self.full:
            raise serial.SerialTimeoutException("Write timeout")
        return len(data)

    def close(self) -> None:
        pass


def test_that_another_sits_at_an_address_is_said_once() -> None:
    events: list[BridgeEvent] = []
    clock, mine, others = VirtualClock(), Line(1), Line(2)
    there, opened = mine, 0

    def opener(port: str, baudrate: int) -> Any:
        nonlocal opened
        opened += 1
        return there

    link = Link(ADDRESS, "polar", clock, events.append, opener=opener, lister=list)

    def steps(seconds: float) -> list[tuple[str, str]]:
        end = clock.now() + seconds
        while clock.now() < end:
            link.step()
            clock.set(clock.now() + 0.05)
        return [(e.state, e.why) for e in events if isinstance(e, LinkChange)]

    link.open()
    assert [state for state, _ in steps(0.5)] == ["open"]
    mine.pulled, there, before = True, others, opened
    said = steps(5.0)
    assert opened - before >= 5  # it is asked again and again
    assert [state for state, _ in said] == ["open", "lost", "lost"]
    assert said[-1][1].endswith("sits there now")
    mine.pulled, there = False, mine
    assert [state for state, _ in steps(1.0)][3:] == ["back"]
    link.close()


def test_who_takes_no_bytes_is_heard_all_the_same() -> None:
    """A dongle that is busy, or a converter with one wire, is asked who it is in vain."""
    events: list[BridgeEvent] = []
    clock, far = VirtualClock(), Line(1)
    far.full = True
    link = Link(ADDRESS, "polar", clock, events.append, opener=lambda port, baudrate: far, lister=list)  # type: ignore[arg-type, return-value]
    link.open()
    for _ in range(100):
        link.step()
        clock.set(clock.now() + 0.05)
    assert not link.send(p.HelloRequest)
    assert link.reading
    assert far.asked >= 1
    assert [e.state for e in events if isinstance(e, LinkChange)] == ["open"]
    link.close()
