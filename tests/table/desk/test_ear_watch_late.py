"""The line of a shake comes a while after it: it belongs to the igloo that was in hand when it was shaken."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.clock import VirtualClock
from sensors.ear.seats.listener import ELSEWHERE
from sensors.ear.verdicts.reasons import TOO_SHORT
from table.desk.ear_watch import EarWatch
from table.settings.seats import TABLE
from tests.table.shakes import end_shaking, heard


def told_by(watch: EarWatch) -> list[str]:
    told: list[str] = []
    watch.desk.listen(lambda said: told.append(said.event))
    return told


async def takes(watch: EarWatch, clock: VirtualClock, seat: str, letter: str, seconds: float = 5.0) -> None:
    """Somebody takes an igloo, and has it in hand for so long."""
    assert watch.desk.play(f"grab {seat} {letter}", seat)
    await clock.advance(seconds)


async def test_an_igloo_that_was_put_down_at_once_gets_its_line_and_not_the_next_one(
    watch: EarWatch, clock: VirtualClock
) -> None:
    await clock.advance(100.0)
    await takes(watch, clock, "red", "A", 3.0)  # two of them shaking
    assert watch.desk.play("place red 2", "red")
    await takes(watch, clock, "red", "B", 0.4)
    assert watch.shaken("red", heard("red", {7: 0.97})) == "A"
    assert set(watch.odds()) == {"A"}
    await clock.advance(3.0)
    assert watch.shaken("red", heard("red", {9: 0.97})) == "B"


async def test_the_first_line_of_a_round_goes_to_the_igloo_that_was_shaken(
    watch: EarWatch, clock: VirtualClock
) -> None:
    """Whoever counted the round in: at a table that is the page's countdown, and no button."""
    desk = watch.desk
    end_shaking(watch)
    assert desk.play("resolve")
    for ears in (watch, EarWatch(desk)):  # one that goes on, and one of a table that was started anew
        assert desk.play("count")
        await clock.advance(100.0)
        assert desk.play("grab red A", "red")
        await clock.advance(3.0)
        assert desk.play("return red", "red")
        assert desk.play("grab red B", "red")
        await clock.advance(0.5)
        assert ears.shaken("red", heard("red", {7: 0.97})) == "A"
        assert set(ears.odds()) == {"A"}
        assert desk.play("return red", "red")
        end_shaking(ears)
        assert desk.play("resolve")


async def test_a_line_of_the_last_round_is_of_no_igloo_of_this_one(
    watch: EarWatch, clock: VirtualClock
) -> None:
    """The letters are dealt anew: what was called A then may be any igloo now."""
    desk = watch.desk
    await clock.advance(101.0)
    await takes(watch, clock, "red", "A", 2.0)
    assert desk.play("return red", "red")
    end_shaking(watch)
    assert desk.play("resolve")
    await clock.advance(6.0)
    assert desk.play("count")
    late = replace(heard("red", {7: 0.97}), ended_at=102.5)
    assert watch.shaken("red", late) is None
    assert watch.counting() == {}
    await takes(watch, clock, "red", "A", 3.0)
    assert watch.shaken("red", late) is None
    assert watch.shaken("red", heard("red", {9: 0.97})) == "A"
    assert len(watch.counting()["A"]) == 1


async def test_a_taking_that_is_taken_back_takes_with_it_what_was_heard(
    watch: EarWatch, clock: VirtualClock
) -> None:
    desk = watch.desk
    await clock.advance(100.0)
    await takes(watch, clock, "red", "A")
    assert watch.shaken("red", heard("red", {5: 0.995})) == "A"
    assert desk.undo()
    assert watch.odds() == {}
    assert desk.redo()
    assert watch.odds()["A"][5] > 0.9
    assert desk.undo()
    assert desk.play("grab red B", "red")
    assert watch.odds() == {}  # of which igloo it was, nobody knows
    assert watch.shaken("red", heard("red", {8: 0.995})) is None  # shaken before it was taken back
    elsewhere = replace(heard("red", {}, "not-a-shake"), reason=ELSEWHERE)
    assert watch.shaken("red", elsewhere) is None
    await clock.advance(5.0)
    assert watch.shaken("red", heard("red", {6: 0.995})) == "B"
    assert set(watch.odds()) == {"B"}
    assert desk.play("return red", "red")
    assert desk.play("grab red A", "red")  # now he has it, and has not shaken it
    assert set(watch.odds()) == {"B"}


