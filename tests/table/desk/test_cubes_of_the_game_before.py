"""The next game with the same cubes: what people said of them still holds, and nobody is asked twice."""

from __future__ import annotations

from dataclasses import replace

from table.desk.cube_watch import PATIENCE_S, CubeWatch
from tests.table.desk.felt_cubes import lost, poses_after, watched
from tests.table.games import new_ice_cult


def test_the_next_game_knows_what_people_said_of_the_cubes() -> None:
    """Nobody touched them: the same question got the same answer, and the tracker was turned by it a second time."""
    for sure in (False, True):
        desk = new_ice_cult()
        watch, told = watched(desk)
        lie = dict(watch.poses)
        wrong = lost(lie["SE"], 1)
        lie["SE"] = replace(wrong, margin_deg=80.0, headings=()) if sure else wrong
        watch.saw([lie["SE"]])
        watch.tick(5.0)
        watch.tick(5.0 + PATIENCE_S)
        question = desk.question
        assert question is not None
        words = "They lie as the game stands" if sure else "It lies as the game stands"
        index = next(i for i, c in enumerate(question.choices) if c.text.startswith(words))
        assert desk.answer(question.key, index)
        before = watch
        for name in ("evening-2", "evening-3"):
            desk = new_ice_cult(name=name)
            watch = CubeWatch(desk)
            watch.reorient = before.reorient
            watch.take_over(before, lie)
            watch.tick(10.0)
            watch.tick(10.0 + PATIENCE_S)
            assert desk.question is None
            assert watch.differences() == ()
            before = watch
        assert told == [("SE", 3)]
        moved = replace(lie["SE"], t=20.0)  # what was felt since is what counts
        watch = CubeWatch(new_ice_cult(name="evening-4"))
        watch.take_over(before, {**lie, "SE": moved})
        assert watch.poses["SE"] == moved


def test_a_turn_that_is_told_by_hand_answers_for_a_cube_of_the_game_before() -> None:
    desk = new_ice_cult()
    desk.play("tilt n>S")
    desk.play("tilt n>S")
    watch, told = CubeWatch(desk), list[tuple[str, int]]()
    watch.reorient = lambda slot, quarters: told.append((slot, quarters))
    lie = poses_after(desk)
    watch.take_over(None, {**lie, "SE": lost(lie["SE"], changed=False)})
    watch.tick(1.0)
    assert desk.question is not None
    assert desk.play("turn SE SE cw")
    watch.tick(3.0)
    assert told == [("SE", 3)]
