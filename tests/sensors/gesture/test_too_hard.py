"""Taps that overdrive the sensor are told as that, and a hand that stays on as a hand, also where an igloo was set down
so hard."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sensors.gesture.collect import Collector
from sensors.gesture.counter import Counter
from sensors.gesture.gathered import Gesture, Kind, fullest
from sensors.gesture.judge import CLIPPED, HELD, complaint
from sensors.gesture.profile import GestureProfile
from tests.sensors.gesture.seat_table import RATE, Table, played, verdicts

FULL = 4.0  # g, where the sensor's range ends
HARD, HARDER = 15.0, 40.0  # of the latter nothing is left that rings


def begun(*empties: float) -> Table:
    table = Table(5).quiet(0.3)
    for size in empties or (0.3, 0.3):
        table.tap(size=size)
    return table


@pytest.mark.parametrize("size", [HARD, HARDER])
@pytest.mark.parametrize("thud", [True, False])
@pytest.mark.parametrize("taps", [1, 3])
def test_taps_that_were_all_too_hard_are_told_of_that(
    profile: GestureProfile, size: float, thud: bool, taps: int
) -> None:
    table = begun()
    for _ in range(taps):
        (table.quiet(0.2).thud() if thud else table.quiet(1.0)).tap(7, size=size)
    samples = table.quiet(9).take().clip(-FULL, FULL)
    if thud or taps > 1:  # the first one may be the setting down
        said = verdicts(played(Counter(profile, RATE, 3), samples))
        assert [(one.reason, one.clipped) for one in said] == [(CLIPPED, True)]
    for block in (40, 4096):  # as they come, and as recordings are read
        collector, gestures = Collector("accelerometer", RATE, 3), list[Gesture]()
        for i in range(0, len(samples), block):
            gestures += collector.push(samples[i : i + block])
        found = fullest(gestures + collector.finish())
        assert found is not None
        assert complaint(found, profile.set_for(None)) == CLIPPED


def test_an_empty_seat_that_was_tapped_too_hard_is_not_said_to_be_missing(profile: GestureProfile) -> None:
    counter = Counter(profile, RATE, 3)
    played(counter, begun(HARDER).quiet(0.3).take().clip(-FULL, FULL))
    assert (counter.advice.fault, counter.advice.step) == ("clipped", "tap-empty")


C, H, S = "clipped", "held", "set-down"


@pytest.mark.parametrize(
    ("blows", "reason"),
    [
        # set down hard, each time, and tapped with the hand on it
        ((C, H), HELD),
        ((C, H, C, H, C, H), HELD),
        ((S, H, C), HELD),
        # tapped too hard, each time; the hand is on it when it is set down again
        ((S, C), CLIPPED),
        ((S, C, H), CLIPPED),
        ((S, C, H, C), CLIPPED),
        ((S, C, H, C, H, C), CLIPPED),
    ],
)
def test_a_hand_is_told_from_hard_taps_by_what_came_first(
    profile: GestureProfile, blows: Sequence[Kind], reason: object
) -> None:
    known = profile.set_for(None)
    assert known is not None
    gesture = Gesture(1.0, 2.0, known.empty, 0.5)
    for k, kind in enumerate(blows):
        gesture.note_dull(kind, first=k == 0)
    assert complaint(gesture, known) == reason


def test_who_holds_an_igloo_that_he_sets_down_hard_is_told_to_let_go(profile: GestureProfile) -> None:
    """He was told to tap more lightly, and had not tapped."""
    counter, table = Counter(profile, RATE, 3), begun()
    for _ in range(2):
        table.quiet(0.2).thud().tap(7, quality=14.0)
    played(counter, table.take())
    assert counter.advice.fault == "held"
    table.tap(5, HARDER, quality=90.0)  # nothing is left of it
    played(counter, table.quiet(0.4).take().clip(-FULL, FULL))
    assert counter._collector.last is not None
    assert counter._collector.last.kind == "clipped"
    assert counter.advice.fault == "held"
