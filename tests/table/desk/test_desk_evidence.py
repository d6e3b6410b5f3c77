"""The desk: evidence of cubes against legal moves, and questions with odds."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from sensors.cubes import turns
from sensors.cubes.exchange import words as exchanged
from sensors.cubes.unexplained import in_words
from sensors.evidence import CubePose, Odd, Tilted, Turned
from table.desk.cube_watch import PATIENCE_S, CubeWatch
from table.desk.desk import Desk
from table.desk.ending import abandon
from table.desk.said import Choice, Question
from table.page.sentences import sentences
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
    """The cube lies between two of its 24 ways: the referee does not guess, and leaves out nothing that can be."""
    desk = new_ice_cult()
    watch = watched(desk)
    for move in ("tilt n>S", "tilt n>S"):
        desk.play(move)
    watch.saw(poses_of(desk))
    arc = next(m for m in desk.sitting.game.moves(desk.sitting.state) if m.startswith("turn"))
    slot = arc.split()[2]
    (pose,) = (p for p in lie_as_after(watch, f"{arc.rsplit(' ', 1)[0]} cw") if p.slot == slot)
    watch.saw([replace(pose, off_deg=40.0, margin_deg=3.0), Turned(2.0, slot, "cw")])
    assert desk.question is not None
    assert len(desk.question.choices) == 4
    assert sum(c.odds or 0 for c in desk.question.choices) == pytest.approx(1.0, abs=0.02)
    assert max(c.odds or 0 for c in desk.question.choices) < 0.5
    assert len(desk.sitting.steps) == 2
    assert desk.answer(desk.question.key, 0)
    assert desk.sitting.steps[-1].move.endswith(f"{slot} cw")


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


def test_an_uncalibrated_set_that_was_taken_wrongly_can_be_taken_anew() -> None:
    """The table was killed in the middle of a tilt, so the set was taken to lie as before it.

    Of what was offered every answer was wrong: the sensors had to be right, though only we had named their faces.
    """
    desk = new_ice_cult()
    watch = watched(desk)
    watch.register()
    desk.play("tilt n>S")  # by hand: the cubes lie so since before the start
    watch.tick(5.0)
    watch.tick(5.0 + PATIENCE_S)
    question = desk.question
    assert question is not None
    index = next(i for i, c in enumerate(question.choices) if "sensors are wrong" in c.text)
    assert desk.answer(question.key, index)
    assert (watch.differences(), len(desk.sitting.steps)) == ((), 1)
    watch.tick(15.0)
    watch.tick(15.0 + PATIENCE_S)
    assert desk.question is None


def test_what_was_no_move_of_the_game_is_told_and_nothing_else() -> None:
    watch = watched(new_ice_cult())
    for text in (
        "NW alone was tilted to the west; a tilt takes two neighbours together",
        "the cube in NW lies askew",
    ):
        watch.saw([Odd(1.0, "NW", text)])
        said = watch.desk.said[-1]
        assert (said.event, said.data["slot"], said.text) == ("odd", "NW", text)  # which slot, it says once
    assert watch.desk.sitting.steps == ()


def test_what_is_odd_about_two_cubes_is_told_once() -> None:
    """Programs get an event for each of them; the sentence names both."""
    watch = watched(new_ice_cult())
    tilted = SimpleNamespace(net=turns.TILT["N"], rest=SimpleNamespace(since=1.0, t=2.0))
    words = in_words({"SE": tilted, "NW": tilted}, lambda _: False)  # type: ignore[dict-item]
    assert len(words) == 2
    before = len(watch.desk.said)
    watch.saw([Odd(2.0, slot, text) for slot, text in words.items()])
    (said,) = [*watch.desk.said][before:]
    assert said.text.startswith("NW and SE were tilted together")
    one, two = exchanged("SE", "NE"), exchanged("NE", "SE")
    assert one == two
    assert one.startswith("the cubes of NE and SE look exchanged")


@pytest.mark.parametrize("how", ["won", "abandoned", "another game"])
def test_when_the_game_has_ended_the_cubes_are_put_away_in_peace(how: str) -> None:
    """Nobody is asked to lay them back, and what hands do with them is no move that could be refused."""
    desk = new_ice_cult()
    if how == "won":
        play_on(desk, 2000)
    watch = watched(desk)
    if how == "abandoned":
        assert abandon(desk, "host")
    elif how == "another game":
        desk.close("another game was begun")
    said = len(desk.said)
    lying = [replace(pose, up=pose.north, north=pose.up) for pose in poses_of(desk)]
    watch.saw(
        [*lying, Tilted(1.0, "n", "S"), Turned(1.0, "SW", "cw"), Odd(1.0, "NW", "set down on its edge")]
    )
    watch.tick(1.0)
    watch.tick(1.0 + PATIENCE_S)
    assert (desk.said[said:], desk.question) == ([], None)
    assert desk.undo()  # the end was a misread: from now on it counts again how they lie
    watch.tick(5.0)
    watch.tick(5.0 + PATIENCE_S)
    assert desk.question is not None
    assert desk.question.text.startswith("The cubes lie otherwise")


@pytest.mark.parametrize("closed", [False, True])
def test_a_clear_but_illegal_act_is_never_bent_into_a_legal_one(closed: bool) -> None:
    """That pair tilts north or south: whoever tilts it east is told so, and nothing is guessed."""
    desk = new_ice_cult()
    if closed:
        desk.close("another game was begun")
    what = "The northern pair was tilted to the east."
    assert not desk.sensed("tilt n>E", what, "cubes")
    said = desk.said[-1]
    assert (said.tone, said.rule, said.to) == ("refused", None if closed else "IC-4", None)
    assert said.text.startswith(f"{what} This game was closed" if closed else what)
    assert (desk.sitting.steps, desk.question) == ((), None)
    for language in ("de", "fr", "it"):
        assert sentences(language).known(said.text)


def test_what_was_sensed_stands_in_the_book_beside_its_move() -> None:
    desk = new_ice_cult()
    what = "The northern pair was tilted to the south."
    assert desk.sensed("tilt n>S", what, "cubes")
    assert desk.sitting.steps[0].evidence == {"what": what, "odds": {"tilt n>S": 1.0}}


def test_a_question_that_was_answered_is_closed() -> None:
    desk = new_ice_cult()
    choices = Choice("north up", ("tilt n>S",), 0.6), Choice("south up", ("tilt n>N",), 0.4)
    desk.ask(Question("act-1", "Something moved. What was it?", choices))
    assert not desk.answer("another", 0)
    assert not desk.answer("act-1", 7)
    assert desk.answer("act-1", 1)
    assert desk.sitting.steps[0].move == "tilt n>N"
    assert not desk.answer("act-1", 1)
