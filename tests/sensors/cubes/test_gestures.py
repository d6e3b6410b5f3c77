"""What people do with cubes, told as a game: simulated hands and sensors, the real wire, tracking and gestures.

Everything runs in virtual time through `benchmarks.cube_rig`; what is asserted is what `polartable cubes` would say.
"""

from __future__ import annotations

import pytest

from benchmarks.cube_rig import Rig, words
from firmware_bridge.samples import FusedPose
from hw_mock.cubes import BMI270, LSM6DSO
from sensors.cubes.reader import CubeReader
from sensors.evidence import CubePose, Odd, Tilted, Turned
from tests.parts import IN_FULL, proof


def said(rig: Rig) -> list[str]:
    """Tilts and turns in the order in which they were told."""
    return [words(e) for _, e in rig.events if isinstance(e, Tilted | Turned)]


def odd(rig: Rig) -> list[str]:
    return [e.text for _, e in rig.events if isinstance(e, Odd)]


def poses_are_right(rig: Rig) -> bool:
    return all(rig.follower.named_pose(s) == rig.table.pose(s) for s in ("NW", "NE", "SE", "SW"))


@pytest.fixture
def rig() -> Rig:
    return Rig(seed=5)


def test_the_first_rest_of_every_cube_is_told_as_up_and_north(rig: Rig) -> None:
    first = [e for _, e in rig.events if isinstance(e, CubePose)]
    assert {(e.slot, e.cube, e.up, e.north) for e in first} == {
        ("NW", "A", "U", "N"),
        ("NE", "B", "U", "N"),
        ("SE", "C", "U", "N"),
        ("SW", "D", "U", "N"),
    }
    assert all(e.off_deg < 3 and e.margin_deg > 80 for e in first)


def test_two_neighbours_tilted_together_are_one_tilt(rig: Rig) -> None:
    end = rig.hands.plan_tilt("n", "S")
    rig.run(end + 1)
    (tilt,) = [e for _, e in rig.events if isinstance(e, Tilted)]
    assert (tilt.pair, tilt.to) == ("n", "S")
    assert tilt.t == pytest.approx(end, abs=0.15)
    assert rig.follower.named_pose("NW") == rig.follower.named_pose("NE") == ("N", "D")
    assert odd(rig) == []


def test_half_a_turn_in_one_go_is_two_events_of_one_moment(rig: Rig) -> None:
    rig.run(rig.hands.plan_tilt("e", "W", times=2) + 1)
    rig.run(rig.hands.plan_turn("SW", "ccw", times=2) + 1)
    assert said(rig) == ["tilt e>W", "tilt e>W", "turn SW ccw", "turn SW ccw"]
    times = [e.t for _, e in rig.events if isinstance(e, Tilted | Turned)]
    assert times[0] == times[1] < times[2] == times[3]


def test_the_two_tilts_of_a_turn_in_quick_succession(rig: Rig) -> None:
    """One cube goes on with the second tilt before the first pair has quite come to rest."""
    end = rig.hands.plan_tilt("n", "N", temper="hasty")
    end = rig.hands.plan_tilt("w", "E", temper="hasty", at=end)
    rig.run(end + 1.5)
    assert said(rig) == ["tilt n>N", "tilt w>E"]
    assert odd(rig) == []
    assert poses_are_right(rig)


def test_all_four_at_once_are_two_tilts(rig: Rig) -> None:
    now = rig.clock.now()
    rig.hands.plan_tilt("n", "N", at=now)
    rig.run(rig.hands.plan_tilt("s", "S", at=now) + 1.5)
    assert sorted(said(rig)) == ["tilt n>N", "tilt s>S"]


def test_one_alone_is_odd_and_says_why(rig: Rig) -> None:
    rig.hands._plan(("SE",), "W", 1, "calm", None, [])
    rig.wait(4)
    assert said(rig) == []
    assert odd(rig) == ["SE alone was tilted to the west; a tilt takes two neighbours together"]
    assert poses_are_right(rig)


@pytest.mark.parametrize("after", [0.35, 0.6, 0.9])
def test_what_waited_for_a_partner_is_told_when_nothing_more_comes(rig: Rig, after: float) -> None:
    end = rig.hands._plan(("SE",), "W", 1, "calm", None, [])
    rig.run(end + after)
    assert odd(rig) == []
    (told,) = rig.follower.finish()
    assert isinstance(told, Odd)
    assert told.text == "SE alone was tilted to the west; a tilt takes two neighbours together"
    assert told.t == pytest.approx(end, abs=0.15)
    assert rig.follower.finish() == []


def test_whoever_closes_the_reader_is_told_it(rig: Rig) -> None:
    rig.run(rig.hands._plan(("SE",), "W", 1, "calm", None, []) + 0.6)
    reader = CubeReader(["/dev/none"], clock=rig.clock)
    reader.follower = rig.follower
    assert [e.slot for e in reader.finish() if isinstance(e, Odd)] == ["SE"]
    assert reader.finish() == []


