"""How well simulated cubes are tracked: events per temper and per fault, fidgeting, a long evening, delay, CPU.

Everything here is simulated by hw_mock (tempers and ranges are judgement, MEMS figures are from data sheets), because
no real cubes were at hand. `python -m benchmarks.cubes` runs all, `python -m benchmarks.cubes moves --moves 600` one
part.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np

from benchmarks.cube_rig import Rig, Tally
from hw_mock.cubes import BMI270, LSM6DSO, TEMPERS
from hw_mock.cubes.turns import SLOTS

FAULTS: dict[str, dict[str, float]] = {
    "5 % of frames lost": {"drop": 0.05},
    "5 % damaged (a bit)": {"flip": 0.05},
    "5 % out of order": {"reorder": 0.05},
    "5 % repeated": {"repeat": 0.05},
    "5 % garbage between": {"garbage": 0.05},
    "clock 2 % slow": {"slow_clock": 0.02},
    "2 % wrong node": {"wrong_node": 0.02},
}


def moves(args: argparse.Namespace) -> None:
    """Random moves per temper, then per fault with all tempers mixed."""
    print(
        f"{'moves of simulated hands':34} {'moves':>6} {'missing':>8} {'invented':>9} {'odd':>5} {'wrong poses':>12}"
    )
    total = Tally()
    share = max(1, args.moves // 20)
    for temper in TEMPERS:
        total.add(_series(temper, 2 * share, args.seed, temper=temper))
    for name, faults in FAULTS.items():
        total.add(_series(name, share // 2, args.seed + 1, mixed=True, **faults))
    total.add(
        _series("bias 3 °/s drifting, scale 2 %", share, args.seed + 2, mixed=True, model=LSM6DSO.worse())
    )
    total.add(_series("BMI270", share, args.seed + 3, mixed=True, model=BMI270))
    total.add(_series("100 samples a second", share, args.seed + 4, mixed=True, rate_hz=100.0))
    total.add(_series("BNO08x RVC", share, args.seed + 5, mixed=True, protocol="bno08x-rvc"))
    total.add(_series("WitMotion", share, args.seed + 6, mixed=True, protocol="witmotion"))
    _row("all", total)
    which = (
        f"one event in {total.moves / total.wrong:.0f}" if total.wrong else f"none of {total.moves} events"
    )
    print(f"{which} wrong, missing or invented (bar: one in 2,000)")


def _series(name: str, count: int, seed: int, mixed: bool = False, **options: object) -> Tally:
    """Games of 60 moves, each on a new table with new sensors."""
    total = Tally()
    for game in range(max(1, round(count / 60))):
        rig = Rig(seed=seed * 1000 + game, **options)  # type: ignore[arg-type]
        rig.moves(60, tuple(TEMPERS) if mixed else None)
        total.add(rig.tally())
    _row(name, total)
    return total


def _row(name: str, t: Tally) -> None:
    print(f"{name:34} {t.moves:6} {t.missing:8} {t.invented:9} {t.odd:5} {t.wrong_poses:12}", flush=True)


def fidget(args: argparse.Namespace) -> None:
    """Lifting, looking through, dropping, knocking, sliding; every cube is put back as it was: no event may come."""
    total = Tally()
    hours = args.hours or 2.0
    for part in range(8):
        rig = Rig(seed=args.seed + 40 + part, model=(LSM6DSO, BMI270)[part % 2])
        rig.handling(hours * 3600 / 8)
        total.add(rig.tally())
    print(
        f"{total.seconds / 3600:.2f} h of fidgeting, knocking, carrying (simulated): "
        f"{total.wrong} events invented (bar: 0)"
    )


def evening(args: argparse.Namespace) -> None:
    """Hours of play in virtual time without re-zeroing: the pose after every rest."""
    hours = args.hours or 4.0
    rig = Rig(seed=args.seed + 60, model=LSM6DSO.worse(), step_s=0.1)
    wrong = rests = 0
    while rig.clock.now() < hours * 3600:
        rig.moves(int(rig.random.integers(2, 6)), tuple(TEMPERS))
        if rig.random.random() < 0.3:
            rig.handling(8)
        rig.wait(float(rig.random.uniform(4, 30)))
        for slot in SLOTS:
            rests += 1
            wrong += rig.follower.named_pose(slot) != rig.table.pose(slot)
    tally = rig.tally()
    print(
        f"{rig.clock.now() / 3600:.1f} h, {tally.moves} moves, bias up to 3 °/s drifting (simulated): "
        f"{wrong} of {rests} poses wrong, {tally.wrong} events wrong, missing or invented"
    )
    true = np.array([rig.table.nodes[s].sensor.scale_error for s in SLOTS])
    left = true - np.array([rig.follower.trackers[s].scale.error for s in SLOTS])
    used = sum(rig.follower.trackers[s].scale.used for s in SLOTS)
    print(
        f"scale of the gyroscopes: wrong by {_rms(true):.2%} (rms of 12 axes), after {used} learned movements "
        f"by {_rms(left):.2%}"
    )


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def delay(args: argparse.Namespace) -> None:
    """The delay from the moment a cube lies still (below 3 °/s for good) to its event, with frames of 20 ms."""
    for temper in TEMPERS:
        rig = Rig(seed=args.seed + 70, temper=temper, step_s=0.005)
        rig.moves(40)
        d = np.array(rig.tally().delays) * 1000
        print(
            f"delay, {temper:7} median {np.median(d):4.0f} ms, 95 % {np.percentile(d, 95):4.0f} ms (bar: 200)",
            flush=True,
        )


def cpu(args: argparse.Namespace) -> None:
    """Share of one core for four cubes at 200 Hz, from bytes to events; and of the filters alone, in the same run."""
    rig = Rig(seed=args.seed, step_s=0.02, timed=True)
    before, began = rig.reader_s, rig.clock.now()
    rig.moves(20)
    share = (rig.reader_s - before) / (rig.clock.now() - began)
    print(f"four cubes at 200 Hz, bytes to events: {share:.1%} of one core (bar: 4 %)")
    rates = np.random.default_rng(1).normal(size=(40_000, 3)) * 50
    accels = np.tile([0.0, 0.0, 1.0], (40_000, 1))
    ours = None
    for name, seconds in _filters(rates, accels):
        ours = ours or seconds
        print(f"  {name:34} {seconds / 40_000 * 1e6:7.2f} µs a sample, {seconds / ours:6.1f} × ours")


def _filters(rates: np.ndarray, accels: np.ndarray) -> list[tuple[str, float]]:
    from sensors.cubes.orientation import make_filter

    def timed(step: Callable[[], object]) -> float:
        began = time.process_time()
        step()
        return time.process_time() - began

    def chunks(name: str) -> Callable[[], None]:
        f = make_filter(0.005, name)
        return lambda: (
            [f.update(rates[i : i + 4], accels[i : i + 4]) for i in range(0, len(rates), 4)] and None
        )

    out = [(f"{n}, four samples at a time", timed(chunks(n))) for n in ("vqf", "imufusion")]
    try:
        from ahrs.filters import Madgwick
    except ImportError:
        print("  ahrs is not installed: pip install ahrs", file=sys.stderr)
        return out
    m = Madgwick(frequency=200.0)

    def madgwick() -> None:
        q = np.array([1.0, 0.0, 0.0, 0.0])
        for r, a in zip(np.radians(rates), accels * 9.81, strict=True):
            q = m.updateIMU(q, gyr=r, acc=a)

    return [*out, ("ahrs Madgwick, sample by sample", timed(madgwick))]


PARTS = {"moves": moves, "fidget": fidget, "evening": evening, "delay": delay, "cpu": cpu}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", nargs="?", choices=list(PARTS), help="one part; without it all")
    parser.add_argument("--moves", type=int, default=10_000)
    parser.add_argument("--hours", type=float, help="of fidgeting (2) or of the evening (4)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for name in [args.part] if args.part else list(PARTS):
        PARTS[name](args)


if __name__ == "__main__":
    main()
