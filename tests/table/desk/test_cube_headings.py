"""A cube whose heading is not known: what is asked, what is offered, and that the answer puts everything right."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.cube_rig import Rig
from sensors.cubes.follow import CubeFollower
from sensors.cubes.turns import SLOTS
from sensors.evidence import Tilted, Turned
from table.desk.cube_doubt import turned
from table.desk.cube_watch import PATIENCE_S
from table.page.sentences import sentences
from tests.parts import proof
from tests.table.desk.felt_cubes import LOST, Felt, in_move, lies, lost, poses_after, tilted_by_hand, watched
from tests.table.games import new_ice_cult


@given(believed=st.integers(0, 3), truth=st.integers(0, 3))
def test_a_tilt_that_gravity_tells_is_taken_and_only_the_heading_is_asked(believed: int, truth: int) -> None:
    desk = new_ice_cult()
    watch, told = watched(desk)
    after = poses_after(desk, "tilt n>N")
    should = after["NE"].up, after["NE"].north
    watch.saw([after["NW"], lost(after["NE"], believed), Tilted(1.0, "n", "N")])
    assert [s.move for s in desk.sitting.steps] == ["tilt n>N"]
    question = desk.question
    assert question is not None
    ends = []
    for choice in question.choices:
        state = desk.sitting.state
        for move in choice.moves:
            assert move.startswith("correct NE")
            state, _ = desk.sitting.game.play(state, move)
        cube = desk.sitting.game.view(state, None)["cubes"]["NE"]
        ends.append((cube["up"], cube["north"]))
    assert set(ends) == {turned(should, k) for k in range(4)}  # all that is possible, and nothing else
    assert {up for up, _ in ends} == {should[0]}
    shares = [c.odds or 0.0 for c in question.choices]
    assert sum(shares) == pytest.approx(1.0, abs=0.001)
    assert shares == sorted(shares, reverse=True) == sorted(LOST, reverse=True)
    assert ends[0] == turned(should, believed)  # the likeliest is what the sensor believes
    wanted = turned(should, truth)
    assert desk.answer(question.key, ends.index(wanted))
    assert lies(desk, "NE") == watch.lies("NE") == wanted
    assert told == [("NE", (truth - believed) % 4)]
    watch.tick(10.0)
    watch.tick(10.0 + PATIENCE_S)
    assert desk.question is None


@pytest.mark.parametrize("believed", range(4))
def test_of_a_turn_it_is_asked_whether_it_was_turned_and_how(believed: int) -> None:
    desk = new_ice_cult()
    watch, told = in_move(desk)
    pose = watch.poses["SE"]
    watch.saw([lost(pose, believed, changed=believed != 0), *[Turned(2.0, "SE", "cw")] * (believed == 3)])
    assert len(desk.sitting.steps) == 2
    question = desk.question
    assert question is not None
    for language in ("de", "fr", "it"):
        say = sentences(language)
        assert all(say.known(text) for text in (question.text, *(c.text for c in question.choices)))
    offered = {c.text.split(":")[0]: [m.split()[2:] for m in c.moves] for c in question.choices}
    assert offered == {
        "It lies as the game stands": [],
        "It was turned clockwise": [["SE", "cw"]],
        "It was turned counter-clockwise": [["SE", "ccw"]],
        "It was turned by half": [["SE", "cw"], ["SE", "cw"]],
    }
    index = next(i for i, c in enumerate(question.choices) if c.text.startswith("It was turned clockwise"))
    assert desk.answer(question.key, index)
    assert lies(desk, "SE") == watch.lies("SE") == turned((pose.up, pose.north), 3)
    assert told == [("SE", (3 - believed) % 4)]


def test_a_turn_that_no_rule_allows_is_offered_as_how_the_cube_lies() -> None:
    desk = new_ice_cult()
    watch, _ = watched(desk)
    pose = watch.poses["SE"]
    watch.saw([lost(pose, changed=False)])
    question = desk.question
    assert question is not None
    assert {m.split()[0] for c in question.choices for m in c.moves} == {"correct"}
    index = next(i for i, c in enumerate(question.choices) if c.text.startswith("It was turned clockwise"))
    assert desk.answer(question.key, index)
    assert lies(desk, "SE") == watch.lies("SE") == turned((pose.up, pose.north), 3)


@pytest.mark.parametrize(
    "way", ["It lies as the game stands", "It was turned clockwise", "It was turned by half"]
)
def test_where_the_referee_alone_says_how_the_cubes_lie_a_lost_heading_is_asked_and_put_back(
    way: str,
) -> None:
    """Digital play refuses `correct`: what was offered was tried all the same, and the cubes' task ended."""
    desk = new_ice_cult(mode="digital")
    watch, told = watched(desk)
    watch.saw([lost(watch.poses["SE"], changed=False)])
    question = desk.question
    assert question is not None
    assert [c.moves for c in question.choices] == [()] * 4
    for language in ("de", "fr", "it"):
        assert all(sentences(language).known(c.text) for c in question.choices)
    index = next(i for i, c in enumerate(question.choices) if c.text.startswith(way))
    assert desk.answer(question.key, index)
    for now in range(3, 100):
        watch.tick(float(now))
        if desk.question is not None and now > 50:
            assert desk.answer(desk.question.key, 0)
    back = [said.text for said in desk.said if said.text.startswith("The cubes lie otherwise")]
    assert len(back) == ("turned" in way)  # asked once, whatever is answered
    assert [slot for slot, _ in told] == ["SE"]
    assert desk.sitting.steps == ()


