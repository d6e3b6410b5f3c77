"""A cube that lies askew: people are given the time to set it down flat, and asked in the end; what they say counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sensors.cubes.gestures import ASKEW_PATIENCE_S
from sensors.evidence import Odd
from table.desk.cube_doubt import turned
from table.desk.cube_watch import PATIENCE_S
from table.page.sentences import sentences
from tests.table.desk.felt_cubes import in_move, lost, poses_after, watched
from tests.table.games import new_ice_cult


@pytest.mark.parametrize("off", [30.0, 42.0])
def test_a_cube_that_lies_askew_is_asked_about_when_it_was_set_down_flat(off: float) -> None:
    desk = new_ice_cult()
    watch, _ = in_move(desk)
    pose = watch.poses["SE"]
    up, north = turned((pose.up, pose.north), 3)
    watch.saw([replace(pose, up=up, north=north, off_deg=off, margin_deg=90.0 - 2 * off)])
    for now in (3.0, 3.0 + PATIENCE_S, 20.0):
        watch.tick(now)
        assert desk.question is None
    watch.saw([pose])
    watch.tick(30.0)
    watch.tick(30.0 + PATIENCE_S)
    assert desk.question is None
    assert len(desk.sitting.steps) == 2


@pytest.mark.parametrize("doubtful", [False, True])
def test_a_cube_that_is_left_askew_is_asked_about_in_the_end_and_once(doubtful: bool) -> None:
    """On the edge of its tray when the table is switched on: what differed was never asked, of no cube."""
    desk = new_ice_cult()
    watch, told = watched(desk)
    base, after = poses_after(desk), poses_after(desk, "tilt n>N")
    nw, ne = (base["NW"], base["NE"]) if doubtful else (after["NW"], after["NE"])
    askew = replace(nw, off_deg=35.0, margin_deg=20.0)
    watch.saw(
        [askew, Odd(1.0, "NW", "the cube in NW lies askew, 35° off the nearest turn; set it down flat"), ne]
    )
    assert all(sentences(language).known(desk.said[-1].text) for language in ("de", "fr", "it"))
    asked = []
    for now in range(1200):
        watch.tick(float(now))
        if desk.question is not None:
            asked.append((now, desk.question.text))
            assert desk.answer(desk.question.key, 0)
    assert [text.split(".")[0] for _, text in asked] == [
        *([] if doubtful else ["The cubes lie otherwise than the game stands"]),
        "It is not known which way the cube on NW is turned",
    ]
    assert ASKEW_PATIENCE_S <= asked[0][0] <= ASKEW_PATIENCE_S + 2 * PATIENCE_S
    assert [s.move for s in desk.sitting.steps] == ([] if doubtful else ["tilt n>N"])
    assert told == [("NW", 0)]
    assert watch.differences() == ()


@pytest.mark.parametrize("off", [0.0, 21.0, 24.0, 35.0, 44.0])
def test_what_a_person_said_is_known_however_far_the_cube_leans(off: float) -> None:
    desk = new_ice_cult()
    watch, told = in_move(desk)
    watch.saw([replace(lost(watch.poses["SE"], changed=False), off_deg=off)])
    for now in range(3, 300):
        watch.tick(float(now))
        if desk.question is not None:
            choices = enumerate(desk.question.choices)
            index = next(i for i, c in choices if c.text.startswith("It lies as the game stands"))
            assert desk.answer(desk.question.key, index)
    assert told == [("SE", 0)]
    assert watch.differences() == ()
