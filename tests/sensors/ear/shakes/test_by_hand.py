"""Lifting an igloo and putting it down are no part of its shake."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensors.ear.frames.frontend import FRONT_ENDS, HAND_RATE, Frames
from sensors.ear.shakes.by_hand import while_shaken

FRONT = next(front for front in FRONT_ENDS if front.name == "accelerometer-1600")


def moved(before_s, shake_s, after_s, *, hz=4.0, g=2.0, lift_g=0.3, blow_g=0.0):
    """A hand that lifts, shakes and puts down, with the table's blow at the very end."""
    t = np.arange(round((before_s + shake_s + after_s) * HAND_RATE)) / HAND_RATE
    shaking = (t >= before_s) & (t < before_s + shake_s)
    hand = np.zeros((len(t), 3), np.float32)
    hand[:, 0] = np.where(shaking, g * np.sin(2 * np.pi * hz * t), lift_g * np.sin(2 * np.pi * 0.8 * t))
    if blow_g:
        hand[-8:-5, 2] += blow_g
    return Frames(np.ones((round(len(t) / HAND_RATE * FRONT.frame_rate), 3), np.float32), hand)


def span(frames):
    first, end = while_shaken(FRONT, frames, 0, len(frames.energy))
    return first / FRONT.frame_rate, end / FRONT.frame_rate


@pytest.mark.parametrize("blow_g", [0.0, 3.0])
def test_what_is_lifted_and_put_down_is_cut_off(blow_g):
    first, end = span(moved(0.7, 2.0, 0.6, blow_g=blow_g))
    assert first == pytest.approx(0.7, abs=0.15)
    assert end == pytest.approx(2.7, abs=0.2)


def test_a_shake_alone_stays_whole():
    first, end = span(moved(0.0, 2.0, 0.0))
    assert (first, end) == (0.0, pytest.approx(2.0, abs=0.01))


def test_a_hesitation_in_the_midst_is_part_of_it():
    one = moved(0.0, 3.0, 0.0)
    one.hand[120:160] *= 0.1
    first, end = span(one)
    assert (first, end) == (0.0, pytest.approx(3.0, abs=0.01))


def test_what_is_over_in_an_instant_is_left_as_it_is():
    frames = moved(0.0, 0.1, 0.0)
    assert while_shaken(FRONT, frames, 0, len(frames.energy)) == (0, len(frames.energy))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(-16, 16, width=32), min_size=0, max_size=200),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_any_motion_leaves_a_stretch_within_the_stretch(size, one, two):
    hand = np.zeros((len(size), 3), np.float32)
    hand[:, 1] = size
    n = round(len(size) / HAND_RATE * FRONT.frame_rate)
    first, end = sorted((int(one * n), int(two * n)))
    got = while_shaken(FRONT, Frames(np.ones((n, 3), np.float32), hand), first, end)
    assert first <= got[0] <= got[1] <= end or got == (first, end)
