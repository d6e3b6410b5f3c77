"""What is said at a seat that leans, and where a fingertip stays on the igloo. All simulated.

    python -m benchmarks.seat_mishaps              three makers' seats, on one other day each
    python -m benchmarks.seat_mishaps --devices 6

Each gesture is judged as the first of its day. The bounds in sensors/gesture/judge.py were chosen on other seeds.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices, many of them

import argparse
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.ring_weight import profiles
from hw_mock.igloo import seat_sensor
from hw_mock.igloo.constants import SOUND_RATE
from hw_mock.igloo.seat import Occasion, Seat
from hw_mock.igloo.seat_recordings import SENSORS, SeatJob, SeatPlan, jobs
from hw_mock.igloo.seat_tap import Mistake, Tapped, tap
from sensors.gesture.collect import collect
from sensors.gesture.gathered import fullest
from sensors.gesture.judge import judge
from sensors.gesture.profile import GestureProfile

LEANS_DEG = (0.0, 1.0, 2.0, 3.0)  # to and fro, more than on that day
COUNTS = (3, 6, 9, 12)


def answers(
    job: SeatJob, known: dict[str, GestureProfile], lean_deg: float, mistake: Mistake | None
) -> Iterator[tuple[str, bool, bool]]:
    """By each sensor: its name, whether the answer is sure, and whether it is right."""
    device, seat, player, today = job.parts()
    tilted = replace(today, lean=(today.lean[0] + math.radians(lean_deg), today.lean[1]))
    made = tap(job.beads, device, seat, player, tilted, job.seed, job.plan.placings, mistake=mistake)
    for sensor in SENSORS:
        profile, own = known[sensor], f"D{job.device + 1:02d}"
        of_set = profile.set_for(own)
        assert of_set is not None
        samples, rate = sensed(job, made, seat, tilted, sensor)
        gesture = fullest(collect(profile.sensor, rate, samples, of_set.empty))
        if gesture is None:
            yield sensor, False, False
            continue
        said = judge(gesture, profile, "seat", own)
        best = max(said.probabilities, key=lambda n: said.probabilities[n])
        yield sensor, said.verdict == "sure", best == job.beads


def sensed(
    job: SeatJob, made: Tapped, seat: Seat, today: Occasion, sensor: str
) -> tuple[NDArray[np.floating], int]:
    """What that sensor records of the gesture, and its rate, Hz."""
    random = np.random.default_rng([job.seed, len(sensor)])
    if sensor == "accelerometer":
        return seat_sensor.accelerometer(made, seat, today, random), round(seat.accelerometer_rate)
    return seat_sensor.disc(made, seat, random), SOUND_RATE


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=20287)
    parser.add_argument("--devices", type=int, default=3)
    args = parser.parse_args()
    plan = SeatPlan(args.seed, args.devices, 2)
    known = profiles(plan)
    cases: list[tuple[str, float, Mistake | None]] = [
        *((f"leans {degrees:.1f}° more", degrees, None) for degrees in LEANS_DEG),
        ("a fingertip stays on", 0.0, "resting"),
    ]
    print(f"{'sensor':15s}{'':28s}{'exact':>7s}{'sure':>7s}{'sure and wrong':>16s}{'gestures':>10s}")
    for name, lean_deg, mistake in cases:
        told = [
            one
            for job in jobs(replace(plan, counts=COUNTS))
            if job.session > 0
            for one in answers(job, known, lean_deg, mistake)
        ]
        for sensor in SENSORS:
            mine = [(sure, right) for by, sure, right in told if by == sensor]
            exact, sure = sum(right for _, right in mine), sum(sure for sure, _ in mine)
            wrong = sum(sure and not right for sure, right in mine)
            print(f"{sensor:15s}{name:28s}{exact:7d}{sure:7d}{wrong:16d}{len(mine):10d}", flush=True)


if __name__ == "__main__":
    main()
