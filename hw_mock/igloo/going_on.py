"""A plan that goes on in a folder: whether what is listed there is of that very plan.

Two plans call their takes by the same names, so the takes of one would be passed over for the other's, and the two
sensors of a `pair` would be given two shakes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firmware_bridge.errors import UsageError
from hw_mock.igloo.plan import Job
from hw_mock.igloo.recordings import happened, listed, planned, take

COMPARED = ("pair", "beads", "igloo", "device", "player", "session", "set", "taken", "gesture", "fault")


def check_same_plan(folder: Path, jobs: Sequence[Job]) -> int:
    """How many recordings are listed in `folder` that these jobs, all of a plan, would not make: of more devices, or
    none of ours. Raises UsageError where one would be made otherwise."""
    by_pair = {job.pair: job for job in jobs}
    by_file = {name: job for job in jobs for name in job.files().values()}
    others, partners = 0, dict[str, dict[str, Any]]()
    for line in listed(folder):
        pair = str(line.get("pair"))
        job = by_file.get(line["file"]) or by_pair.get(pair)
        if job is None:
            others += 1
            continue
        wanted = planned(job)
        for key in COMPARED:
            if line.get(key) != wanted.get(key):
                raise _another(folder, line["file"], key, line.get(key), wanted.get(key))
        partners.setdefault(pair, line)
    _check_same_shake(folder, by_pair, partners)
    return others


def _check_same_shake(folder: Path, jobs: dict[str, Job], partners: dict[str, dict[str, Any]]) -> None:
    """Where a sensor is added, one take is simulated: of `--seconds` and `--wide` a line says nothing but what they
    made of the shake."""
    there = {line["file"] for line in listed(folder)}
    for pair, line in partners.items():
        if "hits" not in line or set(jobs[pair].files().values()) <= there:
            continue
        for key, value in happened(take(jobs[pair])).items():
            if line.get(key) != value:
                raise _another(folder, line["file"], key, line.get(key), value)
        return


def _another(folder: Path, file: str, key: str, there: object, wanted: object) -> UsageError:
    return UsageError(
        f'{folder} holds shakes of another plan: {file} has {there!r} as "{key}", and this one would make {wanted!r}',
        "name an empty folder, or give the same --seed, --counts, --devices, --players, --sessions, --takes and "
        "--seconds as then",
    )
