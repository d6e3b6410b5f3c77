"""Gestures of any length are measured: a long one is cut in two, and its second part may be a few milliseconds."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.frames.frontend import FRONT_ENDS, Envelopes, FrontEnd
from sensors.ear.shakes.moves import move_of


@pytest.mark.parametrize("front", FRONT_ENDS, ids=lambda front: front.name)
@pytest.mark.parametrize("seconds", [0.012, 0.02, 0.03, 0.05, 0.07, 0.1, 0.2])
def test_a_few_milliseconds_are_measured_as_well(front: FrontEnd, seconds: float) -> None:
    rate, channels = front.least_rate, 3 if front.hand else 1
    noise = 0.3 * np.random.default_rng(1).standard_normal((round(seconds * rate), channels))
    move = move_of(front, Envelopes(front, rate, channels).push(noise.astype(np.float32)))
    assert move is not None
    assert np.isfinite(move.values).all()
