"""Which movements wake a sleeping cube: by threshold and rate of its accelerometer, and by the 6D interrupt.

Simulated hands tilt, turn and knock. The chip is modelled after its application notes (ST AN5130, AN5192): a low-pass
at half its rate, half the change between two samples compared with a threshold (±2 g / 64 is the smallest that all its
variants have), and another side up. `python -m benchmarks.waking --moves 400`; `firmware/lsm6ds.py` uses the result.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.clock import VirtualClock
from hw_mock.cubes import LSM6DSO, TEMPERS
from hw_mock.cubes.hands import Hands
from hw_mock.cubes.mems import Sensor
from hw_mock.cubes.motion import Timeline
from hw_mock.cubes.turns import PAIRS, SLOTS
from hw_mock.dozing import SIDE_G, SLOPE_G

Array = NDArray[np.float64]
FINE_HZ = 1000
BEGINS_S = 1.0
LEAST_MG = 1000 * SLOPE_G
THRESHOLDS_MG = (500, 250, 125, 62.5, LEAST_MG)
RATES_HZ = (26.0, 12.5)
KNOCKS_G = (0.2, 0.5, 1.0, 3.0)


@dataclass(frozen=True, slots=True)
class Felt:
    """A movement as one cube's sleeping chip samples it: half the changes (n - 1, 3) in mg, at times (n - 1,) in s
    since the movement began, and whether another side came up."""

    slopes: Array
    times: Array
    turned_over: bool

    @property
    def most(self) -> float:
        return float(self.slopes.max())

    def woken_after(self, mg: float) -> float:
        """Seconds until the threshold `mg` is exceeded; infinite if it never is."""
        above = self.times[self.slopes.max(1) > mg]
        return float(above[0]) if len(above) else np.inf


def felt(cube: Timeline, end: float, rate_hz: float, low_pass: bool, random: np.random.Generator) -> Felt:
    """What one cube feels of the planned movement, until half a second after `end`."""
    step = round(FINE_HZ / rate_hz)
    times = np.arange(BEGINS_S - 0.3 + random.uniform(0, 1 / rate_hz), end + 0.5, 1 / FINE_HZ)
    _, rates, forces = cube.sample(times)
    _, accels = Sensor(LSM6DSO, FINE_HZ, random).measure(times, rates, forces)
    accels = np.clip(accels, -2, 2)
    count = len(accels) // step
    blocks = accels[: count * step].reshape(count, step, 3)
    # without a low-pass: the last raw sample of each period
    taken = blocks.mean(1) if low_pass else blocks[:, -1]
    ends = times[step - 1 : count * step : step] - BEGINS_S
    sides = np.where(np.abs(taken) > SIDE_G, np.sign(taken), 0)
    known = {tuple(side) for side in sides if np.abs(side).sum() == 1}
    return Felt(np.abs(np.diff(taken, axis=0)) / 2 * 1000, ends[1:], len(known) > 1)


def movements(
    what: str, temper: str, count: int, rate_hz: float, seed: int, low_pass: bool = True, knock_g: float = 0.0
) -> list[Felt]:
    """`count` tilts (of two cubes), turns (of one) or knocks (all four feel them)."""
    random = np.random.default_rng([seed, *temper.encode()])
    out = []
    for _ in range(count):
        cubes = {slot: Timeline(arm=random.normal(size=3) * 0.006) for slot in SLOTS}
        hands = Hands(cubes, VirtualClock(), random, temper)
        moved: tuple[str, ...] = SLOTS
        if what == "tilt":
            pair = str(random.choice(list(PAIRS)))
            moved = PAIRS[pair]
            hands.plan_tilt(pair, str(random.choice(list("NS" if pair in "ns" else "EW"))), at=BEGINS_S)
        elif what == "turn":
            moved = (str(random.choice(SLOTS)),)
            hands.plan_turn(moved[0], str(random.choice(["cw", "ccw"])), at=BEGINS_S)
        else:
            hands.plan_knock(knock_g, at=BEGINS_S)
        end = max(cube.free_at for cube in cubes.values())
        out += [felt(cubes[slot], end, rate_hz, low_pass, random) for slot in moved]
    return out


def missed(what: str, count: int, seed: int) -> None:
    print(f"{what}s that wake no chip, of {count} a row (simulated hands)")
    heads = " ".join(f"{mg:5.0f} mg" for mg in THRESHOLDS_MG)
    print(f"{'':15} {heads}   6D alone   either   pin up after, median and 95 %")
    for rate in RATES_HZ:
        for temper in TEMPERS:
            all_felt = movements(what, temper, count, rate, seed)
            shares = " ".join(f"{np.mean([f.most <= mg for f in all_felt]):8.1%}" for mg in THRESHOLDS_MG)
            sides = np.mean([not f.turned_over for f in all_felt])
            either = np.mean([not f.turned_over and f.most <= LEAST_MG for f in all_felt])
            after = [t for t in (f.woken_after(LEAST_MG) for f in all_felt) if t < np.inf]
            delay = f"{np.median(after):.2f} s, {np.percentile(after, 95):.2f} s" if after else "–"
            print(f"{rate:4} Hz {temper:7} {shares} {sides:10.1%} {either:8.1%}   {delay}", flush=True)


def knocked(count: int, seed: int) -> None:
    print(f"knocks on the table that wake a chip at {LEAST_MG:.0f} mg, of {4 * count} a row")
    for rate in RATES_HZ:
        for strength in KNOCKS_G:
            shares = [
                np.mean(
                    [f.most > LEAST_MG for f in movements("knock", "calm", count, rate, seed, low, strength)]
                )
                for low in (True, False)
            ]
            print(
                f"{rate:4} Hz, {strength:.1f} g: {shares[0]:6.1%}; without the low pass {shares[1]:6.1%}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--moves", type=int, default=400, help="tilts, turns and knocks a row")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    missed("tilt", args.moves, args.seed)
    missed("turn", args.moves, args.seed)
    knocked(max(1, args.moves // 4), args.seed)


if __name__ == "__main__":
    main()
