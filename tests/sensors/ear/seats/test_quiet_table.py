"""A table at which nobody shakes: what the room and the microphones hiss is nobody's shake."""

import numpy as np
import pytest
import scipy

from sensors.ear.profiles.profile import load_shipped
from sensors.ear.seats.listener import SeatListener, hear_together
from sensors.ear.seats.together import Seats

RATE = 48000


@pytest.mark.parametrize("hiss", [(1.0, 1.0, 1.0), (1.0, 2.0, 4.0), (1.0, 8.0, 1.0)])
def test_nothing_is_said_where_microphones_hiss_unlike(hiss):
    """A louder one's hiss, taken off as a neighbour's leak, would make a softer one's rise and fall as strokes do, and
    the last one to end would rise all at once."""
    assert said_of(room(12.0) * hiss) == []


def test_nothing_is_said_after_a_stretch_of_zeros():
    """Zeros are what devices give that were muted or lost sound: they are no room."""
    sound = room(14.0)
    sound[2 * RATE : 3 * RATE] = 0.0
    assert [h for h in said_of(sound * (1.0, 2.0, 4.0)) if h.start_s > 3.0] == []


def room(seconds):
    """float64[samples, seats]."""
    low = scipy.signal.butter(1, 400, "low", fs=RATE, output="sos")
    hiss = np.random.default_rng(11).normal(0.0, 0.02, (round(seconds * RATE), 3))
    return scipy.signal.sosfilt(low, hiss, axis=0)


def said_of(sound):
    """What is said of float64[samples, seats]."""
    table, profile = Seats(tuple("abc")), load_shipped("microphone")
    ears = [SeatListener(profile, RATE, 1, "table", table, name) for name in table.names]
    said = list(hear_together(ears, sound.astype(np.float32), RATE))
    for ear in ears:
        said += ear.finish()
    return said
