"""A crumb on the seat's ring: the smallest that is noticed, and false alarms for an unchanged ring. All simulated.

    python -m benchmarks.ring_weight              ten makers' seats on three other days each
    python -m benchmarks.ring_weight --printed    seats with printed leaves

The bounds in sensors/gesture/changed.py were chosen on other seeds.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices, many of them

import argparse
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from calibration.recordings.folder import read
from calibration.seat.fit import fit_taps
from calibration.seat.taps import listen
from hw_mock.igloo.going_on_taps import write_all
from hw_mock.igloo.seat_recordings import SENSORS, SeatJob, SeatPlan, jobs, sense
from hw_mock.igloo.seat_tap import tap
from sensors.gesture.changed import HEAVIER, LIGHTER
from sensors.gesture.collect import collect
from sensors.gesture.gathered import Gesture, fullest
from sensors.gesture.judge import complaint
from sensors.gesture.profile import GestureProfile

ADDED_G = (0.0, 0.05, 0.1, 0.3, -0.1, -0.3)


def profiles(plan: SeatPlan) -> dict[str, GestureProfile]:
    """A profile per sensor, of the sets that their owners weighed."""
    with tempfile.TemporaryDirectory() as there:
        for _ in write_all(Path(there), replace(plan, sessions=1)):
            pass
        read_back = list(read(Path(there), print))
        return {
            sensor: fit_taps(list(listen([r for r in read_back if r.sensor == name], print)))
            for sensor, name in zip(SENSORS, ("accelerometer", "microphone"), strict=True)
        }


def gestures(job: SeatJob, added_g: float) -> dict[str, Gesture | None]:
    """One gesture of that job, as each sensor feels it, while the ring carries `added_g` more than when built."""
    device, seat, player, today = job.parts()
    ring = replace(seat, platform=seat.platform + 1e-3 * added_g)
    made = tap(job.beads, device, ring, player, today, job.seed, job.plan.placings, job.plan.taps)
    found = {}
    for sensor in SENSORS:
        samples, rate = sense(job, made, sensor)
        kind = "accelerometer" if sensor == "accelerometer" else "microphone"
        found[sensor] = fullest(collect(kind, rate, samples))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=20286)
    parser.add_argument("--devices", type=int, default=10)
    parser.add_argument("--days", type=int, default=3)
    parser.add_argument("--printed", action="store_true")
    args = parser.parse_args()
    plan = SeatPlan(
        args.seed, args.devices, 1 + args.days, counts=(2, 7, 13), placings=1, printed=args.printed
    )
    known = profiles(replace(plan, placings=3))
    told: Counter[tuple[str, float, str]] = Counter()
    for job in jobs(plan):
        if job.session == 0:
            continue
        for added in ADDED_G:
            for sensor, gesture in gestures(job, added).items():
                if gesture is None or gesture.empty is None:
                    continue
                reason = complaint(gesture, known[sensor].set_for(f"D{job.device + 1:02d}"))
                told[sensor, added, reason or ""] += 1
                told[sensor, added, "all"] += 1
    leaves = "printed" if args.printed else "steel"
    print(f"A ring that carries more or less than on the day of weighing ({leaves} leaves, simulated)")
    print(f"{'sensor':15s}{'g more':>8s}{'told heavier':>14s}{'told lighter':>14s}{'gestures':>10s}")
    for sensor in SENSORS:
        for added in ADDED_G:
            heavier, lighter, n = (told[sensor, added, what] for what in (HEAVIER, LIGHTER, "all"))
            print(f"{sensor:15s}{added:+8.2f}{heavier:14d}{lighter:14d}{n:10d}")


if __name__ == "__main__":
    main()
