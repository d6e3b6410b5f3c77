"""The desk: moves, undo, redo and corrections, who hears what of them, and where it stood."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from firmware_bridge.clock import VirtualClock
from rules.core.refusal import Refusal
from table.desk.choices import choices_at
from table.desk.desk import Desk
from table.desk.ear_watch import EarWatch
from table.games import GAMES
from table.journal.entries import Entry
from table.journal.replay import export, replay
from table.journal.store import Journal
from table.page.sentences import sentences
from tests.table.games import new_ice_cult, play_on
from tests.table.shakes import end_shaking, place


def test_nothing_that_was_refused_changes_the_table() -> None:
    desk = new_ice_cult()
    before = desk.sitting
    assert not desk.play("tilt n>N", "red")  # yellow begins
    assert desk.sitting is before
    assert desk.said[-1].tone == "refused"
    assert desk.said[-1].to == ("red",)


def test_undo_and_redo_cross_the_end_and_score_nothing_twice() -> None:
    desk = new_ice_cult()
    play_on(desk, 500)
    assert desk.sitting.over is not None
    end = desk.sitting.fingerprint()
    assert desk.undo()
    assert desk.sitting.over is None
    assert desk.redo()
    assert desk.sitting.fingerprint() == end
    while desk.undo():
        pass
    assert desk.sitting.steps == ()
    assert not desk.undo()


def test_a_misread_tilt_is_put_right_with_one_tap_and_what_no_longer_fits_is_named() -> None:
    desk = new_ice_cult(seed=11)
    play_on(desk, 7)
    wrong = desk.sitting.steps[0].move
    other = choices_at(desk.sitting, 0)
    assert wrong not in {c.text for c in other}
    assert desk.correct(0, other[0].text)
    assert desk.sitting.steps[0].move == other[0].text
    again = Desk.resume(desk._journal, GAMES, VirtualClock())
    assert again.sitting.fingerprint() == desk.sitting.fingerprint()
    assert [s.move for s in again.sitting.steps] == [s.move for s in desk.sitting.steps]


def test_a_placing_put_right_invents_no_second_igloo_from_the_report_of_the_first(watch: EarWatch) -> None:
    """`found 3 13 red` was said of the igloo that was noted on card 3; on card 5 it has still to be looked at."""
    desk = watch.desk
    place(watch, "red", "A", 3, None)
    placed = len(desk.sitting.steps) - 1
    end_shaking(watch)
    assert desk.play("found 3 13 red")
    assert desk.play("resolve")
    assert desk.correct(placed, "place red 5")
    view = desk.view(None)
    assert view["talers"]["red"]["own"] == 9
    assert {k: i["slot"] for k, i in view["igloos"].items() if i["at"] == "card"} == {"A": 5}
    assert view["phase"] == "resolving"
    assert desk.said[-1].text.endswith(
        "These later moves no longer fit and are to be made again: found 3 13 red, resolve."
    )
    assert all(sentences(language).known(desk.said[-1].text) for language in ("de", "fr", "it"))
    assert replay(desk._journal.entries(), GAMES).state == desk.sitting.state


def test_a_placing_that_is_noted_late_is_what_the_report_was_about(watch: EarWatch) -> None:
    desk = watch.desk
    assert desk.play("grab red A")
    assert desk.play("return red")
    end_shaking(watch)
    assert desk.play("found 3 13 red")  # stands there without having been noted
    assert desk.correct(len(desk.sitting.steps) - 4, "place red 3")
    assert desk.view(None)["values"]["A"] == 13
    assert desk.view(None)["talers"]["red"]["own"] == 9


def test_one_move_that_no_longer_fits_is_one_move(watch: EarWatch) -> None:
    desk = watch.desk
    assert desk.play("grab red A")
    assert desk.play("return red")
    assert desk.correct(len(desk.sitting.steps) - 2, "pass red")
    assert desk.said[-1].text.endswith("This later move no longer fits and is to be made again: return red.")
    assert all(sentences(language).known(desk.said[-1].text) for language in ("de", "fr", "it"))


def test_a_book_of_before_keeps_what_it_kept_then(watch: EarWatch) -> None:
    """What was dropped stands in the entry: a later version that judges otherwise folds it to the same position."""
    desk = watch.desk
    place(watch, "red", "A", 3, None)
    placed = len(desk.sitting.steps) - 1
    end_shaking(watch)
    assert desk.play("found 3 13 red")
    then, _ = desk.sitting.corrected(placed, "place red 5", fitting=3)  # as it was judged once
    body = {"at": placed, "move": "place red 5", "dropped": [], "after": then.fingerprint()}
    desk._journal.append("pop", "correct", body)
    assert replay(desk._journal.entries(), GAMES).state == then.state != desk.sitting.state


def test_only_what_that_seat_could_have_done_is_offered_instead() -> None:
    desk = new_ice_cult()
    play_on(desk, 30)
    for at, step in enumerate(desk.sitting.steps):
        for choice in choices_at(desk.sitting, at)[:3]:
            assert desk.sitting.game.play(
                desk.sitting.steps[at - 1].state if at else desk.sitting.start, choice.text, step.seat
            )


def test_a_correction_that_is_illegal_is_refused_and_leaves_everything() -> None:
    desk = new_ice_cult()
    play_on(desk, 4)
    before = desk.sitting
    assert not desk.correct(0, "end")
    assert desk.sitting is before


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_done_the_journal_tells_the_same_table(seed: int) -> None:
    """Moves, refusals, undo, redo and corrections in any order: the fold is what the desk shows."""
    chance = random.Random(seed)
    journal = Journal(None)
    desk = new_ice_cult(journal, seed=seed)
    for _ in range(60):
        match chance.choice(["play", "play", "play", "play", "undo", "redo", "correct", "nonsense"]):
            case "play":
                play_on(desk, 1, seed=chance.randint(0, 9))
            case "undo":
                desk.undo()
            case "redo":
                desk.redo()
            case "correct" if desk.sitting.steps:
                at = chance.randrange(len(desk.sitting.steps))
                offered = choices_at(desk.sitting, at)
                desk.correct(at, chance.choice(offered).text if offered else "end")
            case _:
                desk.play(chance.choice(["dance", "tilt n>N", "use NW 9", "end"]))
    again = Desk.resume(journal, GAMES, VirtualClock())
    assert again.sitting.fingerprint() == desk.sitting.fingerprint()
    assert again.sitting.steps == desk.sitting.steps
    journal.verify()
    # and the record, as JSON Lines, plays again to the same verdicts, refusals and corrections included
    lines = [Entry(**json.loads(line)) for line in export(journal.entries())]
    assert replay(lines, GAMES).fingerprint() == desk.sitting.fingerprint()


def test_every_listener_hears_every_sentence_until_it_leaves() -> None:
    desk, heard = new_ice_cult(), list[str]()
    leave = desk.listen(lambda said: heard.append(said.event))
    desk.play("tilt n>S")
    leave()
    leave()
    desk.play("tilt n>S")
    assert heard == ["tilted"]


def test_the_shapes_agree_with_the_rules() -> None:
    with pytest.raises(Refusal):
        new_ice_cult().sitting.played("tilt n>E", None, "hand")


def test_a_move_of_which_nothing_is_said_is_drawn_too() -> None:
    """IGLOO: the window in which pieces may be captured is ended in silence, and the other side is to act."""
    desk = Desk.new(
        Journal(None),
        GAMES,
        VirtualClock(),
        name="evening-1",
        game="igloo",
        players=["A", "B"],
        seed=1,
        options={},
    )
    for move in ("commit A red", "commit B blue", "place red S @ 0,0", "place green L @ 17,-38"):
        assert desk.play(move)
    before, said = desk.version, len(desk.said)
    assert desk.play("done")
    assert len(desk.said) == said
    assert desk.version > before


def test_after_the_end_a_misread_move_is_put_right_from_a_list_with_the_likeliest_first() -> None:
    desk = new_ice_cult()
    play_on(desk, 400)
    assert desk.sitting.over is not None
    last = next(
        at for at in reversed(range(len(desk.sitting.steps))) if desk.sitting.steps[at].move[:4] == "tilt"
    )
    step, before = desk.sitting.steps[last], desk.sitting.steps[last - 1].state
    tilts = [m for m in desk.sitting.game.moves(before) if m.startswith("tilt") and m != step.move]
    assert desk.correct(last, step.move)  # (the same move: nothing changes, and the entry says so)
    seen = {"odds": {step.move: 0.5, tilts[1]: 0.3, tilts[0]: 0.2}}
    kept = replace(desk.sitting.steps[last], evidence=seen)
    desk.sitting = replace(
        desk.sitting, steps=(*desk.sitting.steps[:last], kept, *desk.sitting.steps[last + 1 :])
    )
    offered = choices_at(desk.sitting, last)
    assert [c.moves[0] for c in offered[:2]] == [tilts[1], tilts[0]]
    assert [c.odds for c in offered[:2]] == [0.3, 0.2]
    assert desk.correct(last, offered[0].moves[0])
    assert desk.sitting.steps[last].move == tilts[1]
    assert desk.said[-1].event in ("corrected", "over")
