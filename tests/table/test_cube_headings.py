"""A cube whose heading is not known: what is asked, what is offered, and that the answer puts everything right."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.cube_rig import Rig
from rules.ice_cult.turns import AFTER, LIES, NUMBER
from sensors.cubes.follow import CubeFollower
from sensors.cubes.gestures import ASKEW_PATIENCE_S
from sensors.cubes.turns import SLOTS
from sensors.evidence import CubePose, Odd, Tilted, Turned
from table.desk.cube_doubt import turned
from table.desk.cube_watch import PATIENCE_S, CubeWatch
from table.desk.desk import Desk
from table.page.sentences import sentences
from tests.parts import proof
from tests.table.games import new_ice_cult

LOST = (0.6, 0.2, 0.05, 0.15)


def poses_after(desk: Desk, *moves: str) -> dict[str, CubePose]:
    game, state = desk.sitting.game, desk.sitting.state
    for move in moves:
        state, _ = game.play(state, move)
    cubes = game.view(state, None)["cubes"]
    return {s: CubePose(1.0, c["cube"], s, c["up"], c["north"], 1.0, 80.0) for s, c in cubes.items()}


def watched(desk: Desk) -> tuple[CubeWatch, list[tuple[str, int]]]:
    watch, told = CubeWatch(desk), list[tuple[str, int]]()
    watch.reorient = lambda slot, quarters: told.append((slot, quarters))
    watch.saw([*poses_after(desk).values()])
    return watch, told


def in_move(desk: Desk) -> tuple[CubeWatch, list[tuple[str, int]]]:
    """After two tilts, with two arcs on top."""
    desk.play("tilt n>S")
    desk.play("tilt n>S")
    return watched(desk)


def lost(pose: CubePose, quarters: int = 0, changed: bool = True) -> CubePose:
    """The sensor believes that it lies so many quarters from `pose`, and knows that it does not know."""
    up, north = turned((pose.up, pose.north), quarters)
    return replace(pose, up=up, north=north, margin_deg=0.0, headings=LOST, changed=changed)


def tilted_by_hand(pose: CubePose, side: str) -> CubePose:
    up, north = LIES[AFTER[side][NUMBER[pose.up, pose.north]]]
    return replace(pose, up=up, north=north, t=pose.t + 1.0)


def lies(desk: Desk, slot: str) -> tuple[str, str]:
    cube = desk.view(None)["cubes"][slot]
    return cube["up"], cube["north"]


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


@pytest.mark.parametrize("protocol", ["witmotion", "bno08x-rvc"])
@pytest.mark.parametrize("seed", range(proof(2, 12)))
def test_after_the_answer_clean_tilts_count_again(seed: int, protocol: str) -> None:
    """Real wire, tracking and desk: a turn of which half a second is lost, an honest answer, and the game goes on."""
    rig, desk = Rig(seed=seed, temper="calm", protocol=protocol), new_ice_cult()
    watch = CubeWatch(desk)
    watch.reorient = rig.follower.reorient
    at = 0

    def look() -> None:
        nonlocal at
        watch.saw([e for _, e in rig.events[at:]])
        at = len(rig.events)
        watch.tick(rig.clock.now())

    look()
    watch.register()
    for pair, to in (("n", "S"), ("n", "S")):
        rig.run(rig.hands.plan_tilt(pair, to) + 1)
        look()
    before = lies(desk, "SE")
    end = rig.hands.plan_turn("SE", "cw")
    rig.wait(0.3)
    rig.table.wire("SE").set(drop=1.0)
    rig.wait(0.6)
    rig.table.wire("SE").set(drop=0.0)
    rig.run(end + 2)
    look()
    assert len(desk.sitting.steps) == 2
    question = desk.question
    assert question is not None
    index = next(i for i, c in enumerate(question.choices) if c.text.startswith("It was turned clockwise"))
    assert desk.answer(question.key, index)
    assert lies(desk, "SE") == turned(before, 3)
    assert desk.play("end")
    for pair, to in (("e", "E"), ("s", "N")):
        rig.run(rig.hands.plan_tilt(pair, to) + 1)
        look()
    assert [s.move for s in desk.sitting.steps][-2:] == ["tilt e>E", "tilt s>N"]
    assert watch.differences() == ()
    assert all(watch.lies(slot) == lies(desk, slot) for slot in SLOTS)
