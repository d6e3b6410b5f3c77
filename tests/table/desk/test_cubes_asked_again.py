"""What was asked about cubes and fell with the position that it was asked of is asked again when that is back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from table.desk.cube_watch import PATIENCE_S, CubeWatch
from table.desk.desk import Desk
from table.desk.ending import abandon
from tests.table.desk.felt_cubes import lost, watched
from tests.table.games import new_ice_cult


def abandoned(desk: Desk) -> None:
    assert abandon(desk, "host")
    assert desk.undo()


def back_and_forth(desk: Desk) -> None:
    assert desk.undo()
    assert desk.redo()


def asked(sure: bool) -> tuple[Desk, CubeWatch]:
    """SE lies otherwise than the game stands, or nobody knows how."""
    desk = new_ice_cult()
    assert desk.play("tilt n>S")
    watch, _ = watched(desk)
    wrong = lost(watch.poses["SE"], 1)
    watch.saw([replace(wrong, margin_deg=80.0, headings=()) if sure else wrong])
    ticks(watch, 5.0)
    return desk, watch


def ticks(watch: CubeWatch, at: float) -> None:
    watch.tick(at)
    watch.tick(at + PATIENCE_S)


@pytest.mark.parametrize("what", [abandoned, back_and_forth])
@pytest.mark.parametrize("sure", [False, True])
def test_nobody_answered_and_it_is_asked_once_more(sure: bool, what: Callable[[Desk], None]) -> None:
    desk, watch = asked(sure)
    assert desk.question is not None
    before = desk.question
    what(desk)
    assert desk.question is None
    ticks(watch, 10.0)
    assert desk.question is not None
    assert (desk.question.text, desk.question.choices) == (before.text, before.choices)
    said = [s.event for s in desk.said].count("question")
    ticks(watch, 20.0)
    assert [s.event for s in desk.said].count("question") == said


@pytest.mark.parametrize("sure", [False, True])
def test_what_was_answered_is_not(sure: bool) -> None:
    desk, watch = asked(sure)
    assert desk.question is not None
    words = "They lie as the game stands" if sure else "It lies as the game stands"
    index = next(i for i, c in enumerate(desk.question.choices) if c.text.startswith(words))
    assert desk.answer(desk.question.key, index)
    abandoned(desk)
    ticks(watch, 10.0)
    assert desk.question is None
