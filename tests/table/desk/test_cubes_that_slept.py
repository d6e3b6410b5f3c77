"""Cubes that fell asleep while nobody played: a tilt wakes them, and the referee sees what they slept through."""

from __future__ import annotations

import pytest

from benchmarks.cube_rig import Rig, words
from hw_mock.cubes import TEMPERS
from sensors.cubes.turns import SLOTS
from sensors.evidence import CubePose, Odd, Tilted, Turned
from tests.parts import proof
from tests.table.desk.felt_cubes import Felt, lies
from tests.table.games import new_ice_cult

SEEDS = range(proof(2, 20))


def asleep(rig: Rig, starts_s: float) -> None:
    """Nobody moves the cubes until all sleep; a board that is woken then speaks after `starts_s`."""
    for node in rig.table.nodes.values():
        node.commands.sleeps, node.commands.sleep_after_s, node.commands.starts_s = True, 4, starts_s
    rig.wait(6.0)
    assert all(node.commands.asleep for node in rig.table.nodes.values())


def awake(rig: Rig) -> set[str]:
    return {slot for slot, node in rig.table.nodes.items() if not node.commands.asleep}


@pytest.mark.parametrize("starts_s", [0.0, 1.0, 2.5])
@pytest.mark.parametrize("temper", TEMPERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_tilt_of_sleeping_cubes_is_told_whether_its_beginning_or_all_of_it_was_slept_through(
    seed: int, temper: str, starts_s: float
) -> None:
    rig = Rig(seed=seed, temper=temper)
    asleep(rig, starts_s)
    before = len(rig.events)
    rig.run(rig.hands.plan_tilt("n", "S") + starts_s + 3.0)
    felt = [e for _, e in rig.events[before:]]
    assert awake(rig) == {"NW", "NE"}
    assert [words(e) for e in felt if isinstance(e, Tilted | Turned)] == ["tilt n>S"]
    assert not [e for e in felt if isinstance(e, Odd)]
    assert {rig.follower.named_pose(slot) == rig.table.pose(slot) for slot in SLOTS} == {True}
    # what of the heading was slept through nobody knows
    assert {e.margin_deg for e in felt if isinstance(e, CubePose)} == {0.0}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_turn_of_a_sleeping_cube_makes_no_wrong_move_of_the_next_tilt(seed: int) -> None:
    """An accelerometer hardly ever feels a slow turn about the vertical. Its side and the doubt are what is then known;
    where it wakes the cube after all, that is told at once, and the next tilt is one."""
    rig = Rig(seed=seed, temper="slow")
    asleep(rig, 1.0)
    before = len(rig.events)
    rig.run(rig.hands.plan_turn("NW", "cw") + 3.0)
    felt, woken = [e for _, e in rig.events[before:]], awake(rig)
    assert {e.slot for e in felt if isinstance(e, Odd)} == woken
    assert not [e for e in felt if isinstance(e, Tilted | Turned)]
    before = len(rig.events)
    rig.run(rig.hands.plan_tilt("n", "S") + 4.0)
    felt = [e for _, e in rig.events[before:]]
    moves = [words(e) for e in felt if isinstance(e, Tilted | Turned)]
    if woken:
        assert (woken, moves) == ({"NW"}, ["tilt n>S"])
        return
    assert moves == []
    assert {e.slot for e in felt if isinstance(e, Odd)} == {"NW", "NE"}
    for slot in ("NW", "NE"):
        (pose,) = (e for e in felt if isinstance(e, CubePose) and e.slot == slot)
        assert (pose.up, pose.margin_deg) == (rig.table.pose(slot)[0], 0.0)
        assert pose.headings is not None


@pytest.mark.parametrize("temper", TEMPERS)
def test_a_game_goes_on_after_its_cubes_slept(temper: str) -> None:
    """Real wire, tracking and desk: the tilt is played, headings are asked, and the next tilt counts."""
    rig, desk = Rig(seed=3, temper=temper), new_ice_cult()
    felt = Felt(rig, desk)

    def look() -> None:
        felt.look()
        while desk.question is not None and desk.question.key.startswith("heading-"):
            (index,) = (
                i
                for i, choice in enumerate(desk.question.choices)
                if choice.text.startswith("It lies as the game")
            )
            assert desk.answer(desk.question.key, index)
            felt.watch.saw([])

    asleep(rig, 1.0)
    look()
    for pair, to in (("n", "S"), ("e", "E")):
        rig.run(rig.hands.plan_tilt(pair, to) + 4.0)
        look()
    assert [step.move for step in desk.sitting.steps if step.move.startswith("tilt")] == [
        "tilt n>S",
        "tilt e>E",
    ]
    assert felt.watch.differences() == ()
    assert all(felt.watch.lies(slot) == lies(desk, slot) for slot in SLOTS)
