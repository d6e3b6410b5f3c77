"""What a gesture keeps of its taps: the empty seat's mean, whose igloo each is, what was held, clipped and how loud."""

from __future__ import annotations

import re

import numpy as np
import pytest

from sensors.ear.errors import SoundError
from sensors.gesture.collect import Collector, collect
from sensors.gesture.counter import Counter
from sensors.gesture.gathered import Gesture
from sensors.gesture.judge import HELD
from sensors.gesture.weigh import Empty
from tests.sensors.gesture.seat_table import (
    BEAD,
    EMPTY,
    HEAVY,
    RATE,
    SEAT,
    SHELL,
    SMALL,
    Table,
    fitted,
    played,
    verdicts,
)


def fed(table: Table, collector: Collector | None = None) -> Collector:
    collector = collector or Collector("accelerometer", RATE, 3)
    collector.push(table.take())
    return collector


def gesture_of(table: Table) -> Gesture:
    (gesture,) = collect("accelerometer", RATE, table.take())
    return gesture


def test_the_empty_seat_is_the_mean_of_its_last_three_taps_unless_they_are_old() -> None:
    """A tap alone scatters; what was heard before half a minute is of a seat that has warmed since."""
    table, collector = Table(3).quiet(0.4), Collector("accelerometer", RATE, 3)

    def tapped(*warm: float) -> float:
        for one in warm:
            table.empty = EMPTY[0] * (1 + one), EMPTY[1] * (1 + one)
            table.tap()
        assert fed(table.quiet(0.2), collector).empty is not None
        return collector.empty.upright / EMPTY[1] - 1  # type: ignore[union-attr]

    assert tapped(0.0, 2e-4) == pytest.approx(1e-4, abs=3e-5)
    assert tapped(2e-4, 2e-4) == pytest.approx(2e-4, abs=3e-5)  # the first is forgotten
    table.quiet(31)
    assert tapped(0.0) == pytest.approx(0.0, abs=3e-5)


def test_without_a_profile_another_igloo_that_is_put_on_begins_a_gesture() -> None:
    first, second = collect("accelerometer", RATE, Table(3).quiet(0.4).tap().placed(3, 3, 3, 9, 9, 9).take())
    for gesture, beads in ((first, 3), (second, 9)):
        assert gesture.placings == 3
        for weight in gesture.weights:
            assert weight.upright == pytest.approx((SHELL + beads * BEAD) / SEAT, rel=2e-3)


def test_a_blow_of_setting_down_that_rang_is_no_igloo() -> None:
    """Half lifted, it weighed something else; then it was let go, and tapped."""
    counter = Counter(fitted(SMALL, HEAVY), RATE, 3)
    table = Table(5, SMALL, HEAVY).quiet(0.3).tap().tap()
    table.quiet(0.2).tap(-60, quality=60.0, seconds=1.6).tap(7, size=0.04, seconds=0.5).tap(7)
    said = verdicts(played(counter, table.placed(7).quiet(9).take()))
    assert {(one.verdict, one.best) for one in said} == {("sure", 7)}
    assert len({one.start_s for one in said}) == 1


def test_a_ring_that_a_hand_braked_is_told_though_its_sideways_tone_was_not_heard() -> None:
    collector = fed(Table(3).quiet(0.4).tap().tap().thud().tap(7, quality=14.0, rolling=3.0).quiet(0.2))
    assert collector.last is not None
    assert collector.last.kind == "held"


def test_how_loud_a_tap_was_beside_the_quiet_before_it() -> None:
    """Noise of 2 mg on each of three axes, and two tones whose amplitude is 0.3 g: 37 dB, as far as phases matter."""
    gesture = gesture_of(Table(3).quiet(0.4).tap().tap().placed(7, 7, 7))
    quiet, loud = 0.002 * 3**0.5, 0.3
    assert gesture.snr_db == pytest.approx(20 * np.log10(loud / quiet), abs=3)
    assert gesture.gravity == pytest.approx([0, 0, 1], abs=0.02)


