"""Simulated counting gestures on disk, in the format of docs/contracts.md 3 with `"gesture":"seat-tap"`.

Each maker has one set of igloos and one seat. Session s1 is the owner's: every igloo once, labelled. In s2, s3, … other
people count the same igloos on other days. All igloos of a session form one `set`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from hw_mock.igloo import seat_sensor
from hw_mock.igloo.constants import SOUND_RATE
from hw_mock.igloo.device import Device
from hw_mock.igloo.faults import FAULTS, drawn, spoil
from hw_mock.igloo.hand import Player
from hw_mock.igloo.plan import COUNTS, device_of, player_of
from hw_mock.igloo.recordings import store
from hw_mock.igloo.seat import NUB_SPREAD, Occasion, Seat
from hw_mock.igloo.seat_tap import MISTAKES, Mistake, Tapped, tap

SENSORS = ("accelerometer", "contact")


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """What to simulate: each of `devices` makers' sets on its own seat, by its owner and then by others."""

    seed: int
    devices: int = 8
    sessions: int = 3
    counts: tuple[int, ...] = COUNTS
    placings: int = 3
    taps: int = 1  # after each placing
    printed: bool = False
    nub_spread: float = NUB_SPREAD  # variation of the nubs' stiffness from placing to placing, ln
    sensors: tuple[str, ...] = SENSORS
    people: int = 40
    mistaken: float = 0.0  # share of gestures with a mistake
    mistakes: tuple[Mistake, ...] = MISTAKES  # the mistakes to draw from
    faulty: float = 0.0  # share of recordings with a fault, drawn for each sensor of a gesture by itself
    faults: tuple[str, ...] = tuple(FAULTS)  # the faults to draw from


@dataclass(frozen=True, slots=True)
class SeatJob:
    """One gesture to simulate."""

    plan: SeatPlan
    device: int
    session: int  # 0: the owner's
    player: int
    beads: int
    seed: int

    @property
    def name(self) -> str:
        return f"D{self.device + 1:02d}/s{self.session + 1}/{self.beads:02d}"

    @property
    def mistake(self) -> Mistake | None:
        """What is done wrongly, or None."""
        found = drawn(self.plan.mistaken, self.plan.mistakes, self.seed)
        return next((known for known in MISTAKES if known == found), None)

    def fault_of(self, sensor: str) -> str | None:
        """The fault of that sensor, or None; it does not depend on the other sensors."""
        return drawn(self.plan.faulty, self.plan.faults, self.seed, SENSORS.index(sensor))

    def file(self, sensor: str) -> str:
        """Path of that sensor's file, relative to the folder."""
        return f"{self.name}.{'acc.wav' if sensor == 'accelerometer' else 'contact.flac'}"

    def parts(self) -> tuple[Device, Seat, Player, Occasion]:
        """The set of igloos, the seat, the person and the day of this gesture."""
        day = self.plan.seed * 7919 + self.device * 101 + self.session
        seat = Seat.draw(self.plan.seed * 6007 + self.device, self.plan.printed)
        seat = replace(seat, nub_spread=self.plan.nub_spread)
        who = player_of(self.plan.seed, self.player).on(day)
        return device_of(self.plan.seed, self.device), seat, who, Occasion.draw(day)


def jobs(plan: SeatPlan) -> Iterator[SeatJob]:
    """All gestures of `plan`; nobody uses two makers' sets unless people run out."""
    for d in range(plan.devices):
        for s in range(plan.sessions):
            r = np.random.default_rng([plan.seed, d, s, 0x5EA])
            player = (d * plan.sessions + s) % plan.people
            for beads in r.permutation(plan.counts):
                yield SeatJob(plan, d, s, player, int(beads), int(r.integers(2**31)))


def perform(job: SeatJob, mistake: Mistake | None = None) -> Tapped:
    """Simulate the gesture, before any sensor; `mistake` in place of the job's own."""
    device, seat, player, today = job.parts()
    plan, mistake = job.plan, mistake or job.mistake
    return tap(job.beads, device, seat, player, today, job.seed, plan.placings, plan.taps, mistake=mistake)


def sense(job: SeatJob, taken: Tapped, sensor: str) -> tuple[np.ndarray, int]:
    """What `sensor` records of the gesture, and its nominal rate in Hz: "accelerometer", float32[m, 3] in g, or
    "contact", float32[n] in ±1 at 48 kHz."""
    _, seat, _, today = job.parts()
    r = np.random.default_rng([job.seed, len(sensor)])
    if sensor == "accelerometer":
        samples, rate = seat_sensor.accelerometer(taken, seat, today, r), round(seat.accelerometer_rate)
    else:
        samples, rate = seat_sensor.disc(taken, seat, r), SOUND_RATE
    fault = job.fault_of(sensor)
    return (samples if fault is None else spoil(samples, rate, fault, job.seed + SENSORS.index(sensor))), rate


def planned(job: SeatJob, sensor: str) -> dict[str, Any]:
    """The line of that sensor's file in `recordings.jsonl`."""
    device = f"D{job.device + 1:02d}"
    wrong = {"mistake": job.mistake, "fault": job.fault_of(sensor)}
    return {
        "file": job.file(sensor),
        "sensor": "accelerometer" if sensor == "accelerometer" else "microphone",
        "place": "seat",
        "gesture": "seat-tap",
        "beads": job.beads,
        "igloo": f"{device}-{job.beads:02d}",
        "device": device,
        "player": f"P{job.player + 1:02d}",
        "session": f"s{job.session + 1}",
        "set": f"{device}/s{job.session + 1}",
        "pair": job.name,
        "rejected": None,
        "simulated": True,
        **{key: what for key, what in wrong.items() if what is not None},
    }


def write(folder: Path, job: SeatJob) -> list[dict[str, Any]]:
    """Simulate one gesture, write its files, and return its lines for `recordings.jsonl`."""
    taken = perform(job)
    for sensor in job.plan.sensors:
        samples, rate = sense(job, taken, sensor)
        store(folder / job.file(sensor), samples, rate)
    return [planned(job, sensor) for sensor in job.plan.sensors]
