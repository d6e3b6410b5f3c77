"""A seat of the demo on a busy machine: a shake is heard as of the time at which it was played."""

from __future__ import annotations

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.profile import load_shipped
from table.demo.rattles import RATE
from table.demo.seat import Seat

LATE_S = 3.5  # for which nobody took a block


def loud(seat: Seat, until_s: float) -> list[float]:
    """When each loud block begins, in seconds of the stream."""
    out = []
    for i in range(round(until_s / 0.02)):
        block = seat.capture._take()
        assert block is not None
        if abs(block).max(initial=0.0) > 0.1:
            out.append(i * 0.02)
    return out


@pytest.mark.parametrize("put_down", [False, True])
async def test_what_is_shaken_while_the_stream_is_behind_sounds_when_it_was_shaken(put_down: bool) -> None:
    clock = VirtualClock()
    seat = Seat("red", clock, 1, load_shipped("microphone"))
    await clock.advance(LATE_S)
    seat.play(np.full(2 * RATE, 0.3, np.float32))
    await clock.advance(0.5)
    if put_down:
        seat.hush()  # what sounded until now has sounded, though the stream has still to tell it
    await clock.advance(3.0)
    heard = loud(seat, LATE_S + 3.0)
    assert heard[0] == pytest.approx(LATE_S, abs=0.03)
    assert heard[-1] == pytest.approx(LATE_S + (0.5 if put_down else 2.0), abs=0.05)
