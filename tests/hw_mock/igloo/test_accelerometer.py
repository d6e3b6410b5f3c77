"""A simulated accelerometer feels what Newton says at the place where it sits, in its own axes, at its own rate."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from hw_mock.igloo import accelerometer
from hw_mock.igloo.constants import GRAVITY, SOUND_RATE
from hw_mock.igloo.device import Device, Igloo, SensorMount
from hw_mock.igloo.hand import RATE, Motion
from hw_mock.igloo.played import Grip, Played
from hw_mock.igloo.traces import traces

SECONDS = 0.5
MOUNT = SensorMount(False, (0.7, 0.4), ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)), 2000.0, 2.0)
DEVICE = replace(
    Device.draw(3),
    accelerometer_rate=1600.0,
    accelerometer_true=1.02,
    accelerometer_noise=0.0,
    accelerometer_offset=(0.0, 0.0, 0.0),
    mount=MOUNT,
)
IGLOO = Igloo.of(DEVICE, 2)
WHERE, NORMAL = accelerometer.place(DEVICE, IGLOO)
UPRIGHT = np.array([0.0, 0.0, -GRAVITY])
NOTHING = np.zeros(3)


def felt(
    device: Device = DEVICE,
    force: np.ndarray = UPRIGHT,
    turn: np.ndarray = NOTHING,
    turn_rate: np.ndarray = NOTHING,
    ring: float | np.ndarray = 0.0,
    pushed: np.ndarray | None = None,
) -> np.ndarray:
    """What is recorded of a motion that never changes, and of a shell that rings by `ring` m/s²."""
    n, samples = round(SECONDS * RATE) + 1, round(SECONDS * SOUND_RATE)
    one = np.ones((n, 1))
    motion = Motion(one * force, one * turn, one * turn_rate, np.zeros(0), (0.0, 0.0, 1.0), 0.0, SECONDS)
    rung = np.zeros((4, samples), np.float32)
    rung[3] = ring
    played = Played(device, IGLOO, motion, Grip(5e3, 1.0, 0.05), traces(samples), rung)
    return accelerometer.record(played, np.random.default_rng(1), pushed)


def settled(got: np.ndarray) -> np.ndarray:
    return np.median(got[100:-100], axis=0)


@pytest.mark.parametrize(
    ("force", "turn", "turn_rate"),
    [
        (UPRIGHT, NOTHING, NOTHING),  # at rest: 1 g upwards
        (np.array([3.0, -20.0, 5.0]), NOTHING, NOTHING),
        (UPRIGHT, np.array([8.0, -5.0, 20.0]), NOTHING),
        (UPRIGHT, NOTHING, np.array([300.0, 100.0, -200.0])),
    ],
)
def test_it_feels_the_acceleration_of_its_place_and_no_gravity(
    force: np.ndarray, turn: np.ndarray, turn_rate: np.ndarray
) -> None:
    """Of a rigid body: that of its middle, the angular one's, and the centripetal one's (Goldstein, 4.10)."""
    expected = -force + np.cross(turn_rate, WHERE) + np.cross(turn, np.cross(turn, WHERE))
    in_its_axes = np.array([expected[1], expected[2], expected[0]]) / GRAVITY
    np.testing.assert_allclose(
        settled(felt(force=force, turn=turn, turn_rate=turn_rate)), in_its_axes, atol=2e-3
    )


def test_the_ring_of_the_shell_is_felt_along_its_normal_and_a_neighbours_push_as_it_comes() -> None:
    at_rest = settled(felt())
    rung = settled(felt(ring=15.0)) - at_rest
    np.testing.assert_allclose(rung, 15.0 / GRAVITY * NORMAL[[1, 2, 0]], atol=2e-3)
    push = np.array([1.0, -2.0, 4.0])
    pushed = settled(felt(pushed=np.tile(push, (round(SECONDS * accelerometer.RATE), 1)))) - at_rest
    np.testing.assert_allclose(pushed, push[[1, 2, 0]] / GRAVITY, atol=2e-3)


def test_it_runs_at_its_true_rate_and_adds_its_own_offset_noise_and_steps() -> None:
    assert len(felt()) == pytest.approx(SECONDS * 1600 * 1.02, abs=3)
    offset = (0.03, -0.02, 0.05)
    np.testing.assert_allclose(
        settled(felt(replace(DEVICE, accelerometer_offset=offset))) - settled(felt()), offset, atol=1e-3
    )
    steps = felt(replace(DEVICE, accelerometer_noise=130e-6)) / accelerometer.STEP_G
    assert np.abs(steps - np.round(steps)).max() < 0.01
    assert len(np.unique(np.round(steps[:, 0]))) > 20  # single steps, as its data sheet has them
    loud = felt(replace(DEVICE, accelerometer_noise=2e-3))[100:-100]
    expected = 2e-3 * math.sqrt(1600 * 1.02 / 2)
    np.testing.assert_allclose(loud.std(axis=0), expected, rtol=0.15)


def test_what_is_beyond_its_range_is_the_range() -> None:
    assert settled(felt(force=np.array([0.0, 0.0, -30 * GRAVITY])))[1] == accelerometer.RANGE_G


def test_its_mount_passes_what_is_slow_and_stands_out_where_it_swings() -> None:
    t = np.arange(6000) / accelerometer.RATE

    def passed(hz: float) -> float:
        through = accelerometer._mounted(np.sin(2 * math.pi * hz * t)[:, None], 1500.0, 3.0)
        return float(np.std(through[2000:]) / math.sqrt(0.5))

    assert passed(60.0) == pytest.approx(1.0, abs=0.05)
    assert passed(1500.0) == pytest.approx(3.0, rel=0.25)  # its quality
    assert passed(5000.0) < 0.3
    swings = np.sin(2 * math.pi * 300.0 * np.arange(round(SECONDS * SOUND_RATE)) / SOUND_RATE)
    loud = [
        felt(replace(DEVICE, mount=replace(MOUNT, resonance_hz=hz, quality=4.0)), ring=30.0 * swings).std(
            axis=0
        )
        for hz in (300.0, 4000.0)
    ]
    assert np.linalg.norm(loud[0]) == pytest.approx(4.0 * np.linalg.norm(loud[1]), rel=0.1)
