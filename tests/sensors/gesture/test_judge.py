"""What is said of each mistake at the seat, with its mend: each made on a seat of two damped tones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sensors.gesture.collect import collect
from sensors.gesture.counter import Counter
from sensors.gesture.judge import (
    CLIPPED,
    CROOKED,
    FAINT,
    FEW,
    FOREIGN,
    HARD,
    HELD,
    NEVER,
    NO_EMPTY,
    UNKNOWN,
    complaint,
    judge,
)  # fmt: skip
from sensors.gesture.profile import GestureProfile, save
from sensors.gesture.weigh import Weight
from tests.sensors.gesture.seat_table import (
    HEAVY,
    RATE,
    SMALL,
    Table,
    begun,
    fitted,
    gesture_of,
    played,
    reason_of,
    verdicts,
)


@pytest.fixture(scope="module")
def alike() -> GestureProfile:
    return fitted(SMALL, HEAVY)


def test_what_is_done_rightly_is_sure(profile: GestureProfile) -> None:
    assert reason_of(begun().placed(7, 7, 7), profile) is None


def test_a_hand_on_the_igloo_is_told_only_where_there_was_one(profile: GestureProfile) -> None:
    held, faint = begun().thud(), begun().thud()
    for _ in range(3):
        held.tap(7, quality=14.0)
        faint.quiet(0.9)
        faint.parts[-1][200:203, 0] += 1.0  # a knock on the table: nothing rings
        faint.quiet(0.2).thud()
    assert reason_of(held, profile) == HELD
    (nothing,) = collect("accelerometer", RATE, begun().thud().take())
    assert nothing.held == 0
    assert complaint(nothing, profile.set_for(None)) == FEW
    assert judge(nothing, profile, "seat").probabilities == dict.fromkeys(profile.counts, 1 / 12)
    assert complaint(replace(nothing, clipped=True), profile.set_for(None)) == CLIPPED


def test_an_igloo_that_is_set_down_hard_and_held_is_told_of_the_hand(profile: GestureProfile) -> None:
    (gesture,) = collect("accelerometer", RATE, begun().thud().take())
    for held, cut, reason in ((3, 3, HELD), (1, 3, CLIPPED), (0, 3, CLIPPED)):
        dull = replace(gesture, held=held, cut=cut, clipped=True)
        assert complaint(dull, profile.set_for(None)) == reason


def test_taps_that_were_too_faint_are_told_as_such_and_not_as_a_hand(profile: GestureProfile) -> None:
    table = begun()
    for _ in range(3):
        table.quiet(0.2).thud().tap(7, size=0.04)
    assert reason_of(table, profile) == FAINT
    # and where not even the empty seat was tapped hard enough
    table = Table(5).quiet(0.3).tap(size=0.04).tap(size=0.04)
    for _ in range(3):
        table.quiet(0.2).thud().tap(7, size=0.04)
    assert reason_of(table, profile) == FAINT


def test_a_held_igloo_that_rings_faintly_when_it_is_let_go_is_told_of_the_hand(
    profile: GestureProfile,
) -> None:
    table = begun()
    for _ in range(3):
        table.quiet(0.2).thud().tap(7, quality=14.0).tap(7, size=0.04)
    assert reason_of(table, profile) == HELD


def test_a_hand_that_rests_on_the_seat_while_it_rings_is_told(profile: GestureProfile) -> None:
    table = begun()
    for _ in range(3):
        table.quiet(0.2).thud().tap(7, quality=50.0)
    assert reason_of(table, profile) == HELD


def test_taps_that_do_not_agree_are_told(profile: GestureProfile) -> None:
    assert reason_of(begun().placed(7, 7.7, 8.4), profile) == CROOKED
    # so near one another that all of them are taken together
    assert reason_of(begun().placed(7, 7.5, 7), profile) == CROOKED
    clipped = replace(gesture_of(begun().placed(7, 7.7, 8.4).take()), clipped=True)
    assert judge(clipped, profile, "seat").reason == CLIPPED


def test_an_igloo_of_another_set_is_told(profile: GestureProfile) -> None:
    assert reason_of(begun(shell=0.016).placed(7, 7, 7), profile) == FOREIGN


def test_a_count_that_was_never_weighed_is_never_sure() -> None:
    profile = fitted(counts=(2, 3, 4, 6, 8, 9, 10))
    assert reason_of(begun().placed(7, 7, 7), profile) == NEVER
    assert reason_of(begun().placed(8, 8, 8), profile) is None


def test_what_may_be_an_igloo_that_nobody_weighed_is_not_sure_though_another_is_likelier() -> None:
    profile = fitted(SMALL, HEAVY, counts=(2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13))
    table = Table(5, SMALL, HEAVY - 0.3 * SMALL).quiet(0.3).tap().tap().placed(9.4, 9.4, 9.4)
    gesture = gesture_of(table.take())
    said = judge(gesture, profile, "seat")
    assert said.best == 9
    assert said.probabilities[9] > profile.sure_from
    assert said.reason == NEVER
    model = replace(profile.sets["set"].model, weighed=(1,) * 12)
    known = replace(profile, sets={"set": replace(profile.sets["set"], model=model)})
    assert judge(gesture, known, "seat").verdict == "sure"


def test_a_fingertip_that_hardly_touches_is_told(profile: GestureProfile) -> None:
    """It shifts the tones by what some beads do, and shortens their ringing by less than a hand."""
    touched, dull = begun(), Table(5).quiet(0.3).tap(quality=65.0).tap(quality=65.0)
    for table in (touched, dull):
        for _ in range(3):
            table.quiet(0.2).thud().tap(7, quality=65.0)
    assert reason_of(touched, profile) == HELD
    assert reason_of(dull, profile) is None  # the seat itself rings shorter today: a jaw became loose


def test_a_profile_fitted_before_the_empty_seats_ringing_was_kept_is_read_and_tells_a_fingertip(
    profile: GestureProfile, tmp_path: Path
) -> None:
    saved = save(profile, tmp_path / "new.profile")
    assert saved.sets["set"].empty_quality == pytest.approx(90.0, rel=0.05)
    older = replace(profile, sets={"set": replace(profile.sets["set"], empty_quality=None)})
    read_back = save(older, tmp_path / "old.profile")
    assert read_back.sets["set"].empty_quality is None
    table = begun()
    for _ in range(3):
        table.quiet(0.2).thud().tap(7, quality=65.0)
    assert reason_of(table, read_back) == HELD


def test_a_set_that_was_never_weighed_is_told_and_one_of_several_asked_for(profile: GestureProfile) -> None:
    known = profile.sets["set"]
    gesture = gesture_of(begun().placed(7, 7, 7).take())
    assert judge(gesture, profile, "seat", "D07").reason == UNKNOWN
    crooked = gesture_of(begun().placed(7, 7.7, 8.4).take())
    assert judge(crooked, profile, "seat", "D07").reason == CROOKED  # of whatever set it is
    both = replace(profile, sets={"D01": known, "D02": known})
    reason = judge(gesture, both, "seat").reason
    assert reason == "the profile holds D01 and D02, and nobody said which set this is: name one"
    assert judge(gesture, both, "seat", "D02").verdict == "sure"


def test_beads_that_hop_are_told(alike: GestureProfile) -> None:
    table = Table(5, SMALL, HEAVY).quiet(0.3).tap().tap()
    for _ in range(3):
        table.quiet(0.2).thud().tap(7.5, rolling=22.0)
    assert reason_of(table, alike) == HARD
    assert HARD.why.once_more


def test_no_empty_seat_is_told_and_another_one_by_its_pitch(profile: GestureProfile) -> None:
    counter = Counter(profile, RATE, 3)
    (said,) = verdicts(played(counter, Table(5).quiet(0.3).placed(7, 7).quiet(9).take()))
    assert said.reason == NO_EMPTY
    counter = Counter(profile, RATE, 3)
    (said,) = verdicts(played(counter, Table(5, empty=(61.0, 122.0)).quiet(0.3).tap().tap().quiet(9).take()))
    assert said.reason == (
        "this seat sings at 122 Hz, the profile's at 117: another seat, or very cold or warm; weigh the set anew"
    )
    said, *_ = verdicts(played(counter, begun().placed(7, 7, 7).quiet(0.5).take()))
    assert said.verdict == "sure"  # it was the right one after all


def test_a_weight_that_agrees_with_no_other_is_no_majority(profile: GestureProfile) -> None:
    gesture = gesture_of(begun().placed(7, 7, 7).take())
    first: Weight = gesture.weights[0]
    odd = [first, replace(first, upright=1.5 * first.upright), replace(first, upright=2 * first.upright)]
    assert complaint(replace(gesture, weights=odd), profile.set_for(None)) == CROOKED
