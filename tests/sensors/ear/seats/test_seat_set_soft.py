"""Who was once heard clearly at his own microphone is not told to turn it up because a neighbour was louder since."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sensors.ear.frames.frontend import Frames
from sensors.ear.listener import Listener
from sensors.ear.seats.listener import (
    ELSEWHERE,
    ELSEWHERE_OR_SOFT,
    TOO_CROWDED,
    SeatListener,
    SeatStretch,
)
from sensors.ear.seats.parted import Parted
from sensors.evidence import Heard

SHAKE = Heard("mic", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, False, "", doubt="odds")
NONE = np.zeros((0, 6))


def judged(ear: SeatListener, share: float) -> str | None:
    parted = Parted(NONE, NONE, None, share)
    return ear._judge(SeatStretch(0, Frames(NONE.astype(np.float32), None), False, parted), -60.0).reason


@pytest.fixture
def ear(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A seat's ear of which the count is told, and how much of what it hears is its own."""
    monkeypatch.setattr(Listener, "_judge", lambda self, stretch, floor_db: SHAKE)
    made = object.__new__(SeatListener)
    made.seat, made._own_heard = "red", False
    return made


def test_a_seat_that_was_heard_clearly_is_not_set_softer_than_the_others(ear: SeatListener) -> None:
    assert judged(ear, 0.05) == ELSEWHERE_OR_SOFT  # until one was its own
    assert judged(ear, 0.3) == TOO_CROWDED
    assert judged(ear, 0.05) == ELSEWHERE_OR_SOFT
    assert judged(ear, 0.9) is None
    assert judged(ear, 0.05) == ELSEWHERE
    assert judged(ear, 0.3) == TOO_CROWDED
    assert judged(ear, 0.05) == ELSEWHERE
