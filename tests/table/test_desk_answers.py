"""What an answer of several moves does, and when whoever asked is told of it."""

from __future__ import annotations

from functools import partial

import pytest

from table.desk.desk import Desk
from table.desk.said import Choice, Question
from table.games import GAMES
from table.journal.errors import JournalFull
from table.journal.fold import Sitting
from table.journal.replay import replay
from table.journal.store import Journal
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
    assert desk.question is None
    assert played_again(desk) == desk.sitting
    assert desk.play("tilt n>N")


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
