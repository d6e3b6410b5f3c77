"""Cubes that were moved while nobody heard them: gravity tells the side, and what it does not tell stays in doubt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.cube_rig import Rig, words
from firmware_bridge.samples import MotionBatch
from sensors.cubes import turns
from sensors.cubes.doubt import KNOWN, HeadingDoubt
from sensors.cubes.follow import CubeFollower
from sensors.cubes.gestures import GestureReader
from sensors.cubes.quats import about_z, rotate
from sensors.cubes.rest import Rest
from sensors.evidence import CubeEvidence, CubePose, Odd, Tilted, Turned
from tests.parts import proof

SEEDS = range(proof(2, 20))


def said(rig: Rig) -> list[str]:
    return [words(e) for _, e in rig.events if isinstance(e, Tilted | Turned)]


def odd(rig: Rig) -> list[str]:
    return [e.text for _, e in rig.events if isinstance(e, Odd)]


def last(rig: Rig, slot: str) -> CubePose:
    return [e for _, e in rig.events if isinstance(e, CubePose) and e.slot == slot][-1]


def deaf(rig: Rig, *slots: str, after: float, seconds: float, until: float) -> None:
    """Nothing of these cubes comes for so long."""
    rig.wait(after)
    for slot in slots:
        rig.table.wire(slot).set(drop=1.0)
    rig.wait(seconds)
    for slot in slots:
        rig.table.wire(slot).set(drop=0.0)
    rig.run(until)


@pytest.mark.parametrize("unheard", [("NE",), ("NW", "NE")])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_tilt_is_told_by_gravity_however_its_headings_are_doubted(
    seed: int, unheard: tuple[str, ...]
) -> None:
    rig = Rig(seed=seed, temper="calm", protocol="witmotion")
    end = rig.hands.plan_tilt("n", "N")
    deaf(rig, *unheard, after=0.3, seconds=0.4, until=end + 2)
    assert said(rig) == ["tilt n>N"]
    assert odd(rig) == []
    for slot in unheard:
        pose = last(rig, slot)
        assert (pose.up, pose.north) == rig.table.pose(slot)
        assert pose.margin_deg == 0.0
        assert 0.0 < min(pose.headings) < max(pose.headings) < 0.9


@pytest.mark.parametrize("protocol", ["witmotion", "bno08x-rvc"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_turn_that_nobody_heard_is_doubt_until_a_tilt_shows_how_the_cube_lies(
    seed: int, protocol: str
) -> None:
    rig = Rig(seed=seed, temper="calm", protocol=protocol)
    end = rig.hands.plan_turn("SE", "cw")
    deaf(rig, "SE", after=0.3, seconds=0.6, until=end + 2)
    pose = last(rig, "SE")
    assert pose.margin_deg == 0.0
    assert rig.table.pose("SE") in ways(pose)
    assert pose.changed or odd(rig)  # it is never passed over in silence
    rig.run(rig.hands.plan_handling("SE", 2.0) + 2)  # a rest by itself removes no doubt
    assert last(rig, "SE").margin_deg == 0.0
    rig.run(rig.hands.plan_tilt("e", "E") + 2)
    assert said(rig)[-1] == "tilt e>E"
    pose = last(rig, "SE")
    assert (pose.up, pose.north) == rig.follower.named_pose("SE") == rig.table.pose("SE")
    assert pose.headings == ()
    rig.run(rig.hands.plan_tilt("s", "N") + 2)
    assert said(rig)[-1] == "tilt s>N"
    assert last(rig, "SE").margin_deg > 45


@pytest.mark.parametrize("gone_s", [0.6, 2.5])
def test_a_board_that_began_anew_in_the_hand_is_doubted_until_somebody_says_how_it_lies(
    gone_s: float,
) -> None:
    rig = Rig(seed=5, temper="calm")
    end = rig.hands.plan_turn("SE", "cw")
    rig.wait(0.2)
    rig.table.wire("SE").set(drop=1.0)
    rig.wait(gone_s)
    rig.table.nodes["SE"].begin_anew(rig.clock.now())
    rig.table.wire("SE").set(drop=0.0)
    rig.run(max(end, rig.clock.now()) + 2)
    pose = last(rig, "SE")
    assert pose.margin_deg == 0.0
    quarters = ways(pose).index(rig.table.pose("SE"))
    rig.hands.plan_handling("SE", 2.0)
    rig.wait(0.5)  # while it is looked at
    rig.follower.reorient("SE", quarters)
    rig.wait(3.0)
    assert rig.follower.named_pose("SE") == rig.table.pose("SE")
    rig.run(rig.hands.plan_tilt("e", "E") + 2)
    assert said(rig)[-1] == "tilt e>E"
    assert last(rig, "SE").margin_deg > 45
    with pytest.raises(ValueError, match="no cube is followed"):
        rig.follower.reorient("middle", 1)


@pytest.mark.parametrize("to", ["E", "W"])
@pytest.mark.parametrize("quarters", range(4))
def test_half_a_turn_of_a_doubted_pair_goes_the_way_that_the_cubes_took(to: str, quarters: int) -> None:
    """NE's heading was lost by so many quarter turns: as its tracker has it, it went about another axis."""
    reader, half = GestureReader({}), turns.compose((turns.TILT[to],) * 2)
    way = (0.0, math.pi if to == "E" else -math.pi, 0.0)
    back, there = turns.quarters(-quarters), turns.quarters(quarters)
    lost = Rest(
        t=2.0,
        since=1.0,
        before=back,
        after=turns.compose((there, half, back, back)),
        off_deg=1.0,
        margin_deg=0.0,
        path=rotate(about_z(-quarters * math.pi / 2), way),
        headings=(0.85, 0.05, 0.05, 0.05),
        headings_before=(0.85, 0.05, 0.05, 0.05),
    )
    told = reader.rest("SE", Rest(2.0, 1.0, turns.IDENTITY, half, 1.0, 88.0, way), {})
    told += reader.rest("NE", lost, {})
    assert [(e.pair, e.to) for e in told if isinstance(e, Tilted)] == [("e", to), ("e", to)]
    assert [(f.slot, f.known) for f in reader.found()] == [("NE", True)]


