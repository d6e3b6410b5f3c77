"""Who shakes just now, as the page and the lights are told: per seat, and over also where the ear says nothing more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles import profile as profiles
from sensors.ear.seats.listener import ELSEWHERE, ELSEWHERE_OR_SOFT, NOT_HERE
from sensors.ear.seats.together import STANDS_S, Seats
from sensors.ear.sources.capture import STALLED_S
from sensors.evidence import Heard, Hearing
from table.config import Settings
from table.demo.stage import Stage
from table.door.access import Access
from table.journal.store import Journal
from table.page.listening_page import softer
from table.page.texts import Texts
from table.room.table_room import TableRoom
from table.senses.ear_wire import EarWire
from table.senses.live import LiveEar
from table.senses.watchdog import Senses
from table.trainer.rattles import SENSOR
from tests.table.rooms import room

PORT = "socket://box:7000"


class Ears:
    """Wires that share one live view; `signals` are the seats for which "listening" was played."""

    def __init__(self, **devices: str) -> None:
        self.clock, self.live = VirtualClock(), LiveEar()
        self.signals: list[str] = []
        told = (lambda seat, heard: None), self.signals.append, self.live
        self.told: list[tuple[str, ...]] = []  # of devices
        senses = Senses(lambda c: self.told.append((c.source, c.state, c.why, c.mend)))
        known = profiles.load_shipped("microphone")
        self.wires = {
            seat: EarWire(seat, device, known, *told, senses, self.clock) for seat, device in devices.items()
        }

    def hearing(
        self,
        seat: str,
        source: str,
        strength: float = 1.0,
        level_db: float = -30.0,
        set_louder_db: float = 0.0,
    ) -> None:
        now = self.clock.now()
        said = Hearing(source, now, now, {7: 1.0}, level_db, strength, set_louder_db=set_louder_db)
        self.wires[seat]._take(said)

    def heard(self, seat: str, source: str) -> None:
        self.wires[seat]._take(Heard(source, 0.0, 2.0, "sure", {7: 1.0}, 30.0, False, "", strength=0.8))

    def blocks(self, seat: str, source: str, seconds: float) -> None:
        for _ in range(round(seconds * 50)):
            self.clock.set(self.clock.now() + 0.02)
            self.wires[seat]._block(source, -60.0)


def test_what_was_dropped_without_a_word_does_not_shake_for_ever() -> None:
    ears = Ears(red="mic")
    for _ in range(3):
        ears.hearing("red", "mic")
        ears.blocks("red", "mic", 0.64)  # one of three a second was left out
        assert ears.live.shaking
    version = ears.live.version
    ears.blocks("red", "mic", 0.5)
    assert not ears.live.shaking
    assert ears.live.version > version  # pages draw it anew
    assert ears.live.to_json()["strength"] is None
    ears.hearing("red", "mic")
    assert ears.signals == ["red", "red"]


def test_a_shake_is_drawn_in_the_band_of_the_seat_where_it_is_heard() -> None:
    ears = Ears(red="mic", blue="mic")
    felt = profiles.load_shipped("accelerometer")
    ears.live.bands["blue"] = felt.heads[0].band
    for seat, known in (("red", profiles.load_shipped("microphone")), ("blue", felt)):
        ears.hearing(seat, "mic")
        assert ears.live.band == known.heads[0].band
        ears.heard(seat, "mic")


def test_a_microphone_of_another_rate_has_the_band_of_its_own_head() -> None:
    ears = Ears(red="mic")
    slow = ears.wires["red"]._ear(16000.0, 1)
    ears.hearing("red", "mic")
    assert ears.live.band == slow.head.band != profiles.load_shipped("microphone").heads[0].band


def test_the_end_of_one_shake_is_not_the_end_of_anothers() -> None:
    ears = Ears(red="one", blue="two")
    ears.hearing("red", "one")
    ears.hearing("blue", "two")
    ears.hearing("red", "one")
    ears.heard("red", "one")
    assert (ears.live.shaking, ears.live.seat, ears.live.shakes) == (True, "blue", 1)
    ears.hearing("blue", "two")
    assert ears.signals == ["red", "blue"]
    ears.blocks("red", "one", 1.1)  # any ear's blocks tell that it is over: blue's device may hang
    assert (ears.live.shaking, ears.live.seat, ears.live.strength) == (
        False,
        "red",
        0.8,
    )  # what was heard last


def test_the_page_shows_the_loudest_seat_and_what_is_softer_at_a_neighbour_s_takes_no_turns_with_it() -> None:
    ears = Ears(red="one", blue="two", yellow="three")
    live = ears.live
    ears.hearing("blue", "two", 0.2, -52.0)  # what comes of red's shake is told first
    assert (live.seat, live.strength) == ("blue", 0.2)
    shown = []
    for _ in range(6):
        ears.hearing("red", "one", 1.0, -30.0)
        shown.append((live.seat, live.strength, live.level_db))
        ears.wires["red"]._block("one", -44.0)  # between two strokes
        ears.wires["yellow"]._block("three", -40.0)
        ears.hearing("blue", "two", 0.2, -40.0)
        ears.hearing("yellow", "three", 0.3, -48.0)
        shown.append((live.seat, live.strength, live.level_db))
    assert shown == [("red", 1.0, -30.0), ("red", 1.0, -44.0)] * 6
    assert live.to_json()["seat"] == "red"
    ears.heard("red", "one")
    assert (live.seat, live.strength) == ("blue", 0.2)


def test_two_who_shake_together_are_shown_each_his_own_and_the_others_one_of_them() -> None:
    ears = Ears(red="one", blue="two")
    live = ears.live
    live.bands["blue"] = (0.5, 1.5)
    for level_db in (-30.0, -27.0, -33.0):
        ears.hearing("red", "one", 1.0, -30.0)
        ears.hearing("blue", "two", 0.4, level_db)
        assert live.seat == "red"
    red, blue, all_ = (live.shown_to(seat) for seat in ("red", "blue", None))
    assert red == all_ == live.shown_to("yellow")
    assert (red.seat, red.shaking, red.strength, red.band) == ("red", True, 1.0, live.bands["red"])
    assert (blue.seat, blue.shaking, blue.strength, blue.level_db) == ("blue", True, 0.4, -33.0)
    assert blue.band == (0.5, 1.5)
    ears.heard("blue", "two")
    assert live.shown_to("blue") == live.shown_to(None) == red


def test_a_seat_s_own_ear_is_shown_before_the_one_that_all_share() -> None:
    ears = Ears(red=PORT, table="all")
    for _ in range(3):
        ears.hearing("table", "all", 1.0, -20.0)
        ears.hearing("red", f"{PORT}#17", 0.7, -35.0)
        assert (ears.live.seat, ears.live.strength) == ("red", 0.7)


def test_two_igloos_of_one_seat_shake_each_for_itself() -> None:
    ears = Ears(red=PORT)
    ears.hearing("red", f"{PORT}#17")
    ears.hearing("red", f"{PORT}#18")
    ears.heard("red", f"{PORT}#17")
    assert ears.live.shaking
    assert ears.live.heard is not None
    assert ears.live.heard.source == PORT
    ears.heard("red", f"{PORT}#18")
    assert not ears.live.shaking
    assert ears.signals == ["red"]


def test_packets_that_are_late_do_not_end_a_felt_shake() -> None:
    ears = Ears(red=PORT)
    ears.hearing("red", f"{PORT}#17")
    ears.blocks("red", f"{PORT}#17", 1.7)
    assert ears.live.shaking
    ears.blocks("red", f"{PORT}#17", 1.0)
    assert not ears.live.shaking


def test_a_device_that_goes_away_takes_its_shake_with_it() -> None:
    ears = Ears(red="mic")
    ears.hearing("red", "mic")
    ears.wires["red"]._take({"event": "link", "source": "mic", "state": "lost", "why": "unplugged"})
    assert ears.live.to_json() == {
        "seat": "red", "shaking": False, "level_db": None, "strength": None, "shakes": 0
    }  # fmt: skip


def test_a_table_says_that_sound_was_lost_but_not_all_the_time() -> None:
    ears = Ears(red="mic", blue=PORT)
    lost = {"event": "overflow", "source": "mic", "blocks": 1}
    ears.wires["red"]._take(lost)
    ears.wires["blue"]._take(lost)  # packets of a node: they are bridged, and a lost hello is no loss
    assert ears.told == [
        ("microphone of red", "healthy", "sound was lost on the way", "close other programs")
    ]
    ears.clock.set(ears.clock.now() + 30.0)
    ears.wires["red"]._take(lost)
    assert len(ears.told) == 1
    ears.clock.set(ears.clock.now() + 31.0)
    ears.wires["red"]._take(lost)
    assert len(ears.told) == 2


async def test_a_lone_device_that_hangs_does_not_shake_for_ever() -> None:
    """No block comes any more, and no error: nothing but the table's own clock tells that it is over."""
    table = room()
    assert isinstance(table.clock, VirtualClock)
    table.start()
    told = table._heard, table._shaking, table.ear, table.senses, table.clock
    wire = EarWire("red", "mic", profiles.load_shipped("microphone"), *told)
    await table.clock.advance(0.5)
    wire._take(Hearing("mic", 0.4, 0.5, {7: 1.0}, -30.0, 1.0))
    await table.clock.advance(0.7)
    assert table.ear.shaking  # one of three a second was left out
    version = table.ear.version
    await table.clock.advance(0.6)
    assert table.ear.to_json() == {
        "seat": "red", "shaking": False, "level_db": None, "strength": None, "shakes": 0
    }  # fmt: skip
    assert table.ear.version > version
    wire._take(Heard("mic", 0.4, 2.0, "unsure", {7: 1.0}, 30.0, False, "", strength=0.8))  # it woke up
    assert (table.ear.shaking, table.ear.shakes) == (False, 1)
    await table.stop()


