"""PortAudio writes into the same memory again as soon as the callback is over: what waits in the queue is a copy."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.sources import capture as captures
from tests.cards import stand_in


def test_what_waits_to_be_read_is_not_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = stand_in(monkeypatch)
    cards.blocks = 0
    memory = np.zeros((960, 1), np.float32)
    with captures.Capture(captures.find_input("USB")) as device:
        for value in (0.25, 0.5, 0.75):
            memory[:] = value
            device._callback(memory, len(memory), None, False)
        memory[:] = 9.0
        heard = [float(block[0, 0]) for _, block in zip(range(3), device.blocks(), strict=False)]
    assert heard == [0.25, 0.5, 0.75]
