"""Igloo Pop with one microphone for all, alone or beside ears of single hands: whose shake it was, and what is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.seats.listener import ELSEWHERE, ELSEWHERE_OR_SOFT, TOO_CROWDED
from sensors.ear.verdicts.lost_sound import NO_NUMBERS, PACKETS_LOST
from sensors.ear.verdicts.reasons import KNOCKS
from table.desk.ear_watch import AGAIN_S, EarWatch
from table.page.sentences import sentences
from table.settings.seats import TABLE
from tests.table.shakes import heard


def told_while_two_hold(watch: EarWatch) -> list[str]:
    """Red holds A and blue B; what is said from then on."""
    told: list[str] = []
    assert watch.desk.play("grab red A", "red")
    assert watch.desk.play("grab blue B", "blue")
    watch.desk.listen(lambda said: told.append(said.text))
    return told


async def test_one_microphone_for_all_hears_for_whoever_alone_holds_an_igloo(
    watch: EarWatch, clock: VirtualClock
) -> None:
    assert watch.desk.play("grab red A", "red")
    assert watch.shaken(TABLE, heard(TABLE, {5: 0.9})) == "A"
    assert watch.desk.play("grab blue B", "blue")
    assert watch.shaken(TABLE, heard(TABLE, {7: 0.9})) is None  # whose was it?
    assert watch.desk.play("place red 1", "red")
    await clock.advance(3.0)
    assert watch.shaken(TABLE, heard(TABLE, {7: 0.9})) == "B"
    assert max(watch.odds()["A"], key=watch.odds()["A"].__getitem__) == 5


def test_what_cannot_be_told_from_the_neighbours_is_no_evidence_and_is_asked_for_in_turn_once(
    watch: EarWatch,
) -> None:
    told = told_while_two_hold(watch)
    for elsewhere in (ELSEWHERE, ELSEWHERE_OR_SOFT):
        crowded = replace(heard("red", {13: 0.9}), reason=TOO_CROWDED)
        assert watch.shaken("red", crowded) == "A"
        assert watch.shaken("blue", replace(heard("blue", {}, "not-a-shake"), reason=elsewhere)) == "B"
    assert [text for text in told if "one after another" in text] == told
    assert len(told) == 1
    assert watch.shaken("red", heard("red", {4: 0.9})) == "A"
    assert watch.desk.play("place red 1", "red")
    odds = watch.odds()["A"]
    assert max(odds, key=odds.__getitem__) == 4


def test_of_each_microphone_a_lost_shake_is_told_by_itself(watch: EarWatch) -> None:
    """Blue's was lost in the second in which red's was told, and blue waited in vain."""
    told = told_while_two_hold(watch)
    for seat in ("red", "blue", "red", "blue"):
        watch.shaken(seat, replace(heard(seat, {13: 0.9}), reason=TOO_CROWDED))
    assert [text.partition(" was")[0] for text in told] == ["Igloo A", "Igloo B"]


async def test_one_microphone_for_all_says_with_each_lost_shake_what_to_do(
    watch: EarWatch, clock: VirtualClock
) -> None:
    told = told_while_two_hold(watch)
    for seconds in (0.0, AGAIN_S / 4, AGAIN_S, AGAIN_S):  # not twice in a hubbub
        await clock.advance(seconds)
        assert watch.shaken(TABLE, heard(TABLE, {7: 0.9})) is None
    assert len(told) == 3
    assert all(
        "blue and red held igloos at once" in text and "put the others back first" in text for text in told
    )
    for language in ("de", "fr", "it"):
        assert sentences(language).known(told[0])
    assert watch.desk.play("return blue", "blue")
    await clock.advance(3.0)
    assert watch.shaken(TABLE, heard(TABLE, {7: 0.9})) == "A"


async def test_the_microphone_of_all_calls_nothing_a_shake_of_somebody_who_may_not_have_moved(
    watch: EarWatch, clock: VirtualClock
) -> None:
    told = told_while_two_hold(watch)
    noise = replace(heard(TABLE, {}, "not-a-shake"), reason=KNOCKS)
    assert watch.shaken(TABLE, noise) is None  # red's or blue's?
    assert told == []
    assert watch.desk.play("return blue", "blue")
    told.clear()
    await clock.advance(3.0)
    assert EarWatch(watch.desk, own=("red",)).shaken(TABLE, noise) is None  # red's own ear tells it
    assert told == []
    assert watch.shaken(TABLE, noise) == "A"
    assert [text.startswith("That was no shake of igloo A") for text in told] == [True]


def test_the_microphone_of_all_says_nothing_of_a_knock_while_nobody_holds_an_igloo(watch: EarWatch) -> None:
    told: list[str] = []
    watch.desk.listen(lambda said: told.append(said.text))
    assert watch.shaken(TABLE, replace(heard(TABLE, {}, "not-a-shake"), reason=KNOCKS)) is None
    assert told == []


def test_the_microphone_of_all_loses_nothing_where_each_hand_has_an_ear_of_its_own(watch: EarWatch) -> None:
    felt = EarWatch(watch.desk, own=("red", "blue"))
    told = told_while_two_hold(watch)
    assert felt.shaken("red", heard("red", {7: 0.9})) == "A"
    assert felt.shaken(TABLE, heard(TABLE, {7: 0.9})) is None
    assert felt.shaken("blue", heard("blue", {4: 0.9})) == "B"
    assert told == []
    assert EarWatch(watch.desk, own=("red",)).shaken(TABLE, heard(TABLE, {7: 0.9})) is None
    assert len(told) == 1  # blue's was heard by nobody else


BAD = {"overdriven": {"clipped": True}, "drowned": {"snr_db": 3.0}}


@pytest.mark.parametrize("which", BAD)
@pytest.mark.parametrize(("bad", "good"), [(TABLE, "red"), ("red", TABLE)])
async def test_of_one_shake_that_two_sensors_heard_the_one_that_heard_it_badly_is_left_aside(
    watch: EarWatch, clock: VirtualClock, which: str, bad: str, good: str
) -> None:
    """As `listen` does with two files; their lines come a second apart, and either may come first."""
    assert watch.desk.play("grab red A", "red")
    alone, before, after = (EarWatch(watch.desk, own=("red",)) for _ in range(3))
    badly = replace(heard(bad, {9: 0.99}), **BAD[which])  # type: ignore[arg-type]
    assert alone.shaken(good, heard(good, {5: 0.6})) == "A"
    assert before.shaken(bad, badly) == after.shaken(good, heard(good, {5: 0.6})) == "A"
    await clock.advance(1.0)
    assert before.shaken(good, heard(good, {5: 0.6})) == after.shaken(bad, badly) == "A"
    assert before.odds() == after.odds() == alone.odds()
    await clock.advance(5.0)
    assert after.shaken(bad, badly) == "A"  # nobody else heard this one, but another shake was heard well
    assert after.odds() == alone.odds()


@pytest.mark.parametrize(
    "bad",
    [*BAD.values(), {"reason": PACKETS_LOST, "doubt": "sensor"}, {"reason": NO_NUMBERS, "doubt": "sensor"}],
)
async def test_a_shake_that_was_heard_badly_counts_only_where_none_was_heard_well(
    watch: EarWatch, clock: VirtualClock, bad: dict[str, Any]
) -> None:
    """As `listen --same-igloo` does, whichever comes first."""
    assert watch.desk.play("grab red A", "red")
    badly = replace(heard("red", {9: 0.99}), **bad)
    alone, before, after = (EarWatch(watch.desk) for _ in range(3))
    assert before.shaken("red", badly) == "A"
    assert before.odds()["A"][9] > 0.5  # all there is
    await clock.advance(5.0)
    assert {w.shaken("red", heard("red", {5: 0.6})) for w in (alone, before, after)} == {"A"}
    await clock.advance(5.0)
    assert after.shaken("red", badly) == "A"
    assert before.odds() == after.odds() == alone.odds()


def test_a_shake_that_both_sensors_heard_badly_is_told_by_both(watch: EarWatch) -> None:
    assert watch.desk.play("grab red A", "red")
    one, both = EarWatch(watch.desk, own=("red",)), EarWatch(watch.desk, own=("red",))
    for seat, which in (("red", "drowned"), (TABLE, "overdriven")):
        both.shaken(seat, replace(heard(seat, {5: 0.6}), **BAD[which]))  # type: ignore[arg-type]
    one.shaken("red", heard("red", {5: 0.6}))
    assert both.odds()["A"][5] > one.odds()["A"][5]
    for seat in ("red", TABLE):
        one.shaken(seat, heard(seat, {5: 0.6}))
    assert one.odds()["A"][5] > both.odds()["A"][5]  # what was heard well adds up as ever
