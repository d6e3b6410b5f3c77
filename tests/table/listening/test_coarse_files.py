"""Files of an accelerometer whose steps are too coarse to count by: told once, heard all the same, and never sure by a
profile that does not know such."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sensors.ear.profiles.profile import load, load_shipped
from sensors.ear.verdicts.lacking import counts_by, judge
from sensors.evidence import Heard
from sensors.why import Reason, Why
from table.cli import run
from tests.rattle import shaken_sensor, write_sweeps

Capture = pytest.CaptureFixture[str]
SENTENCE = (
    "this accelerometer's values go in steps of 0.12 g, too coarse to count by; set it to more bits or a narrower "
    "range (less ±g), or take one with steps below 0.06 g"
)


def round_files(folder: Path, step: float = 0.125) -> None:
    for path in folder.rglob("*.wav"):
        samples, rate = soundfile.read(path, dtype="float32")
        soundfile.write(path, np.round(samples / step) * step, rate, subtype="FLOAT")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = []
    for n in (5, 7, 9):
        soundfile.write(tmp_path / f"{n}.wav", shaken_sensor(n, 1), 1600, subtype="FLOAT")
        lines.append({"file": f"{n}.wav", "sensor": "accelerometer", "beads": n})
    round_files(tmp_path)
    soundfile.write(tmp_path / "fine.wav", shaken_sensor(4, 1), 1600, subtype="FLOAT")
    lines.append({"file": "fine.wav", "sensor": "accelerometer", "beads": 4})
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def shakes(out: str) -> list[dict[str, object]]:
    return [line for line in map(json.loads, out.splitlines()) if line.get("event") == "shake"]


def test_a_file_is_told_once_and_its_count_is_not_sure(folder: Path, capsys: Capture) -> None:
    assert run(["listen", str(folder / "7.wav"), "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == f"polartable: of {folder / '7.wav'}, {SENTENCE}\n"
    (line,) = shakes(said.out)
    assert (line["verdict"], line["beads"]) == ("unsure", None)
    assert line["reason"] == SENTENCE.replace("; ", ": ")
    assert line["probabilities"]
    assert run(["listen", str(folder / "fine.wav"), "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert "steps" not in said.out


def test_a_folder_is_told_once(folder: Path, capsys: Capture) -> None:
    assert run(["listen", str(folder), "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == f"polartable: of 3 recordings of {folder} (5.wav and others), {SENTENCE}\n"
    assert ["steps" in str(line.get("reason")) for line in shakes(said.out)] == [True] * 3 + [False]


def test_evaluate_and_the_report_tell_how_many(folder: Path, capsys: Capture) -> None:
    words = ["calibrate", "igloos", "evaluate", str(folder), "--profile", "accelerometer", "--json"]
    assert run(words) == 0
    said = capsys.readouterr()
    assert said.err.count("in steps of") == 1
    assert f"polartable: of 3 of 4 recordings (5.wav and others), {SENTENCE}" in said.err
    *lines, last = map(json.loads, said.out.splitlines())
    assert ["steps" in str(line.get("reason")) for line in lines] == [True] * 3 + [False]
    assert last["summary"]["n"] == 4
    page = folder / "page.html"
    assert (
        run(["calibrate", "igloos", "report", str(folder), "--profile", "accelerometer", "--out", str(page)])
        == 0
    )
    assert page.read_text().count("go in steps of 0.12 g, too coarse to count by") == 1


def test_a_profile_of_such_takes_is_believed(tmp_path: Path, capsys: Capture) -> None:
    write_sweeps(tmp_path / "own", sessions=2, counts=(3, 6, 10), sensor="accelerometer")
    round_files(tmp_path / "own")
    out = tmp_path / "own.profile"
    assert run(["calibrate", "igloos", "fit", str(tmp_path / "own"), "--out", str(out)]) == 0
    assert f"of 6 of 6 recordings (s0/3.wav and others), {SENTENCE}"[-160:] in capsys.readouterr().err
    own = load(out)
    assert own.fitted_on.coarse_takes == 6
    heard = Heard("a.wav", 0.0, 1.0, "sure", {3: 1.0}, 30.0, False, own.digest)
    coarse = Reason(Why.COARSE, "coarse: mend it")
    assert judge(heard, coarse, own) == heard
    fine = replace(own, fitted_on=replace(own.fitted_on, coarse_takes=0))
    doubted = judge(heard, coarse, fine)
    assert (doubted.verdict, doubted.why, doubted.doubt) == ("unsure", Why.COARSE, "sensor")
    assert judge(heard, None, fine) == heard
    before = replace(own, fitted_on=replace(own.fitted_on, coarse_takes=None))
    assert counts_by(before, coarse)
    assert not counts_by(load_shipped("accelerometer"), coarse)
