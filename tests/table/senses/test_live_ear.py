"""That somebody shakes, as the page and the lights are told, and that it is over, also where the ear says no more."""

from __future__ import annotations

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles import profile as profiles
from sensors.ear.seats.together import STANDS_S, Seats
from sensors.ear.sources.capture import STALLED_S
from sensors.ear.verdicts.reasons import HANDLED
from sensors.evidence import Heard, Hearing
from table.senses.ear_wire import EarWire
from table.senses.watchdog import Senses
from tests.table.ears import PORT, Ears
from tests.table.rooms import room


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


def test_what_was_counted_stands_while_its_igloo_is_put_down() -> None:
    """On the page for trying the microphones "that was no shake" replaced each count after half a second."""
    ears = Ears(red=PORT)
    live = ears.live
    shaken = Heard(f"{PORT}#17", 2.0, 4.4, "unsure", {3: 1.0}, 30.0, False, "", strength=0.8)

    def handled(source: str, start: float) -> None:
        ears.hearing("red", source)
        ears.wires["red"]._take(
            Heard(source, start, start + 0.5, "not-a-shake", {}, 20.0, False, "", reason=HANDLED)
        )

    handled(f"{PORT}#17", 0.1)  # all that was heard so far: whoever shook too softly reads why
    assert live.heard is not None
    assert live.heard.reason == HANDLED
    ears.wires["red"]._take(shaken)
    handled(f"{PORT}#17", 4.8)
    handled(f"{PORT}#17", 6.2)
    assert live.heard.probabilities == {3: 1.0}
    assert (live.shaking, live.shakes) == (False, 2)
    handled(f"{PORT}#18", 4.9)  # another igloo has a clock of its own
    assert live.heard.reason == HANDLED
    ears.wires["red"]._take(shaken)
    handled(f"{PORT}#17", 9.0)  # later: another try
    assert live.heard.reason == HANDLED


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


def test_a_shake_goes_on_while_it_waits_for_a_seat_whose_device_stands() -> None:
    """A partial answer waits for it as long as `STANDS_S`."""
    ears = Ears(red="mic")
    lone = ears.wires["red"]._fades_s
    known, senses = profiles.load_shipped("microphone"), Senses(lambda change: None)
    args = (lambda seat, heard: None), ears.signals.append, ears.live, senses, ears.clock
    beside = EarWire("blue", "other", known, *args, Seats(("red", "blue"), one_clock=False))
    assert beside._fades_s == lone + STANDS_S
    assert STANDS_S < STALLED_S  # a device that is gone is told by its end