async def test_a_shake_is_not_held_for_an_earlier_taking_where_its_own_was_taken_back(
    watch: EarWatch, clock: VirtualClock
) -> None:
    desk = watch.desk
    await clock.advance(100.0)
    await takes(watch, clock, "red", "A")
    assert desk.play("return red", "red")
    told = told_by(watch)
    await takes(watch, clock, "red", "A", 3.0)
    assert desk.undo()
    await takes(watch, clock, "red", "B", 0.4)
    assert watch.shaken("red", heard("red", {7: 0.995})) is None
    assert watch.odds() == {}
    assert "stray-shake" not in told


async def test_what_was_taken_back_does_not_come_alive_where_the_next_taking_is_corrected(
    watch: EarWatch, clock: VirtualClock
) -> None:
    desk = watch.desk
    await clock.advance(100.0)
    assert desk.play("grab red A", "red")
    at = len(desk.sitting.steps) - 1
    await clock.advance(5.0)
    assert watch.shaken("red", heard("red", {5: 0.995})) == "A"
    assert desk.undo()
    await takes(watch, clock, "red", "B")
    assert watch.shaken("red", heard("red", {8: 0.995})) == "B"
    assert desk.correct(at, "grab red C")
    assert set(watch.odds()) == {"C"}
    assert watch.odds()["C"][8] > 0.9


async def test_a_taking_that_is_made_again_after_a_forgotten_move_keeps_what_was_heard(
    watch: EarWatch, clock: VirtualClock
) -> None:
    desk = watch.desk
    await clock.advance(100.0)
    await takes(watch, clock, "red", "A")
    await takes(watch, clock, "blue", "C")
    assert watch.shaken("blue", heard("blue", {9: 0.995})) == "C"
    assert desk.undo()
    assert desk.play("place red 2", "red")
    assert "C" not in watch.odds()
    assert desk.play("grab blue C", "blue")
    assert watch.odds()["C"][9] > 0.9


async def test_a_taking_that_is_corrected_gives_what_was_heard_to_the_igloo_that_was_meant(
    watch: EarWatch, clock: VirtualClock
) -> None:
    desk = watch.desk
    await clock.advance(100.0)
    await takes(watch, clock, "blue", "C")
    assert watch.shaken("blue", heard("blue", {3: 0.995})) == "C"
    assert desk.play("grab red A", "red")
    at = len(desk.sitting.steps) - 1
    await clock.advance(5.0)
    assert watch.shaken("red", heard("red", {5: 0.995})) == "A"
    assert desk.play("place red 1", "red")
    assert desk.correct(at, "grab red B")
    assert set(watch.odds()) == {"B", "C"}
    assert watch.odds()["B"][5] > 0.9
    assert watch.odds()["C"][3] > 0.9


async def test_nobody_is_blamed_whose_igloo_stands_on_its_card_already(
    watch: EarWatch, clock: VirtualClock
) -> None:
    await clock.advance(100.0)
    told = told_by(watch)
    await takes(watch, clock, "red", "A", 3.0)
    assert watch.desk.play("place red 2", "red")
    await clock.advance(0.6)
    assert watch.shaken("red", heard("red", {7: 0.97})) == "A"
    assert watch.shaken(TABLE, heard(TABLE, {7: 0.97})) == "A"
    assert "stray-shake" not in told
    await clock.advance(5.0)
    assert watch.shaken("red", heard("red", {7: 0.97})) is None
    assert "stray-shake" in told
    # red has taken one, and must not be told otherwise
    assert watch.desk.said[-1].text == "Something rattled at red's seat, but red has no igloo in hand."


