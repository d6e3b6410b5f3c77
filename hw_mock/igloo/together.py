"""Rounds in which several people shake at once, in the format of docs/contracts.md 3.

A table is a room with seats, a set of igloos and the people of one evening. In a round each person takes a different
igloo and shakes it when ready. Person `k` of a round does the same however many others shake, so that a shake in
company can be compared with the same shake alone. In every line `shakes` says who shook what and when, in seconds of
its own file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hw_mock.igloo.constants import SOUND_RATE
from hw_mock.igloo.device import Device
from hw_mock.igloo.faults import FAULTS, drawn, spoil
from hw_mock.igloo.plan import COUNTS
from hw_mock.igloo.player import Player
from hw_mock.igloo.recordings import store
from hw_mock.igloo.room import Room
from hw_mock.igloo.scene import Scene
from hw_mock.igloo.shake import check_sensors

SENSORS = ("accelerometer", "contact", "seat", "microphone")
READY_S = 0.8  # between the first and the last start
BEFORE_S, AFTER_S = 0.5, 1.0


@dataclass(frozen=True, slots=True)
class Evening:
    """What to simulate: `rounds` at each of `tables`, with each number of `people` shaking at once."""

    seed: int
    tables: int = 5
    rounds: int = 3
    people: tuple[int, ...] = (4,)
    seats: int = 6
    sensors: tuple[str, ...] = ("accelerometer",)
    counts: tuple[int, ...] = COUNTS
    seconds: tuple[float, float] = (1.6, 3.2)
    pattern: float = 0.0
    faulty: float = 0.0  # share of recordings with a fault, drawn for each recording of a round by itself
    faults: tuple[str, ...] = tuple(FAULTS)  # the faults to draw from


@dataclass(frozen=True, slots=True)
class Lot:
    """One person's part in a round: a seat (from 0), an igloo, and when and how long to shake it, s."""

    seat: int
    beads: int
    start_s: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Round:
    """One round at one table; `people` of them shake."""

    evening: Evening
    table: int
    number: int
    people: int

    @property
    def name(self) -> str:
        return f"T{self.table + 1:02d}/r{self.number + 1:03d}-{self.people}"

    @property
    def _of_table(self) -> str:
        return f"T{self.table + 1:02d}"

    def lots(self) -> tuple[list[Lot], int]:
        """Who shakes what and when, and the seed of the scene."""
        plan = self.evening
        # a person's lot does not depend on how many others there are
        r = np.random.default_rng([plan.seed, self.table, self.number, 0x7B])
        counts, seats = r.permutation(plan.counts), r.permutation(plan.seats)
        starts = BEFORE_S + r.uniform(0, READY_S, plan.seats)
        lasts = r.uniform(*plan.seconds, plan.seats)
        seed = int(r.integers(2**31))
        lots = [
            Lot(int(seats[k]), int(counts[k]), float(starts[k]), float(lasts[k])) for k in range(self.people)
        ]
        return lots, seed

    def scene(self) -> Scene:
        """The scene with everybody's shake in it. The same arguments give the same bits."""
        plan = self.evening
        of_table = np.random.default_rng([plan.seed, self.table, 0x7A])
        device, room = Device.draw(int(of_table.integers(2**31))), Room.draw(int(of_table.integers(2**31)))
        guests = [Player.draw(int(of_table.integers(2**31))) for _ in range(plan.seats)]
        day = int(of_table.integers(2**31))
        lots, seed = self.lots()
        seconds = BEFORE_S + READY_S + plan.seconds[1] + AFTER_S
        scene = Scene(room, seed, seconds, plan.seats, pattern=plan.pattern)
        for lot in lots:
            scene.shake(lot.start_s, lot.seat, lot.beads, device, guests[lot.seat].on(day), lot.seconds)
        return scene

    def files(self) -> set[str]:
        """Paths of the round's files by the evening's sensors, relative to the folder."""
        return {line["file"] for _, line in self.planned(self.evening.sensors)}

    def planned(self, sensors: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        """For each file of these sensors: its sensor, and its line for `recordings.jsonl` as far as it is known before
        anything is simulated (the times in `shakes` are not)."""
        lots, _ = self.lots()
        for lot in lots:
            of_it = {"seat": lot.seat + 1}
            if "accelerometer" in sensors:
                line = self._line(f"seat{lot.seat + 1}.acc.wav", lots, lot, lot.start_s)
                yield "accelerometer", line | of_it
            if "contact" in sensors:
                line = self._line(f"seat{lot.seat + 1}.contact.flac", lots, lot, lot.start_s)
                yield "contact", line | of_it | {"place": "shell"}
        if "seat" in sensors:
            at_seat = {lot.seat: lot for lot in lots}
            turned = {"pattern": self.evening.pattern} if self.evening.pattern else {}
            for seat in range(self.evening.seats):
                line = self._line(f"seat{seat + 1}.flac", lots, at_seat.get(seat), 0.0)
                yield "seat", line | {"seat": seat + 1, "place": "seat"} | turned
        if "microphone" in sensors:
            only = lots[0] if self.people == 1 else None
            yield "microphone", self._line("table.flac", lots, only, 0.0) | {"place": "table"}

    def _line(self, end: str, lots: Sequence[Lot], mine: Lot | None, begins_s: float) -> dict[str, Any]:
        """`mine`: the person whose shake alone the file contains, if any."""
        table = self._of_table
        line: dict[str, Any] = {
            "file": f"{self.name}/{end}",
            "sensor": "accelerometer" if end.endswith(".acc.wav") else "microphone",
            "beads": None if mine is None else mine.beads,
            "device": table,
            "session": f"{table}/evening",
            "rejected": None,
            "simulated": True,
            "scene": self.name,
            "together": self.people,
            "begins_s": round(begins_s, 4),
            "shakes": [self.who(lot) for lot in lots],
        }
        if mine is not None:
            who = self.who(mine)
            line |= {"igloo": who["igloo"], "player": who["player"], "pair": f"{self.name}/{who['seat']}"}
        fault = drawn(self.evening.faulty, self.evening.faults, *self._seed_of(end))
        return line if fault is None else line | {"fault": fault}

    def _seed_of(self, end: str) -> tuple[int, ...]:
        """The seed of the faults of the file with that ending; it does not depend on the other sensors."""
        return self.evening.seed, self.table, self.number, self.people, crc32(end.encode())

    def recorded(self, line: dict[str, Any], samples: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
        """`samples` with the fault that the line names, if any."""
        if "fault" not in line:
            return samples
        chance = np.random.default_rng(self._seed_of(line["file"].rpartition("/")[2]))
        return spoil(samples, rate, line["fault"], int(chance.integers(2**31)))

    def who(self, lot: Lot) -> dict[str, Any]:
        """Who shakes what, as an entry of `shakes`."""
        table = self._of_table
        return {
            "seat": lot.seat + 1,
            "igloo": f"{table}-{lot.beads:02d}",
            "beads": lot.beads,
            "player": f"{table}-P{lot.seat + 1}",
        }


def rounds(plan: Evening) -> Iterator[Round]:
    """All rounds of `plan`, in order. Raises ValueError for what cannot be simulated."""
    check_sensors(plan.sensors, SENSORS)
    most = max(plan.people)
    if most > min(plan.seats, len(plan.counts)):
        raise ValueError(f"{most} people need as many seats and igloos")
    for table in range(plan.tables):
        for number in range(plan.rounds):
            for people in plan.people:
                yield Round(plan, table, number, people)


def write(folder: Path, one: Round) -> list[dict[str, Any]]:
    """Simulate one round, write its files, and return its lines for `recordings.jsonl`."""
    scene = one.scene()
    parts = {part.seat + 1: part for part in scene.parts}
    device = scene.parts[0].played.device
    rate = device.accelerometer_rate
    felt = {"true_rate_hz": round(rate * device.accelerometer_true, 2)}
    lines: list[dict[str, Any]] = []
    heard = None
    for sensor, line in one.planned(one.evening.sensors):
        at = SOUND_RATE
        if sensor == "accelerometer":
            samples, at = scene.accelerometer(parts[line["seat"]]), round(rate)
        elif sensor == "contact":
            samples = scene.contact(parts[line["seat"]])
        elif sensor == "seat":
            if heard is None:
                heard = scene.microphones(tuple(range(scene.seats)), device)
            samples = heard[:, line["seat"] - 1]
        else:
            samples = scene.microphones((None,), device)[:, 0]
        store(folder / line["file"], one.recorded(line, samples, at), at)
        since = parts[line["seat"]].start_s if sensor in ("accelerometer", "contact") else 0.0
        lines.append(
            line
            | {"shakes": happened(scene, line["shakes"], since)}
            | (felt if sensor == "accelerometer" else {})
        )
    return lines


def happened(scene: Scene, who: Sequence[dict[str, Any]], since_s: float) -> list[dict[str, Any]]:
    """The truth about each shake: who shook what, and when, in s since `since_s` of the scene."""
    out = []
    for one, part in zip(who, scene.parts, strict=True):
        start, end = part.span_s
        out.append(one | {"start_s": round(start - since_s, 3), "end_s": round(end - since_s, 3)})
    return out
