"""What an answer of several moves does, and when whoever asked is told of it."""

from __future__ import annotations

from functools import partial

import pytest

from table.desk.cube_watch import PATIENCE_S
from table.desk.desk import Desk
from table.desk.said import Choice, Question
from table.games import GAMES
from table.journal.errors import JournalFull
from table.journal.fold import Sitting
from table.journal.replay import replay
from table.journal.store import Journal
from tests.table.desk.felt_cubes import in_move, lies, lost, poses_after, watched
from tests.table.games import new_ice_cult


def played_again(desk: Desk) -> Sitting:
    return replay(desk._journal.entries(desk.name), GAMES)


def full(self: Journal, acts: object) -> None:
    raise JournalFull("the journal could not be written", "make room")


def test_every_move_of_an_answer_is_an_entry_of_its_own_and_told() -> None:
    desk, moves = new_ice_cult(), ("tilt n>S", "tilt w>E")
    one_by_one = new_ice_cult()
    for move in moves:
        assert one_by_one.play(move)
    desk.ask(Question("cubes-1", "What was it?", (Choice("both", moves),)))
    before = len(desk.said)
    assert desk.answer("cubes-1", 0)
    assert [said.text for said in desk.said[before:]] == [said.text for said in one_by_one.said[before - 1 :]]
    entries = [[(e.kind, e.body) for e in one._journal.entries()] for one in (desk, one_by_one)]
    assert entries[0] == entries[1]
    assert played_again(desk) == desk.sitting


def test_where_a_later_move_is_refused_none_is_made_and_the_book_can_be_played_again() -> None:
    """Written down as refused, it would be tried where the first one was never made, and be taken."""
    desk = new_ice_cult()
    desk.ask(Question("cubes-1", "What was it?", (Choice("there and back", ("tilt n>S", "tilt n>N")),)))
    assert not desk.answer("cubes-1", 0)
    assert desk.said[-1].tone == "refused"
    assert desk.sitting.steps == ()
    assert played_again(desk) == desk.sitting
    assert desk.play("tilt n>N")


def test_what_anybody_may_answer_is_taken_from_whoever_is_not_to_act() -> None:
    """The cubes lie as after a move of yellow's; red has a look and says so."""
    desk = new_ice_cult()
    watch, _ = watched(desk)
    watch.saw([*poses_after(desk, "tilt w>E").values()])
    watch.tick(10.0)
    watch.tick(10.0 + PATIENCE_S)
    assert desk.question
    assert desk.question.choices[0].moves == ("tilt w>E",)
    assert desk.answer(desk.question.key, 0, "red")
    assert [step.move for step in desk.sitting.steps] == ["tilt w>E"]
    assert watch.differences() == ()
    assert played_again(desk) == desk.sitting


def test_what_the_cubes_are_asked_about_goes_by_how_they_lie_now() -> None:
    """A cube is heard late, as after a restart. Half of a tilt is no move, and one cube cannot be tilted back alone."""
    desk = new_ice_cult()
    watch, _ = watched(desk)
    after = poses_after(desk, "tilt w>E")
    watch.saw([after["NW"]])
    watch.tick(10.0)
    watch.tick(10.0 + PATIENCE_S)
    first = desk.question
    assert first
    assert "tilt w>E" not in [move for choice in first.choices for move in choice.moves]
    watch.saw([after["SW"]])
    watch.tick(20.0)
    assert desk.question is first  # it may be a movement still
    watch.tick(20.0 + PATIENCE_S)
    assert desk.question
    assert "tilt the western pair to the west" in desk.question.text
    assert not desk.answer(first.key, 0)  # what was on the page before says nothing of it
    assert desk.answer(desk.question.key, 0)
    assert [step.move for step in desk.sitting.steps] == ["tilt w>E"]
    assert watch.differences() == ()


