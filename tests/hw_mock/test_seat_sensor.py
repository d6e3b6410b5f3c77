"""What a seat's sensors record of how its platform moves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from hw_mock.igloo import seat_sensor
from hw_mock.igloo.constants import GRAVITY, SOUND_RATE
from hw_mock.igloo.seat import Occasion, Seat
from hw_mock.igloo.seat_tap import Tapped

SEAT = replace(
    Seat.draw(4),
    accelerometer_rate=1666.0,
    accelerometer_true=1.015,
    accelerometer_noise=0.0,
    accelerometer_offset=(0.0, 0.0, 0.0),
    skew=(0.0, 0.0, 0.0),
)
TODAY = replace(Occasion.draw(1), lean=(0.0, 0.0), clock=1.0)
SECONDS = 0.5


def tapped(x: np.ndarray | float, z: np.ndarray | float) -> Tapped:
    """A platform that is accelerated so, m/s²."""
    n = round(SECONDS * SOUND_RATE)
    moved = np.stack([np.broadcast_to(x, n), np.broadcast_to(z, n)], axis=1).astype(float)
    return Tapped(2, moved, np.zeros(n), (), 1e-3, 1e-2)


def felt(x: float = 0.0, z: float = 0.0, seat: Seat = SEAT, today: Occasion = TODAY) -> np.ndarray:
    got = seat_sensor.accelerometer(tapped(x, z), seat, today, np.random.default_rng(1))
    return np.median(got[50:-50], axis=0)


def test_the_chip_feels_what_pushes_it_and_gravity_from_below() -> None:
    assert felt() == pytest.approx([0.0, 0.0, 1.0], abs=1e-3)
    assert felt(2.0, 5.0) == pytest.approx([2.0 / GRAVITY, 0.0, 1.0 + 5.0 / GRAVITY], abs=1e-3)
    assert felt(z=40.0)[2] == pytest.approx(seat_sensor.RANGE_G, abs=1e-3)
    assert felt(seat=replace(SEAT, accelerometer_offset=(0.01, -0.02, 0.03))) == pytest.approx(
        [0.01, -0.02, 1.03], abs=1e-3
    )


def test_where_the_seat_leans_gravity_points_to_and_fro_and_across() -> None:
    x, y, z = felt(today=replace(TODAY, lean=(0.02, -0.05)))
    assert [abs(x), abs(y), z] == pytest.approx([math.sin(0.02), math.sin(0.05), 1.0], abs=1e-3)
    assert x * y < 0


def test_a_chip_that_is_glued_askew_feels_the_same_along_other_axes() -> None:
    turned = felt(3.0, seat=replace(SEAT, skew=(0.0, 0.0, math.pi / 2)))
    assert np.abs(turned) == pytest.approx([0.0, 3.0 / GRAVITY, 1.0], abs=1e-3)
    askew = felt(3.0, seat=replace(SEAT, skew=(0.1, -0.2, 0.3)))
    assert np.linalg.norm(askew) == pytest.approx(np.linalg.norm(felt(3.0)), abs=1e-3)
    assert np.abs(askew - felt(3.0)).max() > 0.05


def test_its_clock_is_off_and_differs_from_day_to_day() -> None:
    today = replace(TODAY, clock=1.01)
    got = seat_sensor.accelerometer(tapped(0.0, 0.0), SEAT, today, np.random.default_rng(1))
    assert len(got) == pytest.approx(SECONDS * 1666 * 1.015 * 1.01, abs=3)


def test_a_disc_under_the_ring_feels_each_way_as_much_as_it_lies_along_it() -> None:
    t = np.arange(round(SECONDS * SOUND_RATE)) / SOUND_RATE
    tap = 0.3 * GRAVITY * np.sin(2 * math.pi * 60.0 * t)
    seat = replace(SEAT, contact_axes=(0.25, 1.0))
    fro, up = (
        np.std(seat_sensor.disc(tapped(*way), seat, np.random.default_rng(1))[6000:])
        for way in ((tap, 0.0), (0.0, tap))
    )
    assert fro / up == pytest.approx(0.25, rel=0.1)