@pytest.mark.parametrize(("size", "weighed"), [(15.0, 3), (6.0, 4)])
def test_what_was_cut_off_once_is_kept_in_mind_and_what_rings_on_whole_is_weighed(
    size: float, weighed: int
) -> None:
    table = Table(3).quiet(0.4).tap().tap().placed(7)
    before = table.take()
    hard = table.quiet(0.2).thud().tap(7, size=size, seconds=2.0).take().clip(-4, 4)
    after = table.placed(7, 7).quiet(0.4).take()
    (gesture,) = collect("accelerometer", RATE, np.concatenate([before, hard, after]))
    assert gesture.clipped == (weighed == 3)
    assert [w.upright for w in gesture.weights] == pytest.approx(
        weighed * [(SHELL + 7 * BEAD) / SEAT], rel=2e-3
    )
    (gesture,) = collect("accelerometer", RATE, np.concatenate([before, hard]))
    assert gesture.snr_db > 50
    assert not gesture_of(Table(3).quiet(0.4).tap().placed(7, 7)).clipped


def test_another_seat_is_one_that_sings_alike_twice() -> None:
    """Two blows that sing higher than the known seat, each elsewhere, are none."""

    def heard(*shares: float) -> float | None:
        collector = Collector("accelerometer", RATE, 3, Empty(*EMPTY))
        for share in shares:
            fed(Table(5, empty=(EMPTY[0] * share, EMPTY[1] * share)).quiet(0.3).tap().quiet(0.3), collector)
        return None if collector.gesture is None else collector.gesture.other_seat_hz

    assert heard(1.05) is None
    assert heard(1.05, 1.09, 1.05) is None
    assert heard(1.05, 1.055, 1.055) == pytest.approx(1.055 * EMPTY[1], rel=1e-3)
    assert heard(1.05, 1.058) == pytest.approx(1.054 * EMPTY[1], rel=1e-3)


def test_a_blow_without_a_tone_after_taps_that_were_held_takes_no_answer_away() -> None:
    table = Table(5).quiet(0.3).tap().tap().thud()
    for _ in range(3):
        table.tap(7, quality=14.0)
    said = verdicts(played(Counter(fitted(), RATE, 3), table.tap(7, quality=4.0).quiet(9).take()))
    assert said[-1].reason == HELD
    assert len({one.start_s for one in said}) == 1


def drowned(table: Table, beads: float | None) -> Table:
    """A blow beside which the seat hardly rings: what is read of such tones is off by more than igloos differ."""
    table.tap(beads, size=0.03)
    t = np.arange(len(table.parts[-1])) / RATE
    table.parts[-1][:, 1] += 2.0 * np.exp(-60 * t) * np.sin(2 * np.pi * 200 * t)
    return table


def test_what_hardly_rings_beside_the_blow_weighs_nothing_and_is_no_empty_seat() -> None:
    assert fed(drowned(Table(3).quiet(0.4), None)).empty is None
    gesture = gesture_of(drowned(Table(3).quiet(0.4).tap().tap().placed(7).quiet(0.3), 7))
    assert (gesture.weighed, gesture.dull) == (1, 2)


def test_two_faint_rings_that_differ_are_an_igloo_that_was_lifted_and_set_down() -> None:
    assert fed(Table(7).quiet(0.3).tap(size=0.05).tap(7, size=0.05).quiet(0.3)).last is None
    last = fed(Table(7).quiet(0.3).tap(7, size=0.05).tap(7, size=0.05).quiet(0.3)).last
    assert last is not None
    assert last.kind == "faint"


@pytest.mark.parametrize(("channels", "shape"), [(3, (500, 2)), (3, (500,)), (1, (500, 2))])
def test_a_block_of_other_channels_than_were_announced_is_refused_in_words(
    channels: int, shape: tuple[int, ...]
) -> None:
    with pytest.raises(
        SoundError, match=rf"of shape {re.escape(str(list(shape)))} came from a source of {channels} channel"
    ):
        Collector("accelerometer", RATE, channels).push(np.zeros(shape))
    assert Collector("microphone", RATE, 1).push(np.zeros(500)) == []