def test_an_answer_counts_though_nobody_follows_the_cube_just_now() -> None:
    desk = new_ice_cult()
    watch, _ = in_move(desk)
    pose = watch.poses["SE"]
    watch.reorient = CubeFollower(
        ["p"]
    ).reorient  # its board was said to sit elsewhere while the question stood
    watch.saw([lost(pose, changed=False)])
    question = desk.question
    assert question is not None
    index = next(i for i, c in enumerate(question.choices) if c.text.startswith("It was turned clockwise"))
    assert desk.answer(question.key, index)
    assert lies(desk, "SE") == watch.lies("SE") == turned((pose.up, pose.north), 3)


def test_a_turn_that_is_told_by_hand_is_how_the_cube_lies() -> None:
    desk = new_ice_cult()
    watch, told = in_move(desk)
    watch.saw([lost(watch.poses["SE"], changed=False)])
    assert desk.question is not None
    assert desk.play("turn SE SE cw")
    watch.tick(3.0)
    watch.tick(3.0 + PATIENCE_S)
    assert desk.question is None
    assert told == [("SE", 3)]
    assert watch.differences() == ()
    watch.saw([lost(watch.poses["SE"])])  # lost once more: what was told before says nothing of it
    assert desk.question is not None
    assert desk.question.key.startswith("heading-SE")
    assert told == [("SE", 3)]


@pytest.mark.parametrize("withdrawn", [False, True])
def test_what_was_put_back_beside_a_doubted_cube_is_no_turn_of_it(withdrawn: bool) -> None:
    """With the arc on top, a turn of the doubted cube would be legal, and nothing that is known is against it."""
    desk = new_ice_cult()
    watch, _ = in_move(desk)
    base = poses_after(desk)
    watch.saw([lost(base["SE"], changed=False)])
    question = desk.question
    assert question is not None
    if withdrawn:
        desk.withdraw("heading")  # it was looked away from: the doubt is still there
    tilted = [tilted_by_hand(base[slot], "N") for slot in ("NW", "NE")]
    watch.saw([*tilted, Tilted(2.0, "n", "N")])
    assert "tilt the northern pair to the south" in desk.said[-1].text
    watch.tick(3.0)
    watch.saw([replace(base["NW"], t=5.0), replace(base["NE"], t=5.0), Tilted(5.0, "n", "S")])
    watch.tick(6.0)
    assert len(desk.sitting.steps) == 2
    assert "The cubes lie as they should again." in [said.text for said in desk.said]