def test_frames_that_are_lost_now_and_then_make_nobody_doubt() -> None:
    rig = Rig(seed=2000, drop=0.05)
    rig.moves(proof(12, 60), ("hasty", "shaky"))
    assert all(e.headings == () for _, e in rig.events if isinstance(e, CubePose))
    assert rig.tally().wrong == 0


def test_what_lay_still_at_both_ends_of_a_silence_is_not_told_to_be_doubtful() -> None:
    rig = Rig(seed=5, protocol="witmotion")
    before = len(rig.events)
    deaf(rig, "SE", "SW", after=0.1, seconds=3.0, until=rig.clock.now() + 5)
    assert rig.events[before:] == []
    rig.run(rig.hands.plan_tilt("s", "S") + 1)
    assert said(rig) == ["tilt s>S"]


BURSTS = [(0.4, 9.6), (1.0, 9.0), (3.0, 7.0), (30.0, 5.0), (0.5, 0.06), (1.0, 0.3)]


@pytest.mark.parametrize(("length", "pause"), BURSTS)
def test_what_lies_still_is_never_doubted_however_often_it_is_not_heard(length: float, pause: float) -> None:
    """A lossy radio for an evening: what one gap leaves open must not add up, also where it comes in bursts."""
    gaps = [(5.0 + k * (length + pause), length) for k in range(proof(6, 12))]
    out = felt(gaps=gaps, seconds=gaps[-1][0] + length + 3.0)
    assert [type(e) for e in out] == [CubePose] * 4  # their first rests, and not a word more


def test_what_stirs_between_two_gaps_is_doubted() -> None:
    out = felt((5.0, 1.0, 90.0), gaps=[(4.9, 0.5), (5.6, 0.8)])
    pose = [e for e in out if isinstance(e, CubePose) and e.slot == "SE"][-1]
    assert 0.0 < min(pose.headings) < max(pose.headings) < 0.9


def test_what_was_not_heard_before_the_first_rest_is_no_doubt_of_the_next() -> None:
    out = felt((4.0, 0.5, 180.0), gaps=[(0.06, 0.5)])
    assert [e.to for e in out if isinstance(e, Turned)] == ["ccw"]
    assert all(e.headings == () for e in out if isinstance(e, CubePose))


def ways(pose: CubePose) -> list[tuple[str, str]]:
    lies = turns.turn_named(pose.up, pose.north)
    return [turns.up_north(turns.compose((lies, turns.quarters(k)))) for k in range(4)]


def felt(
    *spins: tuple[float, float, float], gaps: Sequence[tuple[float, float]] = (), seconds: float = 12.0
) -> list[CubeEvidence]:
    """Four cubes; that in SE is turned about the vertical: from when, for how long, at how many °/s.

    `gaps`: from when on it is not heard, and for how long.
    """
    follower, out, missing = CubeFollower(["p"]), list[CubeEvidence](), 0
    for i in range(round(seconds / 0.02)):
        t = i * 0.02
        noise = 0.05 * (-1) ** i
        # the others, which nobody touches, tell of a tenth of a second at once
        for node in (1, 2, 4) if i % 5 == 4 else ():
            rates, accels = ((noise, 0.0, 0.0),) * 5, ((0.0, 0.001 * noise, 1.0),) * 5
            out += follower.feed(MotionBatch("p", node, t - 0.08, 0.02, rates, accels))
        if any(since <= t < since + took for since, took in gaps):
            missing += 4
        else:
            rate = sum(dps for since, took, dps in spins if since <= t < since + took)
            rates, accels = ((noise, 0.0, rate),) * 4, ((0.0, 0.001 * noise, 1.0),) * 4
            out += follower.feed(MotionBatch("p", 3, t, 0.005, rates, accels, missing=missing))
            missing = 0
        out += follower.settle(t - 0.25)
    return out


