"""What is said of each mistake at the seat, with its mend: each made on a seat of two damped tones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sensors.gesture.changed import HEAVIER, LIGHTER
from sensors.gesture.collect import collect
from sensors.gesture.counter import Counter
from sensors.gesture.day import Day
from sensors.gesture.fitting import Labelled, fit_gesture
from sensors.gesture.gathered import Gesture, fullest
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
from sensors.why import Reason
from tests.sensors.gesture.seat_table import (
    COUNTS,
    EMPTY,
    HEAVY,
    RATE,
    SMALL,
    Table,
    between_twins,
    fitted,
    known_day,
    played,
    twins,
    verdicts,
)


@pytest.fixture(scope="module")
def alike() -> GestureProfile:
    return fitted(SMALL, HEAVY)


def begun(**differs: object) -> Table:
    return Table(5, **differs).quiet(0.3).tap().tap()  # type: ignore[arg-type]


def gesture_of(samples: np.ndarray) -> Gesture:
    found = fullest(collect("accelerometer", RATE, samples))
    assert found is not None
    return found


def reason_of(table: Table, profile: GestureProfile, day: Day | None = None) -> Reason | None:
    said = judge(gesture_of(table.take()), profile, "seat", None, day)
    assert (said.reason is None) == (said.verdict == "sure")
    return said.reason


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


def test_on_a_seat_that_leans_far_nothing_is_sure(profile: GestureProfile) -> None:
    told = {}
    for lean_deg in (0.0, 1.0, 2.0):
        table = begun()
        table.gravity = np.array([np.sin(np.radians(lean_deg)), 0.0, np.cos(np.radians(lean_deg))])
        told[lean_deg] = reason_of(table.placed(7, 7, 7), profile)
    far = told.pop(2.0)
    assert set(told.values()) == {None}
    assert far is not None
    assert far.startswith("the seat leans 2.")
    assert "its sensor was moved" in far  # by eye nobody can level a chip


@pytest.mark.parametrize("turned_deg", [40, 180])
def test_a_sensor_that_was_fastened_otherwise_is_told_and_not_the_seat(
    profile: GestureProfile, turned_deg: float
) -> None:
    table = begun()
    table.gravity = np.array([np.sin(np.radians(turned_deg)), 0.0, np.cos(np.radians(turned_deg))])
    said = reason_of(table.placed(7, 7, 7), profile)
    assert said is not None
    assert said.startswith(f"the seat's sensor is turned by {turned_deg}°")


def test_a_recording_without_gravity_says_nothing_of_how_the_seat_leans(profile: GestureProfile) -> None:
    """What is left of it after a filter points anywhere."""
    table = begun()
    table.gravity = np.array([0.003, -0.002, 0.001])
    assert reason_of(table.placed(7, 7, 7), profile) is None


def test_a_seat_that_leans_otherwise_is_told_where_igloos_are_not_told_apart() -> None:
    def between(lean_deg: float) -> Table:
        table = between_twins()
        table.gravity = np.array([np.sin(np.radians(lean_deg)), 0.0, np.cos(np.radians(lean_deg))])
        return table.quiet(0.3).tap().tap().placed(7.5, 7.5, 7.5)

    day = known_day()
    straight, leaning = (reason_of(between(degrees), twins(), day) for degrees in (0.0, 2.0))
    assert straight is not None
    assert straight.endswith("weigh nearly alike: set it down anew and tap once more")
    assert straight.why.once_more
    assert leaning is not None
    assert leaning.startswith("the seat leans 2.")
    assert not leaning.why.once_more


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


def loaded(share: float, warmer: float = 0.0) -> Table:
    """A seat whose ring carries so much more, as a share of it; warmer: both tones lower, relative."""
    side, up = (hz * (1 - warmer) for hz in EMPTY)
    return begun(empty=(side / (1 + share) ** 0.5, up / (1 + share * 16 / 38) ** 0.5))


def test_what_lies_on_the_ring_is_told_and_what_is_missing_from_it(profile: GestureProfile) -> None:
    crumb = 0.1 / 16
    assert reason_of(loaded(crumb).placed(7, 7, 7), profile) == HEAVIER
    assert reason_of(loaded(-crumb).placed(7, 7, 7), profile) == LIGHTER
    assert HEAVIER.why.nothing_weighed
    assert not HEAVIER.why.once_more
    assert reason_of(loaded(0, warmer=5e-3).placed(7, 7, 7), profile) is None


@pytest.mark.parametrize("n", [3, 7, 12])
def test_less_than_what_feet_do_is_told_by_what_it_does_to_the_loads(profile: GestureProfile, n: int) -> None:
    disc = replace(profile, sets={"set": replace(profile.sets["set"], level=None)})
    for one in (profile, disc):
        for kg in (8e-5, 1e-4):
            assert reason_of(begun(crumb=kg).placed(n, n, n), one) == HEAVIER
            assert reason_of(begun(crumb=-kg).placed(n), one) == LIGHTER


@pytest.mark.parametrize("n", [3, 7, 12])
@pytest.mark.parametrize("firmer", [-1.4e-3, 1.4e-3])
def test_feet_that_are_firmer_or_softer_are_not_taken_for_it(
    profile: GestureProfile, firmer: float, n: int
) -> None:
    reason = reason_of(begun(firmer=firmer).placed(n, n, n), profile)
    assert reason not in (HEAVIER, LIGHTER)


def test_a_discs_tones_scatter_more_and_so_it_takes_more_to_be_told(profile: GestureProfile) -> None:
    disc = replace(profile, sets={"set": replace(profile.sets["set"], level=None)})
    assert reason_of(begun(firmer=-3e-3).placed(7, 7, 7), profile) == HEAVIER
    assert reason_of(begun(firmer=-3e-3).placed(7, 7, 7), disc) not in (HEAVIER, LIGHTER)
    assert reason_of(begun(firmer=-5e-3).placed(7, 7, 7), disc) == HEAVIER
    assert reason_of(loaded(0.3 / 16).placed(7, 7, 7), disc) == HEAVIER


def on_base(kg: float, warmer: float = 0.0, beside_m: float = 0.0) -> Table:
    """A seat as drawn whose base carries so much more, that far beside its middle; warmer: as of the ring.

    Sideways the ring of 16 g moves against a base that rocks, 90 mm below: 1/M + H²/I.
    """
    side, up = (
        hz * (1 - warmer) * ((1 / m + against) / (1 / m + before)) ** 0.5
        for hz, m, before, against in (
            (
                EMPTY[0],
                0.016,
                1 + 0.09**2 / 0.002,
                1 / (1 + kg) + 0.09**2 / (0.002 + kg * (0.03**2 + beside_m**2)),
            ),
            (EMPTY[1], 0.038, 1.0, 1 / (1 + kg)),
        )
    )
    return begun(empty=(side, up))


@pytest.mark.parametrize("warmer", [-8e-4, 0.0, 8e-4])  # some seven degrees
def test_what_lies_on_the_base_is_told_as_what_lies_on_the_ring(
    profile: GestureProfile, warmer: float
) -> None:
    disc = replace(profile, sets={"set": replace(profile.sets["set"], level=None)})
    for one in (profile, disc):
        assert reason_of(on_base(0.2, warmer, beside_m=0.04).placed(7, 7, 7), one) == HEAVIER
    assert reason_of(on_base(-0.15, warmer, beside_m=0.04).placed(7, 7, 7), profile) == LIGHTER
    assert reason_of(loaded(-0.2 / 16, warmer).placed(7, 7, 7), profile) == LIGHTER
    assert reason_of(loaded(0.2 / 16, warmer).placed(7, 7, 7), profile) == HEAVIER


def test_a_disc_whose_seat_is_warm_is_not_blamed(profile: GestureProfile) -> None:
    disc = replace(profile, sets={"set": replace(profile.sets["set"], level=None)})
    assert reason_of(loaded(0, warmer=4e-3).placed(7, 7, 7), disc) is None


def test_leaves_that_warmth_moves_far_are_not_blamed_for_it(profile: GestureProfile) -> None:
    printed = replace(profile, sets={"set": replace(profile.sets["set"], quality=35.0, level=None)})
    for table, reason in ((loaded(0, warmer=0.02), None), (loaded(0.3 / 16), HEAVIER)):
        (gesture,) = collect("accelerometer", RATE, table.placed(7, 7, 7).take())
        assert complaint(gesture, printed.sets["set"]) == reason


@pytest.mark.parametrize("feet", [-2.8e-3, 2.8e-3])
def test_what_was_weighed_on_days_of_other_feet_is_not_blamed_for_them(feet: float, tmp_path: Path) -> None:
    def weighed(n: int, session: str, firmer: float) -> Labelled:
        table = begun(bead=SMALL, shell=HEAVY, firmer=firmer)
        return Labelled(n, gesture_of(table.placed(n, n, n).take()), session)

    one, other = ([weighed(n, name, f) for n in COUNTS] for name, f in (("s1", 0.0), ("s2", feet)))
    profile = fit_gesture({"set": [*one, *other]}, "accelerometer", COUNTS)
    known = save(profile, tmp_path / "seat.profile").sets["set"]
    assert [complaint(labelled.gesture, known) for labelled in (*one, *other)] == [None] * 24
