"""A seat that leans, and a sensor that was fastened otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.gesture.profile import GestureProfile
from tests.sensors.gesture.seat_table import (
    Table,
    begun,
    between_twins,
    known_day,
    reason_of,
    twins,
)


def test_on_a_seat_that_leans_far_nothing_is_sure(profile: GestureProfile) -> None:
    told = {}
    for lean_deg in (0.0, 1.0, 2.0):
        table = begun()
        table.gravity = np.array([np.sin(np.radians(lean_deg)), 0.0, np.cos(np.radians(lean_deg))])
        told[lean_deg] = reason_of(table.placed(7, 7, 7), profile)
    far = told.pop(2.0)
    assert set(told.values()) == {None}
    assert far is not None
    assert far.startswith("the seat leans 2.")
    assert "its sensor was moved" in far  # by eye nobody can level a chip


@pytest.mark.parametrize("turned_deg", [40, 180])
def test_a_sensor_that_was_fastened_otherwise_is_told_and_not_the_seat(
    profile: GestureProfile, turned_deg: float
) -> None:
    table = begun()
    table.gravity = np.array([np.sin(np.radians(turned_deg)), 0.0, np.cos(np.radians(turned_deg))])
    said = reason_of(table.placed(7, 7, 7), profile)
    assert said is not None
    assert said.startswith(f"the seat's sensor is turned by {turned_deg}°")


def test_a_recording_without_gravity_says_nothing_of_how_the_seat_leans(profile: GestureProfile) -> None:
    """What is left of it after a filter points anywhere."""
    table = begun()
    table.gravity = np.array([0.003, -0.002, 0.001])
    assert reason_of(table.placed(7, 7, 7), profile) is None


def test_a_seat_that_leans_otherwise_is_told_where_igloos_are_not_told_apart() -> None:
    def between(lean_deg: float) -> Table:
        table = between_twins()
        table.gravity = np.array([np.sin(np.radians(lean_deg)), 0.0, np.cos(np.radians(lean_deg))])
        return table.quiet(0.3).tap().tap().placed(7.5, 7.5, 7.5)

    day = known_day()
    straight, leaning = (reason_of(between(degrees), twins(), day) for degrees in (0.0, 2.0))
    assert straight is not None
    assert straight.endswith("weigh nearly alike: set it down anew and tap once more")
    assert straight.why.once_more
    assert leaning is not None
    assert leaning.startswith("the seat leans 2.")
    assert not leaning.why.once_more
