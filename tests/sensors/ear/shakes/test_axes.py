"""Which way hits go: energy along the shake's own axes, however the sensor is stuck on, and with an axis dead."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensors.ear.frames.frontend import FRONT_ENDS, PRODUCTS, Array, Envelopes, FrontEnd
from sensors.ear.shakes.axes import energy_along
from sensors.ear.shakes.takes import Take, cut
from tests.rattle import shaken_sensor

WITH_AXES = [front for front in FRONT_ENDS if front.hand]
RATE = 3200


def taken(front: FrontEnd, samples: Array) -> Take:
    take = cut(front, Envelopes(front, RATE, 3).push(samples.astype(np.float32)))
    assert take is not None
    return take


def turned(samples: Array, seed: int) -> Array:
    matrix, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return np.asarray(samples @ matrix, dtype=np.float32)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 200))
def test_energy_along_three_axes_is_all_there_is(seed: int, frames: int) -> None:
    random = np.random.default_rng(seed)
    pushes = random.normal(size=(frames, 5, 3)) * random.gamma(0.5, 1.0, (frames, 1, 1))
    rows, columns = np.triu_indices(3)
    products = (pushes[:, :, rows] * pushes[:, :, columns]).mean(axis=1)
    assert products.shape[1] == PRODUCTS
    along = energy_along(products)
    np.testing.assert_allclose(
        along.sum(axis=1), np.square(pushes).sum(axis=2).mean(axis=1), rtol=1e-9, atol=1e-12
    )
    mean = along.mean(axis=0)
    assert mean[0] >= mean[1] >= mean[2]


@pytest.mark.parametrize("front", WITH_AXES, ids=lambda front: front.name)
@pytest.mark.parametrize("seed", range(3))
def test_how_the_sensor_is_stuck_on_is_not_seen(front: FrontEnd, seed: int) -> None:
    samples = shaken_sensor(6, seed, rate=RATE)
    plain, other = taken(front, samples), taken(front, turned(samples, seed))
    frames = min(len(plain.seen), len(other.seen))
    assert plain.seen.shape[1] == len(front.bands) + 3
    np.testing.assert_allclose(plain.seen[:frames], other.seen[:frames], atol=0.05)


def test_a_hit_is_seen_along_the_way_it_goes() -> None:
    """Hits along one axis and, a little weaker, along another, in turn: the two envelopes are up by turns."""
    front = WITH_AXES[0]
    random = np.random.default_rng(3)
    samples = 0.001 * random.normal(size=(RATE, 3))
    ring = np.exp(-np.arange(64) / 8) * np.sin(np.arange(64) * 1.6)
    for number, at in enumerate(range(200, RATE - 200, 160)):
        samples[at : at + 64, number % 2] += ring * (1.0 if number % 2 == 0 else 0.8)
    take = taken(front, samples)
    strong, weak = take.along[:, 0], take.along[:, 1]
    for one, other in ((strong, weak), (weak, strong)):
        loud = one > np.quantile(one, 0.95)
        assert np.median(one[loud] - other[loud]) > 2.0
        assert np.median(take.log[loud, -1]) > 1.0  # in their sum both are hits


@pytest.mark.parametrize("dead", [[2], [1, 2]], ids=["one", "two"])
def test_an_axis_that_is_dead_is_heard_as_the_others_are(dead: list[int]) -> None:
    samples = shaken_sensor(5, 1, rate=RATE)
    samples[:, dead] = 0.0
    take = taken(WITH_AXES[0], samples)
    for axis in range(3 - len(dead), 3):
        np.testing.assert_allclose(take.along[:, axis], take.log[:, -1])
    assert np.all(np.isfinite(take.seen))


def test_a_microphone_has_no_axes() -> None:
    front = FRONT_ENDS[0]
    sound = shaken_sensor(5, 1, rate=44100)[:, :1]
    take = cut(front, Envelopes(front, 44100, 1).push(sound.astype(np.float32)))
    assert take is not None
    assert take.along.shape == (len(take.log), 0)
    assert take.seen.shape == take.log.shape
