"""One g at rest, whatever way up and however noisy; and what is told where it is not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.frames.frontend import Array
from sensors.ear.sources.at_rest import dead, fault_of, gravity_at_rest, wrong_gravity
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


GAIN, OFFSET = 0.03, 0.1 * 3**0.5  # of cheap sensors, by their data sheets: 0.1 g on each axis
LEAST_G, MOST_G = 1 - GAIN - OFFSET, 1 + GAIN + OFFSET  # that one which is read rightly feels at rest


@pytest.mark.parametrize(
    ("gravity", "told"),
    [
        *((wrong, True) for wrong in (0.5, 2.0, MOST_G / 2, 2 * LEAST_G)),
        *((right, False) for right in (0.9, 1.1, LEAST_G, MOST_G, 0.02, 0.12)),
    ],
)
def test_a_range_that_is_read_as_another_is_told(gravity: float, told: bool) -> None:
    said = fault_of(resting(gravity, 1), RATE)
    assert (said is not None) == told
    assert said is None or f"feels {gravity:.2g} g" in str(said)


def test_one_stretch_that_was_still_elsewhere_does_not_tell() -> None:
    """A tenth of a second at the end of a stroke, beside half a second on the table."""
    for odd in (0.4, 2.5):
        samples = np.concatenate([resting(1.0, 1), resting(odd, 2)[: RATE // 10]])
        assert gravity_at_rest(samples, RATE) == pytest.approx(1.0, abs=0.02)


def test_a_hand_that_trembles_twice_as_much_is_still() -> None:
    """Noise and tremor are read twice too big as well."""
    held = resting(1.0, 3, noise=0.02)
    assert wrong_gravity(held, RATE) is None
    assert wrong_gravity(2 * held, RATE) == pytest.approx(2.0, abs=0.05)
    assert fault_of(held[:0], RATE) is None


def test_who_is_never_still_is_asked_nothing() -> None:
    random = np.random.default_rng(0)
    moving = np.cumsum(random.normal(0, 0.05, (RATE, 3)), axis=0).astype(np.float32)
    assert fault_of(moving, RATE) is None
    assert gravity_at_rest(np.zeros((0, 3), np.float32), RATE) is None


def test_a_shake_that_stays_at_the_end_of_its_range_is_no_rest() -> None:
    t = np.arange(2 * RATE) / RATE
    stroke = 40 * np.sin(2 * np.pi * 2.0 * t)[:, None] * np.array([0.7, 0.6, 0.4])
    cut = np.clip(stroke, -2, 2).astype(np.float32)
    assert gravity_at_rest(cut, RATE) == pytest.approx(2 * 3**0.5)
    assert wrong_gravity(cut, RATE) is None


@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, -16.0])
def test_an_axis_that_gives_one_value_is_no_wrong_scale(value: float) -> None:
    samples = shaken_sensor(5, 2)
    samples[:, 2] = value
    said = fault_of(samples, RATE)
    assert said is not None
    shown = f"{value + 0.0:g}"  # and never -0
    assert f"axis z ({shown}) gives one value throughout, while the igloo moves; look at" in str(said)
    samples[:, 0] = 0.5
    assert (dead(samples, RATE) or "").startswith(f"axes x (0.5) and z ({shown}) give one value")


def test_a_coarse_chip_that_lies_and_a_sensor_that_is_dead_altogether_have_no_dead_axis() -> None:
    lying = np.round(resting(1.0, 1) * 8) / 8
    assert dead(np.tile(lying, (4, 1)), RATE) is None
    assert dead(np.ones((2 * RATE, 3), np.float32), RATE) is None
    assert dead(np.round(shaken_sensor(2, 1) * 8) / 8, RATE) is None
    assert dead(shaken_sensor(5, 2)[:RATE] * np.float32([0, 1, 1]), RATE) is not None
    assert dead(shaken_sensor(5, 2)[: RATE - 1] * np.float32([0, 1, 1]), RATE) is None


@pytest.mark.parametrize(("bits", "told"), [(8, True), (9, True), (10, False), (12, False), (16, False)])
def test_steps_too_coarse_to_count_by_are_told(bits: int, told: bool) -> None:
    """Of a chip that reaches 16 g to both sides, also where its axes were corrected."""
    of = np.float32(32 / 2**bits)
    samples = np.round(shaken_sensor(5, 3) / of) * of
    way_round = np.float32(1 / 9.80665) * (np.float32(9.80665) * samples)
    rounded_otherwise = np.where(np.arange(len(samples))[:, None] % 2, way_round, samples)
    lies = np.repeat(samples[:1], 4 * RATE, axis=0)
    for corrected in (
        samples,
        samples * np.float32([1.03, 1.0, 1.02]) + np.float32([0.02, -0.01, 0.0]),
        rounded_otherwise,
        np.concatenate([lies, samples, lies]),
    ):
        said = fault_of(corrected, RATE)
        assert (said is not None and f"steps of {of:.2g} g" in str(said)) == told
    assert fault_of(np.round(resting(1.0, 1) / of) * of, RATE) is None
