"""Several shakes of one igloo are a number of their own, and what could not be heard is counted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from sensors.ear.models.sets import add_up
from table.cli import run
from tests.rattle import RATE, write_sweeps

Capture = pytest.CaptureFixture[str]
COUNTS = (3, 6, 11)


@pytest.fixture(scope="module")
def thrice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Each of three igloos shaken three times in one session, and two of them once in another."""
    folder = tmp_path_factory.mktemp("thrice")
    lines = write_sweeps(folder, sessions=4, counts=COUNTS)
    for line in lines[:9]:
        line["session"], line["player"], line["igloo"] = "s0", "anna", f"of {line['beads']}"
    with (folder / "recordings.jsonl").open("w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines[:11])
    return folder


def evaluated(folder: Path, capsys: Capture, *words: str) -> tuple[list[dict[str, Any]], dict[str, Any], str]:
    run(["calibrate", "igloos", "evaluate", str(folder), "--profile", "microphone", "--json", *words])
    said = capsys.readouterr()
    *lines, last = (json.loads(line) for line in said.out.splitlines())
    return lines, last["summary"], said.err


def chances(line: dict[str, Any]) -> dict[int, float]:
    return {int(n): p for n, p in line["probabilities"].items()}


def test_shakes_of_one_igloo_are_added_up(thrice: Path, capsys: Capture) -> None:
    lines, summary, _ = evaluated(thrice, capsys)
    of_igloo: dict[int, list[dict[str, Any]]] = {}
    for line in lines[:9]:
        of_igloo.setdefault(line["true_beads"], []).append(line)
    right = []
    for beads, shakes in of_igloo.items():
        p = add_up([chances(line) for line in shakes])
        assert {line["in_shakes"] for line in shakes} == {max(p, key=lambda n: p[n])}
        right.append(shakes[0]["in_shakes"] == beads)
    assert [line["in_shakes"] for line in lines[9:]] == [None, None]
    assert summary["exact_in_shakes"] == pytest.approx(np.mean(right), abs=1e-3)  # an igloo counts once
    assert summary["shakes"] == [3, 3]
    assert summary["interval"]["exact_in_shakes"] == [0.0, 1.0]  # of one session
    assert run(["calibrate", "igloos", "evaluate", str(thrice), "--profile", "microphone"]) == 0
    assert "3 shakes of one igloo added up: " in capsys.readouterr().out


def test_one_shake_each_adds_nothing_up(thrice: Path, capsys: Capture) -> None:
    _, summary, _ = evaluated(thrice, capsys, "--only", "session=s3")
    assert summary["exact_in_shakes"] is None
    assert "shakes" not in summary


def test_takes_that_name_no_igloo_are_of_one_each(thrice: Path, tmp_path: Path, capsys: Capture) -> None:
    """What they hold is what is asked: to add up those of one count would tell it."""
    unnamed = Path(shutil.copytree(thrice, tmp_path / "unnamed"))
    told = [json.loads(text) for text in (thrice / "recordings.jsonl").read_text().splitlines()]
    with (unnamed / "recordings.jsonl").open("w") as file:
        for line in told:
            file.write(json.dumps({key: value for key, value in line.items() if key != "igloo"}) + "\n")
    lines, summary, _ = evaluated(unnamed, capsys)
    assert {line["in_shakes"] for line in lines} == {None}
    assert summary["exact_in_shakes"] is None


def test_what_cannot_be_heard_is_counted(thrice: Path, tmp_path: Path, capsys: Capture) -> None:
    lines = [json.loads(text) for text in (thrice / "recordings.jsonl").read_text().splitlines()]
    for i, line in enumerate(lines):
        sound, rate = soundfile.read(thrice / line["file"])
        (tmp_path / line["file"]).parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(tmp_path / line["file"], np.zeros(RATE) if i in (2, 5) else sound, rate)
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    told, summary, err = evaluated(tmp_path, capsys)
    assert (len(told), summary["n"], summary["unheard"]) == (9, 9, 2)
    assert "silent" in err
    _, summary, _ = evaluated(tmp_path, capsys, "--test-on", "s3")
    assert (summary["n"], summary["unheard"]) == (2, 0)
    run(["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", "microphone"])
    assert "2 recordings could not be heard or tested, and are in no figure" in capsys.readouterr().out


def test_what_cannot_be_heard_is_counted_where_sessions_are_left_out(tmp_path: Path, capsys: Capture) -> None:
    lines = write_sweeps(tmp_path, sessions=2, counts=range(2, 7))
    soundfile.write(tmp_path / lines[3]["file"], np.zeros(RATE), RATE)
    words = ["--leave-out", "session", "--start-from", "microphone", "--json"]
    run(["calibrate", "igloos", "evaluate", str(tmp_path), *words])
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]
    assert (summary["n"], summary["unheard"]) == (9, 1)
