"""What lies on the seat, or is missing from it, and what feet and warmth do instead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sensors.gesture.changed import HEAVIER, LIGHTER
from sensors.gesture.collect import collect
from sensors.gesture.fitting import Labelled, fit_gesture
from sensors.gesture.judge import complaint
from sensors.gesture.profile import GestureProfile, save
from tests.sensors.gesture.seat_table import (
    COUNTS,
    EMPTY,
    HEAVY,
    RATE,
    SMALL,
    Table,
    begun,
    gesture_of,
    reason_of,
)


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
