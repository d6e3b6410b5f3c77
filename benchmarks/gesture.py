"""The counting gesture: what moving an igloo in one way or another tells, and how the seat does. All simulated.

    python benchmarks/gesture.py                      everything, some hundred gestures (half an hour on one core)
    python benchmarks/gesture.py --folder F           reads F, or fills it; what is there is not simulated again
    python benchmarks/gesture.py --skip-moves         the seat alone

People, igloos and seats of the default seed were used for nothing else: what scatters by how much was found with other
seeds (501–503), and these were looked at once.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices, many of them

import argparse
import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.recordings import read
from calibration.scores import summary
from calibration.seat_taps import Answered, Tapped, answer, fit_taps, join, listen
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.gestures import gesture
from hw_mock.igloo.hand import Player
from hw_mock.igloo.played import RATE, play
from hw_mock.igloo.seat_recordings import SeatPlan, device_of, write_all
from sensors.gesture.profile import GestureProfile

COUNTS = tuple(range(2, 14))
MOVES = ("shake", "strokes", "swirl", "roll", "toss", "knock")


def features(count: int, device: Device, player: Player, seed: int, move: str, seconds: float) -> list[float]:
    """What a listener told of every single hit knows of one take; for a knock, the late blow over the shell's own."""
    person = player.take(seed)
    motion = gesture(move, person, seed, seconds)
    played = play(device, Igloo.of(device, count), person, motion, seed)
    hits = played.impacts
    hits = hits[(hits[:, 0] > motion.start_s) & (hits[:, 6] > 0.03)]
    wall, pair = hits[hits[:, 2] < 2], hits[hits[:, 2] == 2]
    told = [
        math.log(len(wall) + 1),
        math.log(len(pair) + 1),
        math.log(wall[:, 1].sum() + 1e-9),
        math.log(played.level()),
    ]
    if move == "knock":
        force = played.traces.stop.astype(float)
        begins = np.flatnonzero((force[1:] > 0.5) & (force[:-1] <= 0.5))
        ratios = [
            force[i + 300 : i + 7200].sum() / (force[i : i + 300].sum() + 1e-9)
            for k, i in enumerate(begins)
            if k == 0 or i - begins[k - 1] > 0.3 * RATE
        ]
        told.append(math.log(float(np.median(ratios)) + 1e-6) if ratios else -6.0)
    return told


def spread(rows: np.ndarray, counts: np.ndarray, people: np.ndarray) -> float:
    """RMS error of ln N for people who were left out, by a ridge on what is known of the hits."""
    errors = []
    for who in np.unique(people):
        train, test = people != who, people == who
        middle, scale = rows[train].mean(axis=0), rows[train].std(axis=0) + 1e-9
        a = (rows[train] - middle) / scale
        y = np.log(counts[train])
        w = np.linalg.solve(a.T @ a + 1.0 * np.eye(a.shape[1]), a.T @ (y - y.mean()))
        errors += list((rows[test] - middle) / scale @ w + y.mean() - np.log(counts[test]))
    return float(np.sqrt(np.mean(np.square(errors))))


def exact_of(sigma: Callable[[int], float]) -> tuple[float, float]:
    """Share told exactly, and bits of log2(12), where the answer errs by a Gaussian of `sigma(n)` beads."""
    right, bits = [], []
    for n in COUNTS:
        p = np.array([math.exp(-0.5 * ((k - n) / max(sigma(n), 1e-3)) ** 2) for k in COUNTS])
        p /= p.sum()
        right.append(math.erf(0.5 / max(sigma(n), 1e-3) / math.sqrt(2)))
        bits.append(math.log2(len(COUNTS)) + float(np.sum(p * np.log2(p + 1e-300))))
    return float(np.mean(right)), float(np.mean(bits))


def compare_moves(seed: int, people: int, devices: int) -> None:
    print(
        "\nWays of moving an igloo in the hand; a listener told of every single hit, other people, the owner's igloos"
    )
    print("(simulated; error of ln N of people left out, what it means in exact counts, and bits of 3.58)")
    print(f"{'move':10s} {'error':>6s} {'exact':>6s} {'bits':>5s} {'seconds':>8s} {'bits/s':>7s}")
    for move in MOVES:
        seconds = 3.0 if move in ("toss", "knock") else 2.0
        errors = []
        for d in range(devices):
            device = device_of(seed, d)
            rows, counts, who = [], [], []
            for p in range(people):
                player = Player.draw(seed * 1000 + p)
                for n in COUNTS:
                    rows.append(features(n, device, player, seed + 97 * n + p, move, seconds))
                    counts.append(n)
                    who.append(p)
            errors.append(spread(np.array(rows), np.array(counts), np.array(who)))
        error = float(np.mean(errors))
        exact, bits = exact_of(lambda n, e=error: e * n)  # type: ignore[misc]
        print(
            f"{move:10s} {error:6.3f} {exact:6.2f} {bits:5.2f} {seconds:8.1f} {bits / seconds:7.2f}",
            flush=True,
        )


