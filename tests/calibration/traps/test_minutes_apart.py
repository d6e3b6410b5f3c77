"""A session that follows another one within minutes is told beside the figures that leave it out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from calibration.recordings.folder import Recording
from calibration.traps.minutes_apart import minutes_apart
from tests.calibration.folders import Capture, Line, evaluate, rewritten
from tests.rattle import write_sweeps

MONDAY = Recording(
    Path(), "a.wav", "microphone", 3, device="D", player="anna", session="monday", taken="2026-11-20T18:00:00Z"
)  # fmt: skip
AT_ONCE = replace(MONDAY, file="b.wav", session="next-day", taken="2026-11-20T18:03:00Z")


def test_sessions_of_one_hand_that_are_minutes_apart_are_named() -> None:
    said = minutes_apart([AT_ONCE, MONDAY])
    assert said is not None
    assert said.startswith("the sessions monday and next-day of anna were recorded minutes apart: ")
    assert minutes_apart([replace(MONDAY, player="bert"), AT_ONCE, MONDAY]) == said


@pytest.mark.parametrize("days", [0, 1])
def test_it_is_said_beside_the_figure_that_leaves_them_out(
    tmp_path: Path, capsys: Capture, days: int
) -> None:
    write_sweeps(tmp_path / "had", sessions=2, counts=range(2, 6), place="table")

    def taken(i: int, line: Line) -> Line:
        day = 20 + days * (line["session"] == "s1")
        return line | {"player": "anna", "taken": f"2026-11-{day}T18:{i:02d}:00Z"}

    lines, said = evaluate(
        rewritten(tmp_path / "had", tmp_path / "taken", taken), capsys, "--leave-out", "session"
    )
    assert "exact" in lines[-1]["summary"]  # a figure all the same: it is of the same hour
    assert ("s0 and s1 of anna were recorded minutes apart" in said) is (days == 0)


def test_it_is_said_beside_the_interval_that_counts_them_as_two(tmp_path: Path, capsys: Capture) -> None:
    """Of a profile that is tested as it is, nothing is left out; but one sitting is no two."""
    write_sweeps(tmp_path / "had", sessions=2, counts=range(2, 6), place="table")

    def taken(i: int, line: Line) -> Line:
        return line | {"player": "anna", "taken": f"2026-11-20T18:{i:02d}:00Z"}

    folder = rewritten(tmp_path / "had", tmp_path / "taken", taken)
    _, said = evaluate(folder, capsys, "--profile", "microphone")
    assert (
        "the sessions s0 and s1 of anna were recorded minutes apart: they are one sitting, which the interval counts "
        "as two, so figures look surer than they are; give them one session"
    ) in said


def test_of_times_of_a_whole_sitting_nobody_knows_how_far_apart_they_were() -> None:
    """Each take has the hour at which its sitting began, or was copied."""
    monday = [replace(MONDAY, file=f"a{i}.wav", beads=2 + i) for i in range(12)]
    twenty = "2026-11-20T18:20:00Z"
    next_day = [replace(AT_ONCE, file=f"b{i}.wav", beads=2 + i, taken=twenty) for i in range(12)]
    assert minutes_apart([*monday, *next_day]) is None
    assert minutes_apart([*monday[:8], *next_day[:8]]) is not None  # so few may be of one minute


def test_others_sessions_and_those_of_other_hours_are_not() -> None:
    for other in (
        replace(AT_ONCE, session="monday"),
        replace(AT_ONCE, taken="2026-11-20T19:00:00Z"),
        replace(AT_ONCE, taken="2026-11-20"),
        replace(AT_ONCE, taken=None),
        replace(AT_ONCE, player="bert"),
        replace(AT_ONCE, player=None),
        replace(AT_ONCE, device="E"),
        replace(AT_ONCE, rejected="noise"),
    ):
        assert minutes_apart([MONDAY, other]) is None
    never_set = "1970-01-01T00:10:00Z"
    assert minutes_apart([replace(MONDAY, taken=never_set), replace(AT_ONCE, taken=never_set)]) is None
