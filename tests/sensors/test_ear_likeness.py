"""What rattles at a table and is no igloo. Coins poured out are taken for beads (docs/ear-figures.md), and left out."""

import numpy as np
import pytest

from benchmarks.not_a_shake import in_a_room, shaken
from benchmarks.other_noises import NOISES
from sensors.ear import likeness
from sensors.ear.frontend import FRONT_ENDS, Envelopes
from sensors.ear.takes import cut

FRONT = FRONT_ENDS[0]


def odds(sound):
    take = cut(FRONT, Envelopes(FRONT, 48000, 1).push(sound.astype(np.float32)[:, None]))
    return -12.0 if take is None else likeness.likeness(take)


def test_true_shakes_are_like_shakes_whether_hard_or_gentle():
    got = [
        odds(sound)
        for seed, strength in ((101, 0.45), (102, 1.0), (103, 1.5))
        for sound in shaken(seed, strength)
    ]
    assert sum(o > 0 for o in got) >= 5


@pytest.mark.parametrize("family", ["keys", "glasses", "cutlery"])
def test_clatter_is_mostly_told_from_beads(family):
    random = np.random.default_rng(5)
    got = [odds(in_a_room(NOISES[family](random, 2.5), random)) for _ in range(6)]
    assert sum(o < 0 for o in got) >= 4, got


def test_it_does_not_depend_on_how_loud_it_is():
    sound, _ = shaken(104, 1.0)
    assert odds(0.01 * sound) == pytest.approx(odds(sound), abs=0.3)
