"""The table is heard where an igloo lands on it or is pushed across it, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest

from hw_mock.igloo.constants import SOUND_RATE
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.gestures import gesture
from hw_mock.igloo.hand import Player
from hw_mock.igloo.handling import handled
from hw_mock.igloo.microphone import PASCAL
from hw_mock.igloo.played import play
from hw_mock.igloo.tabletop import of_table

DEVICE, PERSON = replace(Device.draw(11), accelerometer_rate=1666.0), Player.draw(12).on(3)


def said(kind):
    """Of an igloo that is handled so once, Pa, and when that was done."""
    motion, acts = next(
        (m, acts) for m, acts in (handled(PERSON, seed, 8.0) for seed in range(60)) if acts[0].kind == kind
    )
    one = play(DEVICE, Igloo.of(DEVICE, 3), PERSON, motion, 5)
    return of_table(one, np.random.default_rng(2)), acts


def loudness(sound, start_s, end_s):
    """dB at 1 m."""
    piece = sound[max(0, round(start_s * SOUND_RATE)) : round(end_s * SOUND_RATE)]
    return 20 * np.log10(np.sqrt(np.mean(piece**2)) / PASCAL + 1e-9)


def test_an_igloo_that_lands_is_heard_as_it_lands():
    sound, acts = said("moved")
    lands = acts[0].end_s - 0.2
    assert np.isfinite(sound).all()
    assert loudness(sound, lands - 0.1, lands + 0.2) > 50
    assert loudness(sound, acts[0].start_s + 0.25, lands - 0.25) < 25  # in the hand
    assert loudness(sound, 0.05, acts[0].start_s - 0.1) < 25  # and before, where it lies


def test_an_igloo_that_is_pushed_rubs_while_it_is_pushed():
    sound, acts = said("pushed")
    pushed = loudness(sound, acts[0].start_s + 0.1, acts[0].end_s - 0.1)
    assert 30 < pushed < 75
    assert loudness(sound, 0.05, acts[0].start_s - 0.1) < pushed - 20


def test_no_table_says_nothing():
    motion = gesture("shake", PERSON, 1, 0.5)
    one = play(DEVICE, Igloo.of(DEVICE, 2), PERSON, motion, 1)
    with pytest.raises(ValueError, match="no table"):
        of_table(one, np.random.default_rng(1))
