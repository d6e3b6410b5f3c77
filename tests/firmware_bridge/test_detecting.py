"""Which protocol a stream speaks is recognised in the middle of it, and a stranger is not taken for one of ours."""

from __future__ import annotations

import pytest

from firmware_bridge.detecting import Detector
from tests.firmware_bridge.frames import FRAMES


@pytest.mark.parametrize("name", FRAMES)
def test_the_protocol_is_recognised_in_the_middle_of_a_stream(name: str) -> None:
    stream = b"".join(FRAMES[name](i) for i in range(1, 60))
    ear = Detector()
    got = ear.feed(stream[17:])
    assert ear.name == name.removesuffix("-ble")
    assert len(got) >= 50


@pytest.mark.parametrize(
    "stranger",
    [
        b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n",
        b"ready\r\n> ",
        bytes(64),
        b"\xaa" * 50,
        b"U" * 50,
    ],
    ids=["gps", "prompt", "zeros", "aa", "55"],
)
def test_a_stranger_is_not_taken_for_one_of_ours(stranger: bytes) -> None:
    ear = Detector()
    for _ in range(200):
        assert ear.feed(stranger) == []
    assert ear.chosen is None
    assert ear.wrong_speed(0.0)
