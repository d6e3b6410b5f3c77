"""A damped tone's frequency, as exact as noise allows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sensors.ear.errors import SoundError
from sensors.gesture.decimate import Decimator
from sensors.gesture.ringdown import _product, fitted, tones

RATE = 833.0


def ringing(hz: float, tau: float, size: float, noise: float, seed: int) -> np.ndarray:
    t = np.arange(400) / RATE
    r = np.random.default_rng(seed)
    return size * np.exp(-t / tau) * np.cos(2 * np.pi * hz * t + r.uniform(0, 6.3)) + noise * r.normal(
        size=400
    )


def test_errors_stay_near_the_cramer_rao_bound() -> None:
    tau, size, noise = 0.2, 0.1, 0.002
    density = noise**2 * 2 / RATE
    bound = math.sqrt(8 * density / (size**2 * tau**3)) / (2 * math.pi)  # Hz
    errors = [tones(ringing(103.0, tau, size, noise, k), RATE, 2)[0].hz - 103.0 for k in range(60)]
    assert np.sqrt(np.mean(np.square(errors))) < 2.5 * bound


def test_a_faint_upright_tone_is_found_beside_a_loud_sideways_one() -> None:
    both = ringing(41.0, 0.6, 0.5, 1e-4, 1) + ringing(96.0, 0.25, 0.02, 1e-4, 2)
    found = [t for t in tones(both, RATE, 2) if 90 < t.hz < 100]
    assert found[0].hz == pytest.approx(96.0, abs=0.02)
    assert found[0].size == pytest.approx(0.02, rel=0.1)
    assert found[0].quality == pytest.approx(math.pi * 96 * 0.25, rel=0.1)


@pytest.mark.parametrize("rate", [800.0, 833.0, 1666.0, 3332.0, 16000.0, 48000.0])
def test_every_rate_comes_down_to_the_same_tone_whatever_the_blocks(rate: float) -> None:
    t = np.arange(round(0.6 * rate)) / rate
    x = np.exp(-t / 0.25) * np.sin(2 * np.pi * 97.0 * t)
    whole, parts = Decimator(rate), Decimator(rate)
    one = whole.push(x)
    many = np.concatenate([parts.push(x[i : i + 77]) for i in range(0, len(x), 77)])
    assert np.allclose(one, many, atol=1e-12)
    assert 700 <= whole.rate <= 1700
    skip = round(0.03 * whole.rate)
    assert tones(one[skip : skip + 380], whole.rate, 2)[0].hz == pytest.approx(97.0, abs=0.01)


def test_too_slow_a_sensor_is_told() -> None:
    with pytest.raises(SoundError, match="too few to hear the seat"):
        Decimator(100.0)
    with pytest.raises(SoundError, match="inf Hz is no rate"):
        Decimator(math.inf)


@pytest.mark.parametrize("long", [49, 58, 160])
def test_a_lone_step_in_silence_is_no_failure(long: int) -> None:
    """Its Hankel matrix is nearly all zeros, of which the solver for a few vectors knows no end."""
    step = np.zeros(long)
    step[0] = 1.0
    told = fitted(step, 1000.0)
    assert told.of.shape == (long, 1)
    assert np.isfinite(told.left).all()


@pytest.mark.parametrize("axes", [1, 3])
def test_the_product_is_that_of_the_hankel_matrices(axes: int) -> None:
    x = np.random.default_rng(3).normal(size=(100, axes))
    hankel = np.concatenate([np.lib.stride_tricks.sliding_window_view(x[:, k], 33) for k in range(axes)])
    assert np.triu(_product(x, 33)) == pytest.approx(np.triu(hankel.T @ hankel), abs=1e-10)