def test_the_page_knows_at_which_seats_igloos_carry_their_sensors() -> None:
    assert Ears(red="mic", blue=PORT).live.felt == {"blue"}


@pytest.mark.parametrize("elsewhere", NOT_HERE)
@pytest.mark.parametrize("first", [True, False])
async def test_a_neighbour_s_microphone_does_not_wipe_out_what_was_heard_at_the_seat(
    elsewhere: str, first: bool
) -> None:
    """Which of the lines of one shake comes last is chance."""
    ears, table = Ears(red="one", blue="two"), room()
    table.ear = ears.live
    table.new_game("igloo-pop", ["red", "blue"], {})
    for wire in ears.wires.values():
        wire._tell_heard = table._heard
    ears.hearing("red", "one")
    ears.hearing("blue", "two")
    overdriven = Heard("one", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, True, "", "overdriven", 1.7)
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

    def soft(seat: str, source: str, reason: str) -> None:
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
    ears.wires["red"]._take(Heard("one", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, True, "", "overdriven", 1.7))
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
        line = Heard("one", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, True, "", "overdriven", 1.7)
        ears.wires["red"]._take(replace(line, ended_at=ended_at))
        assert ears.live.of_round(1) == of_it


def test_another_game_of_the_demo_begins_without_it_as_well() -> None:
    stage = Stage(VirtualClock(), Journal(None), 1, profiles.load_shipped(SENSOR), beside=False)
    stage.ear.heard = Heard("one", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, True, "", "overdriven", 1.7)
    stage.new_pop()
    assert stage.ear.heard is None