def test_what_was_asked_of_another_rest_is_asked_no_more() -> None:
    desk = new_ice_cult()
    watch, _ = watched(desk)
    pose = watch.poses["SE"]
    watch.saw([lost(pose, changed=False)])
    assert desk.question is not None
    watch.saw([replace(pose, changed=False)])  # a tilt has shown how it lies
    assert desk.question is None
    watch.saw([lost(pose, changed=False)])
    assert desk.play("tilt n>N")  # nobody answers
    watch.saw([])
    assert desk.question is not None  # it is still not known


def test_the_sensors_may_be_wrong_where_gravity_does_not_deny_it() -> None:
    desk = new_ice_cult()
    watch, told = watched(desk)
    pose = watch.poses["SE"]
    up, north = turned((pose.up, pose.north), 1)
    watch.saw([replace(pose, up=up, north=north)])
    watch.tick(5.0)
    watch.tick(5.0 + PATIENCE_S)
    question = desk.question
    assert question is not None
    index = next(i for i, c in enumerate(question.choices) if "sensors are wrong" in c.text)
    assert all(sentences(language).known(question.choices[index].text) for language in ("de", "fr", "it"))
    assert desk.answer(question.key, index)
    assert told == [("SE", 3)]
    assert desk.sitting.steps == ()
    assert watch.differences() == ()
    watch.saw([*poses_after(desk, "tilt e>E").values()][1:2])
    watch.tick(9.0)
    watch.tick(9.0 + PATIENCE_S)
    question = desk.question
    assert question is not None
    assert not [c for c in question.choices if "sensors are wrong" in c.text]  # another face looks up


def test_what_is_asked_of_a_heading_is_not_asked_anew_where_nothing_new_is_known() -> None:
    desk = new_ice_cult()
    watch, told = watched(desk)
    pose = lost(watch.poses["SE"], 1, changed=False)
    asked = set()
    for t in range(2, 40):
        watch.saw([replace(pose, t=float(t))])
        watch.tick(float(t))
        assert desk.question is not None
        asked.add(desk.question.key)
    assert len(asked) == 1
    question = desk.question
    assert question is not None
    index = next(i for i, c in enumerate(question.choices) if c.text.startswith("It lies as the game"))
    assert desk.answer(question.key, index)
    assert told == [("SE", 3)]


@pytest.mark.parametrize("protocol", ["witmotion", "bno08x-rvc"])
@pytest.mark.parametrize("seed", range(proof(2, 12)))
def test_after_the_answer_clean_tilts_count_again(seed: int, protocol: str) -> None:
    """Real wire, tracking and desk: a turn of which half a second is lost, an honest answer, and the game goes on."""
    rig, desk = Rig(seed=seed, temper="calm", protocol=protocol), new_ice_cult()
    felt = Felt(rig, desk)
    for pair, to in (("n", "S"), ("n", "S")):
        rig.run(rig.hands.plan_tilt(pair, to) + 1)
        felt.look()
    before = lies(desk, "SE")
    end = rig.hands.plan_turn("SE", "cw")
    rig.wait(0.3)
    rig.table.wire("SE").set(drop=1.0)
    rig.wait(0.6)
    rig.table.wire("SE").set(drop=0.0)
    rig.run(end + 2)
    felt.look()
    assert len(desk.sitting.steps) == 2
    question = desk.question
    assert question is not None
    index = next(i for i, c in enumerate(question.choices) if c.text.startswith("It was turned clockwise"))
    assert desk.answer(question.key, index)
    assert lies(desk, "SE") == turned(before, 3)
    assert desk.play("end")
    for pair, to in (("e", "E"), ("s", "N")):
        rig.run(rig.hands.plan_tilt(pair, to) + 1)
        felt.look()
    assert [s.move for s in desk.sitting.steps][-2:] == ["tilt e>E", "tilt s>N"]
    assert felt.watch.differences() == ()
    assert all(felt.watch.lies(slot) == lies(desk, slot) for slot in SLOTS)
