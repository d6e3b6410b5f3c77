"""What is said of one shake, rule by rule: of a head, a likeness and a strangeness that are given here."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.shake import Shake
from sensors.ear.verdicts import no_shake, verdict
from sensors.ear.verdicts.beyond import CLEARLY_BEYOND, LIKELIER_BEYOND
from sensors.ear.verdicts.mends import ACCELEROMETER, CONTACT, IN_ROOM
from sensors.ear.verdicts.reasons import (
    GENTLE_AND_DROWNED,
    HANDLED,
    HARDLY_ALIKE,
    HUMS,
    KNOCK,
    MAKE_AGAIN,
    RECALIBRATE,
    SEVERAL,
    TOO_SHORT,
    UNLIKE,
    could_be,
)
from sensors.ear.verdicts.verdict import (
    UNLIKE_FROM,
    Opinion,
    judge,
    judge_gesture,
    relative_strength,
    strangeness,
)

SURE = {5: 0.9, 6: 0.1}
LOUD_DB = 30.0
NO_BEADS = "it does not sound like beads in an igloo"


def head_of(hand: bool = False, on_shell: bool = False, strange_from: float | None = None) -> Head:
    """A microphone's, or of what feels the `hand`: an accelerometer's."""
    front = SimpleNamespace(sensor="accelerometer" if hand else "microphone", hand=hand, name="front")
    return cast(
        "Head",
        SimpleNamespace(
            front=front,
            on_shell=on_shell or hand,
            model=SimpleNamespace(populations=None, counts=(5, 6), reading=None),
            sure_from=0.8,
            strength_low=-1.0,
            strength_middle=0.5,
            strength_high=1.0,
            strange_from=strange_from,
        ),
    )


class Asked:
    """Judges with what is given; `least`: from which probability counts beyond the profile's were to be told."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.alike, self.odd, self.strange, self.least = 5.0, 0.1, 0.0, math.nan
        self.humming: tuple[int, ...] = ()
        self.paced = 1.0
        patch.setattr(no_shake, "likeness", lambda *_: self.alike)
        patch.setattr(verdict, "likeness", lambda *_: self.alike)
        patch.setattr(verdict, "oddness", lambda *_: self.odd)
        patch.setattr(verdict, "strangeness", lambda *_: self.strange)
        patch.setattr(verdict, "as_words", lambda _, __, least: setattr(self, "least", least))

    def __call__(
        self,
        head: Head | None = None,
        seconds: float = 2.0,
        strokes: float = 8,
        strength: float = 0.5,
        several: float = -1.0,
        snr_db: float = LOUD_DB,
        clipped: bool = False,
        guided: bool = False,
        told: dict[int, float] = SURE,
    ) -> Opinion:
        shake: Any = SimpleNamespace(
            seconds=seconds,
            strokes=strokes,
            strength=strength,
            several=several,
            paced=self.paced,
            gaps=0.0,
            humming=self.humming,
            through=lambda front: shake,
            pick=lambda names: np.zeros(1),  # 1 Hz: the hand is not felt to shake
        )
        judged = judge_gesture if guided else judge
        return judged(head or head_of(), shake, snr_db, clipped, lambda _: told)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(monkeypatch)


def said(of: Opinion) -> tuple[str, str | None]:
    return of.verdict, of.reason


def test_a_good_shake_is_sure(asked: Asked) -> None:
    good = asked()
    assert (good.verdict, good.reason, good.doubt) == ("sure", None, "")
    assert good.strength == pytest.approx(1.0)


def test_what_is_shorter_than_a_shake_is_a_knock(asked: Asked) -> None:
    for guided in (False, True):
        assert said(asked(seconds=0.24, guided=guided)) == ("not-a-shake", KNOCK)
    assert said(judge(head_of(), None, LOUD_DB, False)) == ("not-a-shake", KNOCK)
    assert said(asked(seconds=0.3)) == ("unsure", TOO_SHORT)
    assert said(asked(seconds=0.3, guided=True)) == ("sure", None)
    asked.alike = 1.9  # short, and not very like a shake
    assert said(asked(seconds=0.3)) == (
        "not-a-shake",
        "too short to be told from a knock: shake for two seconds",
    )
    assert said(asked(seconds=0.3, clipped=True)) == ("not-a-shake", IN_ROOM.cut_off)
    assert asked(head_of(hand=True), seconds=0.3).reason == TOO_SHORT  # a knock does not move a shell so


@pytest.mark.parametrize(
    ("seconds", "strokes", "shaken"),
    [(0.69, 0, True), (0.7, 1, False), (0.7, 2, True), (2.0, 2, True), (5.0, 3, False), (5.0, 4, True)],
)
def test_what_goes_on_has_strokes(asked: Asked, seconds: float, strokes: int, shaken: bool) -> None:
    assert (asked(seconds=seconds, strokes=strokes).verdict != "not-a-shake") is shaken
    assert asked(seconds=seconds, strokes=strokes, guided=True).verdict == "sure"


