"""Before a round is scored nothing that an ear gives as a reason tells the table a count, whatever it is of."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.why import Reason, Why
from table.settings.seats import TABLE
from tests.reasons import OTHER_NUMBERS, PUT_IN, reasons
from tests.table.shakes import counted_in, heard

SAID = [why for why in Why if why is not Why.NONE]


def told(reason: Reason, verdict: str, likely: int, ear: str = "red") -> str:
    """All that seats and spectators see, and all that is said, once igloo A was so heard in red's hand."""
    watch = counted_in(VirtualClock(100.0), "red", "blue")
    assert watch.desk.play("grab red A", "red")
    watch.shaken(ear, replace(heard(ear, {likely: 0.97}, verdict), reason=reason, ended_at=103.0))
    views = [watch.desk.view(seat) for seat in (None, "red", "blue")]
    return json.dumps([views, [said.to_json() for said in watch.desk.said]])


@pytest.mark.parametrize("why", SAID)
@pytest.mark.parametrize("verdict", ["unsure", "not-a-shake"])
@pytest.mark.parametrize("ear", ["red", TABLE])
def test_nothing_that_is_told_hangs_on_the_count(why: Why, verdict: str, ear: str) -> None:
    """Not on the odds beside a reason; nor on its sentence, where it names counts."""
    for reason in reasons():
        if reason.why is why and why not in OTHER_NUMBERS:
            other = Reason(why, reason.replace(PUT_IN, "11"))
            assert told(reason, verdict, 5, ear) == told(other, verdict, 11, ear)
    if why.tells_count:
        few, many = Reason(why, "a handful of them"), Reason(why, "so many beads")
        assert told(few, verdict, 5, ear) == told(many, verdict, 11, ear)


def test_what_it_was_is_told_where_that_tells_no_count() -> None:
    knocks = Reason(Why.KNOCKS, "single knocks: shake harder")
    assert "That was no shake of igloo A: single knocks: shake harder" in told(knocks, "not-a-shake", 5)