async def test_the_last_line_counts_though_the_cards_are_being_checked(
    watch: EarWatch, clock: VirtualClock
) -> None:
    await clock.advance(100.0)
    await takes(watch, clock, "red", "A", 3.0)
    assert watch.desk.play("place red 1", "red")
    end_shaking(watch)
    await clock.advance(0.6)
    assert watch.shaken("red", heard("red", {5: 0.995})) == "A"
    assert watch.settle()
    assert watch.desk.sitting.steps[-1].move == "found 1 5 red"


async def test_a_question_that_was_asked_before_the_last_line_is_asked_anew(
    watch: EarWatch, clock: VirtualClock
) -> None:
    await clock.advance(100.0)
    await takes(watch, clock, "red", "A", 3.0)
    assert watch.desk.play("place red 2", "red")
    end_shaking(watch)
    assert not watch.settle()
    assert watch.desk.question is not None
    assert "it was not heard" in watch.desk.question.text
    await clock.advance(0.6)
    assert watch.shaken("red", heard("red", {8: 0.6, 7: 0.39})) == "A"
    assert "it sounded like 8 or 7" in watch.desk.question.text
    assert watch.desk.answer(watch.desk.question.key, 0)
    assert watch.desk.view(None)["values"]["A"] == 8


async def test_a_move_that_was_taken_back_was_no_hold(watch: EarWatch, clock: VirtualClock) -> None:
    await clock.advance(100.0)
    await takes(watch, clock, "red", "A", 0.2)
    assert watch.desk.undo()
    await takes(watch, clock, "red", "B", 3.0)
    assert watch.shaken("red", heard("red", {5: 0.9})) == "B"


async def test_two_of_one_moment_stay_with_their_seats(watch: EarWatch, clock: VirtualClock) -> None:
    await clock.advance(100.0)
    assert watch.desk.play("grab red A", "red")
    await takes(watch, clock, "blue", "B", 3.0)
    assert watch.desk.play("place blue 1", "blue")
    assert watch.desk.play("place red 2", "red")
    assert watch.shaken("blue", heard("blue", {5: 0.9})) == "B"
    assert watch.shaken("red", heard("red", {8: 0.9})) == "A"


def test_a_profile_of_three_counts_cannot_tell_what_it_does_not_know(watch: EarWatch) -> None:
    few = replace(heard("red", {}), probabilities={3: 0.001, 4: 0.001, 5: 0.998}, verdict="sure", doubt="")
    assert watch.desk.play("grab red A", "red")
    assert watch.shaken("red", few) == "A"
    assert watch.desk.play("place red 1", "red")
    odds = watch.odds()["A"]
    assert abs(odds[5] - odds[13]) < 1e-9
    assert odds[4] < odds[5] / 10
    end_shaking(watch)
    assert not watch.settle()  # somebody has to look


def test_a_profile_of_three_counts_tells_the_one_in_the_middle(watch: EarWatch) -> None:
    few = replace(heard("red", {}), probabilities={4: 1e-4, 5: 0.9998, 6: 1e-4}, verdict="sure", doubt="")
    assert watch.desk.play("grab red A", "red")
    assert watch.shaken("red", few) == "A"
    assert watch.desk.play("place red 1", "red")
    end_shaking(watch)
    assert watch.settle()
    assert watch.desk.sitting.steps[-1].move == "found 1 5 red"


def test_a_piece_of_a_shake_that_was_too_short_counts_where_nothing_else_does(watch: EarWatch) -> None:
    short = replace(heard("red", {3: 0.9}, doubt="sensor"), reason=TOO_SHORT)
    assert watch.desk.play("grab red A", "red")
    assert watch.shaken("red", short) == "A"
    assert max(watch.odds()["A"].items(), key=lambda item: item[1])[0] == 3
    assert watch.shaken("red", heard("red", {8: 0.6})) == "A"
    alone = watch.odds()["A"]
    assert watch.shaken("red", short) == "A"
    assert watch.odds()["A"] == alone
