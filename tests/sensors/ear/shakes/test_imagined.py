"""Imagined beads: mechanics that must hold, the floor found whichever way it lies, and names that never change."""

from __future__ import annotations

import numpy as np
import pytest

from hw_mock.igloo import accelerometer
from hw_mock.igloo.device import Igloo
from hw_mock.igloo.gestures import gesture
from hw_mock.igloo.plan import device_of, player_of
from hw_mock.igloo.played import play
from sensors.ear.frames.frontend import FRONT_ENDS, Array, Envelopes, Floats, front_end_for, join_frames
from sensors.ear.shakes.dome import STEPS_HZ, places, throw
from sensors.ear.shakes.imagined import (
    FULL,
    NEAR,
    SETTLED,
    TOLD,
    common_floor,
    floors,
    forces,
    imagined,
    spread_out,
)
from sensors.ear.shakes.shake import shake_of
from sensors.ear.shakes.takes import Take, cut
from tests.rattle import shaken_sensor
from tests.sensors.ear.shakes.hands import UP, shaken, unit

FELT = [front for front in FRONT_ENDS if front.hand]


def turning(seed: int) -> Floats:
    matrix, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return np.asarray(matrix)


@pytest.mark.parametrize("beads", [2, 5, 13])
@pytest.mark.parametrize("seed", range(3))
def test_the_floor_is_found_whichever_way_it_lies(beads: int, seed: int) -> None:
    """Pushes of beads, as many as nobody tells, thrown from elsewhere: their floor stands among those believed."""
    turned = turning(seed)
    force = shaken(UP) @ turned
    floor = UP @ turned
    pushes, _ = throw(np.ascontiguousarray(force), floor, places(beads, 900, tuple(floor)), STEPS_HZ)
    found, weights = floors(np.ascontiguousarray(force), pushes[SETTLED:], FULL)
    mean = weights @ found
    assert np.arccos(mean @ floor / np.linalg.norm(mean)) < 0.5


def test_it_is_found_in_takes_of_another_simulator() -> None:
    """hw_mock's beads bounce otherwise, its dome has other sizes, its sensor hears the shell ring and the fingers give:
    over a sweep the floor is mostly found all the same, where leaning on gravity goes astray. Not always, and of which
    igloo not differs from one processor to the next."""
    angles = np.array([floor_missed_by(number) for number in range(1, 6)])
    assert np.median(angles[:, 0]) < 0.5, angles
    assert np.sum(angles[:, 0] < angles[:, 1]) >= 4, angles


def floor_missed_by(number: int) -> tuple[float, float]:
    """How far the floor that is found, and one leaned on gravity, lie from the true one, rad."""
    device = device_of(20270705, number, 1666.0)
    floor = UP @ np.array(device.mount.axes).T
    found, leaned = np.zeros(3), np.zeros(3)
    for seed, beads in enumerate((3, 5, 7, 9, 11)):
        person = player_of(20270705, 3).on(5).take(seed)
        motion = gesture("shake", person, seed, 2.0)
        played = play(device, Igloo.of(device, beads), person, motion, seed)
        samples = accelerometer.record(played, np.random.default_rng(seed))
        front = front_end_for("accelerometer", 1666.0)
        take = cut(front, Envelopes(front, 1666.0, 3).push(samples))
        assert take is not None
        force, pushed = forces(take.felt)
        believed, weights = floors(force, pushed, FULL)
        found += weights @ believed
        leaned -= unit(force.mean(axis=0).tolist())
    by_found, by_leaned = (float(np.arccos(way @ floor / np.linalg.norm(way))) for way in (found, leaned))
    return by_found, by_leaned


def taken(samples: Array, rate: float = 3200.0) -> Take:
    front = front_end_for("accelerometer", rate)
    take = cut(front, Envelopes(front, rate, 3).push(samples.astype(np.float32)))
    assert take is not None
    return take


@pytest.mark.parametrize("seed", range(2))
def test_names_are_the_same_and_numbers_finite(seed: int) -> None:
    take = taken(shaken_sensor(6, seed, rate=3200))
    (whole, floor), (quick, _) = imagined(take.felt), imagined(take.felt, quick=True)
    short, nowhere = imagined(take.felt[:30])
    assert list(whole) == list(quick) == list(short)
    assert np.isfinite([*whole.values(), *quick.values()]).all()
    assert set(short.values()) == {0.0}
    assert nowhere is None
    assert imagined(take.felt) == (whole, floor)  # chance is the same chance every time


