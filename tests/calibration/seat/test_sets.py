"""Which weighings are of one set, where folders of several sittings are evaluated."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.seat.taps import Answered, Tapped, _by_the_others, all_weights, answer, join
from sensors.evidence import Heard
from sensors.gesture.gathered import Gesture
from sensors.gesture.profile import GestureProfile
from sensors.gesture.weigh import Empty, Weight
from tests.knowing import weighing
from tests.sensors.gesture.seat_table import SMALL, TWINS, twins_of_some_day
from tests.sensors.gesture.seat_table import weighed as on_the_twins_seat

COUNTS = tuple(range(2, 14))
LETTERS = "ABCDEFGHIJKL"
NOBODYS = GestureProfile("microphone", COUNTS, {}, 1.0, weighing(), {})


def weighed(beads: int, seed: int, lean: float = 0.0) -> Gesture:
    """A gesture of three placings on the seat as drawn, 0.4 g a bead; lean: by so many beads what is loose is off."""
    dice, bead = np.random.default_rng(100 * seed + beads), 4e-4
    shell = 0.012 * (1 + 0.015 * dice.normal())
    up, side = (shell + beads * bead) / 0.038, (shell + 2 / 7 * beads * bead) / 0.016
    side -= lean * 5 / 7 * bead / 0.016
    weights = [Weight(float(k), up, side, (0.3, 0.2), (90.0, 80.0), k) for k in range(3)]
    return Gesture(0.0, 3.0, Empty(58.0, 117.0), 0.0, weights, len(weights))


def told(session: str, igloo: str, beads: int | None, gesture: Gesture) -> Answered:
    recording = Recording(
        Path(),
        f"{session}/{igloo}-{id(gesture)}.wav",
        "microphone",
        beads,
        igloo,
        "D01",
        session,
        session,
        "1",
    )
    nothing = {n: 1 / len(COUNTS) for n in COUNTS}
    return Answered(
        Tapped(recording, gesture), COUNTS, Heard("", 0.0, 3.0, "unsure", nothing, 30.0, False, "")
    )


def sitting(session: str, seed: int, deal: tuple[int, ...] = COUNTS) -> list[Answered]:
    return [told(session, letter, n, weighed(n, seed)) for letter, n in zip(LETTERS, deal, strict=True)]


def right(joined: list[Answered]) -> int:
    return sum(a.in_set == a.tapped.recording.beads for a in joined)


def test_sets_of_two_sittings_are_two_sets_though_they_are_called_alike() -> None:
    deal = list(COUNTS)
    random.Random(1).shuffle(deal)  # the letters are dealt anew
    first, second = sitting("s1", 1), sitting("s2", 2, tuple(deal))
    assert right(join(first, NOBODYS)) == right(join(second, NOBODYS)) == len(COUNTS)
    assert right(join(first + second, NOBODYS)) == 2 * len(COUNTS)


def test_an_igloo_whose_count_is_none_of_the_sets_is_no_part_of_it() -> None:
    *joined, odd = join([*sitting("s1", 1), told("s1", "M", 15, weighed(15, 1))], NOBODYS)
    assert right(joined) == len(COUNTS)
    assert odd.in_set is None


@pytest.mark.parametrize("turned", [False, True])
def test_an_igloo_that_was_weighed_twice_counts_with_both(turned: bool) -> None:
    """Beads leaned on the wall, once on the one side and once on the other."""
    others = [a for a in sitting("s1", 3) if a.tapped.recording.beads != 7]
    twice = [told("s1", "F", 7, weighed(7, 3, lean)) for lean in ((1.4, -1.4) if turned else (-1.4, 1.4))]
    joined = join([*others, *twice], NOBODYS)
    assert right(joined) == len(COUNTS) + 1
    made = joined[0].made
    assert made is not None
    assert (made.igloos, made.shakes) == (12, (1, 2))


def test_three_igloos_are_too_few_to_be_sorted_and_the_rest_goes_on() -> None:
    few = join([*sitting("s1", 1)[:3], *sitting("s2", 2)], NOBODYS)
    assert [a.in_set for a in few[:3]] == [None] * 3
    assert right(few[3:]) == len(COUNTS)


def test_setting_down_of_several_gestures_counts_on() -> None:
    gestures = [weighed(5, 1), weighed(5, 2)]
    assert [w.placing for w in all_weights(gestures)] == [0, 1, 2, 3, 4, 5]
    assert [w.upright for w in all_weights(gestures)] == [w.upright for g in gestures for w in g.weights]


def test_what_was_not_weighed_as_it_should_be_tells_the_others_nothing_of_their_day() -> None:
    profile = twins_of_some_day()

    def heard(beads: int) -> Answered:
        recording = Recording(Path(), f"{beads}.wav", "accelerometer", beads, session="s1")
        return answer(profile, Tapped(recording, on_the_twins_seat(beads, SMALL, TWINS).gesture))

    three, five, ten = (heard(n) for n in (3, 5, 10))
    strange = replace(five, heard=replace(five.heard, verdict="unsure", reason=None))
    with_it, without, taught = (
        _by_the_others(answers, range(len(answers)), profile)[0]
        for answers in ([three, ten, strange], [three, ten], [three, ten, five])
    )
    assert with_it == without != taught
