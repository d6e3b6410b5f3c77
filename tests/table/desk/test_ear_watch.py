"""Igloo Pop with a listening table: what was heard stays hidden until the cards are checked, and then speaks."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.seats.listener import TOO_CROWDED
from sensors.ear.verdicts.reasons import HUMS, NO_STROKES
from sensors.evidence import Pressed
from table.desk.desk import Desk
from table.desk.ear_watch import EarWatch
from table.games import GAMES
from table.journal.store import Journal
from table.page.sentences import sentences
from tests.table.shakes import CARDS, end_shaking, heard, place


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


@pytest.mark.parametrize("doubt", ["sensor", "strange"])
def test_what_was_only_heard_badly_is_looked_at_whatever_its_odds(watch: EarWatch, doubt: str) -> None:
    assert watch.desk.play("grab red A", "red")
    assert watch.shaken("red", heard("red", {5: 0.9995}, doubt=doubt)) == "A"
    assert watch.desk.play("place red 1", "red")
    end_shaking(watch)
    assert not watch.settle()
    assert watch.desk.question is not None
    assert watch.desk.question.choices[0].text == "5"


def test_an_igloo_that_was_heard_well_once_needs_no_look(watch: EarWatch) -> None:
    assert watch.desk.play("grab red A", "red")
    for doubt in ("sensor", "odds"):
        assert watch.shaken("red", heard("red", {5: 0.9995}, doubt=doubt)) == "A"
    assert watch.desk.play("place red 1", "red")
    end_shaking(watch)
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


def test_nothing_is_said_of_a_microphone_whose_seat_is_not_in_the_game(watch: EarWatch) -> None:
    told: list[str] = []
    watch.desk.listen(lambda said: told.append(said.text))
    crowded = replace(heard("yellow", {7: 0.9}), reason=TOO_CROWDED)
    for said in (heard("yellow", {7: 0.9}), heard("yellow", {}, "not-a-shake"), crowded):
        assert watch.shaken("yellow", said) is None
    assert told == []
    assert watch.counting() == {}


def test_in_digital_play_nothing_is_heard_and_nothing_said_of_a_rattle() -> None:
    """There are no igloos: what rattles is none."""
    desk = Desk.new(
        Journal(None), GAMES, VirtualClock(), name="x", game="igloo-pop", players=["red", "blue"], seed=1,
        options={"mode": "digital"},
    )  # fmt: skip
    ears = EarWatch(desk)
    assert desk.play("count")
    told: list[str] = []
    desk.listen(lambda said: told.append(said.text))
    assert ears.shaken("red", heard("red", {7: 0.9})) is None
    assert told == []
    assert desk.play("grab red A", "red")
    assert ears.shaken("red", heard("red", {7: 0.9})) is None
    assert ears.counting() == {}


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
        == "Of 1 igloo that was turned over the ear had 0 exactly and 1 within one (B 3 for 2)."
    )


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


def test_an_igloo_that_is_put_down_is_no_shake_that_anybody_meant(watch: EarWatch) -> None:
    assert watch.desk.play("grab red A", "red")
    before = list(watch.desk.said)
    put_down = replace(heard("red", {}, "not-a-shake"), reason=NO_STROKES)
    assert watch.shaken("red", put_down) == "A"
    assert list(watch.desk.said) == before


def test_a_hum_is_said_of_the_sensor_and_once_a_round(watch: EarWatch) -> None:
    """An igloo that is only passed on hums as well."""
    hums = replace(heard("red", {}, "not-a-shake"), reason=HUMS)
    for seat, letter in (("red", "A"), ("blue", "B")):
        assert watch.desk.play(f"grab {seat} {letter}", seat)
        said = len(watch.desk.said)
        for _ in range(3):
            assert watch.shaken(seat, hums) == letter
        (only,) = list(watch.desk.said)[said:]
        assert only.text == f"At {seat}'s seat {HUMS}"
        assert "Stromnetz" in sentences("de")(only.text)
        assert all(sentences(language).known(only.text) for language in ("de", "fr", "it"))
        assert watch.desk.play(f"place {seat} {1 if seat == 'red' else 4}", seat)
    end_shaking(watch)
    watch.settle()
    while (question := watch.desk.question) is not None:
        assert watch.desk.answer(question.key, 0)
        watch.settle()
    watch.pressed(Pressed(12.0, "red"))
    for slot in (1, 4):
        watch.desk.play(f"deal {slot} 8-9")
    watch.pressed(Pressed(13.0, "red"))
    assert watch.desk.play("grab red A", "red")
    watch.shaken("red", hums)
    assert watch.desk.said[-1].event == "hums"


def test_why_a_shake_counts_for_no_igloo_is_said_now_and_then_and_anew_in_the_next_round(
    watch: EarWatch,
) -> None:
    def said() -> int:
        watch._lost("red", "shake one after another")
        return sum(one.event == "in-turn" for one in watch.desk.said)

    assert [said(), said()] == [1, 1]
    watch._begin({**watch.desk.view(None), "round": 2})
    assert said() == 2


def test_in_a_closed_game_a_button_asks_nothing_and_says_why(watch: EarWatch) -> None:
    place(watch, "red", "A", 2, {7: 0.55, 8: 0.44})
    end_shaking(watch)
    watch.desk.close("abandoned by red")
    assert not watch.pressed(Pressed(9.0, "red"))
    assert watch.desk.question is None
    assert watch.desk.said[-1].text == "this game was closed; another one can be begun"
    assert not watch.settle()
    assert watch.desk.undo()  # the closing is taken back
    assert not watch.settle()
    assert watch.desk.question is not None


def test_in_a_closed_game_igloos_rattle_in_peace(watch: EarWatch) -> None:
    """They are put away; but what was heard counts, if the closing is taken back."""
    assert watch.desk.play("grab red A", "red")
    watch.desk.close("abandoned by red")
    said = len(watch.desk.said)
    assert watch.shaken("blue", heard("blue", {5: 0.9})) is None
    assert watch.shaken("red", heard("red", {}, "not-a-shake")) == "A"
    assert watch.desk.said[said:] == []
    assert watch.shaken("red", heard("red", {5: 0.9})) == "A"
    assert watch.desk.undo()
    assert watch.odds()["A"][5] > 0.5
