"""Figures on what a profile knew before flatter: that is told, and no accuracy is shown."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from table.cli import run
from tests.calibration.folders import Capture, rewritten, summary_of
from tests.rattle import write_sweeps


def test_a_start_that_knows_what_is_left_out_flatters(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    own = tmp_path / "own.profile"
    assert run(["calibrate", "igloos", "fit", str(two_to_five), "--out", str(own)]) == 0
    capsys.readouterr()
    left = ("--leave-out", "session", "--start-from")
    assert "it knows what is left out" in summary_of(two_to_five, capsys, *left, str(own))["flattering"]
    assert summary_of(two_to_five, capsys, *left, "microphone")["flattering"] is None
    again = tmp_path / "again.profile"
    assert (
        run(["calibrate", "igloos", "fit", str(two_to_five), "--start-from", str(own), "--out", str(again)])
        == 0
    )
    assert "no accuracy is shown: the profile to start from was fitted on 100%" in capsys.readouterr().out


def test_what_a_start_knew_is_known_to_what_grew_from_it(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    older, younger = tmp_path / "older.profile", tmp_path / "younger.profile"
    other = tmp_path / "other"
    write_sweeps(other, counts=range(6, 10), place="table")
    assert run(["calibrate", "igloos", "fit", str(two_to_five), "--out", str(older), "--counts", "2-13"]) == 0
    words = ["calibrate", "igloos", "fit", str(other), "--out", str(younger), "--counts", "2-13"]
    assert run([*words, "--start-from", str(older)]) == 0
    capsys.readouterr()
    assert (
        "was fitted on 100% of these"
        in summary_of(two_to_five, capsys, "--profile", str(younger))["flattering"]
    )


def test_copies_under_another_session_flatter(two_to_five: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = rewritten(two_to_five, tmp_path / "copied", lambda i, line: line)
    list_ = folder / "recordings.jsonl"
    first = [json.loads(line) for line in list_.read_text().splitlines()][:4]
    with list_.open("a") as file:
        for line in first:
            shutil.copy(folder / line["file"], folder / f"copy-{line['file']}")
            file.write(json.dumps(line | {"file": f"copy-{line['file']}", "session": "another"}) + "\n")
    summary = summary_of(folder, capsys, "--leave-out", "session")
    example = f"({first[0]['file']} as copy-{first[0]['file']}, say)"
    told = f"50% of what is tested is there once more under another session {example}"
    assert told in summary["flattering"]
    out = tmp_path / "copied.profile"
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(out)]) == 0
    assert "no accuracy is shown: 50% of what is tested" in capsys.readouterr().out
    page = tmp_path / "copied.html"
    words = ["calibrate", "igloos", "report", str(folder), "--profile", str(out), "--out", str(page)]
    assert run(words) == 0
    assert "No figures are shown: 50% of what is tested" in page.read_text()


def test_a_file_that_is_listed_under_two_sessions_is_told_as_that(
    few: Path, tmp_path: Path, capsys: Capture
) -> None:
    folder = rewritten(few, tmp_path / "twice", lambda i, line: line)
    list_ = folder / "recordings.jsonl"
    first, *_ = list_.read_text().splitlines()
    with list_.open("a") as file:
        file.write(json.dumps(json.loads(first) | {"session": "another"}) + "\n")
    summary = summary_of(folder, capsys, "--leave-out", "session")
    assert f"({json.loads(first)['file']}, which is listed twice, say)" in summary["flattering"]


def test_only_what_is_tested_can_flatter(two_to_five: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = rewritten(two_to_five, tmp_path / "one", lambda i, line: line)
    list_ = folder / "recordings.jsonl"
    lines = [json.loads(line) for line in list_.read_text().splitlines()]
    copied = next(line for line in lines if line["session"] == "s0")
    shutil.copy(folder / copied["file"], folder / "copy.wav")
    with list_.open("a") as file:
        file.write(json.dumps(copied | {"file": "copy.wav", "session": "mine"}) + "\n")
    left = ("--leave-out", "session", "--test-on")
    assert (
        "100% of what is tested is there once more" in summary_of(folder, capsys, *left, "mine")["flattering"]
    )
    assert summary_of(folder, capsys, *left, "s2")["flattering"] is None
