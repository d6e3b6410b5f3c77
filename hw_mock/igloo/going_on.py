"""Resuming a plan in a folder: checks that the recordings listed there come from the same plan.

Two plans give their takes the same names. Unchecked, takes of the other plan would be skipped as done, and the two
sensors of a `pair` would get two different shakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_bridge.errors import UsageError
from hw_mock.igloo.plan import Job
from hw_mock.igloo.recordings import felt_rate, happened, listed, planned, sensor_of, take

Line = dict[str, Any]  # of recordings.jsonl
Facts = Iterable[tuple[str, object, object]]  # a key, its value there, and the value of this plan
COMPARED = ("pair", "beads", "igloo", "device", "player", "session", "set", "taken", "gesture", "fault")
STEP_G = 0.0015  # largest difference between equal strengths: they are rounded to 0.001 g


@dataclass(frozen=True, slots=True)
class Plans:
    """What the plans of one command make, and which of its options do not change the takes."""

    what: str
    free: str

    def another(self, folder: Path, file: str, differs: str) -> UsageError:
        """The error that refuses to go on in `folder`, because `file` differs from what this plan would make."""
        return UsageError(
            f"{folder} holds {self.what} of another plan: {file} {differs}",
            f"name an empty folder, or give the options of then again; only {self.free} may differ",
        )

    def told_otherwise(self, folder: Path, file: str, key: str, there: object, wanted: object) -> UsageError:
        """The same, because the line of `file` differs."""
        return self.another(folder, file, f'has {there!r} as "{key}", and this one would make {wanted!r}')


SHAKES = Plans("shakes", "--sensor, --devices and --jobs")


def check_lines(folder: Path, plans: Plans, facts: Callable[[Line], Facts | None]) -> tuple[list[Line], int]:
    """The lines of `folder` that a plan would make too, and the number of other lines there.

    `facts`: the facts of a line, or None if the plan makes no such line. Raises UsageError for the first line with a
    fact that differs from the plan's.
    """
    mine, others = list[Line](), 0
    for line in listed(folder):
        found = facts(line)
        if found is None:
            others += 1
            continue
        for key, there, wanted in found:
            if there != wanted:
                raise plans.told_otherwise(folder, line["file"], key, there, wanted)
        mine.append(line)
    return mine, others


def compared(line: Line, wanted: Line, keys: Iterable[str]) -> list[tuple[str, object, object]]:
    """For each key: its value in `line`, and in `wanted`."""
    return [(key, line.get(key), wanted.get(key)) for key in keys]


def check_same_plan(folder: Path, jobs: Sequence[Job]) -> int:
    """The number of recordings listed in `folder` that these jobs (all jobs of a plan) would not make: of further
    devices, or not ours. Raises UsageError if the plan would make one of them differently."""
    by_pair = {job.pair: job for job in jobs}
    by_file = {name: job for job in jobs for name in job.files().values()}

    def facts(line: Line) -> Facts | None:
        job = by_file.get(line["file"]) or by_pair.get(str(line.get("pair")))
        if job is None:
            return None
        wanted = planned(job, sensor_of(line)) | {
            "true_rate_hz": felt_rate(job.plan_seed, job.device, job.rate)
        }
        return compared(line, wanted, (*COMPARED, "true_rate_hz") if "true_rate_hz" in line else COMPARED)

    mine, others = check_lines(folder, SHAKES, facts)
    _check_same_shake(folder, by_pair, mine)
    return others


def _check_same_shake(folder: Path, jobs: Mapping[str, Job], lines: Sequence[Line]) -> None:
    """A line does not state `--seconds` and `--wide`; they only show in the shake, so one take is simulated.

    If a sensor is added, its shake must be exactly the same one. Otherwise it is enough that the hand's strength is
    equal: where beads hit differs between machines, and a folder may be continued on another one.
    """
    there = {line["file"] for line in lines}
    told = [line for line in lines if "hits" in line]
    added = [line for line in told if not set(jobs[line["pair"]].files().values()) <= there]
    for line in (added or told)[:1]:
        made = happened(take(jobs[line["pair"]]))
        for key, value in made.items():
            if line.get(key) != value and (added or (key == "strength_g" and _unlike(line.get(key), value))):
                raise SHAKES.told_otherwise(folder, line["file"], key, line.get(key), value)


def _unlike(there: object, wanted: float) -> bool:
    return not isinstance(there, int | float) or abs(there - wanted) > STEP_G
