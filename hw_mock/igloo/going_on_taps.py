"""Writing gestures at seats into a folder, and resuming: checks that those listed there come from the same plan."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import soundfile as sf

from hw_mock.igloo.going_on import Facts, Line, Plans, check_lines, compared
from hw_mock.igloo.recordings import open_index, written
from hw_mock.igloo.seat_recordings import SENSORS, SeatJob, SeatPlan, perform, planned, sense, write
from hw_mock.igloo.seat_recordings import jobs as jobs_of

TAPS = Plans("gestures", "--sensor and --devices")
COMPARED = ("beads", "igloo", "device", "player", "session", "gesture", "mistake", "fault")
ALIKE = 0.1  # rounding on another machine changes less than this share of the signal; two gestures differ by 1 or more


def write_all(folder: Path, plan: SeatPlan) -> Iterator[SeatJob]:
    """Write the whole plan into `folder`, gesture by gesture, except those it already lists. Raises UsageError if
    these come from another plan."""
    folder.mkdir(parents=True, exist_ok=True)
    there, everything = written(folder), list(jobs_of(plan))
    check_same_taps(folder, everything)
    with open_index(folder) as index:
        for job in everything:
            if not {job.file(sensor) for sensor in plan.sensors} <= there:
                for line in write(folder, job):
                    if line["file"] not in there:
                        index.write(json.dumps(line) + "\n")
                index.flush()
            yield job


def check_same_taps(folder: Path, jobs: Sequence[SeatJob]) -> int:
    """The number of recordings listed in `folder` that these jobs (all jobs of a plan) would not make. Raises
    UsageError if the plan would make one of them differently."""
    made = {job.file(sensor): (job, sensor) for job in jobs for sensor in SENSORS}

    def facts(line: Line) -> Facts | None:
        if line["file"] not in made:
            return None
        return compared(line, planned(*made[line["file"]]), COMPARED)

    mine, others = check_lines(folder, TAPS, facts)
    # few beads are simulated fastest
    for line in sorted(mine, key=lambda line: int(line["beads"])):
        there = _samples(folder / line["file"])
        if there is not None:
            _check_same_samples(folder, line["file"], there, *made[line["file"]])
            break
    return others


def _check_same_samples(folder: Path, file: str, there: np.ndarray, job: SeatJob, sensor: str) -> None:
    """A line does not state the seed, the number of placings, or the seat; so one gesture is simulated to compare."""
    wanted = sense(job, perform(job), sensor)[0]
    wanted = wanted.reshape(len(wanted), -1)
    if there.shape != wanted.shape or np.std(there - wanted) > ALIKE * np.std(wanted - wanted.mean(axis=0)):
        raise TAPS.another(folder, file, "holds another gesture than this one would make")


def _samples(path: Path) -> np.ndarray | None:
    """float32[n, channels]; None if the file cannot be read."""
    try:
        samples: np.ndarray = sf.read(path, dtype="float32", always_2d=True)[0]
        return samples
    except (OSError, sf.SoundFileError):
        return None
