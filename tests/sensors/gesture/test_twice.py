"""A pencil that touches twice: what it left undisturbed is weighed, or nothing, and the coach says so."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.gesture.coach import FAULTS
from sensors.gesture.collect import collect
from sensors.gesture.counter import Counter
from sensors.gesture.emptied import AGREE, Empties
from sensors.gesture.judge import DIFFER
from sensors.gesture.profile import GestureProfile
from sensors.gesture.taps import Ring
from sensors.gesture.touched import Calm, untouched
from sensors.gesture.weigh import Empty, pair_of, whole_of
from tests.sensors.gesture.seat_table import EMPTY, RATE, SMALL, Table, fitted, played, verdicts

TOUCHES = [(0.07, 0.1), (0.1, 0.5), (0.15, 0.2)]


def found(ring: Ring, rate: float, sensor: str, loaded: bool) -> Calm | None:
    return untouched(ring, whole_of(ring, rate), rate, sensor, loaded)


def calm(ring: Ring, rate: float, sensor: str, loaded: bool) -> Ring | None:
    free = found(ring, rate, sensor, loaded)
    return None if free is None else free.ring


@pytest.fixture(scope="module")
def profile() -> GestureProfile:
    return fitted(SMALL)


def bouncing(seed: int, beads: int, again: tuple[float, float] | None) -> Table:
    table = Table(seed, SMALL).quiet(0.4).tap(again=again).tap(again=again)
    for _ in range(3):
        table.quiet(0.2).thud().tap(beads, again=again)
    return table.quiet(0.3)


@pytest.mark.parametrize("again", TOUCHES)
def test_a_tap_that_bounces_weighs_as_one_that_does_not(again: tuple[float, float]) -> None:
    (right,), (bounced,) = (
        collect("accelerometer", RATE, bouncing(4, 7, one).take()) for one in (None, again)
    )
    assert right.empty is not None
    assert bounced.empty is not None
    assert bounced.empty.upright == pytest.approx(right.empty.upright, rel=1e-4)
    assert bounced.placings == 3
    for a, b in zip(right.weights, bounced.weights, strict=True):
        assert b.upright == pytest.approx(a.upright, abs=4e-4)


@pytest.mark.parametrize("again", TOUCHES)
@pytest.mark.parametrize("beads", [3, 8, 12])
def test_whoever_bounces_is_told_the_right_count_and_that_he_bounced(
    profile: GestureProfile, beads: int, again: tuple[float, float]
) -> None:
    counter = Counter(profile, RATE, 3)
    (heard,) = verdicts(played(counter, bouncing(beads, beads, again).take()))
    assert (heard.verdict, heard.best) == ("sure", beads)
    if again == (0.1, 0.5):
        assert counter.advice.fault == "twice"
        assert FAULTS["twice"] in counter.advice.words


def test_taps_on_the_empty_seat_that_differ_are_no_empty_seat(profile: GestureProfile) -> None:
    counter, table = Counter(profile, RATE, 3), Table(5, SMALL)
    table.quiet(0.4).tap()
    table.empty = EMPTY[0], EMPTY[1] * (1 + 2 * AGREE)
    played(counter, table.tap().take())
    assert (counter.advice.fault, counter.advice.step) == ("differ", "tap-empty")
    table.empty = EMPTY
    (heard,) = verdicts(played(counter, table.placed(7, 7, 7).quiet(0.3).take()))
    assert (heard.verdict, heard.reason) == ("unsure", DIFFER)
    assert counter.advice.fault == "differ"
    played(counter, table.tap().take())
    assert counter.advice.fault is None
    assert verdicts(played(counter, table.placed(7, 7, 7).quiet(0.3).take()))[-1].verdict == "sure"


def doubtful(placed: int) -> Table:
    """The first empty tap is right, the second is not; then an igloo of seven is set down so often."""
    table = Table(5, SMALL).quiet(0.4).tap()
    table.empty = EMPTY[0], EMPTY[1] * (1 + 4 * AGREE)
    table.tap()
    table.empty = EMPTY
    return table.placed(*placed * [7])


def test_what_was_weighed_while_the_empty_taps_differ_is_weighed_anew_once_one_settles_it(
    profile: GestureProfile,
) -> None:
    (right,) = collect("accelerometer", RATE, Table(5, SMALL).quiet(0.4).tap().tap().placed(7, 7, 7).take())
    found = collect("accelerometer", RATE, doubtful(3).tap().quiet(0.3).take())
    assert [one.doubtful for one in found] == [False]
    assert found[0].placings == 3
    assert found[0].weights[0].upright == pytest.approx(right.weights[0].upright, abs=3e-4)
    counter = Counter(profile, RATE, 3)
    played(counter, doubtful(1).tap().quiet(0.3).take())
    assert (counter.advice.fault, counter.advice.step, counter.advice.done) == (None, "again", 1)
    (heard,) = verdicts(played(counter, Table(6, SMALL).placed(7, 7).quiet(0.3).take()))
    assert (heard.verdict, heard.best) == ("sure", 7)


def test_what_no_later_tap_settles_stays_in_doubt() -> None:
    """After half a minute the seat may have warmed: that tap tells nothing of those before."""
    found = collect("accelerometer", RATE, doubtful(1).quiet(31).tap().placed(7).quiet(0.3).take())
    assert [(one.doubtful, one.placings) for one in found] == [(True, 1), (False, 1)]


def test_of_three_taps_on_the_empty_seat_those_that_agree_are_averaged() -> None:
    seen = Empties()
    for off, usual, doubtful in ((0, 0, False), (9, 4.5, True), (1, 0.5, False), (9, 9, False)):
        seen = seen.add(Empty(58.0, 117.0 * (1 + off * 1e-4)))
        assert seen.usual.upright == pytest.approx(117.0 * (1 + usual * 1e-4), rel=1e-6)
        assert seen.doubtful == doubtful


def ring(touch_s: float, part: float, knocks: bool = False, seed: int = 3, noise: float = 0.0) -> Ring:
    table = Table(seed)
    table.quiet(0.1).tap(again=(touch_s, part), seconds=0.66)
    samples = table.parts[-1].copy()
    if knocks:  # of beads, at first, in no tone of the seat
        samples[:60] += 0.03 * np.random.default_rng(1).normal(size=(60, 3))
    samples += noise * np.random.default_rng(seed).normal(size=samples.shape)
    return Ring(0.0, samples, 0.3, 0.002)


def test_what_of_a_ring_was_not_disturbed_is_kept() -> None:
    free = ring(0.0, 0.0)
    for loaded in (False, True):
        assert calm(free, RATE, "accelerometer", loaded) is free
        early = calm(ring(0.1, 0.3), RATE, "accelerometer", loaded)
        assert early is not None
        assert early.start_s == pytest.approx(0.15, abs=0.002)
    late = calm(ring(0.4, 0.3), RATE, "accelerometer", loaded=False)
    assert late is not None
    assert (late.start_s, len(late.samples)) == (0.0, round(0.3 * RATE))
    assert calm(ring(0.4, 0.3), RATE, "accelerometer", loaded=True) is None


def test_beads_that_knock_are_no_second_touch() -> None:
    """They are over when it is calm: from there on it is weighed, and nobody is told that he bounced."""
    free = found(ring(0.0, 0.0, knocks=True), RATE, "accelerometer", loaded=True)
    assert free is not None
    assert not free.touched
    assert free.ring.start_s == pytest.approx(0.15, abs=0.002)


@pytest.mark.parametrize("loaded", [False, True])
@pytest.mark.parametrize("touch_s", [0.2, 0.25, 0.4])
def test_a_touch_that_noise_hides_is_told_by_the_tones_that_it_moved(touch_s: float, loaded: bool) -> None:
    """No part of the ring leaves more than the noise does."""
    free = calm(ring(0.0, 0.0, noise=0.004), RATE, "accelerometer", loaded)
    assert free is not None
    assert (free.start_s, len(free.samples)) == (0.0, 550)
    for seed in range(12):
        free = calm(ring(touch_s, 0.2, seed=seed, noise=0.004), RATE, "accelerometer", loaded)
        if free is not None:
            upright = pair_of(free, RATE).upright
            assert upright is not None
            assert upright.hz == pytest.approx(EMPTY[1], rel=8e-4)


@pytest.mark.parametrize("sensor", ["accelerometer", "microphone"])
def test_a_touch_that_only_swells_the_upright_tone_is_not_weighed(sensor: str) -> None:
    """It comes in step with that tone, and half a turn beside the sideways one."""
    touched = ring(11 / EMPTY[1], 0.8)
    free = calm(touched, RATE, sensor, loaded=True)
    assert free is not None
    assert free.start_s == pytest.approx(0.15, abs=0.002)
    late = ring(41 / EMPTY[1], 0.5)
    assert calm(late, RATE, sensor, loaded=True) is None


def test_a_short_ring_of_which_nothing_is_calm_is_no_ring() -> None:
    """It ends where the next blow begins, and the seat is touched in its midst: no part is calmer than all of it."""
    random, ended = np.random.default_rng(1), 0
    for _ in range(150):
        t = np.arange(round(random.uniform(0.35, 0.5) * 800)) / 800
        samples = random.normal(size=(len(t), 3)) * random.choice([1e-4, 1e-3, 3e-3])
        for at, size in ((-0.03, 0.3), (random.uniform(0.1, t[-1]), random.choice([0.1, 0.3, 1.0]))):
            u = np.maximum(t - at, 0.0)
            for hz in (random.uniform(25, 60), random.uniform(63, 130)):
                decay, phase = np.pi * hz / random.uniform(20, 80), random.uniform(0, 6)
                wave = np.exp(-decay * u) * np.sin(2 * np.pi * hz * u + phase)
                samples += size * np.where(t >= at, wave, 0.0)[:, None] * random.normal(size=3)
        for loaded in (False, True):
            ended += calm(Ring(1.0, samples, 0.3, 0.002), 800.0, "accelerometer", loaded) is None
    assert ended


def test_whatever_else_is_wrong_with_a_tap_is_told_before_that_the_empty_ones_differ(
    profile: GestureProfile,
) -> None:
    counter, table = Counter(profile, RATE, 3), Table(5, SMALL).quiet(0.4).tap()
    table.empty = EMPTY[0], EMPTY[1] * (1 + 2 * AGREE)
    played(counter, table.tap().take())
    assert counter.advice.fault == "differ"
    table.empty = EMPTY
    played(counter, np.clip(table.tap(size=40.0).take(), -4, 4))
    assert counter.advice.fault == "clipped"
    played(counter, table.quiet(40).take())
    assert counter.advice.fault != "differ"


def test_what_was_weighed_while_the_empty_taps_differ_is_in_doubt_though_its_gesture_began_before(
    profile: GestureProfile,
) -> None:
    counter, table = Counter(profile, RATE, 3), Table(5, SMALL)
    played(counter, table.quiet(0.4).tap().placed(7).take())
    table.empty = EMPTY[0], EMPTY[1] * (1 + 2 * AGREE)
    played(counter, table.tap().take())
    table.empty = EMPTY
    said = verdicts(played(counter, table.placed(7, 7).quiet(10).take()))
    assert said
    assert all(one.verdict != "sure" for one in said)
