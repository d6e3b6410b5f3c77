"""A profile's numbers are written with seven digits, as Python would print them."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.json_numbers import rounded


@given(
    st.lists(
        st.integers(-(10**7) + 1, 10**7 - 1).flatmap(lambda n: st.integers(-30, 12).map(lambda k: (n, k)))
    )
)
def test_what_has_seven_digits_stays_the_very_same(numbers: list[tuple[int, int]]) -> None:
    values = [float(f"{n}e{k}") for n, k in numbers]
    assert rounded(np.array(values, np.float64)) == values


@given(st.lists(st.floats()))
def test_no_more_than_half_of_the_seventh_digit_is_lost(values: list[float]) -> None:
    for was, told in zip(values, rounded(np.array(values, np.float64)), strict=True):
        printed = float(f"{was:.7g}")
        assert told == printed or math.isnan(was) or abs(told - printed) <= 1.001e-6 * abs(was)
        assert (
            math.isnan(was)
            or len(f"{told!r}".replace(".", "").replace("-", "").split("e")[0].strip("0")) <= 7
        )
