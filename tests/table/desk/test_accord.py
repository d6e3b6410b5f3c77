"""What needs everybody's word: taking back, abandoning, opening what was hidden."""

from __future__ import annotations

import random
from typing import Any

import pytest

from firmware_bridge.clock import VirtualClock
from table.desk.accord import Accord
from table.desk.desk import Desk
from table.desk.ending import abandon, everything, open_hidden
from table.games import GAMES
from table.journal.store import Journal
from tests.table.full_disk import full_disk


def a_game(name: str, players: list[str], **options: Any) -> Desk:
    return Desk.new(
        Journal(None), GAMES, VirtualClock(), name="g", game=name, players=players, seed=5, options=options
    )


def test_a_move_is_taken_back_when_the_last_of_all_agrees() -> None:
    desk = a_game("ice-cult", ["yellow", "red"])
    accord = Accord(desk, lambda: {"yellow", "red", "host"})
    assert not accord.propose("undo", "yellow")  # nothing to take back
    desk.play("tilt n>S", "yellow")
    assert accord.propose("undo", "red")
    assert not accord.propose("abandon", "yellow")  # one thing at a time
    key = accord.proposal.key if accord.proposal else ""
    assert accord.waiting() == {"yellow", "host"}
    assert not accord.agree(key, "green")
    assert not accord.agree("another", "host")
    assert accord.agree(key, "yellow")
    assert len(desk.sitting.steps) == 1
    assert accord.agree(key, "host")
    assert desk.sitting.steps == ()
    assert desk.said[-1].text == "Taken back: “tilt n>S”, by agreement."
    assert desk.noted("agreed")[0]["agreed"] == ["host", "red", "yellow"]


def test_one_no_is_enough_and_a_game_that_went_on_has_answered() -> None:
    desk = a_game("ice-cult", ["yellow", "red"])
    accord = Accord(desk, lambda: {"yellow", "red"})
    accord.propose("abandon", "red")
    assert accord.proposal
    assert accord.decline(accord.proposal.key, "yellow")
    assert accord.proposal is None
    assert desk.noted("declined")[0]["voter"] == "yellow"
    accord.propose("abandon", "red")
    desk.play("tilt n>S", "yellow")
    assert accord.proposal is None
    assert desk.sitting.over is None


@pytest.mark.parametrize("what", ["undo", "abandon"])
@pytest.mark.parametrize("since", ["corrected", "another", "again", "redone"])
def test_what_was_asked_lapses_also_where_the_game_went_on_to_as_many_moves(what: Any, since: str) -> None:
    """Whoever agrees has seen another move than the one that would be taken back; no page was open meanwhile."""
    desk = a_game("ice-cult", ["yellow", "red"])
    accord = Accord(desk, lambda: {"yellow", "red"})
    desk.play("tilt n>S")
    assert accord.propose(what, "yellow")
    assert accord.proposal
    key = accord.proposal.key
    match since:
        case "corrected":
            assert desk.correct(0, "tilt w>E")
        case "redone":
            assert desk.undo()
            assert desk.redo()
        case _:
            assert desk.undo()
            assert desk.play("tilt n>S" if since == "again" else "tilt w>E")
    assert not accord.agree(key, "red")
    assert (len(desk.sitting.steps), desk.sitting.over) == (1, None)
    assert accord.propose(what, "red")  # it can be asked anew


@pytest.mark.parametrize("what", ["undo", "abandon"])
def test_what_the_journal_does_not_take_was_not_agreed(what: Any) -> None:
    """Whoever asked hears that nothing came of it, and may ask again when there is room."""
    desk, voters = a_game("ice-cult", ["yellow", "red"]), {"yellow", "red"}
    accord = Accord(desk, lambda: voters)
    desk.play("tilt n>S", "yellow")
    desk._journal._db.execute("PRAGMA query_only = ON")
    assert accord.propose(what, "red")  # that somebody asks is not written
    assert accord.proposal
    assert not accord.agree(accord.proposal.key, "yellow")
    voters.clear()
    voters.add("red")
    assert not accord.propose(what, "red")
    assert desk.said[-1].event == "journal"
    assert [s.event for s in desk.said].count("undo") == 0
    assert (len(desk.sitting.steps), desk.sitting.over) == (1, None)
    desk._journal._db.execute("PRAGMA query_only = OFF")
    assert accord.propose(what, "red")
    assert not desk.sitting.steps or desk.sitting.over is not None


