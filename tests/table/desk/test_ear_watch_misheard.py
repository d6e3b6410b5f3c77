"""The ear was sure and wrong: whoever looks underneath another igloo sees a count that is given already."""

from __future__ import annotations

import asyncio

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Pressed
from table.demo.stage import Stage
from table.desk.desk import Desk
from table.desk.ear_watch import EarWatch
from table.desk.said import Question
from table.games import GAMES
from table.journal.replay import replay
from table.journal.store import Journal
from table.page.sentences import sentences
from table.trainer.rattles import SENSOR
from tests.table.shakes import end_shaking, heard, place


def asked(watch: EarWatch) -> Question:
    assert not watch.settle()
    assert watch.desk.question is not None
    return watch.desk.question


def look(watch: EarWatch, letter: str, text: str) -> None:
    """Somebody looks underneath that igloo, and taps the button that begins with what he sees."""
    question = asked(watch)
    assert question.text.startswith(f"Look underneath igloo {letter} ")
    index = next(i for i, choice in enumerate(question.choices) if f"{choice.text} ".startswith(f"{text} "))
    assert watch.desk.answer(question.key, index)


def values(watch: EarWatch) -> dict[str, int]:
    return {k: v for k, v in watch.desk.view(None)["values"].items() if v is not None}


def stands_in_the_book(watch: EarWatch) -> None:
    """The same after the power went, and when the record is played again."""
    desk = watch.desk
    again = Desk.resume(desk._journal, GAMES, VirtualClock())
    assert again.sitting.state == desk.sitting.state
    assert replay(desk._journal.entries(), GAMES).state == desk.sitting.state


def test_the_count_of_an_igloo_that_was_misheard_is_offered_and_puts_that_one_right(watch: EarWatch) -> None:
    place(watch, "red", "A", 1, {2: 0.9995})
    place(watch, "blue", "B", 2, None)
    place(watch, "red", "C", 3, {9: 0.9995})
    end_shaking(watch)
    assert asked(watch).choices[-1].text == "2 – then igloo A was misheard"
    look(watch, "B", "7")  # the ear goes on with C
    assert watch.settle()
    assert watch.desk.undo()
    assert watch.desk.undo()
    look(watch, "B", "2")
    assert values(watch) == {"B": 2}
    assert "it was misheard. How many beads?" in asked(watch).text  # A is not asked of the ear again
    look(watch, "A", "3")
    assert watch.settle()
    assert values(watch) == {"A": 3, "B": 2, "C": 9}
    assert (
        watch.report()
        == "Of 1 igloo that was turned over the ear had 0 exactly and 1 within one (A 2 for 3)."
    )
    stands_in_the_book(watch)


def test_nothing_that_was_told_meanwhile_is_lost(watch: EarWatch) -> None:
    for letter, slot, likely in (
        ("A", 1, {2: 0.9995}),
        ("B", 2, None),
        ("C", 3, {9: 0.9995}),
        ("D", 4, None),
    ):
        place(watch, "red" if letter in "AC" else "blue", letter, slot, likely)
    end_shaking(watch)
    look(watch, "B", "7")
    look(watch, "D", "2")
    assert values(watch) == {"B": 7, "C": 9, "D": 2}
    look(watch, "A", "9")  # and so was C
    look(watch, "C", "13")
    assert values(watch) == {"A": 9, "B": 7, "C": 13, "D": 2}
    stands_in_the_book(watch)


def test_what_somebody_misread_can_be_put_right_from_the_next_igloo_as_well(watch: EarWatch) -> None:
    place(watch, "red", "A", 1, None)
    place(watch, "blue", "B", 2, None)
    end_shaking(watch)
    look(watch, "A", "6")
    assert asked(watch).choices[-1].text == "6 – then igloo A was misread"
    look(watch, "B", "6")
    look(watch, "A", "9")
    assert values(watch) == {"A": 9, "B": 6}


