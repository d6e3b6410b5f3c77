"""Sensors that are dead, stuck or set to another range: no cube of theirs is said to lie so or so."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

import numpy as np
import pytest

from firmware_bridge.packets import Vector
from firmware_bridge.samples import FusedPose, MotionBatch
from sensors.cubes.follow import CubeFollower
from sensors.evidence import CubeEvidence, CubePose, Odd, Tilted

Sample = tuple[Vector, Vector]  # rate, acceleration
LYING: Sample = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def told(
    says: Callable[[int, float], Sample], *, stuck: Collection[int] = (), noise: float = 1.0
) -> list[CubeEvidence]:
    """Of four nodes, 1…4 in NW, NE, SE, SW, where each `says` something at a time, the `stuck` without any noise."""
    follower, out, dice = CubeFollower(["p"]), list[CubeEvidence](), np.random.default_rng(1)
    for i in range(400):
        t = i * 0.02
        for node in (1, 2, 3, 4):
            rate, accel = says(node, t)
            alive = 0.0 if node in stuck else noise
            rates = (np.array(rate) + alive * 0.05 * dice.normal(size=(4, 3))).tolist()
            accels = (np.array(accel) + alive * 0.001 * dice.normal(size=(4, 3))).tolist()
            out += follower.feed(MotionBatch("p", node, t, 0.005, rates, accels))
        out += follower.settle(t - 0.25)
    return out


def tilted(t: float) -> Sample:
    """From 4 s on to the south, in 0.6 s."""
    angle = math.radians(150.0 * min(max(t - 4.0, 0.0), 0.6))
    return (150.0 if 4.0 <= t < 4.6 else 0.0, 0.0, 0.0), (0.0, math.sin(angle), math.cos(angle))


@pytest.mark.parametrize(
    ("broken", "measures"),
    [
        (((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "0.0 g"),
        (((-0.0625,) * 3, (-1 / 2048,) * 3), "0.0 g"),  # a bus on which nobody answers
        (((2047.0,) * 3, (15.99,) * 3), "27.7 g"),
        (((0.0, 0.0, 0.0), (0.0, 0.0, 0.5)), "0.5 g"),
        (((0.0, 0.0, 0.0), (0.0, 3.0, 0.0)), "3.0 g"),
    ],
)
def test_a_sensor_that_does_not_feel_gravity_tells_no_pose(broken: Sample, measures: str) -> None:
    said = told(lambda node, t: broken if node == 2 else LYING, stuck=[2])
    assert {e.slot for e in said if isinstance(e, CubePose)} == {"NW", "SE", "SW"}
    (odd,) = (e for e in said if not isinstance(e, CubePose))
    assert isinstance(odd, Odd)
    assert odd.slot == "NE"
    assert measures in odd.text
    assert odd.t < 3.0


def test_a_sensor_that_dies_in_play_is_told_and_the_tilt_of_its_pair_is_not_its_partners_fault() -> None:
    dead = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    said = told(lambda node, t: tilted(t) if node == 2 else dead if node == 1 and t > 3 else LYING)
    odd = [e for e in said if isinstance(e, Odd)]
    assert [e.slot for e in odd] == ["NW", "NE"]
    assert "0.0 g" in odd[0].text
    assert 4.0 <= odd[0].t < 5.0


def test_a_sensor_that_comes_back_goes_on_with_the_heading_doubted() -> None:
    """A loose wire for three seconds, in which its cube was laid on its side; later one quarter turn more."""
    loose, side = ((-0.0625,) * 3, (-1 / 2048,) * 3), ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0))

    def says(node: int, t: float) -> Sample:
        if node != 2 or t < 1:
            return LYING
        return loose if t < 4 else ((0.0, 150.0, 0.0), side[1]) if 6 <= t < 6.6 else side

    pose, later = (e for e in told(says) if isinstance(e, CubePose) and e.slot == "NE" and e.t > 1)
    assert (pose.up, later.up) == ("N", "N")
    assert pose.margin_deg < 10
    assert later.margin_deg < 10  # nobody has said how it lies since


def test_a_stuck_sensor_is_named_beside_the_partner_that_was_tilted_with_it() -> None:
    """It says one and the same for ever: no live one does, but alone that proves nothing to tell."""
    said = told(lambda node, t: tilted(t) if node == 2 else LYING, stuck=[1])
    (odd,) = (e for e in said if isinstance(e, Odd))
    assert odd.slot == "NE"
    assert "the sensor in NW has said the same to the last bit" in odd.text


def test_live_partners_are_not_suspected() -> None:
    said = told(lambda node, t: tilted(t) if node == 2 else LYING)
    (odd,) = (e for e in said if isinstance(e, Odd))
    assert odd.text == "NE alone was tilted to the south; a tilt takes two neighbours together"


def test_samples_without_any_noise_are_as_good_as_others() -> None:
    said = told(lambda node, t: tilted(t) if node in (1, 2) else LYING, noise=0.0)
    assert [(e.pair, e.to) for e in said if isinstance(e, Tilted)] == [("n", "S")]
    assert not any(isinstance(e, Odd) for e in said)


def test_a_chip_with_angles_of_its_own_needs_no_gravity() -> None:
    follower, out = CubeFollower(["p"]), list[CubeEvidence]()
    for i in range(400):
        out += follower.feed(FusedPose("p", 0, i * 0.01, (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), False))
    assert [type(e) for e in out] == [CubePose]
