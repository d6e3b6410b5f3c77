"""A plan that goes on in a folder: whether what is listed there is of that very plan.

Two plans call their takes by the same names, so the takes of one would be passed over for the other's, and the two
sensors of a `pair` would be given two shakes.
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
Facts = Iterable[tuple[str, object, object]]  # a key, what is there, and what this plan would make
COMPARED = ("pair", "beads", "igloo", "device", "player", "session", "set", "taken", "gesture", "fault")
STEP_G = 0.0015  # between strengths that are the same: they are rounded to 0.001 g


@dataclass(frozen=True, slots=True)
class Plans:
    """What plans of one command make, and the options that leave the same takes as they are."""

    what: str
    free: str

    def another(self, folder: Path, file: str, differs: str) -> UsageError:
        """The refusal to go on in `folder`, where `file` differs from what this plan would make."""
        return UsageError(
            f"{folder} holds {self.what} of another plan: {file} {differs}",
            f"name an empty folder, or give the options of then again; only {self.free} may differ",
        )

    def told_otherwise(self, folder: Path, file: str, key: str, there: object, wanted: object) -> UsageError:
        """… where its line does."""
        return self.another(folder, file, f'has {there!r} as "{key}", and this one would make {wanted!r}')


SHAKES = Plans("shakes", "--sensor, --devices and --jobs")


def check_lines(folder: Path, plans: Plans, facts: Callable[[Line], Facts | None]) -> tuple[list[Line], int]:
    """The lines of `folder` that a plan would make too, and how many others are listed there.

    `facts`: of a line, None where the plan makes none such. Raises UsageError for the first line with a fact that the
    plan would make otherwise.
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
    """What a line has under these keys, and what it would have."""
    return [(key, line.get(key), wanted.get(key)) for key in keys]


def check_same_plan(folder: Path, jobs: Sequence[Job]) -> int:
    """How many recordings are listed in `folder` that these jobs, all of a plan, would not make: of more devices, or
    none of ours. Raises UsageError where one would be made otherwise."""
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
    """Of `--seconds` and `--wide` a line says nothing but what they made of the shake, so one take is simulated.

    Where a sensor is added, its shake must be the very one. Else the hand's strength is enough: where beads hit is not
    the same on every machine, and a folder goes on at another one.
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
