"""Levels come a hundred a second, whatever the front end's frames are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.frames.frontend import FRONT_ENDS, FrontEnd
from sensors.ear.frames.levels import Levels


@pytest.mark.parametrize("front", FRONT_ENDS, ids=lambda front: front.name)
def test_a_minute_has_six_thousand_of_them(front: FrontEnd) -> None:
    told = list(Levels(front).push(np.ones(round(60 * front.frame_rate), np.float32)))
    assert len(told) == pytest.approx(6000, abs=1)
    assert told == pytest.approx([0.0] * len(told), abs=1e-6)


@given(st.lists(st.integers(0, 50), max_size=30))
def test_it_matters_not_how_frames_come(parts: list[int]) -> None:
    front = FRONT_ENDS[-1]
    frames = np.random.default_rng(1).random(sum(parts)).astype(np.float32)
    levels, in_parts = Levels(front), []
    for end, part in zip(np.cumsum(parts), parts, strict=True):
        in_parts += levels.push(frames[end - part : end])
    assert in_parts == list(Levels(front).push(frames))
