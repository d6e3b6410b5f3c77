"""Simulated recordings on disk, in the format of docs/contracts.md 3: who shakes what, in which order, and the writing.

A session is one occasion of one person with one set: a few sweeps, in each of which every igloo of the set is shaken
once in random order (`set`). Day, mood and room are of the session; grip and strength are of the take.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import soundfile as sf
from numpy.typing import NDArray
from scipy.io import wavfile

from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.played import RATE
from hw_mock.igloo.room import Room
from hw_mock.igloo.shake import SENSORS, Shake, simulate

START = datetime(2026, 1, 5, 18, 0, tzinfo=UTC)  # taken times are made up: they only order the takes


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be simulated: each device meets `sessions` players; a session has `takes` sweeps over the counts."""

    seed: int
    devices: int = 30
    players: int = 12
    sensors: tuple[str, ...] = ("microphone",)
    counts: tuple[int, ...] = tuple(range(2, 14))
    anchors: tuple[int, ...] = ()  # counts that every fourth session takes as well, outside its sets
    sessions: int = 2
    takes: int = 1
    seconds: tuple[float, float] = (1.6, 3.2)
    gesture: str = "shake"


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
    number: int  # of the take on that device
    seed: int
    seconds: float
    gesture: str
    sensors: tuple[str, ...]
    plan_seed: int
    taken: str

    @property
    def pair(self) -> str:
        return f"D{self.device + 1:02d}-{self.number:05d}"

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
    """All takes of `plan` in the order of their recording; the same plan gives the same takes."""
    unknown = set(plan.sensors) - set(SENSORS)
    if unknown:
        raise ValueError(f"no sensor called {', '.join(sorted(unknown))}; there are {', '.join(SENSORS)}")
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
                yield Job(
                    d, player, f"s{s + 1}", room, day, sweep, beads, number, int(r.integers(2**31)),
                    float(r.uniform(*plan.seconds)), plan.gesture, plan.sensors, plan.seed,
                    when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                )  # fmt: skip


def device_of(plan_seed: int, index: int) -> Device:
    """The device that a plan calls by this index."""
    return Device.draw(_number(plan_seed, "device", index))


def player_of(plan_seed: int, index: int) -> Player:
    """The player that a plan calls by this index."""
    return Player.draw(_number(plan_seed, "player", index))


def take(job: Job) -> Shake:
    """Simulate one take."""
    device = device_of(job.plan_seed, job.device)
    player = player_of(job.plan_seed, job.player).on(job.day)
    return simulate(
        job.beads, device, player, job.seed, job.seconds, job.sensors, job.gesture, Room.draw(job.room)
    )


def write(folder: Path, job: Job) -> list[dict[str, Any]]:
    """Simulate one take, write its files, and return its lines for `recordings.jsonl`."""
    shake = take(job)
    hits = shake.impacts
    hard = hits[hits[:, 6] > 0.03]  # faster than 3 cm/s
    lines = []
    for sensor, name in job.files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        line: dict[str, Any] = {
            "file": name,
            "sensor": "accelerometer" if sensor == "accelerometer" else "microphone",
            "beads": job.beads,
            "igloo": f"D{job.device + 1:02d}-{job.beads:02d}",
            "device": f"D{job.device + 1:02d}",
            "player": f"P{job.player + 1:02d}",
            "session": f"D{job.device + 1:02d}/{job.session}",
        }
        if job.sweep is not None:
            line["set"] = f"D{job.device + 1:02d}/{job.session}/{job.sweep + 1}"
        line |= {
            "pair": job.pair,
            "taken": job.taken,
            "rejected": None,
            "simulated": True,
            "gesture": job.gesture,
        }
        if sensor == "accelerometer":
            assert shake.accel is not None
            store(path, shake.accel, round(shake.accel_rate))
            line["true_rate_hz"] = round(shake.accel_true_rate, 2)
        else:
            line["place"] = {"microphone": "table", "near": "near", "contact": "shell"}[sensor]
            sound = {"microphone": shake.sound, "near": shake.near, "contact": shake.contact}[sensor]
            assert sound is not None
            store(path, sound, RATE)
        line["strength_g"] = round(shake.level, 3)
        line["hits"] = [
            int(np.sum(hard[:, 2] < 2)),
            int(np.sum(hard[:, 2] == 2)),
        ]  # on the wall, on each other
        lines.append(line)
    return lines


def store(path: Path, samples: NDArray[np.float32], rate: int) -> None:
    """FLAC of 16 bits for a microphone, float WAV for what is in g; written aside and moved: no half file remains."""
    part = path.with_name(path.name + ".part")
    if path.suffix == ".flac":
        sf.write(part, samples, rate, format="FLAC", subtype="PCM_16")
    else:  # libsndfile writes the time of day into a float WAV: the same recording would never be the same file
        wavfile.write(part, rate, samples)
    part.replace(path)


def written(folder: Path) -> set[str]:
    """Files that `recordings.jsonl` of `folder` already lists and that are there; a broken last line is left out."""
    index = folder / "recordings.jsonl"
    if not index.is_file():
        return set()
    found = set()
    with index.open(encoding="utf-8") as lines:
        for text in lines:
            try:
                name = json.loads(text)["file"]
            except (ValueError, KeyError, TypeError):
                continue
            if (folder / name).is_file():
                found.add(name)
    return found


def open_index(folder: Path) -> TextIO:
    """`recordings.jsonl` of `folder`, open to be gone on with; a last line that was cut off is taken away."""
    path = folder / "recordings.jsonl"
    if path.is_file():
        whole = path.read_bytes()
        path.write_bytes(whole[: whole.rfind(b"\n") + 1])
    return path.open("a", encoding="utf-8")


def with_sensors(plan: Plan, sensors: Sequence[str]) -> Plan:
    """The same plan for other sensors: the same shakes, heard by others."""
    return replace(plan, sensors=tuple(sensors))


def _number(seed: int, what: str, index: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}/{what}/{index}".encode()).digest()[:4], "big") >> 1