@pytest.mark.parametrize("angle", [26, 35, 42, 48, 52, 60, 66])
@pytest.mark.parametrize("sense", [-1, 1])
def test_a_cube_that_lies_askew_has_not_been_turned_yet(angle: int, sense: int) -> None:
    spin = sense * angle / 0.5
    straightened = felt((3.0, 0.5, spin), (7.0, 0.5, -spin))
    assert not [e for e in straightened if isinstance(e, Tilted | Turned)]
    turned_on = felt((3.0, 0.5, spin), (7.0, 0.5, sense * 180.0 - spin))
    assert [e.to for e in turned_on if isinstance(e, Turned)] == ["ccw" if sense > 0 else "cw"]
    askew = [e.text for e in straightened if isinstance(e, Odd)]
    assert len(askew) == (angle > 45)  # below, the nearest turn is where it lay
    assert all("set it down flat" in text for text in askew)


def test_a_cube_that_is_askew_at_first_is_to_be_set_down_flat() -> None:
    """Nothing that differs is asked as long as it lies so: that has to be said."""
    rest = Rest(1.0, 1.0, 0, 0, 25.0, 40.0, (0.0, 0.0, 0.0), first=True)
    told = GestureReader({}).rest("NW", rest, {})
    assert [type(e) for e in told] == [CubePose, Odd]
    assert ["set it down flat" in e.text for e in told if isinstance(e, Odd)] == [True]
    assert len(GestureReader({}).rest("NW", replace(rest, off_deg=20.0), {})) == 1


def test_a_tilt_waits_for_the_cube_that_was_set_down_askew() -> None:
    """Flat at last, it was tilted with its neighbour; if it never is, the neighbour was tilted alone."""
    tilt, path = turns.TILT["N"], (-1.57, 0.0, 0.0)
    flat = Rest(2.0, 1.0, turns.IDENTITY, tilt, 1.0, 88.0, path)
    askew = Rest(2.1, 1.0, turns.IDENTITY, tilt, 30.0, 30.0, path)
    straight = Rest(9.0, 8.0, tilt, tilt, 1.0, 88.0, (0.0, 0.0, 0.0))
    for late in (False, True):
        reader = GestureReader({})
        told = reader.rest("NW", flat, {}) + reader.rest("NE", askew, {"NE": 1.0})
        for now in range(3, 8):
            told += reader.settle(float(now), {})
        assert [type(e) for e in told] == [CubePose, CubePose, Odd]
        if late:
            told = reader.settle(30.0, {})
            assert [e.text.split(";")[0] for e in told if isinstance(e, Odd)] == [
                "NW alone was tilted to the north"
            ]
        else:
            told = reader.rest("NE", straight, {})
            assert [(e.pair, e.to) for e in told if isinstance(e, Tilted)] == [("n", "N")]


@given(
    st.lists(
        st.tuples(st.floats(0.3, 30.0), st.booleans(), st.floats(-45.0, 45.0), st.booleans()),
        min_size=1,
        max_size=5,
    ),
    st.integers(0, 3),
)
def test_no_way_to_lie_is_ever_excluded_but_by_what_is_known(
    silences: list[tuple[float, bool, float, bool]], quarters: int
) -> None:
    doubt, now = HeadingDoubt(), 0.0
    told = []
    for seconds, moved, residual, same_side in silences:
        doubt.silence(now, now + seconds, moved)
        now += seconds + 5.0
        told.append(doubt.rest(now - 4.9, residual, 45.0, same_side))
        assert sum(doubt.odds) == pytest.approx(1.0)
        assert not doubt.rest(now, residual, 0.0, same_side)  # nothing was missed: nothing changes
    assert any(told) == (doubt.odds != KNOWN)
    if any(moved for _, moved, _, _ in silences):
        assert min(doubt.odds) > 0.003
        assert max(doubt.odds) < 0.9
    before = doubt.odds
    doubt.reorient(quarters, known=False)
    assert [doubt.odds[k] for k in range(4)] == [before[(k + quarters) % 4] for k in range(4)]
    doubt.reorient(0, known=True)
    assert doubt.odds == KNOWN
