"""`polartable listen` hears recordings as what their list says they are, and says so where it cannot."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sensors.ear.profiles import profile as profiles
from table.cli import run
from tests.rattle import RATE, rattle, shaken_sensor, write_sweeps

Capture = pytest.CaptureFixture[str]
QUIET = np.zeros(RATE, np.float32)


def told(capsys: Capture, *words: str | Path) -> tuple[int, list[dict[str, object]], str]:
    code = run(["listen", *map(str, words), "--json"])
    said = capsys.readouterr()
    return code, [json.loads(line) for line in said.out.splitlines()], said.err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three shakes, in a folder of the list's folder."""
    made = tmp_path / "made"
    write_sweeps(made / "in", sessions=1, counts=(3, 5, 7))
    lines = [json.loads(line) for line in (made / "in" / "recordings.jsonl").read_text().splitlines()]
    (made / "in" / "recordings.jsonl").unlink()
    (made / "recordings.jsonl").write_text(
        "".join(json.dumps(line | {"file": "in/" + line["file"]}) + "\n" for line in lines)
    )
    return made


def listed(folder: Path, *gestures: str | None) -> list[Path]:
    """Let the list call its recordings so; their files."""
    index = folder / "recordings.jsonl"
    lines = [json.loads(line) for line in index.read_text().splitlines()]
    for line, gesture in zip(lines, gestures, strict=True):
        line["gesture"] = gesture
    index.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return [folder / line["file"] for line in lines]


SEAT = (
    "of the counting gesture (seat-tap), and the profile counts shakes – "
    "name a seat's profile (--profile seat.profile)"
)


def test_counting_gestures_are_no_shakes(folder: Path, capsys: Capture) -> None:
    files = listed(folder, "seat-tap", "seat-tap", "seat-tap")
    fit = f"polartable calibrate igloos fit {folder} --only gesture=seat-tap --out seat.profile"
    code, lines, said = told(capsys, folder)
    assert (code, lines) == (2, [])
    assert said.startswith(f"polartable: PT-401: 3 recordings of {folder} are {SEAT}")
    assert said.endswith(f": {fit}\n")
    assert said.count("\n") == 1
    code, lines, said = told(capsys, files[1])
    assert (code, lines) == (2, [])
    assert said.startswith(f"polartable: PT-401: {files[1]} is {SEAT}")
    assert said.endswith(f": {fit}\n")
    assert said.count("\n") == 1


def test_the_shakes_among_them_are_heard(folder: Path, capsys: Capture) -> None:
    files = listed(folder, "shake", "Swirl", None)
    code, lines, said = told(capsys, folder)
    assert (code, len(lines)) == (2, 2)
    assert said.startswith(
        f"polartable: PT-401: 1 recording of {folder} is of the gesture swirl, and the profile counts shakes – name one"
    )
    assert said.count("\n") == 1
    assert [told(capsys, file)[0] for file in files] == [0, 2, 0]


def test_a_gestures_profile_hears_no_shakes_that_are_called_so(
    folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    shipped = profiles.load_shipped("microphone")
    swirl = tmp_path / "swirl.profile"
    profiles.save(replace(shipped, fitted_on=replace(shipped.fitted_on, gesture="swirl")), swirl)
    listed(folder, "shake", "Swirl", None)
    code, lines, said = told(capsys, folder, "--profile", swirl)
    assert code == 2
    assert {line["source"] for line in lines} <= {"in/s0-05.wav", "in/s0-07.wav"}
    assert said.startswith(
        f"polartable: PT-401: 1 recording of {folder} is of shakes, and the profile counts by the gesture swirl – leave"
    )


def test_only_the_list_tells(folder: Path, tmp_path: Path, capsys: Capture) -> None:
    files = listed(folder, "seat-tap", "seat-tap", "seat-tap")
    other = files[0].with_name("other.wav")
    other.write_bytes(files[0].read_bytes())
    assert told(capsys, other)[0] == 0  # not listed
    (folder / "recordings.jsonl").write_bytes(b"\xff\xfe")
    code, _, said = told(capsys, files[0])
    assert code == 0  # no list, which is said
    assert "is written in UTF-16" in said
    (folder / "recordings.jsonl").unlink()
    assert told(capsys, files[0])[::2] == (0, "")


def test_gestures_of_two_sensors_or_several_seats_are_told_as_well(tmp_path: Path, capsys: Capture) -> None:
    still = np.tile(np.array([0.1, 0.2, 0.97], np.float32), (1600, 1))
    felt, heard, other = tmp_path / "felt.wav", tmp_path / "heard.wav", tmp_path / "other.wav"
    soundfile.write(felt, np.concatenate([still, shaken_sensor(5, 1), still]), 1600, subtype="FLOAT")
    for seed, path in enumerate((heard, other), 1):
        soundfile.write(path, np.concatenate([QUIET, rattle(5, seed), QUIET]), RATE)
    assert told(capsys, felt, heard)[0] == told(capsys, heard, other, "--seats", "red,blue")[0] == 0
    (tmp_path / "recordings.jsonl").write_text(
        json.dumps({"file": "heard.wav", "sensor": "microphone", "beads": 5, "gesture": "seat-tap"}) + "\n"
    )
    for words in ((felt, heard), (heard, other, "--seats", "red,blue")):
        code, lines, said = told(capsys, *words)
        assert (code, lines) == (2, [])
        assert said.startswith(f"polartable: PT-401: {heard} is {SEAT}")
