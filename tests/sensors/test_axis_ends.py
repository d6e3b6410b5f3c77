"""Where an accelerometer's axis ends, told from strokes by hand: which tops are one size, and which pile up."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pytest

from sensors.ear.axis_ends import AxisEnds


def strokes(tops: Iterable[float], stay: int = 3) -> npt.NDArray[np.float32]:
    """Up from rest to each top in turn, where it stays for so many samples, and back."""
    each = [np.concatenate([[0.0, 1.0], np.full(stay, top), [1.0]]) for top in tops]
    return np.concatenate(each).astype(np.float32)[:, None]


def cut_off(samples: npt.NDArray[np.float32]) -> int:
    return AxisEnds().push(samples)


@pytest.mark.parametrize("sign", [1, -1])
def test_tops_at_one_value_are_an_end_on_either_side_but_for_their_first_samples(sign: int) -> None:
    for stay in (2, 3, 9):
        assert cut_off(sign * strokes([2.0] * 8, stay)) == 8 * (stay - 1)
    assert cut_off(strokes([2.0] * 8, 1)) == 0


def test_an_end_that_rounding_moves_is_one() -> None:
    """An axis that a maker corrected in floats ends at 2 g, or a hair from it."""
    assert cut_off(strokes([2.0, 1.9995] * 8)) == 2 * 16


def test_strokes_that_end_some_thousandths_apart_are_no_end() -> None:
    """No two strokes end alike, though on a coarse chip each has a flat top."""
    assert cut_off(strokes(3.0 - 0.006 * np.array([3, 0, 2, 1, 5, 4, 6, 8, 7]))) == 0


def test_an_igloo_that_lies_still_is_not_cut_off() -> None:
    """Gravity's one g stays where it is for hours, or comes and goes by a coarse chip's step."""
    lying = np.tile(np.float32([1.0, 1.0, 1.0, 1.03, 1.03]), 400)[:, None]
    assert cut_off(lying) == 0


def test_the_furthest_of_a_coarse_chips_tops_is_no_end_where_as_many_come_nearly_as_far() -> None:
    random = np.random.default_rng(1)
    nearer = [*random.choice([2.5, 2.75, 3.0, 3.25, 3.5], 60), *[3.75] * 4]
    coarse = random.permutation([*nearer, *[4.0] * 5])
    assert cut_off(strokes(coarse)) == 0
    # where it is cut off most strokes end there, and a few before
    ends = random.permutation([1.9] * 3 + [2.0] * 12)
    assert cut_off(strokes(ends)) == 2 * 12


def test_where_some_went_further_it_takes_as_many_more_to_be_an_end() -> None:
    """Four strokes beyond 2 g tell that the axis goes on there: it would take twenty that end at it."""
    further = strokes([3.4, 3.3, 3.2, 3.1])
    assert cut_off(np.concatenate([further, strokes([2.0] * 12)])) == 0
    assert cut_off(np.concatenate([further, strokes([2.0] * 24)])) == 2 * 24


def test_pointed_tops_are_none_that_a_range_cut() -> None:
    pointed = np.concatenate([strokes([3.0] * 8, 1), strokes([3.0], 2)])
    assert cut_off(pointed) == 0