@pytest.mark.parametrize("room_for", [0, 1])
@pytest.mark.parametrize(
    ("game", "what", "event"),
    [
        ("ice-cult", "undo", "undo"),
        ("ice-cult", "abandon", "over"),
        ("igloo-pop", "abandon", "abandoned"),
        ("igloo-igloo", "open", "opened"),
    ],
)
def test_a_consent_is_said_and_written_once_also_where_the_disk_was_full(
    game: str, what: Any, event: str, room_for: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And with what was agreed to: where there was room for the note alone, neither is there."""
    players = ["yellow", "red"] if game == "ice-cult" else ["blue", "red"]
    desk = an_ended_game() if what == "open" else a_game(game, players)
    if game == "ice-cult":
        desk.play("tilt n>S", "yellow")
    accord = Accord(desk, lambda: {*players, "host"})
    assert accord.propose(what, "red")
    assert accord.proposal
    key, before = accord.proposal.key, len(desk.said)
    assert accord.agree(key, "host")  # one that is not the last is only said
    for _ in range(3):
        with full_disk(monkeypatch, room_for):
            assert not accord.agree(key, players[0])
        assert accord.waiting() == {players[0]}
    assert [s.event for s in desk.said[before:]] == ["agreed", "journal", "journal", "journal"]
    assert desk.noted("agreed") == []
    assert accord.agree(key, players[0])
    came = [s.event for s in desk.said[before + 4 :]]
    assert (came[0], came.count("agreed"), event in came) == ("agreed", 1, True)
    assert [note["agreed"] for note in desk.noted("agreed")] == [sorted([*players, "host"])]
    assert accord.proposal is None


def test_nobody_is_waited_for_who_has_left() -> None:
    desk, here = a_game("ice-cult", ["yellow", "red"]), {"yellow", "red"}
    accord = Accord(desk, lambda: here)
    desk.play("tilt n>S", "yellow")
    accord.propose("undo", "yellow")
    here.discard("red")
    assert accord.waiting() == set()


@pytest.mark.parametrize(
    ("game", "players"),
    [("ice-cult", ["yellow", "red"]), ("igloo-igloo", ["red", "blue"]), ("igloo-pop", ["red", "blue"])],
)
def test_an_abandoned_game_is_over_and_takes_no_move(game: str, players: list[str]) -> None:
    desk = a_game(game, players)
    assert abandon(desk, "host")
    assert desk.sitting.over is not None or desk.sitting.closed is not None
    legal = "tilt n>S" if game == "ice-cult" else "place b1" if game == "igloo-igloo" else "count"
    assert not desk.play(legal)
    assert not abandon(desk, "host")


def an_ended_game() -> Desk:
    """Igloo Igloo to its end by random moves."""
    desk, chance = a_game("igloo-igloo", ["red", "blue"]), random.Random(1)
    while desk.sitting.over is None:
        move = desk.sitting.game.random_move(desk.sitting.state, chance.randrange)
        assert move is not None
        assert desk.play(move)
    return desk


def test_hidden_tiles_are_opened_when_the_game_is_over_and_all_agree_and_hidden_again_by_an_undo() -> None:
    desk = an_ended_game()
    accord = Accord(desk, lambda: {"red", "blue"})
    before = desk.view("red")
    assert (
        None in [tile for hand in before["hands"].values() for tile in hand]
        or None in before["tiles"].values()
    )
    accord.propose("open", "red")
    assert desk.view(None) != everything(desk)
    assert accord.proposal
    accord.agree(accord.proposal.key, "blue")
    assert desk.view(None) == everything(desk)
    assert "chance" not in desk.view(None)
    again = Desk.resume(desk._journal, GAMES, VirtualClock(), "g")
    assert again.view(None) == everything(desk)
    desk.undo()
    assert desk.view(None) != everything(desk)


def test_what_was_opened_stays_hidden_where_the_game_comes_to_its_end_once_more() -> None:
    """They agreed to look at what was hidden after that end, and the same last move makes another one of it."""
    desk = an_ended_game()
    last = desk.sitting.steps[-1]
    assert open_hidden(desk, "host")
    assert desk.undo()
    assert desk.redo()  # as if nothing had been
    assert desk.opened
    assert desk.undo()
    assert not resumed(desk).opened
    assert resumed(desk, redo=True).opened
    assert desk.play(last.move, last.seat, last.by)
    assert desk.sitting.over
    for one in (desk, resumed(desk)):
        assert not one.opened
        assert one.view(None) != everything(one)
    assert open_hidden(desk, "host")
    assert resumed(desk).opened


def test_what_was_opened_is_hidden_again_by_a_correction() -> None:
    desk = an_ended_game()
    at, steps = len(desk.sitting.steps) - 1, desk.sitting.steps
    assert open_hidden(desk, "host")
    assert desk.correct(at, steps[at].move)
    assert len(desk.sitting.steps) == len(steps)
    for one in (desk, resumed(desk)):
        assert not one.opened


def resumed(desk: Desk, redo: bool = False) -> Desk:
    """After a restart; `redo`: and the last move that was taken back is made again, here alone."""
    again = Desk.resume(desk._journal, GAMES, VirtualClock(), "g")
    if redo:
        again.sitting = again.sitting.redone()
    return again


def test_what_nothing_came_of_for_another_reason_than_the_journal_is_asked_no_more() -> None:
    desk = an_ended_game()
    accord = Accord(desk, lambda: {"red", "blue"})
    assert accord.propose("open", "red")
    assert accord.proposal
    key = accord.proposal.key
    assert open_hidden(desk, "host")  # meanwhile
    assert not accord.agree(key, "blue")
    assert accord.proposal is None
