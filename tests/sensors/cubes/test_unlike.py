"""Movements that our own simulated hands never make: endless ones, very slow ones, other chips, other rates, gaps.

Made here from bands of noise and plain ramps, sharing nothing with hw_mock.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from firmware_bridge.samples import MotionBatch
from sensors.cubes import quats, turns
from sensors.cubes.follow import CubeFollower
from sensors.cubes.orientation import make_filter, orientations
from sensors.cubes.quats import Quat
from sensors.cubes.rest import Rest
from sensors.cubes.tracker import CubeTracker
from sensors.evidence import CubeEvidence, Odd, Tilted, Turned
from tests.parts import needs

Array = np.ndarray
UP = np.array([0.0, 0.0, 1.0])


def measured(
    turned: Rotation, pull: Array, rate_hz: float, seed: int, *, rate_noise: float, accel_noise: float
) -> tuple[Array, Array]:
    """What a middling chip says: bias 0.5 °/s, scale ±0.5 %, offset 5 mg; gravity is 1.004 g here."""
    dice = np.random.default_rng(seed)
    rates = np.degrees((turned[:-1].inv() * turned[1:]).as_rotvec()) * rate_hz
    rates = np.vstack([rates, rates[-1:]]) * (1 + dice.uniform(-0.005, 0.005, 3))
    accels = turned.inv().apply(pull + UP * 1.004) + dice.normal(size=3) * 0.005
    bias = dice.normal(size=3)
    rates += bias / np.linalg.norm(bias) * 0.5 + dice.normal(size=rates.shape) * rate_noise
    return rates, accels + dice.normal(size=accels.shape) * accel_noise


def band(dice: np.random.Generator, t: Array, low: float, high: float) -> Array:
    out = np.zeros((len(t), 3))
    for axis in range(3):
        for f, phase in zip(dice.uniform(low, high, 12), dice.random(12), strict=True):
            out[:, axis] += dice.normal() * np.sin(2 * np.pi * (f * t + phase))
    return out / np.sqrt(6)


def endless(seed: int, rate_hz: float, dps: float, pull_g: float, seconds: float) -> tuple[Rotation, Array]:
    """Four seconds of rest, then motion without one pause."""
    dice = np.random.default_rng(seed)
    t = np.arange(0, seconds, 1 / rate_hz)
    begins = np.clip(t - 4, 0, 1)[:, None]
    steps = Rotation.from_rotvec(np.radians(band(dice, t, 0.05, 0.8) * dps * begins) / rate_hz)
    turned: list[Quat] = [turns.QUATS[turns.IDENTITY]]
    for x, y, z, w in steps[:-1].as_quat().tolist():
        turned.append(quats.normalised(quats.multiply(turned[-1], (w, x, y, z))))
    return Rotation.from_quat(np.roll(turned, -1, axis=1)), band(dice, t, 0.4, 3.0) * pull_g * begins


def off_deg(truth: Rotation, found: Array) -> tuple[float, float]:
    """RMS of inclination, and of all but a constant heading, in degrees."""
    d = (Rotation.from_quat(np.roll(found, -1, axis=1)) * truth.inv()).as_quat()
    lean = 2 * np.arccos(np.clip(np.hypot(d[:, 2], d[:, 3]), 0, 1))
    heading = np.unwrap(2 * np.arctan2(d[:, 2], d[:, 3]))
    rest = np.cos(lean / 2) * np.cos((heading - np.median(heading)) / 2)
    total = 2 * np.arccos(np.clip(np.abs(rest), 0, 1))
    return float(np.degrees(np.sqrt(np.mean(lean**2)))), float(np.degrees(np.sqrt(np.mean(total**2))))


@needs("vqf")
@pytest.mark.parametrize(
    ("rate_hz", "dps", "pull_g", "rate_noise", "accel_noise"),
    [
        (286, 200, 0.5, 0.1, 0.003),
        (100, 80, 0.15, 0.5, 0.015),
        (500, 20, 0.02, 0.1, 0.003),
        (200, 7, 0.003, 0.1, 0.003),
    ],
)
def test_thirty_seconds_without_a_rest(
    rate_hz: float, dps: float, pull_g: float, rate_noise: float, accel_noise: float
) -> None:
    """The recording as a whole, and piece by piece through the tracker, are as good as vqf by its own defaults."""
    from vqf import VQF

    truth, pull = endless(1, rate_hz, dps, pull_g, 34.0)
    rates, accels = measured(truth, pull, rate_hz, 2, rate_noise=rate_noise, accel_noise=accel_noise)
    begun = slice(int(3 * rate_hz) // 4 * 4 + 3, None, 4)  # the last sample of each piece
    plain = VQF(1 / rate_hz).updateBatch(np.radians(rates), accels * 9.80665)["quat6D"]
    theirs = off_deg(truth[begun], plain[begun])
    ours = off_deg(truth[begun], orientations(rates, accels, rate_hz)[begun])
    tracker, found = CubeTracker(mount=turns.QUATS[0]), np.tile([1.0, 0, 0, 0], (len(rates), 1))
    for i in range(0, len(rates) - 3, 4):
        r, a = (tuple(map(tuple, x[i : i + 4].tolist())) for x in (rates, accels))
        tracker.motion(MotionBatch("p", 1, i / rate_hz, 1 / rate_hz, r, a))
        if tracker.orientation is not None:
            found[i + 3] = tracker.orientation
    live = off_deg(truth[begun], found[begun])
    # the tracker takes a slow movement near flat for rest, where a tray may turn it by a degree or two
    for one, tray_deg in ((ours, 0.0), (live, 2.0 if dps < 10 else 0.5)):
        assert one[0] < theirs[0] * 1.1 + 0.1
        assert one[1] < theirs[1] * 1.2 + tray_deg
    assert theirs[0] < 3


@pytest.mark.parametrize("name", ["vqf", "imufusion"])
def test_an_array_of_nothing_new_is_the_filter_itself(name: str) -> None:
    rates, accels = np.tile([0.0, 0.0, 10.0], (300, 1)), np.tile([0.0, 0.0, 1.0], (300, 1))
    found = orientations(rates, accels, 100.0, name)
    assert found.shape == (300, 4)
    assert found[-1] == pytest.approx(make_filter(0.01, name).update(rates, accels), abs=1e-6)
    for bad in (rates[:, :2], rates[:5], rates * np.nan):
        with pytest.raises(ValueError, match=r"\(n, 3\)|finite"):
            orientations(bad, accels, 100.0)
    for no_rate in (0.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="the rate must be above 0"):
            orientations(rates, accels, no_rate, name)


@pytest.mark.parametrize("name", ["vqf", "imufusion"])
def test_columns_of_any_order_in_memory_are_turned_alike(name: str) -> None:
    rates, accels = np.tile([0.0, 0.0, 10.0], (300, 1)), np.tile([0.0, 0.0, 1.0], (300, 1))
    by_columns = np.asfortranarray(rates), np.asfortranarray(accels)
    assert np.array_equal(orientations(*by_columns, 100.0, name), orientations(rates, accels, 100.0, name))
    assert make_filter(0.01, name).update(*by_columns) == make_filter(0.01, name).update(rates, accels)


def test_a_filter_that_there_is_not_is_none() -> None:
    for name in ("VQF", "madgwick", ""):
        with pytest.raises(ValueError, match=r"no filter .* known are vqf, imufusion"):
            make_filter(0.01, name)


def follow(rates: Array, accels: Array, rate_hz: float) -> list[CubeEvidence]:
    follower, out = CubeFollower(["p"]), []
    for i in range(0, len(rates) - 3, 4):
        r, a = (tuple(map(tuple, x[i : i + 4].tolist())) for x in (rates, accels))
        out += follower.feed(MotionBatch("p", 1, i / rate_hz, 1 / rate_hz, r, a))
    return out


@pytest.mark.parametrize(("dps", "rate_hz"), [(5, 200), (7, 286), (9, 100), (20, 500)])
def test_a_turn_so_slow_that_it_looks_like_rest(dps: float, rate_hz: float) -> None:
    """A quarter turn in up to eighteen seconds, as even as a turntable: neither rest nor a gyroscope's bias."""
    still, ramp = np.zeros(int(4 * rate_hz)), int(rate_hz / 2)
    speed = np.concatenate([still, np.full(int(90 / dps * rate_hz), dps), still])
    speed = np.convolve(speed, np.ones(ramp) / ramp, "same")
    truth = Rotation.from_euler("z", np.cumsum(speed)[:, None] / rate_hz, degrees=True)
    rates, accels = measured(truth, np.zeros((len(speed), 3)), rate_hz, 3, rate_noise=0.1, accel_noise=0.002)
    said = [e for e in follow(rates, accels, rate_hz) if isinstance(e, Turned | Tilted | Odd)]
    assert [(e.slot, e.to) for e in said if isinstance(e, Turned)] == [("NW", "ccw")]
    assert len(said) == 1


