"""Sensors drawn at random, which the networks learned to hear through (drawn_shells.py, drawn_nodes.py)."""

import numpy as np
import pytest

from benchmarks.worlds.drawn_nodes import draw_node, feel
from benchmarks.worlds.drawn_rooms import RATE
from benchmarks.worlds.drawn_shells import draw_shell, hear

MOTION_HZ = 1000.0
SECONDS = 1.0


@pytest.fixture(scope="module")
def blows():
    """float64[n, 7] as engines tell them: time, impulse, wall or -1, speed, direction."""
    random = np.random.default_rng(1)
    n = 300
    way = random.normal(size=(n, 3))
    out = np.zeros((n, 7))
    out[:, 0] = np.sort(random.uniform(0.1, 0.9, n))
    out[:, 1] = 1e-4 * np.exp(random.normal(size=n))
    out[:, 2] = np.where(random.random(n) < 0.7, 3, -1)
    out[:, 3] = random.uniform(0.02, 2, n)
    out[:, 4:] = way / np.linalg.norm(way, axis=1)[:, None]
    return out


@pytest.fixture(scope="module")
def felt():
    t = np.arange(round(SECONDS * MOTION_HZ)) / MOTION_HZ
    return np.column_stack([20 * np.sin(2 * np.pi * 4 * t), 0 * t, 0 * t + 9.81])


@pytest.mark.parametrize("seed", range(5))
def test_every_shell_and_node_tells_something_finite_and_the_same_again(blows, felt, seed):
    heard = [hear(draw_shell(seed), blows, 4.0, SECONDS, 7, 9) for _ in range(2)]
    for kind in ("microphone", "contact"):
        assert np.all(np.isfinite(heard[0][kind]))
        assert heard[0][kind].std() > 0
        assert np.array_equal(heard[0][kind], heard[1][kind])
    assert np.abs(heard[0]["microphone"]).max() <= 1
    shaken = feel(draw_node(seed), blows, felt, MOTION_HZ, 3200.0, 3, 9)
    assert shaken.shape[1] == 3
    assert np.all(np.abs(shaken) <= 16)


def test_the_hand_is_felt_and_the_blows_are_on_top(blows, felt):
    node = draw_node(5)
    still = feel(node, blows[:0], felt, MOTION_HZ, 3200.0, 3, 9)
    struck = feel(node, blows, felt, MOTION_HZ, 3200.0, 3, 9)
    assert np.linalg.norm(still.std(axis=0)) == pytest.approx(20 / 9.81 / np.sqrt(2), rel=0.25)  # g
    high = np.diff(struck, axis=0).std() / np.diff(still, axis=0).std()
    assert high > 1.5


def test_one_blow_rings_through_two_makers_shells_in_two_ways(blows):
    one, other = (hear(draw_shell(seed), blows, 4.0, SECONDS, 7, 9)["contact"] for seed in (1, 2))
    spectra = [np.abs(np.fft.rfft(x * np.hanning(len(x)))) for x in (one, other)]
    assert np.corrcoef(np.log(spectra[0] + 1e-9), np.log(spectra[1] + 1e-9))[0, 1] < 0.9
    assert len(one) == round((SECONDS + 0.37) * RATE)
