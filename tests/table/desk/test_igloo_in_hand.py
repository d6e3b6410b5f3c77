"""What was shaken belongs to the igloo that was in hand meanwhile, however late its line comes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.seats.listener import TOO_CROWDED
from sensors.ear.verdicts.reasons import HUMS
from sensors.evidence import Heard
from sensors.why import Reason
from table.config import Ear, Settings
from table.desk.ear_watch import EarWatch
from table.door.access import Access
from table.journal.store import Journal
from table.page.sentences import sentences
from table.room.table_room import TableRoom
from table.settings.seats import TABLE
from tests.table.shakes import CARDS, shaken

Moves = list[tuple[float, str]]


def whose(
    watch: EarWatch, clock: VirtualClock, moves: Moves, said: Heard, line_at: float, seat: str = "red"
) -> str | None:
    """The igloo that it is held for when its line comes."""
    for at, move in moves:
        clock.set(at)
        assert watch.desk.play(move), move
    clock.set(line_at)
    return watch.shaken(seat, said)


A_THEN_B: Moves = [(100.5, "grab red A"), (102.2, "place red 7"), (103.2, "grab red B")]


@pytest.mark.parametrize("line_at", [103.2, 103.3, 104.0, 106.0, 112.0])
def test_a_line_goes_to_no_igloo_that_was_taken_after_the_shake(
    watch: EarWatch, clock: VirtualClock, line_at: float
) -> None:
    assert whose(watch, clock, A_THEN_B, shaken("red", 101.0, 102.0), line_at) == "A"
    assert set(watch.odds()) == {"A"}


@pytest.mark.parametrize(
    ("began", "ended", "letter"),
    [
        (101.0, 102.6, "A"),
        (100.2, 103.0, "A"),
        (101.9, 104.0, "B"),  # it was put down on the page before it was in fact
        (103.0, 105.0, "B"),  # … and taken after
        (102.4, 103.1, "A"),  # the page was told a little too early
        (102.4, 103.5, "B"),
    ],
)
def test_between_two_holds_a_shake_falls_to_the_one_that_has_most_of_it(
    watch: EarWatch, clock: VirtualClock, began: float, ended: float, letter: str
) -> None:
    assert whose(watch, clock, A_THEN_B, shaken("red", began, ended), 106.0) == letter


@pytest.mark.parametrize(
    ("moves", "began", "ended"),
    [
        ([(102.1, "grab red B")], 101.0, 102.0),  # taken after it
        ([(100.0, "grab red A"), (100.5, "place red 7"), (104.0, "grab red B")], 101.8, 103.0),  # long before
        ([], 101.0, 102.0),
        ([(100.0, "grab blue B")], 101.0, 102.0),
    ],
)
def test_what_nobody_had_in_hand_counts_for_none(
    watch: EarWatch, clock: VirtualClock, moves: Moves, began: float, ended: float
) -> None:
    assert whose(watch, clock, moves, shaken("red", began, ended), 106.0) is None
    assert watch.desk.said[-1].event == "stray-shake"
    assert watch.counting() == {}


@pytest.mark.parametrize(
    ("moves", "letter"),
    [
        ([(100.5, "grab red A"), (102.2, "place red 7"), (102.4, "grab blue B")], "A"),
        ([(100.5, "grab red A"), (101.8, "place red 7"), (101.8, "grab blue B")], "A"),
        ([(100.5, "grab red A"), (101.1, "place red 7"), (101.2, "grab blue B")], "B"),
        ([(100.5, "grab red A"), (101.5, "place red 7"), (101.5, "grab blue B")], None),  # whose was it?
        ([(100.5, "grab red A"), (101.4, "grab blue B"), (101.5, "place red 7")], None),
        ([(100.5, "grab red A"), (100.6, "grab blue B"), (102.2, "place blue 7")], None),
        (
            [(100.1, "grab blue B"), (100.3, "place blue 1"), (100.5, "grab red A"), (100.9, "place red 7")],
            "A",
        ),
        ([(102.1, "grab blue B")], None),
    ],
)
def test_one_microphone_hears_for_whoever_held_an_igloo_then(
    watch: EarWatch, clock: VirtualClock, moves: Moves, letter: str | None
) -> None:
    assert whose(watch, clock, moves, shaken(TABLE, 101.0, 102.0), 106.0, TABLE) == letter


@pytest.mark.parametrize(
    ("moves", "ended", "says"),
    [
        # red puts it down and blue takes the next one at once: the half second that ends a shake was never quiet
        (
            [(100.5, "grab red A"), (103.5, "place red 7"), (103.5, "grab blue B")],
            106.0,
            "one after the other",
        ),
        (
            [(100.5, "grab red A"), (104.6, "place red 7"), (105.0, "grab blue B")],
            106.0,
            "one after the other",
        ),
        (
            [(100.5, "grab red A"), (105.0, "place red 7"), (105.4, "grab blue B")],
            106.0,
            None,
        ),  # hardly moved
        ([(100.5, "grab red A"), (103.5, "grab blue B"), (103.6, "place red 7")], 106.0, "at once"),
        ([(100.5, "grab red A"), (103.5, "grab blue B"), (106.1, "place red 7")], 106.0, "at once"),
    ],
)
def test_what_two_igloos_share_counts_for_nobody_and_that_is_said_as_it_was(
    watch: EarWatch, clock: VirtualClock, moves: Moves, ended: float, says: str | None
) -> None:
    letter = whose(watch, clock, moves, shaken(TABLE, 101.0, ended), 108.0, TABLE)
    told = [said.text for said in watch.desk.said if said.event == "in-turn"]
    if says is None:
        assert (letter, told) == ("A", [])
        return
    assert letter is None
    assert watch.counting() == {}
    assert [f"blue and red held igloos {says}" in text for text in told] == [True]
    for language in ("de", "fr", "it"):
        assert sentences(language).known(told[0])


def one_after_the_other(second: float) -> Moves:
    return [(100.5, "grab red A"), (second, "place red 7"), (second, "grab red B")]


@pytest.mark.parametrize("reason", [None, TOO_CROWDED])
@pytest.mark.parametrize("seat", [TABLE, "red"])
@pytest.mark.parametrize(("second", "lost"), [(103.5, True), (105.7, False)])
def test_two_igloos_of_one_person_share_nothing_either(
    watch: EarWatch, clock: VirtualClock, second: float, lost: bool, seat: str, reason: Reason | None
) -> None:
    """Nor at his own microphone, where a shake does not end while neighbours shake on."""
    said = replace(shaken(seat, 101.0, 106.0), reason=reason)
    letter = whose(watch, clock, one_after_the_other(second), said, 108.0, seat)
    told = [said.text for said in watch.desk.said if said.event == "in-turn"]
    assert letter == (None if lost else "A")
    assert set(watch.counting()) == (set() if lost or reason else {"A"})
    known = "Two igloos of red were shaken wi" if lost else "Igloo A was not told from its ne"
    assert [text[:32] for text in told] == ([known] if lost or reason else [])
    for language in ("de", "fr", "it"):
        assert all(sentences(language).known(text) for text in told)


def test_what_an_igloo_felt_itself_is_of_no_other(watch: EarWatch, clock: VirtualClock) -> None:
    felt = EarWatch(watch.desk, own=("red",), felt=("red",))
    assert whose(felt, clock, one_after_the_other(104.0), shaken("red", 101.0, 106.0), 108.0) == "A"
    assert set(felt.counting()) == {"A"}
    # nor is it said to be lost where the microphone of all heard both in one
    assert felt.shaken(TABLE, shaken(TABLE, 101.0, 106.0)) is None
    assert not [said for said in watch.desk.said if said.event == "in-turn"]
    assert len(felt.counting()["A"]) == 1


def test_why_it_was_no_shake_is_said_of_two_igloos_as_well(watch: EarWatch, clock: VirtualClock) -> None:
    no_shake = replace(shaken("red", 101.0, 106.0), verdict="not-a-shake", probabilities={}, reason=HUMS)
    assert whose(watch, clock, one_after_the_other(104.0), no_shake, 108.0) == "A"
    assert [said.event for said in watch.desk.said][-1] == "hums"


@pytest.mark.parametrize(("device", "letter"), [("/dev/ttyACM0", "A"), ("USB Audio", None)])
async def test_a_table_knows_by_its_settings_which_igloos_feel_themselves(
    device: str, letter: str | None
) -> None:
    clock = VirtualClock(90.0)
    settings = Settings(ear=Ear(sources={"red": device}))
    table = TableRoom(settings, clock, Journal(None), Access(clock, lan=False))
    table.new_game("igloo-pop", ["red", "blue"], {})
    for move in (*(f"deal {slot} {card}" for slot, card in enumerate(CARDS, 1)), "count"):
        assert table.desk.play(move)
    assert table.pop is not None
    line = shaken("red", 101.0, 106.0)
    assert whose(table.pop.ears, clock, one_after_the_other(104.0), line, 108.0) == letter