def lying(
    tracker: CubeTracker, t: float, seconds: float, turned: Rotation, period: float = 0.005, missing: int = 0
) -> list[Rest]:
    up = tuple(turned.inv().apply(UP).tolist())
    out: list[Rest] = []
    for i in range(int(seconds / period / 4)):
        batch = MotionBatch(
            "p", 1, t + 4 * i * period, period, ((0.0, 0.0, 0.0),) * 4, (up,) * 4, missing if i == 0 else 0
        )
        out += tracker.motion(batch)
    return out


def turned_by(tracker: CubeTracker, t: float, start: Rotation, degrees: float) -> Rotation:
    """Half a second of an even turn about the vertical."""
    rate = tuple((start.inv().apply(UP) * degrees * 2).tolist())
    up = tuple(start.inv().apply(UP).tolist())
    for i in range(25):
        tracker.motion(MotionBatch("p", 1, t + i * 0.02, 0.005, (rate,) * 4, (up,) * 4))
    return Rotation.from_euler("z", degrees, degrees=True) * start


@pytest.mark.parametrize(
    ("missing", "period"), [(400, 0.005), (0, 0.01)], ids=["two seconds of silence", "half the rate"]
)
def test_a_filter_that_begins_anew_keeps_the_heading(missing: int, period: float) -> None:
    """A chip that says no pose of its own was silent, or was set to another rate, while it lay still."""
    tracker, flat = CubeTracker(), Rotation.identity()
    lying(tracker, 0.0, 2.0, flat)
    there = turned_by(tracker, 2.0, flat, 90.0)
    lying(tracker, 2.5, 2.0, there)
    assert tracker.pose == turns.turn_named("U", "E")
    lying(tracker, 4.5 + missing * 0.005, 2.0, there, period, missing)
    assert tracker.pose == turns.turn_named("U", "E")
    assert tracker.orientation == pytest.approx(turns.QUATS[turns.turn_named("U", "E")], abs=0.02)


