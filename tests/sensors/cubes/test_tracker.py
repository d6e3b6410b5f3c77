"""One cube against movements that no tray made: hands that never hold still, gaps, saturation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from firmware_bridge.samples import FusedPose, MotionBatch
from sensors.cubes import turns
from sensors.cubes.rest import Rest
from sensors.cubes.tracker import CubeTracker
from tests.parts import proof

GRID = 0.001


class Hand:
    """A cube in a hand: quarter turns with pauses, never quite still. `rests` are (time, turn) as they truly were."""

    def __init__(
        self, seed: int, *, tremor_dps: float, off_deg: float, quick: tuple[float, float], count: int
    ) -> None:
        dice = np.random.default_rng(seed)
        stretches, length = [Rotation.identity(2000)], 2000
        square, here = np.eye(3), Rotation.identity()
        self.rests = [(0.0, turns.IDENTITY)]
        for _ in range(count):
            axis = np.zeros(3)
            axis[dice.integers(3)] = dice.choice([-1, 1])
            square = np.rint(Rotation.from_rotvec(axis * np.pi / 2).as_matrix()) @ square
            there = Rotation.from_rotvec(
                dice.normal(size=3) * np.radians(off_deg) / 1.7
            ) * Rotation.from_matrix(square)
            s = np.linspace(0, 1, int(dice.uniform(*quick) / GRID))
            way = (there * here.inv()).as_rotvec()
            stretches.append(Rotation.from_rotvec(np.outer(s**3 * (10 - 15 * s + 6 * s * s), way)) * here)
            here, length = there, length + len(s)
            name = turns.turn_named(*(_face(square[row]) for row in (2, 1)))
            self.rests.append((length * GRID, name))
            stretches.append(
                Rotation.from_quat(np.tile(here.as_quat(), (int(dice.uniform(0.9, 1.6) / GRID), 1)))
            )
            length += len(stretches[-1])
        n = length
        wobble = np.cumsum(_band(dice, n, 0.3, 10.0) * tremor_dps, axis=0) * GRID
        self.turned = Rotation.from_rotvec(np.radians(wobble)) * Rotation.concatenate(stretches)
        self.shake = _band(dice, n, 0.3, 8.0) * 0.004 * tremor_dps
        self.dice = dice

    def samples(self, rate_hz: float, bias: float = 0.5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        every = round(1 / rate_hz / GRID)
        rates = np.degrees((self.turned[:-1].inv() * self.turned[1:]).as_rotvec()) / GRID
        forces = self.turned.inv().apply(self.shake + np.array([0.0, 0.0, 1.0]))
        rates = rates[::every] + self.dice.uniform(-bias, bias, 3)
        return np.arange(len(rates)) * every * GRID, rates, forces[::every][: len(rates)]


def _band(dice: np.random.Generator, n: int, low: float, high: float) -> np.ndarray:
    f = np.fft.rfftfreq(n, GRID)
    spectrum = dice.normal(size=(len(f), 3)) * ((f > low) & (f < high))[:, None]
    noise = np.fft.irfft(spectrum * np.exp(2j * np.pi * dice.random((len(f), 1))), n, axis=0)
    return noise / noise.std()


def _face(row: np.ndarray) -> str:
    names = {
        (0, 0, 1): "U",
        (0, 0, -1): "D",
        (0, 1, 0): "N",
        (0, -1, 0): "S",
        (1, 0, 0): "E",
        (-1, 0, 0): "W",
    }
    return names[tuple(round(v) for v in row)]


def follow(
    t: np.ndarray, rates: np.ndarray, forces: np.ndarray, filter_name: str | None = None
) -> list[Rest]:
    """Rests of a chip that says each sample by itself, or, where it is quick, of a node that says four at once."""
    tracker, period = CubeTracker(filter_name=filter_name), float(t[1] - t[0])
    many = 4 if period < 0.01 else 1
    felt = [tuple(map(tuple, each.tolist())) for each in (rates, forces)]
    out: list[Rest] = []
    for i in range(0, len(t), many):
        here = slice(i, i + many)
        out += tracker.motion(MotionBatch("p", 0, float(t[i]), period, *(each[here] for each in felt)))
    return [r for r in out if r.first or r.before != r.after]


def agree(found: list[Rest], truth: list[tuple[float, int]]) -> float:
    """F1 of changed rests: the right turn, from 0.8 s before to 1.6 s after the hand held still."""
    free = list(found)
    hits = 0
    for when, turn in truth:
        match = next((r for r in free if r.after == turn and -0.8 < r.t - when < 1.6), None)
        if match is not None:
            free.remove(match)
            hits += 1
    return 2 * hits / (len(found) + len(truth))


@pytest.mark.parametrize("rate_hz", [100, 200])
@pytest.mark.parametrize(("tremor", "off"), [(0.05, 2.0), (1.5, 5.0), (4.0, 8.0), (7.0, 5.0)])
def test_hands_that_never_hold_still(rate_hz: float, tremor: float, off: float) -> None:
    scores = []
    for seed in range(proof(1, 10)):
        hand = Hand(seed, tremor_dps=tremor, off_deg=off, quick=(0.15, 3.0), count=proof(10, 25))
        scores.append(agree(follow(*hand.samples(rate_hz)), hand.rests))
    assert np.mean(scores) > 0.93


def test_the_other_filter_is_nearly_as_good() -> None:
    hand = Hand(3, tremor_dps=2.0, off_deg=5.0, quick=(0.15, 2.0), count=10)
    assert agree(follow(*hand.samples(100), filter_name="imufusion"), hand.rests) > 0.9


def test_gravity_tells_the_up_side_at_once_whatever_was_missed() -> None:
    """The cube lies on another side after ten seconds of silence, and no node says what happened."""
    tracker = CubeTracker()
    still, level = ((0.0, 0.0, 0.0),) * 20, ((0.0, 0.0, 1.0),) * 20
    rests: list[Rest] = []
    for i in range(20):
        rests += tracker.motion(MotionBatch("p", 0, i * 0.1, 0.005, still, level))
    onto_east = ((-1.0, 0.0, 0.0),) * 20  # body west looks up
    for i in range(20):
        missing = 2000 if i == 0 else 0
        rests += tracker.motion(MotionBatch("p", 0, 12 + i * 0.1, 0.005, still, onto_east, missing))
    assert turns.up_north(rests[-1].after)[0] == "W"
    assert rests[-1].margin_deg < 10  # the heading is not known: the referee asks


def test_a_saturated_gyroscope_makes_the_margin_small() -> None:
    tracker = CubeTracker()
    level = ((0.0, 0.0, 1.0),) * 4
    rests: list[Rest] = []

    def feed(t: float, count: int, rate: float) -> float:
        for _ in range(count):
            rests.extend(tracker.motion(MotionBatch("p", 0, t, 0.005, ((0.0, 0.0, rate),) * 4, level)))
            t += 0.02
        return t

    t = feed(0.0, 60, 0.0)
    t = feed(t, 8, 2000.0)  # 320° as far as it can tell
    feed(t, 100, 0.0)
    assert len(rests) > 1
    assert rests[-1].margin_deg < 45


def test_what_was_lost_in_the_midst_of_a_turn_makes_the_margin_smaller_by_twice_what_may_be_missed() -> None:
    """A tenth of what it turned meanwhile: eight samples of a quarter turn in a fifth of a second."""

    def turned(lost: Sequence[int]) -> Rest:
        tracker, rests, missing = CubeTracker(), list[Rest](), 0
        for k in range(170):
            rate = 450.0 if 60 <= k < 70 else 0.0
            if k in lost:
                missing += 4
                continue
            batch = MotionBatch(
                "p", 0, k * 0.02, 0.005, ((0.0, 0.0, rate),) * 4, ((0.0, 0.0, 1.0),) * 4, missing
            )
            rests += tracker.motion(batch)
            missing = 0
        return rests[-1]

    whole, holed = turned(()), turned((64, 65))
    assert whole.after == holed.after != whole.before
    assert whole.margin_deg - holed.margin_deg == pytest.approx(2 * 0.1 * 450 * 0.04, abs=0.3)


@pytest.mark.parametrize(("silent_s", "north"), [(0.5, "S"), (1.0, "W"), (1.5, "E")])
def test_how_it_spun_at_both_ends_of_a_short_silence_says_where_it_has_likely_come_to(
    silent_s: float, north: str
) -> None:
    """A quarter turn is heard, at half a turn a second. Of a longer silence nothing is guessed: it lies as heard."""
    tracker, rests, t = CubeTracker(), list[Rest](), 0.0
    for count, rate, silent in ((60, 0.0, 0.0), (12, 180.0, 0.0), (13, 180.0, silent_s), (150, 0.0, 0.0)):
        t += silent
        for k in range(count):
            missing = round(silent / 0.005) if k == 0 else 0
            batch = MotionBatch("p", 0, t, 0.005, ((0.0, 0.0, rate),) * 4, ((0.0, 0.0, 1.0),) * 4, missing)
            rests += tracker.motion(batch)
            t += 0.02
    assert turns.up_north(rests[-1].after) == ("U", north)
    assert rests[-1].margin_deg == 0  # the heading may be any of four: the referee asks
    assert rests[-1].headings[0] == max(rests[-1].headings) < 0.7


def test_a_chips_own_angles_are_enough() -> None:
    hand = Hand(5, tremor_dps=0.5, off_deg=3.0, quick=(0.2, 2.0), count=10)
    tracker, out = CubeTracker(), []
    quats = hand.turned[::10].as_quat()
    for i, (x, y, z, w) in enumerate(quats.tolist()):
        out += tracker.fused(FusedPose("p", 0, i * 0.01, (w, x, y, z), None, False))
    assert agree([r for r in out if r.first or r.before != r.after], hand.rests) > 0.95


def test_angles_that_come_late_or_twice_tell_nothing() -> None:
    tracker, level, tilted = CubeTracker(), (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)
    for k in range(100):
        tracker.fused(FusedPose("p", 0, k * 0.01, level, (0.0, 0.0, 1.0), False))
    lay = tracker.orientation
    for late in (0.0, 0.05):
        assert tracker.fused(FusedPose("p", 0, 0.99 - late, tilted, (0.0, 0.0, 1.0), False)) == []
        assert (tracker.orientation, tracker.last_t) == (lay, 0.99)


def test_the_sensor_need_not_lie_flat_when_it_is_first_seen() -> None:
    """Up U is whatever looks up at the first rest."""
    tracker = CubeTracker()
    rests: list[Rest] = []
    for i in range(50):
        rests += tracker.motion(
            MotionBatch("p", 0, i * 0.02, 0.005, ((0.0, 0.0, 0.0),) * 4, ((0.02, -1.0, 0.01),) * 4)
        )
    assert [turns.up_north(r.after) for r in rests] == [("U", "N")]
    assert rests[0].off_deg < 3
