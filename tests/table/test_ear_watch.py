"""Igloo Pop with a listening table: what was heard stays hidden until the cards are checked, and then speaks."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.seat_listener import ELSEWHERE, TOO_CROWDED
from sensors.ear.verdict import KNOCKS
from sensors.evidence import Heard, Pressed
from table.desk.desk import Desk
from table.desk.ear_watch import AGAIN_S, COUNTS, TABLE, EarWatch
from table.games import GAMES
from table.journal.store import Journal
from table.page.sentences import sentences

CARDS = ["5", "7-8", "9-10-11", "2", "3-4", "6", "12-13", "4-5-6", "11-12-13"]


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def watch(clock: VirtualClock) -> EarWatch:
    """Red and blue, nine cards laid out, the round counted in."""
    desk = Desk.new(
        Journal(None),
        GAMES,
        clock,
        name="pop",
        game="igloo-pop",
        players=["red", "blue"],
        seed=1,
        options={"mode": "physical"},
    )
    for slot, card in enumerate(CARDS, 1):
        assert desk.play(f"deal {slot} {card}")
    watch = EarWatch(desk)
    assert watch.pressed(Pressed(0.0, "red"))
    return watch


def heard(seat: str, likely: dict[int, float], verdict: str = "unsure") -> Heard:
    rest = (1.0 - sum(likely.values())) / (len(COUNTS) - len(likely))
    odds = {n: likely.get(n, rest) for n in COUNTS} if verdict != "not-a-shake" else {}
    return Heard(seat, 0.0, 2.0, verdict, odds, 30.0, False, "sha256:test")  # type: ignore[arg-type]


def place(watch: EarWatch, seat: str, letter: str, slot: int, likely: dict[int, float] | None) -> None:
    assert watch.desk.play(f"grab {seat} {letter}", seat)
    if likely is not None:
        assert watch.shaken(seat, heard(seat, likely)) == letter
    assert watch.desk.play(f"place {seat} {slot}", seat)


def end_shaking(watch: EarWatch) -> None:
    for seat in ("red", "blue"):
        assert watch.pressed(Pressed(9.0, seat))
    assert watch.desk.view(None)["phase"] == "resolving"


def test_where_the_ear_is_sure_nobody_looks_underneath(watch: EarWatch) -> None:
    place(watch, "red", "A", 1, {5: 0.995})
    end_shaking(watch)
    assert watch.settle()
    assert watch.desk.sitting.steps[-1].move == "found 1 5 red"
    assert watch.desk.sitting.steps[-1].by == "ear"
    assert watch.pressed(Pressed(12.0, "red"))
    assert watch.desk.view(None)["won"]["red"] == [[5]]


def test_where_it_is_unsure_the_desk_asks_with_odds_and_the_answer_decides(watch: EarWatch) -> None:
    place(watch, "red", "A", 2, {7: 0.55, 8: 0.44})
    end_shaking(watch)
    assert not watch.settle()
    question = watch.desk.question
    assert question is not None
    assert [c.text for c in question.choices][:2] == ["7", "8"]
    assert question.choices[0].odds is not None
    assert 0.45 < question.choices[0].odds < 0.56
    assert watch.desk.answer(question.key, 1)
    assert watch.desk.view(None)["values"]["A"] == 8
    assert watch.settle()


def test_two_igloos_that_sound_alike_are_told_apart_by_the_set(watch: EarWatch) -> None:
    """Both sounded like 7 or 8; once one is known to be the 7, the other is sure."""
    place(watch, "red", "A", 2, {7: 0.4985, 8: 0.4985})
    place(watch, "blue", "B", 3, {7: 0.4985, 8: 0.4985})
    end_shaking(watch)
    watch.settle()
    assert watch.desk.question is not None
    index = next(i for i, c in enumerate(watch.desk.question.choices) if c.text == "7")
    watch.desk.answer(watch.desk.question.key, index)
    assert watch.settle()
    assert watch.desk.sitting.steps[-1].move == "found 3 8 blue"


def test_an_igloo_nobody_heard_is_asked_for_without_odds(watch: EarWatch) -> None:
    place(watch, "red", "A", 2, None)
    end_shaking(watch)
    watch.settle()
    assert watch.desk.question is not None
    assert {c.odds for c in watch.desk.question.choices} == {None}
    assert len(watch.desk.question.choices) == 12


def test_what_was_heard_reaches_no_screen_before_the_cards_are_checked(watch: EarWatch) -> None:
    """Everything the table says or shows while igloos are shaken is the same whatever the ear heard."""

    def shown(likely: dict[int, float]) -> str:
        desk = Desk.new(
            Journal(None), GAMES, VirtualClock(), name="x", game="igloo-pop", players=["red", "blue"], seed=1,
            options={"mode": "physical"},
        )  # fmt: skip
        other = EarWatch(desk)
        for slot, card in enumerate(CARDS, 1):
            desk.play(f"deal {slot} {card}")
        other.pressed(Pressed(0.0, "red"))
        place(other, "red", "A", 2, likely)
        return json.dumps([desk.view(s) for s in (None, "red", "blue")] + [s.to_json() for s in desk.said])

    assert shown({7: 0.99}) == shown({12: 0.99})


def test_letters_are_dealt_anew_and_what_was_heard_of_the_last_round_is_gone(watch: EarWatch) -> None:
    place(watch, "red", "A", 1, {5: 0.995})
    end_shaking(watch)
    watch.settle()
    watch.pressed(Pressed(12.0, "red"))
    assert watch.desk.play("deal 1 8-9")
    watch.pressed(Pressed(13.0, "red"))
    place(watch, "blue", "A", 2, None)
    end_shaking(watch)
    assert not watch.settle()  # "A" of the last round was sure; this one was never heard
    assert watch.desk.question is not None


def test_a_rattle_at_a_seat_that_holds_nothing_is_told_and_kept_for_no_igloo(watch: EarWatch) -> None:
    assert watch.shaken("blue", heard("blue", {7: 0.9})) is None
    assert watch.desk.said[-1].event == "stray-shake"
    watch.desk.play("grab blue A", "blue")
    assert watch.shaken("blue", heard("blue", {}, "not-a-shake")) == "A"
    watch.desk.play("place blue 1", "blue")
    end_shaking(watch)
    assert not watch.settle()


def test_the_button_passes_and_takes_the_pass_back(watch: EarWatch) -> None:
    watch.pressed(Pressed(1.0, "red"))
    assert watch.desk.view(None)["passed"] == ["red"]
    watch.pressed(Pressed(2.0, "red"))
    assert watch.desk.view(None)["passed"] == []


def test_after_the_check_the_table_says_how_the_ear_did_where_somebody_looked(watch: EarWatch) -> None:
    place(watch, "red", "A", 1, {5: 0.995})
    place(watch, "blue", "B", 4, {3: 0.5, 2: 0.3})
    end_shaking(watch)
    watch.settle()
    question = watch.desk.question
    assert question is not None
    watch.desk.answer(question.key, next(i for i, c in enumerate(question.choices) if c.text == "2"))
    assert (
        watch.report()
        == "Of 1 igloos that were turned over the ear had 0 exactly and 1 within one (B 3 for 2)."
    )


def test_one_microphone_for_all_hears_for_whoever_alone_holds_an_igloo(watch: EarWatch) -> None:
    assert watch.desk.play("grab red A", "red")
    assert watch.shaken(TABLE, heard(TABLE, {5: 0.9})) == "A"
    assert watch.desk.play("grab blue B", "blue")
    assert watch.shaken(TABLE, heard(TABLE, {7: 0.9})) is None  # whose was it?
    assert watch.desk.play("place red 1", "red")
    assert watch.shaken(TABLE, heard(TABLE, {7: 0.9})) == "B"
    assert max(watch.odds()["A"], key=watch.odds()["A"].__getitem__) == 5


def test_what_cannot_be_told_from_the_neighbours_is_no_evidence_and_is_asked_for_in_turn_once(
    watch: EarWatch,
) -> None:
    told: list[str] = []
    watch.desk.listen(lambda said: told.append(said.text))
    assert watch.desk.play("grab red A", "red")
    assert watch.desk.play("grab blue B", "blue")
    told.clear()
    for _ in range(2):
        crowded = replace(heard("red", {13: 0.9}), reason=TOO_CROWDED)
        assert watch.shaken("red", crowded) == "A"
        assert watch.shaken("blue", replace(heard("blue", {}, "not-a-shake"), reason=ELSEWHERE)) == "B"
    assert [text for text in told if "one after another" in text] == told
    assert len(told) == 1
    assert watch.shaken("red", heard("red", {4: 0.9})) == "A"
    assert watch.desk.play("place red 1", "red")
    odds = watch.odds()["A"]
    assert max(odds, key=odds.__getitem__) == 4


async def test_one_microphone_for_all_says_with_each_lost_shake_what_to_do(
    watch: EarWatch, clock: VirtualClock
) -> None:
    told: list[str] = []
    watch.desk.listen(lambda said: told.append(said.text))
    assert watch.desk.play("grab red A", "red")
    assert watch.desk.play("grab blue B", "blue")
    told.clear()
    for seconds in (0.0, AGAIN_S / 4, AGAIN_S, AGAIN_S):  # not twice in a hubbub
        await clock.advance(seconds)
        assert watch.shaken(TABLE, heard(TABLE, {7: 0.9})) is None
    assert len(told) == 3
    assert all("blue and red hold igloos" in text and "put the others back first" in text for text in told)
    for language in ("de", "fr", "it"):
        assert sentences(language).known(told[0])
    assert watch.desk.play("return blue", "blue")
    assert watch.shaken(TABLE, heard(TABLE, {7: 0.9})) == "A"


def test_the_microphone_of_all_calls_nothing_a_shake_of_somebody_who_may_not_have_moved(
    watch: EarWatch,
) -> None:
    told: list[str] = []
    watch.desk.listen(lambda said: told.append(said.text))
    noise = replace(heard(TABLE, {}, "not-a-shake"), reason=KNOCKS)
    assert watch.desk.play("grab red A", "red")
    assert watch.desk.play("grab blue B", "blue")
    told.clear()
    assert watch.shaken(TABLE, noise) is None  # red's or blue's?
    assert watch.desk.play("return blue", "blue")
    told.clear()
    assert EarWatch(watch.desk, own=("red",)).shaken(TABLE, noise) is None  # red's own ear tells it
    assert told == []
    assert watch.shaken(TABLE, noise) == "A"
    assert [text.startswith("That was no shake of igloo A") for text in told] == [True]


def test_the_microphone_of_all_loses_nothing_where_each_hand_has_an_ear_of_its_own(watch: EarWatch) -> None:
    felt = EarWatch(watch.desk, own=("red", "blue"))
    told: list[str] = []
    watch.desk.listen(lambda said: told.append(said.text))
    assert watch.desk.play("grab red A", "red")
    assert watch.desk.play("grab blue B", "blue")
    told.clear()
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
    assert after.shaken(bad, badly) == "A"  # this one nobody else heard: it is all there is
    assert after.odds()["A"][9] > 2 * alone.odds()["A"][9]


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


def test_after_the_check_the_ear_stands_by_what_it_said_before_it_knew_the_others(watch: EarWatch) -> None:
    """Beside B it said 7; joined anew, now that all is known, it would say 8, and nobody would trust it."""
    place(watch, "red", "A", 1, {8: 0.5, 7: 0.45})
    place(watch, "blue", "B", 4, {8: 0.5, 9: 0.49})
    end_shaking(watch)
    said = []
    for truth in ("12", "8"):
        assert not watch.settle()
        question = watch.desk.question
        assert question is not None
        said.append(question.choices[0].text)
        watch.desk.answer(question.key, next(i for i, c in enumerate(question.choices) if c.text == truth))
    report = watch.report()
    assert report is not None
    assert f"A {said[0]} for 12" in report


def test_what_the_set_changed_since_it_was_heard_is_said(watch: EarWatch) -> None:
    """Alone A was most like a 7; the others are surer of 7 and 8, so it must be something else."""
    place(watch, "red", "A", 1, {7: 0.4, 8: 0.3, 9: 0.15, 10: 0.14})
    place(watch, "blue", "B", 2, {7: 0.98})
    place(watch, "red", "C", 3, {8: 0.98})
    end_shaking(watch)
    watch.settle()
    question = watch.desk.question
    assert question is not None
    assert "alone it sounded like 7, beside the other igloos like 9 or 10" in question.text
    for language in ("de", "fr", "it"):
        assert sentences(language).known(question.text)