def test_the_scale_of_a_gyroscope_is_learned_and_taken_off() -> None:
    """Fifty quarter turns of a chip that measures 2 % too much about one axis, 1 % too little about another."""
    tracker, here, t = CubeTracker(mount=turns.QUATS[0]), Rotation.identity(), 2.0
    lying(tracker, 0.0, 2.0, here)
    wrong, dice = np.array([0.0, -0.01, 0.02]), np.random.default_rng(4)
    for _ in range(50):
        axis = np.eye(3)[dice.integers(3)] * dice.choice([-1, 1])
        rate = tuple((axis * 180.0 * (1 + wrong)).tolist())
        for i in range(25):
            way = here * Rotation.from_rotvec(axis * np.pi / 2 * (i + 0.5) / 25)
            up = tuple(way.inv().apply(UP).tolist())
            tracker.motion(MotionBatch("p", 1, t + i * 0.02, 0.005, (rate,) * 4, (up,) * 4))
        here = here * Rotation.from_rotvec(axis * np.pi / 2)
        lying(tracker, t + 0.5, 1.5, here)
        t += 2.0
    assert tracker.scale.used > 30
    assert tracker.scale.error == pytest.approx(wrong, abs=0.004)
    assert max(tracker.scale.sure) < 0.008


def test_a_wire_that_holds_back_one_cube_makes_no_oddity() -> None:
    """NE's frames come 1.8 s late, all at once: until then the tilt of NW alone is not judged."""
    follower, out = CubeFollower(["a", "b"]), []
    tilt = Rotation.from_euler(
        "x", np.concatenate([np.zeros(60), np.linspace(0, 90, 25), np.full(200, 90.0)])[:, None], degrees=True
    )
    frames: list[tuple[float, MotionBatch]] = []
    for i, up in enumerate(tilt.inv().apply(UP).tolist()):
        rate = (180.0 if 60 <= i < 85 else 0.0, 0.0, 0.0)
        for port in "ab":
            arrives = max(i, 144 if port == "b" and i >= 55 else 0)
            frames.append(
                (arrives * 0.02, MotionBatch(port, 1, i * 0.02, 0.005, (rate,) * 4, (tuple(up),) * 4))
            )
    for now, batch in sorted(frames, key=lambda f: f[0]):
        out += follower.feed(batch)
        out += follower.settle(now - 0.25)
    assert [(e.pair, e.to) for e in out if isinstance(e, Tilted)] == [("n", "S")]
    assert not [e for e in out if isinstance(e, Odd)]
