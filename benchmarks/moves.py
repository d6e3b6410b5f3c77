"""Ways of moving an igloo in the hand: what each tells a listener who knows every hit, and sensors on the shell.

    python -m benchmarks.moves                    every move, two sets, four people (ten minutes on one core)
    python -m benchmarks.moves --move knock       one of them

All simulated. The set is the owner's, the people are others: each person in turn is left out of the fit.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices, many of them

import argparse
import math
from collections.abc import Callable

import numpy as np

from hw_mock.igloo.constants import SOUND_RATE as RATE
from hw_mock.igloo.hand import Player
from hw_mock.igloo.plan import device_of
from hw_mock.igloo.shake import Shake as Shaken
from hw_mock.igloo.shake import simulate
from sensors.ear.frames.frontend import Envelopes, front_end_for
from sensors.ear.models.fitting import fit_model
from sensors.ear.models.labels import Labels
from sensors.ear.shakes.moves import move_of

COUNTS = tuple(range(2, 14))
MOVES = ("shake", "strokes", "swirl", "roll", "flip", "toss", "knock")
SLOW = ("toss", "knock", "flip", "roll")  # these last three seconds, the others two


def told_of_hits(shaken: Shaken, move: str) -> list[float]:
    """Features of one take for a listener who knows every single hit; for a knock, the late impact relative to the
    shell's own."""
    hits = shaken.impacts
    hits = hits[(hits[:, 0] > shaken.motion.start_s) & (hits[:, 6] > 0.03)]
    wall, pair = hits[hits[:, 2] < 2], hits[hits[:, 2] == 2]
    told = [
        math.log(len(wall) + 1),
        math.log(len(pair) + 1),
        math.log(wall[:, 1].sum() + 1e-9),
        math.log(shaken.level),
    ]
    if move == "knock":
        force = shaken.stop_force.astype(float)
        begins = np.flatnonzero((force[1:] > 0.5) & (force[:-1] <= 0.5))
        ratios = [
            force[i + 300 : i + 7200].sum() / (force[i : i + 300].sum() + 1e-9)
            for k, i in enumerate(begins)
            if k == 0 or i - begins[k - 1] > 0.3 * RATE
        ]
        told.append(math.log(float(np.median(ratios)) + 1e-6) if ratios else -6.0)
    return told


def heard(shaken: Shaken, sensor: str) -> tuple[tuple[str, ...], np.ndarray]:
    """Names and values of the features of a sensor on the shell."""
    if sensor == "accelerometer":
        assert shaken.accel is not None
        samples, rate, kind = shaken.accel, shaken.accel_rate, "accelerometer"
    else:
        assert shaken.contact is not None
        samples, rate, kind = shaken.contact[:, None], float(RATE), "microphone"
    front = front_end_for(kind, rate)  # type: ignore[arg-type]
    move = move_of(front, Envelopes(front, rate, samples.shape[1]).push(samples))
    assert move is not None
    return move.names, np.nan_to_num(move.values)


def by_hits(rows: np.ndarray, counts: np.ndarray, people: np.ndarray) -> float:
    """RMS error of ln N for people left out, by ridge regression on the features of the hits."""
    errors = []
    for who in np.unique(people):
        train, test = people != who, people == who
        middle, scale = rows[train].mean(axis=0), rows[train].std(axis=0) + 1e-9
        a = (rows[train] - middle) / scale
        y = np.log(counts[train])
        w = np.linalg.solve(a.T @ a + 1.0 * np.eye(a.shape[1]), a.T @ (y - y.mean()))
        errors += list((rows[test] - middle) / scale @ w + y.mean() - np.log(counts[test]))
    return float(np.sqrt(np.mean(np.square(errors))))


def by_sensor(
    names: tuple[str, ...], rows: np.ndarray, counts: np.ndarray, people: np.ndarray
) -> tuple[float, float]:
    """The same by the ear's own fit of this gesture, and the share of exact answers."""
    fitted = fit_model(names, rows, Labels(counts, people, people), COUNTS)
    m = fitted.model
    guess = (fitted.left_out - m.offset) / m.slope
    exact = np.mean(np.clip(np.round(np.exp(guess)), COUNTS[0], COUNTS[-1]) == counts)
    return float(np.sqrt(np.mean(np.square(guess - np.log(counts))))), float(exact)


def exact_of(sigma: Callable[[int], float]) -> tuple[float, float]:
    """Share of exact answers, and bits of log2(12), if the error is Gaussian with `sigma(n)` beads."""
    right, bits = [], []
    for n in COUNTS:
        p = np.array([math.exp(-0.5 * ((k - n) / max(sigma(n), 1e-3)) ** 2) for k in COUNTS])
        p /= p.sum()
        right.append(math.erf(0.5 / max(sigma(n), 1e-3) / math.sqrt(2)))
        bits.append(math.log2(len(COUNTS)) + float(np.sum(p * np.log2(p + 1e-300))))
    return float(np.mean(right)), float(np.mean(bits))


def compare(move: str, seed: int, people: int, devices: int) -> None:
    """Print one line of the table."""
    seconds = 3.0 if move in SLOW else 2.0
    hits: list[float] = []
    contact: list[tuple[float, float]] = []
    accelerometer: list[tuple[float, float]] = []
    for d in range(devices):
        device = device_of(seed, d)
        takes = [
            (n, p, simulate(n, device, Player.draw(seed * 1000 + p), seed + 97 * n + p, seconds,
                            ("contact", "accelerometer"), move))
            for p in range(people) for n in COUNTS
        ]  # fmt: skip
        counts, who = np.array([t[0] for t in takes]), np.array([t[1] for t in takes])
        hits.append(by_hits(np.array([told_of_hits(t[2], move) for t in takes]), counts, who))
        for sensor, out in (("contact", contact), ("accelerometer", accelerometer)):
            got = [heard(t[2], sensor) for t in takes]
            out.append(by_sensor(got[0][0], np.array([v for _, v in got]), counts, who))
    error = float(np.mean(hits))
    exact, bits = exact_of(lambda n: error * n)
    parts = [f"{e:9.3f} {x:6.2f}" for e, x in (np.mean(contact, axis=0), np.mean(accelerometer, axis=0))]
    print(
        f"{move:10s} {seconds:4.1f} {error:8.3f} {exact:6.2f} {bits:5.2f} {bits / seconds:6.2f} {' '.join(parts)}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=123)
    parser.add_argument("--people", type=int, default=4)
    parser.add_argument("--devices", type=int, default=2)
    parser.add_argument("--move", choices=MOVES, action="append")
    args = parser.parse_args()
    print("Error of ln N and share told exactly, the owner's igloos, other people (simulated; bits of 3.58)")
    print(f"{'':15s} {'told of every hit':>29s} {'contact micr.':>16s} {'accelerometer':>16s}")
    print(
        f"{'move':10s} {'s':>4s} {'error':>8s} {'exact':>6s} {'bits':>5s} {'bits/s':>6s} {'error':>9s} {'exact':>6s} "
        f"{'error':>9s} {'exact':>6s}"
    )
    for move in args.move or MOVES:
        compare(move, args.seed, args.people, args.devices)


if __name__ == "__main__":
    main()
