"""Which seat's shake is shown, to whom, and in which band, while several are heard."""

from __future__ import annotations

from sensors.ear.profiles import profile as profiles
from sensors.evidence import Hearing
from tests.table.ears import PORT, Ears


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
