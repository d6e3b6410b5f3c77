"""A profile's numbers are written with seven digits, as Python would print them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.profiles.json_numbers import array, finite, indices, positive, rounded, share


@given(
    st.lists(
        st.integers(-(10**7) + 1, 10**7 - 1).flatmap(lambda n: st.integers(-30, 12).map(lambda k: (n, k)))
    )
)
def test_what_has_seven_digits_stays_the_very_same(numbers: list[tuple[int, int]]) -> None:
    values = [float(f"{n}e{k}") for n, k in numbers]
    assert rounded(np.array(values, np.float64)) == values


def test_zeros_keep_their_sign() -> None:
    assert str(rounded(np.array([0.0, -0.0, 1e-300]))) == "[0.0, -0.0, 1e-300]"


@given(st.lists(st.floats()))
def test_no_more_than_half_of_the_seventh_digit_is_lost(values: list[float]) -> None:
    for was, told in zip(values, rounded(np.array(values, np.float64)), strict=True):
        printed = float(f"{was:.7g}")
        assert told == printed or math.isnan(was) or abs(told - printed) <= 1.001e-6 * abs(was)
        assert (
            math.isnan(was)
            or len(f"{told!r}".replace(".", "").replace("-", "").split("e")[0].strip("0")) <= 7
        )


def test_numbers_of_a_profile_come_back() -> None:
    assert array([1, -2.5], 2).tolist() == [1.0, -2.5]
    assert indices([0, 3, 3], 4).tolist() == [0, 3, 3]
    assert indices([], 0).tolist() == []
    assert (finite(-1e9), positive(99.5), share(0), share(1)) == (-1e9, 99.5, 0.0, 1.0)


@pytest.mark.parametrize(
    ("read", "values"),
    [
        (lambda v: array(v, 2), [[1], [1, 2, 3], [[1, 2]], [1, math.nan], [1, -math.inf], [1, 2e9], 7]),
        (lambda v: indices(v, 4), [[-1], [0, 4], [[0, 1]], 2]),
        (finite, ["nan", "inf", -2e9]),
        (positive, [0, -1, 100, "nan"]),
        (share, [-0.1, 1.1, "nan"]),
    ],
)
def test_what_no_profile_holds_is_refused(read: Callable[[Any], Any], values: list[Any]) -> None:
    for value in values:
        with pytest.raises(ValueError):
            read(value)
