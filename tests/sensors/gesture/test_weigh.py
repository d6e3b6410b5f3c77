"""From two tones to what the seat carries, and which of several gestures a recording is of."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.gesture.collect import collect
from sensors.gesture.gathered import Gesture, fullest
from sensors.gesture.ringdown import Tone
from sensors.gesture.weigh import Empty, Pair, Weight, weigh
from tests.sensors.gesture.seat_table import BEAD, EMPTY, PLATFORM, RATE, SEAT, SHELL, Table

SEAT_EMPTY = Empty(*EMPTY)


def pair(sideways_hz: float, upright_hz: float) -> Pair:
    return Pair(0.0, 0.3, Tone(sideways_hz, 2.0, 0.2), Tone(upright_hz, 4.0, 0.2))


@given(st.floats(0.01, 0.05), st.floats(0.0, 0.01))
def test_what_lies_on_the_seat_is_told_in_units_of_what_it_moves(shell: float, beads: float) -> None:
    up, side = (shell + beads) / SEAT, (shell + 2 / 7 * beads) / PLATFORM
    told = weigh(pair(EMPTY[0] / (1 + side) ** 0.5, EMPTY[1] / (1 + up) ** 0.5), SEAT_EMPTY, 2)
    assert told is not None
    assert (told.upright, told.sideways, told.placing) == (pytest.approx(up), pytest.approx(side), 2)


def test_taps_weigh_the_igloo_upright_and_its_shell_sideways() -> None:
    (gesture,) = collect("accelerometer", RATE, Table(3).quiet(0.4).tap().tap().placed(9, 9).take())
    for weight in gesture.weights:
        assert weight.upright == pytest.approx((SHELL + 9 * BEAD) / SEAT, rel=2e-3)
        assert weight.sideways == pytest.approx((SHELL + 2 / 7 * 9 * BEAD) / PLATFORM, rel=2e-3)


@pytest.mark.parametrize("higher", [(1.1, 1.1), (1.1, 0.9), (0.9, 1.1)])
def test_a_seat_that_sings_higher_than_the_empty_one_carries_nothing(higher: tuple[float, float]) -> None:
    side, up = higher
    assert weigh(pair(side * EMPTY[0], up * EMPTY[1]), SEAT_EMPTY) is None
    assert weigh(replace(pair(50.0, 100.0), sideways=None), SEAT_EMPTY) is None
    assert weigh(pair(*EMPTY), SEAT_EMPTY) is None


def gathered(*placings: int) -> Gesture:
    """Taps of these placings."""
    weights = [Weight(0.0, 0.4, 0.9, (0.2, 0.2), (90.0, 90.0), k) for k in placings]
    return Gesture(0.0, 1.0, SEAT_EMPTY, 0.0, weights=weights)


def test_a_recording_is_of_the_gesture_with_the_most_placings_then_taps_then_the_last() -> None:
    tapped_on, whole, more = gathered(0, 0, 0, 0, 1), gathered(0, 1, 2), gathered(0, 1, 2, 3)
    assert fullest([]) is None
    assert fullest([whole, tapped_on]) is whole
    assert fullest([more, whole]) is more  # more taps; a fourth placing is none that is wanted
    longer = gathered(0, 1, 2, 2, 2)
    assert fullest([longer, more]) is longer
    again = gathered(0, 1, 2)
    assert fullest([whole, again]) is again