def test_what_a_cube_that_still_moves_may_explain_is_not_judged_at_the_end(rig: Rig) -> None:
    end = rig.hands._plan(("SE",), "W", 1, "calm", None, [])
    rig.hands.plan_handling("NE", 4.0, turns=("W",), at=end - 0.3)
    rig.run(end + 0.6)
    assert rig.follower.named_pose("SE") == rig.table.pose("SE")
    assert rig.follower.finish() == []


def test_nor_what_the_frames_that_a_wire_held_back_may_have_told(rig: Rig) -> None:
    end = rig.hands._plan(("SE",), "W", 1, "calm", None, [])
    rig.run(end - 0.3)
    rig.table.wire("NE").set(drop=1.0)
    rig.run(end + 0.6)
    assert rig.follower.named_pose("SE") == rig.table.pose("SE")
    assert rig.follower.finish() == []


def test_put_back_over_a_corner_is_odd(rig: Rig) -> None:
    rig.run(rig.hands.plan_handling("NE", 2.0, turns=("N", "cw")) + 4)
    assert said(rig) == []
    assert odd(rig) == ["NE was put back over a corner, tilted and turned at once; no single move does that"]
    assert poses_are_right(rig)


def test_lifted_and_put_back_turned_is_the_turn_that_it_really_is(rig: Rig) -> None:
    rig.run(rig.hands.plan_handling("NE", 3.0, turns=("cw",)) + 4)
    assert said(rig) == ["turn NE cw"]


@pytest.mark.parametrize(("one", "other"), [("NE", "SE"), ("NW", "NE"), ("SW", "NE")])
def test_two_cubes_exchanged_are_odd_in_words(rig: Rig, one: str, other: str) -> None:
    """Lifted together, each carried to where the other lay: told by the way that their accelerometers felt."""
    ends = [rig.hands.plan_handling(s, 1.2, to=o, look=False) for s, o in ((one, other), (other, one))]
    rig.run(max(ends) + 1)
    assert said(rig) == []
    assert len(odd(rig)) == 2
    assert all("look exchanged" in text and one in text and other in text for text in odd(rig))


def test_an_exchange_that_nobody_felt_shows_when_no_pair_moves_together(rig: Rig) -> None:
    """Afterwards the tilt of the north pair moves two cubes that are thought to be no neighbours."""
    cubes = rig.hands.cubes
    cubes["NE"], cubes["SE"] = cubes["SE"], cubes["NE"]
    rig.run(rig.hands.plan_tilt("n", "N") + 4)
    assert said(rig) == []
    assert len(odd(rig)) == 2
    assert all("are two cubes exchanged" in text for text in odd(rig))


def test_two_cubes_lifted_together_and_put_back_are_nothing(rig: Rig) -> None:
    before = len(rig.events)
    ends = [rig.hands.plan_handling(s, 1.3, look=False) for s in ("NW", "NE")]
    rig.run(max(ends) + 2)
    assert rig.events[before:] == []


@pytest.mark.parametrize("temper", ["calm", "slow", "sloppy"])
def test_looking_dropping_knocking_and_sliding_are_nothing(temper: str) -> None:
    rig = Rig(seed=8, temper=temper)
    before = len(rig.events)
    for slot in ("NW", "SE") if IN_FULL else ("SE",):
        rig.run(rig.hands.plan_handling(slot, 3.0, temper=temper) + 1)
        rig.run(rig.hands.plan_drop(slot, 0.08) + 1)
        rig.run(rig.hands.plan_knock(2.0) + 1)
        rig.run(rig.hands.plan_slide(slot, 0.02) + 2)
    assert rig.events[before:] == []


@pytest.mark.parametrize("protocol", ["polar", "bno08x-rvc", "witmotion", "witmotion-ble"])
def test_every_wire_tells_the_same_game(protocol: str) -> None:
    rig = Rig(seed=21, protocol=protocol)
    rig.moves(proof(5, 100), ("brisk", "calm"))
    tally = rig.tally()
    assert (tally.missing, tally.invented, tally.odd, tally.wrong_poses) == (0, 0, 0, 0)


FAULTS = [
    {"drop": 0.05},
    {"flip": 0.05},
    {"reorder": 0.05},
    {"repeat": 0.1},
    {"garbage": 0.1},
    {"slow_clock": 0.02},
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: next(iter(f)))
def test_a_bad_wire_costs_no_move(fault: dict[str, float]) -> None:
    rig = Rig(seed=31, **fault)
    rig.moves(proof(4, 100), ("brisk", "hasty"))
    tally = rig.tally()
    assert (tally.missing, tally.invented, tally.odd, tally.wrong_poses) == (0, 0, 0, 0)


