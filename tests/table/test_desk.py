"""The desk: evidence against legal moves, questions with odds, undo, corrections, and where it stood."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.clock import VirtualClock
from rules.core.refusal import Refusal
from sensors.evidence import CubePose, Odd, Tilted, Turned
from table.desk.cube_watch import PATIENCE_S, CubeWatch
from table.desk.desk import Desk
from table.desk.weigh import Accept, Ask, Explanation, Forbidden, weigh
from table.games import GAMES
from table.journal.entries import Entry
from table.journal.replay import export, replay
from table.journal.store import Journal
from tests.table.games import new_ice_cult, play_on


def poses_of(desk: Desk, margin: float = 80.0) -> list[CubePose]:
    """The cubes as the position says, told by trackers that name faces as the game does."""
    cubes = desk.view(None)["cubes"]
    return [CubePose(0.0, c["cube"], slot, c["up"], c["north"], 1.0, margin) for slot, c in cubes.items()]


def watched(desk: Desk) -> CubeWatch:
    watch = CubeWatch(desk)
    watch.saw(poses_of(desk))
    return watch


def lie_as_after(watch: CubeWatch, *moves: str, margin: float = 80.0) -> list[CubePose]:
    """How the cubes would lie after these moves, whether the desk takes them or not."""
    game, state = watch.desk.sitting.game, watch.desk.sitting.state
    for move in moves:
        state, _ = game.play(state, move)
    cubes = game.view(state, None)["cubes"]
    return [CubePose(1.0, c["cube"], slot, c["up"], c["north"], 1.0, margin) for slot, c in cubes.items()]


# evidence


def test_a_clear_tilt_that_is_legal_is_taken() -> None:
    watch = watched(new_ice_cult())
    watch.saw([*lie_as_after(watch, "tilt n>S"), Tilted(1.0, "n", "S")])
    assert [s.move for s in watch.desk.sitting.steps] == ["tilt n>S"]
    assert watch.desk.sitting.steps[0].by == "cubes"
    assert watch.differences() == ()


def test_a_tilt_that_undoes_the_first_is_named_and_putting_it_back_is_no_move() -> None:
    watch = watched(new_ice_cult())
    at_start = lie_as_after(watch)
    after_first = lie_as_after(watch, "tilt n>S")
    watch.saw([*after_first, Tilted(1.0, "n", "S")])
    watch.saw([*at_start, Tilted(2.0, "n", "N")])  # the way back
    said = [s for s in watch.desk.said if s.tone == "refused"]
    assert said[-1].rule == "IC-5"
    assert "tilt n>N" not in said[-1].data["nearest"]
    assert watch.desk.said[-1].event == "put-back-please"
    assert {d.slot for d in watch.differences()} == {"NW", "NE"}
    watch.saw([*after_first, Tilted(3.0, "n", "S")])  # they put it back, which is a tilt by itself
    watch.tick(3.1)
    assert [s.move for s in watch.desk.sitting.steps] == ["tilt n>S"]
    assert watch.desk.said[-1].event == "put-back"


def test_after_a_wrong_act_another_one_that_fits_is_taken_as_it_lies() -> None:
    watch = watched(new_ice_cult())
    watch.saw([*lie_as_after(watch, "tilt n>S"), Tilted(1.0, "n", "S")])
    second = lie_as_after(watch, "tilt w>E")
    watch.saw([Turned(2.0, "NE", "cw")])  # pawns are not moved yet, nor arcs turned
    watch.poses["NE"] = CubePose(2.0, "B", "NE", "U", "N", 1.0, 80.0)
    watch._told = watch.differences()
    watch.saw([*second, Tilted(3.0, "w", "E")])
    assert [s.move for s in watch.desk.sitting.steps] == ["tilt n>S", "tilt w>E"]


def test_a_turn_that_could_be_either_is_asked_with_odds() -> None:
    """The cube lies between two of its 24 ways: the referee does not guess."""
    desk = new_ice_cult()
    watch = watched(desk)
    for move in ("tilt n>S", "tilt n>S"):
        desk.play(move)
    watch.saw(poses_of(desk))
    doubtful = [CubePose(2.0, p.cube, p.slot, p.up, p.north, 40.0, 3.0) for p in poses_of(desk)]
    arc = next(m for m in desk.sitting.game.moves(desk.sitting.state) if m.startswith("turn"))
    slot = arc.split()[2]
    watch.saw([*[p for p in doubtful if p.slot == slot], Turned(2.0, slot, "cw")])
    assert desk.question is not None
    assert len(desk.question.choices) == 2
    assert sum(c.odds or 0 for c in desk.question.choices) == pytest.approx(1.0, abs=0.02)
    assert len(desk.sitting.steps) == 2
    assert desk.answer(desk.question.key, 0)
    assert desk.sitting.steps[-1].move.startswith(f"turn SE {slot}") or desk.sitting.steps[
        -1
    ].move.startswith("turn")


def test_cubes_that_were_moved_behind_our_back_are_asked_about_after_a_while_only() -> None:
    desk = new_ice_cult()
    watch = watched(desk)
    watch.saw([CubePose(1.0, "A", "NW", "U", "E", 1.0, 80.0)])
    watch.tick(10.0)
    assert desk.question is None  # a movement in progress is not read as the move
    watch.tick(10.0 + PATIENCE_S)
    assert desk.question is not None
    index = next(i for i, c in enumerate(desk.question.choices) if "as they lie" in c.text)
    assert desk.answer(desk.question.key, index)
    assert desk.view(None)["cubes"]["NW"]["north"] == "E"
    assert watch.differences() == ()


def test_an_uncalibrated_set_is_taken_to_lie_as_the_set_up_says() -> None:
    desk = new_ice_cult()
    watch = CubeWatch(desk)
    watch.saw(
        [
            CubePose(0.0, cube, slot, "U", "N", 1.0, 80.0)
            for cube, slot in zip("ABCD", ("NW", "NE", "SE", "SW"), strict=True)
        ]
    )
    assert watch.differences() != ()
    watch.register()
    assert watch.differences() == ()
    # the game's cube B lies with its W face north: tilted north, the tracker's S comes up, which is the game's E
    watch.saw([CubePose(1.0, "B", "NE", "S", "U", 1.0, 80.0)])
    assert watch.lies("NE") == ("E", "U")


def test_what_was_no_move_of_the_game_is_told_and_nothing_else() -> None:
    watch = watched(new_ice_cult())
    watch.saw([Odd(1.0, "NW", "set down on its edge")])
    assert watch.desk.said[-1].event == "odd"
    assert watch.desk.sitting.steps == ()


@given(st.lists(st.floats(0.0, 1.0), min_size=3, max_size=3).filter(lambda s: sum(s) > 0.01))
def test_a_clear_but_illegal_act_is_never_bent_into_a_legal_one(shares: list[float]) -> None:
    """Whatever the shares: what is accepted is legal and was sure by itself; what is forbidden names a rule."""
    desk = new_ice_cult()
    moves = (
        "tilt n>S",
        "tilt s>N",
        "tilt n>E",
    )  # the last one does not exist: that pair tilts north or south
    verdict = weigh(desk.sitting, [Explanation(m, s) for m, s in zip(moves, shares, strict=True)])
    total = sum(shares)
    match verdict:
        case Accept(move=move, odds=odds):
            assert move != "tilt n>E"
            assert odds == pytest.approx(shares[moves.index(move)] / total)
            assert odds >= 0.9
        case Ask(options=options):
            assert all(e.move != "tilt n>E" for e, _ in options)
            assert shares[2] / total < 0.98
        case Forbidden(refusal=refusal):
            assert refusal.rule == "IC-4"
            assert shares[2] > 0


# acts, undo, corrections


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
    other = desk.choices_at(0)
    assert wrong not in {c.text for c in other}
    assert desk.correct(0, other[0].text)
    assert desk.sitting.steps[0].move == other[0].text
    again = Desk.resume(desk._journal, GAMES, VirtualClock())
    assert again.sitting.fingerprint() == desk.sitting.fingerprint()
    assert [s.move for s in again.sitting.steps] == [s.move for s in desk.sitting.steps]


def test_only_what_that_seat_could_have_done_is_offered_instead() -> None:
    desk = new_ice_cult()
    play_on(desk, 30)
    for at, step in enumerate(desk.sitting.steps):
        for choice in desk.choices_at(at)[:3]:
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
                desk.correct(
                    at, chance.choice(desk.choices_at(at) or (None,)).text if desk.choices_at(at) else "end"
                )
            case _:
                desk.play(chance.choice(["dance", "tilt n>N", "use NW 9", "end"]))
    again = Desk.resume(journal, GAMES, VirtualClock())
    assert again.sitting.fingerprint() == desk.sitting.fingerprint()
    assert again.sitting.steps == desk.sitting.steps
    journal.verify()
    # and the record, as JSON Lines, plays again to the same verdicts, refusals and corrections included
    lines = [Entry(**json.loads(line)) for line in export(journal.entries())]
    assert replay(lines, GAMES).fingerprint() == desk.sitting.fingerprint()


def test_a_question_that_was_answered_is_closed() -> None:
    desk = new_ice_cult()
    desk.sensed([Explanation("tilt n>S", 0.6), Explanation("tilt n>N", 0.4)], "Something moved.", "cubes")
    question = desk.question
    assert question is not None
    assert [c.odds for c in question.choices] == [0.6, 0.4]
    assert not desk.answer("another", 0)
    assert not desk.answer(question.key, 7)
    assert desk.answer(question.key, 1)
    assert desk.sitting.steps[0].move == "tilt n>N"
    assert not desk.answer(question.key, 1)


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
    offered = desk.choices_at(last)
    assert [c.moves[0] for c in offered[:2]] == [tilts[1], tilts[0]]
    assert [c.odds for c in offered[:2]] == [0.3, 0.2]
    assert desk.correct(last, offered[0].moves[0])
    assert desk.sitting.steps[last].move == tilts[1]
    assert desk.said[-1].event in ("corrected", "over")
