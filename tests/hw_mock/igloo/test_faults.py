"""What is wrong with a simulated recording is what its fault is called."""

from __future__ import annotations

import numpy as np
import pytest

from hw_mock.igloo.faults import spoil


def test_each_fault_is_what_it_says():
    whole = np.sin(np.arange(48000, dtype=np.float32))
    assert len(spoil(whole, 48000, "gaps", 1)) < 48000
    assert len(spoil(whole, 48000, "cut-short", 1)) < 30000
    assert np.abs(spoil(whole, 48000, "clipped", 1)).max() < 0.6
    assert np.ptp(spoil(whole, 48000, "dead", 1)) == 0
    assert np.std(spoil(whole, 48000, "drowned", 1)) > 1.1 * np.std(whole)
    crackling = spoil(whole, 48000, "crackling", 1)
    assert 0 < np.mean(crackling != whole) < 0.1
    assert np.array_equal(crackling, spoil(whole, 48000, "crackling", 1))
    with pytest.raises(ValueError, match="no fault called 'fire'"):
        spoil(whole, 48000, "fire", 1)


def test_an_overdriven_accelerometer_ends_where_a_chip_does():
    still = np.random.default_rng(0).normal(0, 0.3, (4000, 3)).astype(np.float32)
    ends = set()
    for peak in (4.5, 9.0, 16.0, 50.0):
        felt = still.copy()
        felt[100] = peak, -peak, 1.0
        ends |= {float(np.abs(spoil(felt, 1600, "clipped", seed)).max()) for seed in range(8)}
    assert ends == {2.0, 4.0, 8.0, 16.0}
    gentle = np.clip(still, -1.5, 1.5)
    assert np.abs(spoil(gentle, 1600, "clipped", 1)).max() < 0.8
