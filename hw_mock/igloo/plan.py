"""The plan of a folder of simulated recordings: who shakes what, in which order.

A session is one occasion of one person with one set: a few sweeps, in each of which every igloo of the set is shaken
once in random order (`set`). Day, mood and room belong to the session, grip and strength to the take.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np

from hw_mock.igloo.device import Device
from hw_mock.igloo.faults import FAULTS, drawn
from hw_mock.igloo.player import Player
from hw_mock.igloo.shake import SENSORS, check_sensors

COUNTS = tuple(range(2, 14))  # beads in an igloo of the game (IP-1)
START = datetime(2026, 1, 5, 18, 0, tzinfo=UTC)  # times of takes are fictitious: they only order the takes


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate: each device meets `sessions` players; a session has `takes` sweeps over the counts."""

    seed: int
    devices: int = 30
    players: int = 12
    sensors: tuple[str, ...] = ("microphone",)
    counts: tuple[int, ...] = COUNTS
    anchors: tuple[int, ...] = ()  # counts that every fourth session takes as well, outside its sets
    sessions: int = 2
    takes: int = 1
    seconds: tuple[float, float] = (1.6, 3.2)
    gesture: str = "shake"
    faulty: float = 0.0  # share of recordings with a fault, drawn for each sensor of a take by itself
    rate: float | None = None  # Hz of every accelerometer; None: each device draws its chip's
    wide: bool = False  # sets and people drawn from wider ranges than we believe, for training
    faults: tuple[str, ...] = tuple(FAULTS)  # the faults to draw from


@dataclass(frozen=True, slots=True)
class Job:
    """One take to simulate."""

    device: int
    player: int
    session: str
    room: int
    day: int
    sweep: int | None  # None: an anchor, in no set
    beads: int
    number: int  # index of the take on that device
    seed: int
    seconds: float
    gesture: str
    sensors: tuple[str, ...]
    plan_seed: int
    taken: str
    rate: float | None = None
    wide: bool = False
    faulty: float = 0.0
    faults: tuple[str, ...] = ()

    @property
    def pair(self) -> str:
        return f"D{self.device + 1:02d}-{self.number:05d}"

    def fault_of(self, sensor: str) -> str | None:
        """The fault of that sensor in this take, or None; it does not depend on the other sensors."""
        return drawn(self.faulty, self.faults, self.seed, SENSORS.index(sensor))

    def files(self) -> dict[str, str]:
        """Path of each sensor's file, relative to the folder."""
        ends = {
            "accelerometer": "acc.wav",
            "microphone": "mic.flac",
            "near": "near.flac",
            "contact": "contact.flac",
        }
        return {s: f"D{self.device + 1:02d}/{self.session}/{self.number:05d}.{ends[s]}" for s in self.sensors}


def jobs(plan: Plan) -> Iterator[Job]:
    """All takes of `plan` in the order of their recording; the same plan gives the same takes.

    Raises ValueError for an unknown sensor.
    """
    check_sensors(plan.sensors, SENSORS)
    for d in range(plan.devices):
        number = 0
        order = np.random.default_rng([plan.seed, d, 0]).permutation(plan.players)
        for s in range(plan.sessions):
            r = np.random.default_rng([plan.seed, d, s, 1])
            player = int(order[s % plan.players])
            room, day = int(r.integers(2**31)), int(r.integers(2**31))
            when = START + timedelta(days=int(d * plan.sessions + s), minutes=int(r.integers(180)))
            takes: list[tuple[int | None, int]] = []
            for k in range(plan.takes):
                takes += [(k, int(n)) for n in r.permutation(plan.counts)]
            if (d + s) % 4 == 0:
                takes += [(None, n) for n in plan.anchors]
            for sweep, beads in takes:
                number += 1
                when += timedelta(seconds=float(r.uniform(6, 15)))
                seed = int(r.integers(2**31))
                yield Job(
                    d, player, f"s{s + 1}", room, day, sweep, beads, number, seed, float(r.uniform(*plan.seconds)),
                    plan.gesture, plan.sensors, plan.seed, when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                    plan.rate, plan.wide, plan.faulty, plan.faults,
                )  # fmt: skip


def device_of(plan_seed: int, index: int, rate: float | None = None, wide: bool = False) -> Device:
    """The device with this index in a plan; `rate`: of its accelerometer, Hz (None: as drawn)."""
    device = Device.draw(_number(plan_seed, "device", index))
    device = device.wider() if wide else device
    return device if rate is None else replace(device, accelerometer_rate=rate)


def player_of(plan_seed: int, index: int, wide: bool = False) -> Player:
    """The player with this index in a plan."""
    player = Player.draw(_number(plan_seed, "player", index))
    return player.wider() if wide else player


def _number(seed: int, what: str, index: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}/{what}/{index}".encode()).digest()[:4], "big") >> 1