def test_a_seat_that_is_not_in_the_game_is_shown_after_those_that_are_and_takes_no_reason_away() -> None:
    ears = Ears(red="mic", yellow="other")
    ears.live.among = lambda: ("red", "blue")
    ears.hearing("red", "mic", level_db=-40.0)
    ears.hearing("yellow", "other", level_db=-10.0)
    assert (ears.live.seat, ears.live.level_db) == ("red", -40.0)
    ears.heard("red", "mic")
    assert ears.live.seat == "yellow"
    ears.heard("yellow", "other")
    assert (ears.live.heard_at, ears.live.seat, ears.live.shakes, ears.live.shaking) == (
        "red",
        "red",
        1,
        False,
    )


def test_a_shake_goes_on_while_it_waits_for_a_seat_whose_device_stands() -> None:
    """A partial answer waits for it as long as `STANDS_S`."""
    ears = Ears(red="mic")
    lone = ears.wires["red"]._fades_s
    known, senses = profiles.load_shipped("microphone"), Senses(lambda change: None)
    args = (lambda seat, heard: None), ears.signals.append, ears.live, senses, ears.clock
    beside = EarWire("blue", "other", known, *args, Seats(("red", "blue"), one_clock=False))
    assert beside._fades_s == lone + STANDS_S
    assert STANDS_S < STALLED_S  # a device that is gone is told by its end


def test_the_loudest_is_named_as_if_all_microphones_were_set_alike() -> None:
    ears = Ears(red="mic", blue="other")
    for _ in range(2):
        ears.hearing("red", "mic", level_db=-38.0, set_louder_db=6.5)
        ears.hearing("blue", "other", level_db=-44.0, set_louder_db=-6.5)
    assert (ears.live.seat, ears.live.level_db) == ("blue", -44.0)
    assert "set_louder_db" not in Hearing("mic", 0.0, 1.0, {7: 1.0}, -30.0).to_json()


def test_what_was_loud_for_a_moment_does_not_stay_the_loudest() -> None:
    ears = Ears(red="mic", blue="other")
    ears.hearing("red", "mic", level_db=-20.0)
    for _ in range(12):
        ears.hearing("red", "mic", level_db=-50.0)
        ears.hearing("blue", "other", level_db=-35.0)
    assert ears.live.seat == "blue"
