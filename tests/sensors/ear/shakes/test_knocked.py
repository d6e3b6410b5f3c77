"""Where a knock is among strokes: energies of a hundred frames a second."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.shakes.knocked import beside_knock

RATE = 100.0


def strokes(seconds: float) -> np.ndarray:
    """Five strokes a second, after a tenth of a second of quiet and before another."""
    t = np.arange(round(seconds * RATE)) / RATE
    quiet = np.full(10, 1e-6)
    return np.concatenate([quiet, np.sin(np.pi * 5 * t) ** 4 + 1e-3, quiet])


@pytest.mark.parametrize(("at", "longer"), [(60, (1085, 1220)), (140, (1000, 1137))])
def test_the_longer_part_beside_it_is_found_and_the_shake_is_whole(at: int, longer: tuple[int, int]) -> None:
    energy = strokes(2.0)
    energy[at : at + 5] = [60.0, 30, 15, 7, 3]
    found = beside_knock(energy, RATE, first=1000)
    assert found is not None
    assert found.longer == longer
    assert found.whole == pytest.approx((1010, 1210), abs=7)


def test_a_shake_that_is_put_down_hard_ends_before_that() -> None:
    energy = strokes(2.0)
    energy[206] = 60.0
    found = beside_knock(energy, RATE, first=1000)
    assert found is not None
    assert found.whole == pytest.approx((1014, 1203), abs=3)


def test_no_knock_is_among_strokes_of_which_one_is_harder() -> None:
    energy = strokes(2.0)
    energy[100:105] *= 10.0
    assert beside_knock(energy, RATE) is None


@pytest.mark.parametrize("frames", [0, 3, 45])
def test_a_knock_alone_has_no_part_beside_it(frames: int) -> None:
    energy = np.full(frames, 1e-3)
    energy[: frames // 2] = 1.0
    assert beside_knock(energy, RATE) is None
    alone = np.concatenate([np.full(30, 1e-6), [1.0], np.full(50, 1e-6)])
    assert beside_knock(alone, RATE) is None
