"""What was counted before a cable was pulled stands in the counts afterwards (docs/contracts.md 5, `count`)."""

from __future__ import annotations

import pytest

from firmware_bridge.hearing import Hearing
from tests.firmware_bridge.cables import motion


def damaged(number: int, seq: int) -> bytes:
    frame = bytearray(motion(number, seq))
    frame[12] ^= 0x10
    return bytes(frame)


@pytest.mark.parametrize("protocol", ["polar", "auto"])
def test_frames_and_damage_of_earlier_connections_are_counted(protocol: str) -> None:
    ear = Hearing(protocol, None)
    ear.feed(motion(1, 1) + motion(1, 2) + damaged(1, 3) + motion(1, 4) + damaged(1, 5) + motion(1, 6))
    before = (ear.frames, ear.bad)
    assert before == (4, 2)
    ear.begin_anew()
    assert (ear.frames, ear.bad) == before
    ear.feed(motion(1, 7) + motion(1, 8) + damaged(1, 9) + motion(1, 10))
    assert (ear.frames, ear.bad) == (7, 3)
    ear.begin_anew()
    assert (ear.frames, ear.bad) == (7, 3)
