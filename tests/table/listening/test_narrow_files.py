"""Files of a microphone without treble, of a headset or a telephone: told once, heard all the same, and never sure by a
profile that does not know such."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import soundfile

from calibration.recordings.recorder import TakeHeard
from sensors.ear.profiles.profile import load, load_shipped
from sensors.ear.verdicts.lacking import counts_by, judge
from sensors.evidence import Heard
from sensors.why import Reason, Why
from table.cli import run
from table.commands.record_way import Shaken, doubt_of
from tests.narrow import through
from tests.rattle import RATE, rattle, write_sweeps

Capture = pytest.CaptureFixture[str]
SENTENCE = (
    "the sound has nothing above 8 kHz, as after a headset, a telephone or a low MP3, and what is missing tells beads "
    "apart best; record with the microphone itself at 44.1 or 48 kHz, and keep it as WAV or FLAC"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = []
    for n in (5, 7, 9):
        soundfile.write(tmp_path / f"{n}.wav", through(16000, rattle(n, 1), RATE), RATE)
        lines.append({"file": f"{n}.wav", "sensor": "microphone", "beads": n})
    soundfile.write(tmp_path / "whole.wav", rattle(4, 1), RATE)
    lines.append({"file": "whole.wav", "sensor": "microphone", "beads": 4})
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
    assert run(["listen", str(folder / "whole.wav"), "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert "kHz" not in said.out


def test_what_breaks_off_is_heard_up_to_there(folder: Path, capsys: Capture) -> None:
    whole = (folder / "7.wav").read_bytes()
    (folder / "7.wav").write_bytes(whole[: len(whole) - 20_000])
    assert run(["listen", str(folder / "7.wav"), "--json"]) == 2
    said = capsys.readouterr()
    assert SENTENCE in said.err
    assert "breaks off in the middle" in said.err
    assert len(shakes(said.out)) == 1


def test_a_folder_is_told_once(folder: Path, capsys: Capture) -> None:
    assert run(["listen", str(folder), "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == f"polartable: of 3 recordings of {folder} (5.wav and others), {SENTENCE}\n"
    assert ["kHz" in str(line.get("reason")) for line in shakes(said.out)] == [True] * 3 + [False]


def test_evaluate_and_the_report_tell_how_many(folder: Path, capsys: Capture) -> None:
    words = ["calibrate", "igloos", "evaluate", str(folder), "--profile", "microphone", "--json"]
    assert run(words) == 0
    said = capsys.readouterr()
    assert f"polartable: of 3 of 4 recordings (5.wav and others), {SENTENCE}" in said.err
    *lines, last = map(json.loads, said.out.splitlines())
    assert ["kHz" in str(line.get("reason")) for line in lines] == [True] * 3 + [False]
    assert last["summary"]["n"] == 4
    page = folder / "page.html"
    assert (
        run(["calibrate", "igloos", "report", str(folder), "--profile", "microphone", "--out", str(page)])
        == 0
    )
    assert page.read_text().count("the sound has nothing above 8 kHz") == 1


def test_the_wizard_tells_of_the_first_take() -> None:
    way = Shaken(load_shipped("microphone"), 2.0)
    for sound, doubt in ((through(16000, rattle(7, 1), RATE), SENTENCE), (rattle(7, 1), None)):
        assert doubt_of(TakeHeard(sound[:, None], None, None, 0), RATE, way) == doubt


def test_a_profile_of_such_takes_is_believed(tmp_path: Path, capsys: Capture) -> None:
    write_sweeps(tmp_path / "own", sessions=2, counts=(3, 6, 10))
    for path in (tmp_path / "own").rglob("*.wav"):
        sound, rate = soundfile.read(path, dtype="float32")
        soundfile.write(path, through(16000, sound, rate), rate)
    out = tmp_path / "own.profile"
    assert run(["calibrate", "igloos", "fit", str(tmp_path / "own"), "--out", str(out)]) == 0
    assert f"of 6 of 6 recordings (s0-03.wav and others), {SENTENCE}" in capsys.readouterr().err
    own = load(out)
    assert (own.fitted_on.narrow_takes, own.fitted_on.coarse_takes) == (6, 0)
    heard = Heard("a.wav", 0.0, 1.0, "sure", {3: 1.0}, 30.0, False, own.digest)
    narrow = Reason(Why.NARROW, "narrow: mend it")
    assert judge(heard, narrow, own) == heard
    whole = replace(own, fitted_on=replace(own.fitted_on, narrow_takes=0))
    doubted = judge(heard, narrow, whole)
    assert (doubted.verdict, doubted.why, doubted.doubt) == ("unsure", Why.NARROW, "sensor")
    assert judge(heard, None, whole) == heard
    assert counts_by(replace(own, fitted_on=replace(own.fitted_on, narrow_takes=None)), narrow)
    assert not any(counts_by(load_shipped(kind), narrow) for kind in ("microphone", "contact"))