def test_of_two_alike_on_one_card_the_other_one_is_to_be_looked_at(watch: EarWatch) -> None:
    place(watch, "red", "A", 3, {9: 0.9995})
    place(watch, "red", "B", 3, None)
    end_shaking(watch)
    look(watch, "B", "9 – that one is counted already: look underneath the other one")
    assert values(watch) == {"A": 9}
    look(watch, "B", "10")
    assert values(watch) == {"A": 9, "B": 10}
    stands_in_the_book(watch)


def test_an_igloo_that_only_its_report_put_on_a_card_is_not_taken_away_again(watch: EarWatch) -> None:
    place(watch, "blue", "B", 2, None)
    end_shaking(watch)
    assert watch.desk.play("found 5 6 red")  # nobody had noted it
    assert all(not choice.text.startswith("6") for choice in asked(watch).choices)


def test_a_question_that_has_not_changed_is_told_once(watch: EarWatch) -> None:
    place(watch, "red", "A", 1, None)
    end_shaking(watch)
    first = asked(watch)
    assert asked(watch) is first
    assert sum(said.tone == "asks" for said in watch.desk.said) == 1


def test_every_button_is_said_in_all_languages(watch: EarWatch) -> None:
    place(watch, "red", "A", 3, {9: 0.9995})
    place(watch, "red", "B", 3, None)
    place(watch, "blue", "C", 4, None)
    end_shaking(watch)
    texts = [choice.text for choice in asked(watch).choices[-1:]]
    look(watch, "B", "9")
    look(watch, "B", "7")
    texts += [choice.text for choice in asked(watch).choices[-2:]]
    look(watch, "C", "7")
    texts += [choice.text for choice in asked(watch).choices[-2:]]
    said = [line.text for line in watch.desk.said if line.event in ("corrected", "question")]
    assert any("misread" in text for text in texts)
    for language in ("de", "fr", "it"):
        say = sentences(language)
        assert all(say(text) != text for text in [*texts, *said] if not text.isdecimal())


async def test_the_demo_goes_on_after_an_ear_that_was_sure_and_wrong() -> None:
    clock = VirtualClock()
    stage = Stage(clock, Journal(None), 1, load_shipped(SENSOR), beside=False)
    pop = stage.new_pop()
    desk = pop.desk
    for slot, cards in enumerate(("5", "7-8", "9-10-11", "2", "3-4", "6", "12-13", "4-5-6", "11-12-13"), 1):
        assert desk.play(f"deal {slot} {cards}")
    pop.mix()
    desk.play("count")
    for seat, letter, slot in (("red", "A", 1), ("red", "C", 1), ("blue", "B", 2)):
        desk.play(f"grab {seat} {letter}", seat)
        if letter == "A":
            pop.watch.shaken(seat, heard(seat, {pop.beads["B"]: 0.9995}))
        desk.play(f"place {seat} {slot}", seat)
    for seat in ("red", "blue", "green"):
        desk.play(f"pass {seat}", seat)
    before, counted = len(desk.said), dict[str, int]()
    desk.listen(lambda said: counted.update(values(pop.watch)))
    checking = asyncio.create_task(pop._check())
    await clock.advance(60.0)
    assert checking.done()
    assert counted == {k: pop.beads[k] for k in "ABC"}
    assert sum(said.tone == "asks" for said in desk.said[before:]) == 3
    assert desk.view(None)["phase"] == "countdown"
    pop.close()


def test_back_in_an_earlier_round_the_ear_does_not_speak_of_its_letters(watch: EarWatch) -> None:
    place(watch, "red", "A", 3, None)
    end_shaking(watch)
    look(watch, "A", "9")
    placed = next(i for i, step in enumerate(watch.desk.sitting.steps) if step.move == "place red 3")
    assert watch.pressed(Pressed(12.0, "red"))
    assert watch.desk.play("deal 3 8-9")
    assert watch.pressed(Pressed(13.0, "red"))
    place(watch, "red", "A", 5, {4: 0.9995})  # another igloo: letters were dealt anew
    assert watch.desk.correct(placed, "place red 5")
    assert watch.desk.view(None)["phase"] == "resolving"
    assert (
        "igloo A of red on card 5 (3-4): what may have been heard of it before is gone." in asked(watch).text
    )
