"""What a reason is of is asked of its `Why`: of every member, and of every sentence that is said with it."""

from __future__ import annotations

import copy
import pickle
import re
from dataclasses import replace

import pytest

from sensors.evidence import Heard
from sensors.why import Reason, Why, why_of
from tests.reasons import OTHER_NUMBERS, reasons, said_as

SHAKE = Heard("mic", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, False, "")
SAID = [why for why in Why if why is not Why.NONE]
COUNT_WORDS = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
OF_BEADS = re.compile(rf"\d|\b({COUNT_WORDS}|more|fewer|most|fewest) (beads|of them)")


@pytest.mark.parametrize("why", SAID)
def test_each_is_said_in_some_sentence(why: Why) -> None:
    assert said_as(why)


def test_no_sentence_with_a_number_of_beads_hides_that_it_tells_the_count() -> None:
    telling = [reason for reason in reasons() if OF_BEADS.search(reason)]
    assert [
        reason for reason in telling if not reason.why.tells_count and reason.why not in OTHER_NUMBERS
    ] == []
    assert {reason.why for reason in telling} >= {
        Why.COULD_BE, Why.MORE_THAN_KNOWN, Why.FEWER_THAN_KNOWN, Why.WEIGH_ALIKE, Why.DAY_UNKNOWN,
    }  # fmt: skip


def test_numbers_that_are_no_beads_name_their_unit_or_what_they_name() -> None:
    units = {
        Why.OTHER_SEAT: "sings at 7 Hz",
        Why.LEANS: "leans 7°",
        Why.WHICH_SET: "the profile holds 7,",
        Why.COARSE: "steps below 0.06 g",
        Why.NARROW: "above 7 kHz",
    }
    turned = "turned by 7°"  # a sensor, and not the seat
    assert all(units[why] in reason or turned in reason for why in OTHER_NUMBERS for reason in said_as(why))


def test_what_tells_the_count_is_neither_the_hands_fault_nor_what_stands_instead_of_an_answer() -> None:
    """Those are shown whoever looks."""
    telling = [why for why in Why if why.tells_count]
    assert not any(w.by_hand or w.nothing_weighed or w.elsewhere or w.of_several for w in telling)
    assert not Why.NONE.tells_count


@pytest.mark.parametrize(
    ("asked", "of"),
    [
        ("by_hand", "TOO_SHORT TOO_GENTLE TOO_SLOW TOO_HARD TOO_FAST"),
        ("ill_heard", "TOO_SHORT OVERDRIVEN DROWNED SEVERAL"),
        ("beyond", "MORE_THAN_KNOWN FEWER_THAN_KNOWN"),
        ("unlike", "UNLIKE RECALIBRATE"),
        ("not_whole", "PACKETS_LOST NO_NUMBERS TWO_BOARDS"),
        ("of_several", "SEVERAL TOO_CROWDED"),
        ("elsewhere", "ELSEWHERE ELSEWHERE_OR_SOFT"),
        ("not_meant", "NO_STROKES HANDLED HARDLY_HEARD"),
        (
            "nothing_weighed",
            "NO_EMPTY HELD TAPS_CUT_OFF TAPS_TOO_FAINT EMPTY_DIFFERS NO_TAPS CROOKED FOREIGN SEAT_CHANGED OTHER_SEAT",
        ),
        ("once_more", "CROOKED BEADS_HOPPED WEIGH_ALIKE"),
    ],
)
def test_what_each_answers(asked: str, of: str) -> None:
    assert {why.name for why in Why if getattr(why, asked)} == set(of.split())


def test_a_sentence_keeps_what_it_is_of() -> None:
    """Takes are judged in other processes."""
    knock = Reason(Why.KNOCK, "a knock")
    for one in (knock, pickle.loads(pickle.dumps(knock)), copy.deepcopy(knock)):
        assert (one, one.why) == ("a knock", Why.KNOCK)
    assert (why_of(knock), why_of(None)) == (Why.KNOCK, Why.NONE)
    assert (replace(SHAKE, reason=knock).why, SHAKE.why) == (Why.KNOCK, Why.NONE)


def test_a_line_has_the_sentence_alone() -> None:
    said = replace(SHAKE, reason=Reason(Why.KNOCK, "a knock")).to_json()
    assert type(said["reason"]) is str
    assert said["reason"] == "a knock"
    assert "why" not in said