@pytest.mark.parametrize("model", [LSM6DSO.worse(), BMI270.worse()], ids=lambda m: m.name)
def test_a_bad_gyroscope_costs_no_move(model: object) -> None:
    """3 °/s of bias that wanders with warmth, 2 % of scale, 1° of alignment."""
    rig = Rig(seed=41, model=model)  # type: ignore[arg-type]
    rig.moves(proof(5, 200), ("brisk", "slow", "shaky"))
    tally = rig.tally()
    assert (tally.missing, tally.invented, tally.odd, tally.wrong_poses) == (0, 0, 0, 0)
    bias = rig.follower.trackers["NW"].bias
    sensor = rig.table.nodes["NW"].sensor
    truth = sensor._bias + sensor._walk
    assert all(abs(b - t) < 1.6 for b, t in zip(bias, truth, strict=True))  # what warmth adds is in it, too


def test_imufusion_serves_where_vqf_cannot_be_compiled() -> None:
    rig = Rig(seed=51, filter_name="imufusion")
    rig.moves(proof(5, 100), ("brisk", "calm"))
    tally = rig.tally()
    assert (tally.missing, tally.invented, tally.odd, tally.wrong_poses) == (0, 0, 0, 0)


@pytest.mark.parametrize("phase", range(5))
def test_two_seconds_of_silence_while_a_cube_is_turned_are_bridged_by_the_node(rig: Rig, phase: int) -> None:
    """Whichever frame is the first to come through again: samples, the node's own pose, a hello."""
    rig.hands.plan_turn("SW", "cw", temper="calm")
    start = rig.clock.now()
    rig.table.wire("SW").set(drop=1.0)
    rig.run(start + 2.0 + 0.04 * phase)
    rig.table.wire("SW").set(drop=0.0)
    rig.wait(1.5)
    assert rig.follower.named_pose("SW") == rig.table.pose("SW")
    assert said(rig) == ["turn SW cw"]


def test_any_single_good_packet_after_a_gap_restores_the_truth(rig: Rig) -> None:
    """Of minutes one frame comes through, the node's pose at rest; then nothing again; then everything."""
    node = rig.table.nodes["SW"]
    for turn in ("cw", "ccw"):
        rig.hands.plan_turn("SW", turn, temper="calm")
        rig.table.wire("SW").set(drop=1.0)
        rig.wait(4.0)
        pose = FusedPose("SW", node.number, rig.clock.now(), node.own_pose, None, True, resting=True)
        rig.events += [(rig.clock.now(), e) for e in rig.follower.feed(pose)]
        assert rig.follower.named_pose("SW") == rig.table.pose("SW")
        rig.wait(5.0)
    rig.table.wire("SW").set(drop=0.0)
    rig.wait(2.0)
    assert said(rig) == ["turn SW cw", "turn SW ccw"]
    assert poses_are_right(rig)
    rig.run(rig.hands.plan_tilt("s", "N") + 1)
    assert said(rig)[2:] == ["tilt s>N"]


def test_a_node_that_began_anew_is_not_believed_to_know_what_happened(rig: Rig) -> None:
    """Its battery was changed: its clock and own pose start again. Gravity is believed, the heading doubted."""
    rig.table.wire("SW").set(drop=1.0)
    rig.run(rig.hands.plan_tilt("s", "N", temper="calm") + 1)
    rig.table.nodes["SW"].begin_anew(rig.clock.now())
    rig.table.wire("SW").set(drop=0.0)
    rig.wait(2.0)
    last = [e for _, e in rig.events if isinstance(e, CubePose) and e.slot == "SW"][-1]
    assert last.up == rig.table.pose("SW")[0]
    assert last.margin_deg < 20
    rig.follower.correct("SW", *rig.table.pose("SW"))
    rig.follower.correct("SE", *rig.table.pose("SE"))
    rig.run(rig.hands.plan_tilt("s", "N") + 1)
    assert said(rig)[-1] == "tilt s>N"
    assert poses_are_right(rig)


def test_a_dying_battery_silences_one_cube_and_no_other(rig: Rig) -> None:
    node = rig.table.nodes["NW"]
    node.battery_mv, node.battery_mv_per_hour = 3010, 3600
    rig.wait(15)
    assert not node.alive
    rig.run(rig.hands.plan_tilt("e", "E") + 1)
    assert said(rig) == ["tilt e>E"]


def test_a_person_may_say_how_a_cube_lies_at_any_time(rig: Rig) -> None:
    """The heading was lost, or the cube is another than it was thought to be: from then on moves are right again."""
    rig.follower.correct("NE", "U", "E")  # it lies turned by a quarter from what was believed
    rig.run(rig.hands.plan_tilt("e", "W") + 5)
    assert said(rig) == []  # it moved about another axis than its neighbour, as far as anybody can tell
    assert len(odd(rig)) == 2
    rig.follower.correct("NE", *rig.table.pose("NE"))
    rig.run(rig.hands.plan_tilt("n", "N") + 1)
    assert said(rig) == ["tilt n>N"]
    assert poses_are_right(rig)
    with pytest.raises(ValueError, match="no turn of a cube"):
        rig.follower.correct("NE", "U", "D")
    with pytest.raises(ValueError, match="no cube is followed"):
        rig.follower.correct("middle", "U", "N")