def test_a_dead_sensor_is_no_trouble() -> None:
    take = taken(shaken_sensor(6, 0, rate=3200))
    still, floor = imagined(np.zeros_like(take.felt))
    assert np.isfinite(list(still.values())).all()
    assert floor is not None
    assert np.linalg.norm(floor) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(3))
def test_a_known_floor_is_believed_rather_than_one_take(seed: int) -> None:
    take = taken(shaken_sensor(6, seed, rate=3200))
    for way in spread_out(5):
        known = (float(way[0]), float(way[1]), float(way[2]))
        force, pushed = forces(take.felt)
        believed, weights = floors(force, pushed, TOLD, known)
        assert (believed @ way > NEAR - 1e-9).all()
        assert weights.sum() == pytest.approx(1.0)


def test_takes_that_agree_tell_a_common_floor() -> None:
    random = np.random.default_rng(0)
    floor = unit([0.3, -0.2, 0.9])
    found = [unit(list(floor + 0.4 * random.normal(size=3))) for _ in range(12)]
    found[3] = -floor  # one went astray altogether
    common = common_floor([(x, y, z) for x, y, z in found])
    assert common is not None
    assert floor @ common > np.cos(0.25)
    assert common_floor([(x, y, z) for x, y, z in found[:5]]) is None  # too few to go by


def test_takes_that_do_not_agree_tell_nothing() -> None:
    """As where a sensor is moved from igloo to igloo and put on another way each time."""
    told = sum(
        common_floor([(x, y, z) for x, y, z in map(unit, np.random.default_rng(seed).normal(size=(12, 3)))])
        is not None
        for seed in range(200)
    )
    assert told < 10


def test_a_shake_is_heard_again_on_the_floor_that_is_known() -> None:
    rate = 3200.0
    front = front_end_for("accelerometer", rate)
    frames = Envelopes(front, rate, 3).push(shaken_sensor(6, 1, rate=rate).astype(np.float32))
    shake = shake_of(front, frames)
    assert shake is not None
    floor = (0.6, 0.0, -0.8)
    again, at_once = shake.on(floor), shake_of(front, frames, known=floor)
    assert at_once is not None
    np.testing.assert_array_equal(again.values, at_once.values)
    changed = {
        n.split(".")[0] for n, a, b in zip(shake.names, shake.values, again.values, strict=True) if a != b
    }
    assert changed == {"imagined"}
    assert shake.on(None) is shake
    assert again.on(floor) is again


def test_what_is_felt_does_not_depend_on_how_the_stream_is_cut() -> None:
    samples = shaken_sensor(5, 1, rate=1600).astype(np.float32)
    for front in FELT:
        if front.least_rate > 1600:
            continue
        whole = Envelopes(front, 1600, 3).push(samples)
        running = Envelopes(front, 1600, 3)
        parts = [running.push(samples[at : at + 77]) for at in range(0, len(samples), 77)]
        joined = join_frames(front, parts)
        assert whole.felt is not None
        assert joined.felt is not None
        assert joined.felt.shape == whole.felt.shape
        np.testing.assert_allclose(joined.felt, whole.felt, atol=1e-4)
        gravity = whole.felt[:20, :3].mean(axis=0)
        np.testing.assert_allclose(gravity, samples[:128].mean(axis=0), atol=0.05)


def test_directions_lie_all_over_the_sphere() -> None:
    directions = spread_out(64)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1.0)
    near = np.sort(np.arccos(np.clip(directions @ directions.T, -1, 1)), axis=1)[:, 1]
    assert near.min() > 0.25
    assert near.max() < 0.5


@pytest.mark.parametrize("known", [None, (0.0, 0.6, 0.8)])
def test_several_processors_imagine_the_same(
    known: tuple[float, float, float] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who waits for a verdict gets it sooner, and bit for bit the one that a fit would have."""
    felt = np.hstack([-shaken(UP) / 9.81, np.abs(shaken(UP))]).astype(np.float16)
    alone, floor = imagined(felt, known=known)
    monkeypatch.setattr("sensors.ear.shakes.imagined.PROCESSORS", 3)
    together, again = imagined(felt, known=known, soon=True)
    assert (together, again) == (alone, floor)
    thrown: dict[tuple[object, ...], Floats] = {}
    imagined(felt, known=known, thrown=thrown)
    kept = dict(thrown)
    assert imagined(felt, known=known, thrown=thrown, soon=True) == (alone, floor)
    assert thrown.keys() == kept.keys()