def test_what_stands_out_and_goes_on_like_a_hand_is_given_the_benefit_of_the_doubt(asked: Asked) -> None:
    asked.alike = 0.0  # less than beads in an igloo sound like
    assert asked(seconds=2.0, strokes=5, snr_db=20.0).verdict != "not-a-shake"
    assert said(asked(seconds=2.0, strokes=4, snr_db=20.0)) == ("not-a-shake", NO_BEADS)  # not like a hand
    assert said(asked(seconds=0.9, strokes=5, snr_db=20.0)) == ("not-a-shake", NO_BEADS)
    # the less, the nearer it is to its background
    assert said(asked(strokes=5, snr_db=12.5)) == ("not-a-shake", NO_BEADS)
    assert said(asked(strokes=5, snr_db=11.9)) == ("not-a-shake", IN_ROOM.hardly_heard)
    assert said(asked(strokes=4, snr_db=11.9)) == ("not-a-shake", NO_BEADS)
    assert said(asked(strokes=5, snr_db=11.9, clipped=True)) == ("not-a-shake", IN_ROOM.cut_off)
    asked.alike = 0.9
    assert asked(strokes=5, snr_db=6.1).verdict != "not-a-shake"
    assert asked(strokes=5, snr_db=5.9).verdict == "not-a-shake"  # drowned: it must be very like a shake
    asked.alike = 2.1
    assert said(asked(strokes=5, snr_db=5.9)) == ("unsure", IN_ROOM.drowned)


def test_on_the_shell_hardly_anything_else_comes(asked: Asked) -> None:
    asked.alike = -1.5
    for head in (head_of(hand=True), head_of(on_shell=True)):
        assert asked(head, snr_db=40.0).verdict != "not-a-shake"
    assert asked(snr_db=40.0).verdict == "not-a-shake"
    asked.alike = -2.1
    for head in (head_of(hand=True), head_of(on_shell=True)):
        assert said(asked(head, snr_db=40.0)) == ("not-a-shake", HANDLED)
    assert said(asked(head_of(hand=True), snr_db=8.0)) == ("not-a-shake", HANDLED)
    assert said(asked(head_of(on_shell=True), snr_db=8.0)) == ("not-a-shake", CONTACT.hardly_heard)
    asked.humming = (0,)
    assert said(asked(head_of(on_shell=True), snr_db=40.0)) == ("not-a-shake", HUMS)
    assert said(asked(head_of(on_shell=True), snr_db=40.0, strokes=3)) == ("not-a-shake", HANDLED)
    assert said(asked(snr_db=40.0))[1] != HUMS
    asked.alike = 1.0  # what the hand is felt by needs not be very like a shake
    assert said(asked(head_of(hand=True), snr_db=5.0)) == ("unsure", ACCELEROMETER.drowned)


@pytest.mark.parametrize(
    ("how", "in_room", "felt"),
    [
        ({"clipped": True, "snr_db": 1.0}, IN_ROOM.overdriven, ACCELEROMETER.overdriven),
        ({"snr_db": 5.9}, IN_ROOM.drowned, ACCELEROMETER.drowned),
        ({"snr_db": 5.9, "strength": -1.1}, IN_ROOM.drowned, GENTLE_AND_DROWNED),
        ({"snr_db": 5.9, "strength": -1.1, "guided": True}, IN_ROOM.drowned, ACCELEROMETER.drowned),
        ({"strength": -1.1}, "too slow: shake a little faster", "too gentle: shake a little harder"),
        ({"strength": 1.1}, "too fast: shake a little more slowly", "too hard: shake a little more gently"),
        ({"several": 0.1}, SEVERAL, None),
        (
            {"strength": -1.1, "guided": True},
            "too gentle: do it a little harder",
            "too gentle: do it a little harder",
        ),
        (
            {"strength": 1.1, "guided": True},
            "too hard: do it a little more gently",
            "too hard: do it a little more gently",
        ),
        ({"several": 0.1, "guided": True}, None, None),
    ],
)
def test_what_kept_the_sensor_from_hearing_well_is_told_with_its_mend(
    asked: Asked, how: dict[str, Any], in_room: str | None, felt: str | None
) -> None:
    for head, reason in ((head_of(), in_room), (head_of(hand=True), felt)):
        told = asked(head, **how)
        assert said(told) == ("unsure" if reason else "sure", reason)
        assert told.doubt == ("sensor" if reason else "")


def test_what_drowned_for_it_was_shaken_gently_tells_nothing_of_the_profile(asked: Asked) -> None:
    assert not asked(head_of(hand=True), snr_db=5.9, strength=-1.1).tells_of_the_profile
    assert asked(head_of(hand=True), strength=-1.1).tells_of_the_profile


