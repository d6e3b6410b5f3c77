"""An igloo that is handled lies, lifts, turns and lands as things do, and no shake is in it."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from hw_mock.igloo import accelerometer
from hw_mock.igloo.constants import GRAVITY
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.hand import RATE, Player, shaking
from hw_mock.igloo.handling import ACTS, handled, played
from hw_mock.igloo.played import play

DEVICE, PERSON = replace(Device.draw(11), accelerometer_rate=1666.0), Player.draw(12).on(3)


def size(felt):
    return np.linalg.norm(felt, axis=1)


def felt(motion, count=3, seed=5):
    one = play(DEVICE, Igloo.of(DEVICE, count), PERSON, motion, seed)
    return one, accelerometer.record(one, np.random.default_rng(1))


def test_acts_follow_one_another_and_all_kinds_come():
    kinds = set()
    for seed in range(12):
        motion, acts = handled(PERSON, seed, 20.0)
        assert motion.seconds == pytest.approx(20.0)
        assert all(a.start_s < a.end_s <= 20.0 for a in acts)
        assert all(a.end_s <= b.start_s for a, b in itertools.pairwise(acts))
        kinds |= {a.kind for a in acts}
    assert kinds == set(ACTS)


def test_it_lies_before_and_after_as_it_lay():
    motion, acts = handled(PERSON, 3, 20.0)
    before = motion.force[: round((acts[0].start_s - 0.2) * RATE)]
    after = motion.force[round((acts[-1].end_s + 0.8) * RATE) :]
    assert np.abs(before - [0, 0, -GRAVITY]).max() < 0.2
    assert np.abs(after[:-10] - [0, 0, -GRAVITY]).max() < 0.2


def test_it_is_moved_far_less_hard_than_a_shake_until_it_lands():
    shaken = np.quantile(size(shaking(PERSON, 1, 2.0).force - [0, 0, -GRAVITY]), 0.9)
    for seed in range(4):
        motion, _ = handled(PERSON, seed, 20.0)
        assert np.quantile(size(motion.force) - GRAVITY, 0.99) < 0.5 * shaken


def test_a_table_that_it_lands_on_strikes_it_and_makes_its_shell_ring():
    motion, acts = next(
        (m, acts) for m, acts in (handled(PERSON, seed, 9.0) for seed in range(40)) if acts[0].kind == "moved"
    )
    one, got = felt(motion)
    lands = acts[0].end_s - 0.2
    rate = DEVICE.accelerometer_rate * DEVICE.accelerometer_true
    near = slice(round((lands - 0.15) * rate), round((lands + 0.15) * rate))
    rest = got[: round(0.2 * rate)]
    assert np.abs(got[near] - rest.mean(axis=0)).max() > 2.0  # g
    assert np.abs(rest - rest.mean(axis=0)).max() < 0.1  # and does not while it lies there
    rung = np.abs(one.ring[2][round((lands - 0.15) * 48000) : round((lands + 0.15) * 48000)])
    assert rung.max() > 20 * np.abs(one.ring[2][: round(0.2 * 48000)]).max() + 1.0


def test_in_play_the_same_person_shakes_as_hard_between_lifting_and_putting_down():
    motion, acts = played(PERSON, 7, 2.0)
    assert [act.kind for act in acts] == ["lifted", "shake", "put-down"]
    alone = shaking(PERSON, 7, 2.0)
    assert np.std(motion.force[int(motion.start_s * RATE) : int(motion.end_s * RATE)]) == pytest.approx(
        np.std(alone.force[int(alone.start_s * RATE) : int(alone.end_s * RATE)]), rel=0.1
    )
    assert np.abs(motion.force[: round(0.4 * RATE)] - [0, 0, -GRAVITY]).max() < 0.1
    assert np.abs(motion.force[-round(0.5 * RATE) : -10] - [0, 0, -GRAVITY]).max() < 0.3


def test_the_same_seed_is_the_same_motion():
    one, two = (handled(PERSON, 5, 12.0)[0] for _ in range(2))
    assert one.force.tobytes() == two.force.tobytes()
    assert handled(PERSON, 6, 12.0)[0].force.tobytes() != one.force.tobytes()