def bounds(seed: int, devices: int) -> None:
    """Cramér–Rao for the frequency of a damped tone of unknown phase, size and decay: var ω = 8 S / (A² τ³)."""
    print(
        "\nWhat the seat could tell at best (Cramér–Rao bound of one tap of 0.25 g, 100 µg/√Hz, Q 80, in beads)"
    )
    print(
        f"{'set':5s} {'bead mm':>8s} {'bead mg':>8s} {'shells ± mg':>12s} {'upright':>9s} {'what is loose':>14s}"
    )
    for d in range(devices):
        device = device_of(seed, d)
        igloos = [Igloo.of(device, n) for n in COUNTS]
        bead = float(np.mean([np.mean(i.masses) for i in igloos]))
        shells = np.array([i.shell_mass for i in igloos])

        def noise(hz: float, loaded: float) -> float:
            tau = 80 / (math.pi * hz)
            omega = math.sqrt(8 * (100e-6) ** 2 / (0.25**2 * tau**3))
            return 2 * loaded * omega / (2 * math.pi * hz)

        load = float(np.mean([i.shell_mass + sum(i.masses) for i in igloos]))
        up, side = noise(100.0, 0.038 + load), noise(40.0, 0.016 + load)
        print(
            f"D{d + 1:02d}   {device.bead_diameter * 1e3:8.1f} {bead * 1e6:8.0f} {shells.std() * 1e6:12.0f} "
            f"{up / bead:9.4f} {math.hypot(up, side) * 1.4 / bead:14.4f}"
        )


def cut(tapped: Sequence[Tapped], placings: int) -> list[Tapped]:
    """The same gestures with their first placings alone."""
    return [
        replace(
            t,
            gesture=replace(t.gesture, weights=[w for w in t.gesture.weights if w.placing < placings]),
        )
        if t.gesture is not None
        else t
        for t in tapped
    ]


def blind(profile: GestureProfile) -> GestureProfile:
    """The same profile without what is loose: the weight alone, as scales have it."""
    sets = {}
    for name, known in profile.sets.items():
        wide = known.model.known.copy()
        wide[:, 1] = 1.0
        sets[name] = replace(known, model=replace(known.model, known=wide))
    return replace(profile, sets=sets)


def line(name: str, results: Sequence[Answered]) -> None:
    told = [a.told() for a in results if a.counted]
    f = summary(told)
    low, high = f["interval"]["exact"]
    sure = "  – " if f["sure_right"] is None else f"{f['sure_right']:.2f}"
    joined = "  – " if f["exact_in_sets"] is None else f"{f['exact_in_sets']:.2f}"
    print(
        f"{name:44s} {f['exact']:.2f} ({low:.2f}–{high:.2f}) {f['within_one']:.2f}  {joined}  "
        f"{f['sure_share']:.2f} {sure}  {f['ece']:.3f}  n={f['n']}",
        flush=True,
    )


def seat(folder: Path, plan: SeatPlan) -> None:
    print("\nThe seat: tap it empty; three times set the igloo down, let go, tap, lift it (simulated)")
    print(f"{'':44s} exact (95 % by people and seats) ±1   set  sure right  ece")
    for sensor, name in (("accelerometer", "accelerometer"), ("microphone", "piezo disc")):
        recordings = [r for r in read(folder, print) if r.sensor == sensor and r.more.get("place") == "seat"]
        heard = list(listen(recordings, print))
        owner = [t for t in heard if t.recording.session == "s1"]
        others = [t for t in heard if t.recording.session != "s1"]
        profile = fit_taps(owner)
        line(f"{name}, owner's set, other people", join([answer(profile, t) for t in others], profile))
        line("  set down once", [answer(profile, t) for t in cut(others, 1)])
        line("  set down twice", [answer(profile, t) for t in cut(others, 2)])
        line("  weight alone", [answer(blind(profile), t) for t in others])
        for least, most in ((0.0, 4.5), (4.5, 9.9)):
            part = [t for t in others if least <= _bead_mm(plan, t) < most]
            if part:
                line(
                    f"  beads of {least:.1f} mm and more" if least else f"  beads below {most} mm",
                    [answer(profile, t) for t in part],
                )
        results: list[Answered] = []
        for device in sorted({t.recording.device or "" for t in heard}):
            rest = fit_taps([t for t in owner if t.recording.device != device])
            results += join([answer(rest, t) for t in heard if t.recording.device == device], rest)
        line("  a set nobody ever weighed or labelled", results)


def _bead_mm(plan: SeatPlan, tapped: Tapped) -> float:
    return 1e3 * device_of(plan.seed, int((tapped.recording.device or "D01")[1:]) - 1).bead_diameter


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=20261)
    parser.add_argument("--devices", type=int, default=6)
    parser.add_argument("--people", type=int, default=2, help="for the comparison of moves")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--skip-moves", action="store_true")
    parser.add_argument("--skip-seat", action="store_true")
    args = parser.parse_args()
    plan = SeatPlan(args.seed, devices=args.devices, sessions=2)
    bounds(args.seed, args.devices)
    if not args.skip_seat:
        with tempfile.TemporaryDirectory() as there:
            folder = args.folder or Path(there)
            for _ in write_all(folder, plan):
                pass
            seat(folder, plan)
    if not args.skip_moves:
        compare_moves(args.seed, args.people, 2)


if __name__ == "__main__":
    main()