def test_what_is_unlike_all_that_was_learned_is_told_before_that_the_sound_has_changed(asked: Asked) -> None:
    asked.odd = 1.01
    assert said(asked()) == said(asked(guided=True)) == ("unsure", RECALIBRATE)
    asked.strange = UNLIKE_FROM + 0.01
    assert said(asked()) == ("unsure", UNLIKE)
    assert said(asked(guided=True)) == ("unsure", RECALIBRATE)
    asked.odd = 0.9
    assert said(asked(guided=True)) == ("sure", None)


def test_what_is_hardly_a_shake_is_no_sign_that_the_sound_has_changed_and_never_sure(asked: Asked) -> None:
    asked.odd, asked.alike, asked.paced = 1.01, 1.9, 0.1
    for head in (head_of(), head_of(on_shell=True), head_of(hand=True)):
        told = asked(head)
        assert said(told) == ("unsure", HARDLY_ALIKE)
        assert (told.doubt, told.tells_of_the_profile) == ("strange", False)
    asked.paced = 0.5  # a sensor that came loose: its igloo sounds like none, and its hand like one
    assert said(asked(head_of(on_shell=True))) == ("unsure", RECALIBRATE)
    assert asked(head_of(on_shell=True)).tells_of_the_profile


def test_two_views_that_agree_are_sure_only_where_the_hand_is_felt(asked: Asked) -> None:
    """An accelerometer's are; a contact microphone's err together about a gentle hand."""

    def judged(hand: bool, p: float) -> Opinion:
        heads = [head_of(hand=hand, on_shell=True), head_of(hand=hand, on_shell=True)]
        heads[1].front.name = "another"
        shake: Any = SimpleNamespace(
            seconds=2.0,
            strokes=8,
            strength=0.5,
            several=-1.0,
            paced=1.0,
            gaps=0.0,
            humming=(),
            through=lambda front: shake,
            pick=lambda names: np.array([math.log(4.0)]),
        )
        told = {5: p, 6: 1 - p}
        return judge(heads[0], shake, LOUD_DB, False, lambda _: told, heads)

    assert judged(hand=True, p=0.85).verdict == "sure"
    doubted = judged(hand=False, p=0.85)
    assert (doubted.verdict, doubted.doubt) == ("unsure", "odds")
    assert doubted.probabilities == {5: 0.85, 6: 1 - 0.85}
    assert judged(hand=False, p=0.97).verdict == "sure"
    asked.alike = 1.9
    for hand in (True, False):  # by the benefit of the doubt
        assert (judged(hand, 0.85).reason, judged(hand, 0.85).doubt) == (HARDLY_ALIKE, "strange")
        assert judged(hand, 0.75).doubt == "odds"


def test_it_is_sure_of_what_is_likely_and_familiar(asked: Asked) -> None:
    doubtful = asked(told={5: 0.79, 6: 0.21})
    assert (doubtful.verdict, doubtful.doubt) == ("unsure", "odds")
    assert asked.least == CLEARLY_BEYOND
    assert asked(told={5: 0.8, 6: 0.2}).verdict == "sure"
    assert asked.least == LIKELIER_BEYOND
    asked.odd = 0.3
    strange = asked(head_of(strange_from=3.0))
    assert (strange.verdict, strange.doubt) == ("unsure", "strange")
    assert asked.least == CLEARLY_BEYOND
    assert strange.reason == "it could be 5 or 6: shake the same igloo again"


def test_a_doubt_names_the_likeliest_three_in_their_order() -> None:
    many = {4: 0.05, 5: 0.3, 6: 0.1, 7: 0.5, 8: 0.05}
    assert could_be(many) == "it could be 5, 6 or 7: shake the same igloo again"
    assert could_be(many, MAKE_AGAIN) == "it could be 5, 6 or 7: make the same gesture again"
    assert could_be({7: 0.95, 5: 0.031, 6: 0.019}) == "it could be 5 or 7: shake the same igloo again"
    assert could_be({7: 0.99, 5: 0.01}) == "it could be 7, and hardly another: shake the same igloo again"


def test_strength_is_beside_the_middle_of_the_band() -> None:
    assert relative_strength(head_of(), 0.5 + math.log(2)) == pytest.approx(2.0)
    assert relative_strength(head_of(), 1e6) == pytest.approx(math.exp(5))


def test_strangeness_is_of_sound_in_a_room_alone() -> None:
    """On the shell engines differ more, and a hand that is felt is judged otherwise."""
    shake = cast("Shake", SimpleNamespace(pick=lambda _: np.zeros(2)))
    for head, expected in ((head_of(), 3.5), (head_of(hand=True), 0.0), (head_of(on_shell=True), 0.0)):
        assert strangeness(head, shake) == 0.0  # nobody knows
        model: Any = head.model
        model.populations, model.names = SimpleNamespace(), ("a", "b")
        model.strangeness = lambda values: np.array([3.5])
        assert strangeness(head, shake) == expected
