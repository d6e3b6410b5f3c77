"""Which of an igloo's shakes count, where its own sensor heard some of them and a shared microphone some."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sensors.ear.models.sets import add_up
from sensors.ear.verdicts.lost_sound import LostSound
from sensors.ear.verdicts.pair import believed, counting, of_all
from sensors.ear.verdicts.reasons import TOO_SHORT, could_be
from sensors.evidence import Heard
from sensors.why import Reason, Why

FIVE, SIX = {5: 0.9, 6: 0.1}, {5: 0.2, 6: 0.8}


def said(start: float, odds: dict[int, float], reason: Reason | None = None, clipped: bool = False) -> Heard:
    verdict = "unsure" if reason or clipped else "sure"
    return Heard("mic", start, start + 2.0, verdict, odds, 40.0, clipped, "", reason=reason)


def test_a_shake_that_one_of_them_heard_counts_and_one_that_both_heard_with_whom_is_believed() -> None:
    own, shared = [said(0.0, FIVE, clipped=True), said(10.0, FIVE)], [said(0.2, SIX), said(20.0, SIX)]
    assert counting(own, shared, 0.5) == [SIX, FIVE, SIX]
    assert counting(own[1:], [], 0.5) == [FIVE]


def test_an_accelerometer_that_was_overdriven_counts_as_well_as_another() -> None:
    own = [replace(said(0.0, FIVE, clipped=True), sensor="accelerometer")]
    shared = [replace(said(0.2, SIX), sensor="microphone")]
    assert counting(own, shared, 0.5) == [FIVE, SIX]
    assert counting(own, [replace(shared[0], clipped=True)], 0.5) == [FIVE]
    assert of_all([(heard, heard.probabilities) for heard in [*own, *own, *shared]]) == add_up(
        [FIVE, FIVE, SIX]
    )


def test_an_accelerometer_of_steps_too_coarse_to_count_by_leaves_the_word_to_its_partner() -> None:
    coarse = replace(said(0.0, FIVE), reason=Reason(Why.COARSE, "too coarse"), doubt="sensor")
    assert counting([coarse], [said(0.2, SIX)], 0.5) == [SIX]
    assert counting([coarse], [], 0.5) == [FIVE]


def test_where_neither_knows_the_others_likeliest_count_the_first_is_believed() -> None:
    """Profiles of different counts: a shake that both heard well is not thrown away for it."""
    first, second = said(0.0, {5: 0.9, 6: 0.1}), said(0.2, {2: 0.9, 3: 0.1})
    assert believed([(one, one.probabilities) for one in (first, second)]) == [0]
    assert counting([first], [second], 0.5) == [first.probabilities]


def test_parts_of_a_shake_that_was_cut_for_its_length_are_one() -> None:
    def part(start: float, end: float, odds: dict[int, float]) -> Heard:
        return Heard("mic", start, end, "unsure", odds, 40.0, False, "", reason=could_be(odds))

    parts = [part(0.0, 12.0, FIVE), part(12.1, 24.0, SIX), part(24.1, 26.0, FIVE)]
    (both,) = counting(parts, [], 0.5)
    assert both == pytest.approx(add_up([FIVE, SIX, FIVE], 1.0))
    assert len(counting([*parts, part(27.0, 29.0, SIX)], [], 0.5)) == 2
    assert len(counting([part(0.0, 2.0, FIVE), part(2.1, 4.0, SIX)], [], 0.5)) == 2  # of no length to be cut


def test_a_shake_that_lacks_next_to_nothing_counts_beside_another_and_one_that_lacks_much_does_not() -> None:
    little, much, whole = LostSound(), LostSound(), said(0.2, SIX)
    little.bridged(1.0, 1.02)
    much.bridged(1.0, 1.5)
    assert counting([little.judge(said(0.0, FIVE))], [whole], 0.5) == [FIVE, SIX]
    assert counting([much.judge(said(0.0, FIVE))], [whole], 0.5) == [SIX]


def test_what_was_too_short_counts_where_nothing_else_does() -> None:
    short, whole = said(0.0, FIVE, TOO_SHORT), said(10.0, SIX)
    assert counting([short], [], 0.5) == [FIVE]
    assert counting([], [short], 0.5) == [FIVE]
    assert counting([short, whole], [], 0.5) == [SIX]
    assert counting([short], [whole], 0.5) == [SIX]
    assert counting([], [], 0.5) == []
