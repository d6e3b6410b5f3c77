"""What was heard last stays on the page: no neighbour's microphone wipes it out, and another game begins without it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles import profile as profiles
from sensors.ear.seats.listener import ELSEWHERE, ELSEWHERE_OR_SOFT
from sensors.ear.verdicts.mends import IN_ROOM
from sensors.evidence import Heard
from sensors.why import Reason
from table.config import Settings
from table.demo.stage import Stage
from table.door.access import Access
from table.journal.store import Journal
from table.page.listening_page import softer
from table.page.texts import Texts
from table.room.table_room import TableRoom
from table.trainer.rattles import SENSOR
from tests.table.ears import Ears
from tests.table.rooms import room


@pytest.mark.parametrize("elsewhere", [ELSEWHERE, ELSEWHERE_OR_SOFT])
@pytest.mark.parametrize("first", [True, False])
async def test_a_neighbour_s_microphone_does_not_wipe_out_what_was_heard_at_the_seat(
    elsewhere: Reason, first: bool
) -> None:
    """Which of the lines of one shake comes last is chance."""
    ears, table = Ears(red="one", blue="two"), room()
    table.ear = ears.live
    table.new_game("igloo-pop", ["red", "blue"], {})
    for wire in ears.wires.values():
        wire._tell_heard = table._heard
    ears.hearing("red", "one")
    ears.hearing("blue", "two")
    overdriven = Heard("one", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, True, "", IN_ROOM.overdriven, 1.7)
    no_shake = Heard("two", 0.0, 2.0, "not-a-shake", {}, 20.0, False, "", elsewhere)
    lines = [("red", overdriven), ("blue", no_shake)]
    for seat, line in reversed(lines) if first else lines:
        ears.wires[seat]._take(line)
    live = ears.live
    assert (live.heard, live.heard_at, live.seat, live.strength) == (overdriven, "red", "red", 1.7)
    assert (live.shaking, live.shakes, live.round) == (False, 1, 1)
    if not first:  # one that comes in the next round does not make it a fault of that one
        table.ear.round = 0
        ears.wires["blue"]._take(no_shake)
        assert (live.round, live.shakes) == (0, 1)


def test_where_one_tries_a_microphone_it_is_said_that_a_soft_one_is_to_be_turned_up() -> None:
    """Its shakes are louder at a neighbour's, whose line is that of the shake; either may come first."""
    ears = Ears(red="one", blue="two", yellow="three")
    live = ears.live

    def soft(seat: str, source: str, reason: Reason) -> None:
        ears.wires[seat]._take(Heard(source, 0.0, 2.0, "not-a-shake", {}, 20.0, False, "", reason))

    ears.hearing("red", "one")
    soft("blue", "two", ELSEWHERE_OR_SOFT)
    ears.heard("red", "one")
    soft("yellow", "three", ELSEWHERE)  # it was the loudest before: nothing is to be mended there
    shown = softer(live.softer, Texts("de"))
    assert shown.count("<p") == 1
    assert "Blau: Das war an einem anderen Platz lauter" in shown
    assert "dreh es auf" in shown
    ears.heard("blue", "two")  # now it is
    assert softer(live.softer, Texts("de")) == ""
    soft("yellow", "three", ELSEWHERE_OR_SOFT)
    assert set(live.softer) == {"yellow"}
    ears.hearing("red", "one")  # the next shake
    assert live.softer == {}
    soft("yellow", "three", ELSEWHERE_OR_SOFT)
    live.forget()
    assert live.softer == {}


async def test_another_game_begins_without_what_was_heard_in_the_last_one() -> None:
    """Its first round has the number of that one's."""
    ears, table = Ears(red="one", blue="two"), room()
    table.ear = ears.live
    table.new_game("igloo-pop", ["red", "blue"], {})
    ears.wires["red"]._tell_heard = table._heard
    ears.hearing("red", "one")
    ears.wires["red"]._take(
        Heard("one", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, True, "", IN_ROOM.overdriven, 1.7)
    )
    assert ears.live.of_round(1)
    version = ears.live.version
    table.new_game("igloo-pop", ["red", "blue"], {})
    live = ears.live
    assert (live.heard, live.heard_at, live.round, live.seat, live.strength) == (None,) * 5
    assert not live.of_round(1)
    assert live.version > version  # pages draw it anew
    ears.hearing("blue", "two", 1.1)
    table.new_game("igloo-pop", ["red", "blue"], {})
    assert (live.shaking, live.seat, live.strength) == (True, "blue", 1.1)  # that goes on


async def test_a_late_line_of_the_last_game_is_of_no_round_of_this_one() -> None:
    ears, clock = Ears(red="one"), VirtualClock()
    table = TableRoom(Settings.read(None), clock, Journal(None), Access(clock, lan=False))
    table.ear = ears.live
    ears.wires["red"]._tell_heard = table._heard
    clock.set(50.0)
    table.new_game("igloo-pop", ["red", "blue"], {})
    for ended_at, of_it in ((49.0, False), (51.0, True)):
        clock.set(52.0)
        line = Heard("one", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, True, "", IN_ROOM.overdriven, 1.7)
        ears.wires["red"]._take(replace(line, ended_at=ended_at))
        assert ears.live.of_round(1) == of_it


def test_another_game_of_the_demo_begins_without_it_as_well() -> None:
    stage = Stage(VirtualClock(), Journal(None), 1, profiles.load_shipped(SENSOR), beside=False)
    stage.ear.heard = Heard("one", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, True, "", IN_ROOM.overdriven, 1.7)
    stage.new_pop()
    assert stage.ear.heard is None
