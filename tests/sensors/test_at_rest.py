"""One g at rest, whatever way up and however noisy; and what is told where it is not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.at_rest import gravity_at_rest, scaled
from sensors.ear.frontend import Array
from tests.rattle import shaken_sensor

RATE = 1600


def resting(gravity: float, seed: int, noise: float = 0.01) -> Array:
    random = np.random.default_rng(seed)
    way = random.normal(size=3)
    held = gravity * way / np.linalg.norm(way)
    return (held + random.normal(0, noise, (RATE // 2, 3))).astype(np.float32)


@given(gravity=st.floats(0.2, 4.0), seed=st.integers(0, 1000))
def test_gravity_is_found_whatever_way_up(gravity: float, seed: int) -> None:
    samples = np.concatenate([resting(gravity, seed), gravity * shaken_sensor(5, seed, 1.0)]).astype(
        np.float32
    )
    assert gravity_at_rest(samples, RATE) == pytest.approx(gravity, abs=0.02)


@pytest.mark.parametrize(
    ("gravity", "told"), [(0.5, True), (2.0, True), (0.9, False), (1.1, False), (0.02, False), (0.12, False)]
)
def test_a_range_that_is_read_as_another_is_told(gravity: float, told: bool) -> None:
    said = scaled(resting(gravity, 1), RATE)
    assert (said is not None) == told
    assert said is None or f"feels {gravity:.2g} g" in said


def test_who_is_never_still_is_asked_nothing() -> None:
    random = np.random.default_rng(0)
    moving = np.cumsum(random.normal(0, 0.05, (RATE, 3)), axis=0).astype(np.float32)
    assert scaled(moving, RATE) is None
    assert gravity_at_rest(np.zeros((0, 3), np.float32), RATE) is None
