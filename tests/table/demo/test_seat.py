"""A seat of the demo on a busy machine: a shake is heard as of the time at which it was played, or not for sure."""

from __future__ import annotations

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard
from table.demo.seat import Seat
from table.trainer.rattles import RATE
from tests.rattle import rattle

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


@pytest.mark.parametrize("a_block_s", [0.001, 0.04, 0.08])
async def test_a_shake_is_told_as_of_its_time_on_a_machine_that_does_not_keep_up(a_block_s: float) -> None:
    clock = VirtualClock(20.0)
    seat, heard = Seat("red", clock, 1, load_shipped("contact")), list[Heard]()
    sound = rattle(7, 3)
    begins, ends = 40.0, 40.0 + len(sound) / RATE
    played = False
    while clock.now() < ends + 10:
        if not played and clock.now() >= begins:
            begins, played = clock.now(), True
            ends = begins + len(sound) / RATE
            seat.play(sound)
        await clock.advance(max(0.0, seat.capture._next_at() - clock.now()))
        block = seat.capture._take()
        assert block is not None
        if len(block):
            await clock.advance(a_block_s)
            heard += [said for said in seat.hear(block) if isinstance(said, Heard)]
    kept_up = not seat.capture.overflows
    assert kept_up == (a_block_s == 0.001)
    assert heard
    for said in heard:
        assert said.ended_at is not None
        assert begins < said.ended_at < ends + 0.1
        assert kept_up or said.verdict != "sure"
