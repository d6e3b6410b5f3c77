"""Rounds in which several people shake at once, in the format of docs/contracts.md 3.

A table is a room with seats, a set of igloos and the people of one evening. In a round each person takes another igloo
and shakes it when ready. Person `k` of a round does the same however many others shake, so that a shake in company can
be held against the same shake alone. Every line tells in `shakes` who shook what when, in seconds of its own file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hw_mock.igloo.device import Device
from hw_mock.igloo.played import RATE
from hw_mock.igloo.player import Player
from hw_mock.igloo.recordings import store
from hw_mock.igloo.room import Room
from hw_mock.igloo.scene import Part, Scene

SENSORS = ("accelerometer", "contact", "seat", "microphone")
READY_S = 0.8  # between the first and the last who begin
BEFORE_S, AFTER_S = 0.5, 1.0


@dataclass(frozen=True, slots=True)
class Evening:
    """What is to be simulated: `rounds` at each of `tables`, with each number of `people` shaking at once."""

    seed: int
    tables: int = 5
    rounds: int = 3
    people: tuple[int, ...] = (4,)
    seats: int = 6
    sensors: tuple[str, ...] = ("accelerometer",)
    counts: tuple[int, ...] = tuple(range(2, 14))
    seconds: tuple[float, float] = (1.6, 3.2)
    pattern: float = 0.0


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

    def scene(self) -> Scene:
        """The scene with everybody's shake in it. The same arguments give the same bits."""
        plan = self.evening
        of_table = np.random.default_rng([plan.seed, self.table, 0x7A])
        device, room = Device.draw(int(of_table.integers(2**31))), Room.draw(int(of_table.integers(2**31)))
        guests = [Player.draw(int(of_table.integers(2**31))) for _ in range(plan.seats)]
        day = int(of_table.integers(2**31))
        # the lot that falls on a person does not depend on how many others there are
        lots = np.random.default_rng([plan.seed, self.table, self.number, 0x7B])
        counts, seats = lots.permutation(plan.counts), lots.permutation(plan.seats)
        starts = BEFORE_S + lots.uniform(0, READY_S, plan.seats)
        lasts = lots.uniform(*plan.seconds, plan.seats)
        seconds = BEFORE_S + READY_S + plan.seconds[1] + AFTER_S
        seed = int(lots.integers(2**31))
        scene = Scene(room, seed, seconds, plan.seats, pattern=plan.pattern)
        for k in range(self.people):
            seat = int(seats[k])
            person = guests[seat].on(day)
            scene.shake(float(starts[k]), seat, int(counts[k]), device, person, float(lasts[k]))
        return scene


def rounds(plan: Evening) -> Iterator[Round]:
    """All rounds of `plan`, in order. Raises ValueError for what cannot be simulated."""
    unknown = set(plan.sensors) - set(SENSORS)
    if unknown:
        raise ValueError(f"no sensor called {', '.join(sorted(unknown))}; there are {', '.join(SENSORS)}")
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
    table = f"T{one.table + 1:02d}"
    lines: list[dict[str, Any]] = []

    def add(
        end: str, samples: NDArray[np.float32], rate: int, since_s: float, mine: Part | None, **more: Any
    ) -> None:
        name = f"{one.name}/{end}"
        store(folder / name, samples, rate)
        felt = end.endswith(".acc.wav")
        line: dict[str, Any] = {
            "file": name,
            "sensor": "accelerometer" if felt else "microphone",
            "beads": None if mine is None else mine.beads,
            "device": table,
            "session": f"{table}/evening",
            "rejected": None,
            "simulated": True,
            "scene": one.name,
            "together": one.people,
            "begins_s": round(since_s, 4),
            "shakes": [told(part, table, since_s) for part in scene.parts],
        }
        if mine is not None:
            line |= {"igloo": f"{table}-{mine.beads:02d}", "player": f"{table}-P{mine.seat + 1}"}
            line |= {"pair": f"{one.name}/{mine.seat + 1}"}
        lines.append(line | more)

    for part in scene.parts:
        seat, device = part.seat + 1, part.played.device
        if "accelerometer" in one.evening.sensors:
            rate = device.accelerometer_rate
            add(
                f"seat{seat}.acc.wav", scene.accelerometer(part), round(rate), part.start_s, part,
                seat=seat, true_rate_hz=round(rate * device.accelerometer_true, 2),
            )  # fmt: skip
        if "contact" in one.evening.sensors:
            add(
                f"seat{seat}.contact.flac",
                scene.contact(part),
                RATE,
                part.start_s,
                part,
                seat=seat,
                place="shell",
            )
    device = scene.parts[0].played.device
    if "seat" in one.evening.sensors:
        at_seat = {part.seat: part for part in scene.parts}
        heard = scene.microphones(tuple(range(scene.seats)), device)
        for seat in range(scene.seats):
            add(
                f"seat{seat + 1}.flac",
                heard[:, seat],
                RATE,
                0.0,
                at_seat.get(seat),
                seat=seat + 1,
                place="seat",
            )
    if "microphone" in one.evening.sensors:
        only = scene.parts[0] if one.people == 1 else None
        add("table.flac", scene.microphones((None,), device)[:, 0], RATE, 0.0, only, place="table")
    return lines


def told(part: Part, table: str, since_s: float) -> dict[str, Any]:
    """The truth about one shake; times in s since `since_s` of the scene."""
    start, end = part.span_s
    return {
        "seat": part.seat + 1,
        "igloo": f"{table}-{part.beads:02d}",
        "beads": part.beads,
        "player": f"{table}-P{part.seat + 1}",
        "start_s": round(start - since_s, 3),
        "end_s": round(end - since_s, 3),
    }