def test_what_is_asked_of_something_else_waits_for_its_answer() -> None:
    desk = new_ice_cult()
    watch, _ = watched(desk)
    other = Question("accord-1", "Do you agree?", (Choice("yes", ()),))
    desk.ask(other)
    watch.saw([*poses_after(desk, "tilt w>E").values()])
    watch.tick(10.0)
    watch.tick(10.0 + PATIENCE_S)
    assert desk.question is other
    assert desk.answer("accord-1", 0)
    watch.tick(20.0)
    assert desk.question
    assert desk.question.choices[0].moves == ("tilt w>E",)


def test_of_a_lost_heading_anybody_tells_game_and_sensor_the_same() -> None:
    desk = new_ice_cult()
    watch, told = in_move(desk)
    watch.saw([lost(watch.poses["SE"], changed=False)])
    assert desk.question
    said = [choice.text.split(":")[0] for choice in desk.question.choices]
    assert desk.answer(desk.question.key, said.index("It was turned clockwise"), "red")
    assert desk.sitting.steps[-1].move.startswith("turn")
    assert watch.lies("SE") == lies(desk, "SE")
    assert told == [("SE", 3)]


def test_what_is_asked_of_one_seat_is_that_seats_to_move() -> None:
    desk = new_ice_cult()
    desk.ask(Question("act-1", "Which one?", (Choice("north", ("tilt n>S",)),), ("red",)))
    assert not desk.answer("act-1", 0, "yellow")
    assert not desk.answer("act-1", 0)
    assert not desk.answer("act-1", 0, "red")
    assert desk.said[-1].text == "it is yellow's turn"
    assert desk.sitting.steps == ()


def test_after_an_answer_that_was_refused_the_question_stands_and_no_sensor_is_told() -> None:
    """Else nobody could give another answer, and the cubes would be followed as the game does not stand."""
    desk, told = new_ice_cult(), list[str]()
    choices = (
        Choice("there and back", ("tilt n>S", "tilt n>N"), then=partial(told.append, "both")),
        Choice("there", ("tilt n>S",), then=partial(told.append, "one")),
    )
    desk.ask(Question("cubes-1", "What was it?", choices))
    assert not desk.answer("cubes-1", 0)
    assert told == []
    assert desk.answer("cubes-1", 1)
    assert (desk.question, told) == (None, ["one"])


def test_a_step_that_an_answer_could_not_put_right_leaves_the_question() -> None:
    desk, told = new_ice_cult(), list[str]()
    assert desk.play("tilt n>S")
    wrong = Choice("it was another", ("tilt n>E",), instead_of=0, then=partial(told.append, "so"))
    desk.ask(Question("look-A-1", "What was it?", (wrong,)))
    assert not desk.answer("look-A-1", 0)
    assert desk.question is not None
    assert told == []


@pytest.mark.parametrize("moves", [("tilt n>S",), ("tilt n>S", "tilt w>E")])
def test_a_sensor_is_told_once_and_of_the_answer_that_counts(
    monkeypatch: pytest.MonkeyPatch, moves: tuple[str, ...]
) -> None:
    """It would turn a cube by each answer that it hears of, also by one that was not taken."""
    desk, told = new_ice_cult(), list[int]()
    choices = [Choice(f"by {k}", moves, then=partial(told.append, k)) for k in range(3)]
    desk.ask(Question("heading-NE-1", "How does it lie?", tuple(choices)))
    with monkeypatch.context() as disk:
        disk.setattr(Journal, "_append", full)
        for k in (0, 1):
            assert not desk.answer("heading-NE-1", k)
    assert told == []
    assert desk.question is not None
    assert desk.answer("heading-NE-1", 2)
    assert told == [2]
    assert not desk.answer("heading-NE-1", 2)
    assert told == [2]


def test_an_answer_without_moves_needs_no_room_in_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    """That the cubes were put back is nothing to write down."""
    desk, told = new_ice_cult(), list[str]()
    desk.ask(Question("cubes-1", "What was it?", (Choice("put back", (), then=partial(told.append, "so")),)))
    monkeypatch.setattr(Journal, "_append", full)
    assert desk.answer("cubes-1", 0)
    assert (desk.question, told) == (None, ["so"])
    assert desk.said[-1].tone == "asks"
