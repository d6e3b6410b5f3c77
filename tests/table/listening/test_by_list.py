"""What a list beside the sound says is believed: of two shakes, of several igloos, of a microphone elsewhere."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from table.cli import run
from table.listening.mock_ear import shakes
from tests.rattle import RATE, rattle, shaken_sensor

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two igloos, each shaken once, heard across the table and felt on the shell."""
    folder = tmp_path_factory.mktemp("two")
    lines: list[dict[str, Any]] = []
    for beads in (5, 9):
        still = np.zeros(RATE // 2, np.float32)
        soundfile.write(folder / f"{beads}.wav", np.concatenate([still, rattle(beads, 1), still]), RATE)
        soundfile.write(folder / f"{beads}.acc.wav", shaken_sensor(beads, 1), 1600, subtype="FLOAT")
        line = {"beads": beads, "igloo": f"I{beads}", "pair": f"p{beads}"}
        lines.append({"file": f"{beads}.wav", "sensor": "microphone", "place": "table"} | line)
        lines.append({"file": f"{beads}.acc.wav", "sensor": "accelerometer"} | line)
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def test_files_of_two_shakes_are_not_joined(folder: Path, capsys: Capture) -> None:
    assert run(["listen", str(folder / "5.acc.wav"), str(folder / "9.wav")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "5.acc.wav and 9.wav are of two shakes, as their list says (pair p5 and p9)" in said.err
    assert run(["listen", str(folder / "5.acc.wav"), str(folder / "5.wav")]) == 0


def test_files_of_one_name_in_two_folders_are_told_apart_and_their_lists_may_be_mended(
    folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    """Lists of two recorders need not call one igloo alike."""
    one, other = tmp_path / "one", tmp_path / "other"
    for here, sensor, sound in ((one, "accelerometer", "5.acc.wav"), (other, "microphone", "5.wav")):
        here.mkdir()
        (here / "a.wav").write_bytes((folder / sound).read_bytes())
        line = {"file": "a.wav", "sensor": sensor, "beads": 5, "igloo": f"{here.name}'s"}
        (here / "recordings.jsonl").write_text(json.dumps(line) + "\n")
    assert run(["listen", str(one / "a.wav"), str(other / "a.wav")]) == 2
    assert (
        f"{one / 'a.wav'} and {other / 'a.wav'} are of two shakes, as their lists say (igloo one's and other's) – name "
        "two files of one shake, by an accelerometer and a microphone, or call it alike in both lists"
    ) in capsys.readouterr().err


def test_a_misspelt_name_of_two_is_told_as_that(folder: Path, capsys: Capture) -> None:
    assert run(["listen", str(folder / "5.accelerometer.wav"), str(folder / "5.wav")]) == 2
    assert "5.accelerometer.wav does not exist" in capsys.readouterr().err


def test_shakes_of_several_igloos_are_not_added_up(folder: Path, capsys: Capture) -> None:
    assert run(["listen", str(folder), "--same-igloo"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert f"the list of {folder} has 2 igloos" in said.err


@pytest.mark.parametrize("igloos", [("G", "G"), (None, None), ("G", "H")])
def test_an_unknown_count_makes_no_second_igloo(
    folder: Path, tmp_path: Path, capsys: Capture, igloos: tuple[str | None, str | None]
) -> None:
    with (tmp_path / "recordings.jsonl").open("w") as index:
        for name, beads, igloo in zip(("5.wav", "9.wav"), (None, 9), igloos, strict=True):
            (tmp_path / name).write_bytes((folder / name).read_bytes())
            line = {"file": name, "sensor": "microphone", "beads": beads, "igloo": igloo}
            index.write(json.dumps(line) + "\n")
    done = run(["listen", str(tmp_path), "--same-igloo"])
    assert ("has 2 igloos" in capsys.readouterr().err) == (done == 2) == (igloos[0] != igloos[1])


def test_what_a_profile_cannot_hear_is_called_by_its_kind(folder: Path, capsys: Capture) -> None:
    run(["listen", str(folder), "--profile", "accelerometer"])
    assert "2 recordings of" in (said := capsys.readouterr().err)
    assert "are of a microphone" in said
    assert "(--profile microphone)" in said
    listed = folder / "recordings.jsonl"
    was = listed.read_text()
    listed.write_text(was.replace('"table"', '"shell"'))
    run(["listen", str(folder), "--profile", "accelerometer"])
    listed.write_text(was)
    assert "are of a contact microphone" in (said := capsys.readouterr().err)
    assert "(--profile contact)" in said


def test_a_profile_of_another_place_is_told(folder: Path, capsys: Capture) -> None:
    for source in (folder / "5.wav", folder):
        run(["listen", str(source), "--profile", "contact"])
        assert "of a microphone on the shell, and these recordings are of one elsewhere (table)" in (
            capsys.readouterr().err
        )
    assert run(["listen", str(folder / "5.wav")]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("places", [("seat", "seat"), ("shell", "seat")])
def test_a_profile_of_another_place_is_told_of_seats_as_well(
    folder: Path, tmp_path: Path, capsys: Capture, places: tuple[str, str]
) -> None:
    """And once for all that are at one place."""
    for name, place in zip(("5.wav", "9.wav"), places, strict=True):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
        with (tmp_path / "recordings.jsonl").open("a") as index:
            index.write(json.dumps({"file": name, "sensor": "microphone", "place": place}) + "\n")
    seats = ["listen", str(tmp_path / "5.wav"), str(tmp_path / "9.wav"), "--seats", "red,blue"]
    run([*seats, "--profile", "contact"])
    assert capsys.readouterr().err.count("these recordings are of one elsewhere (seat)") == 1
    if places == ("seat", "seat"):
        run(seats)
        assert "the profile" not in capsys.readouterr().err


def test_files_without_the_highest_bands_are_told_of_seats_and_of_two_sensors(
    folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    for name in ("5.wav", "9.wav"):
        soundfile.write(tmp_path / name, soundfile.read(folder / name)[0][::2], RATE // 2)
    run(["listen", str(tmp_path / "5.wav"), str(tmp_path / "9.wav"), "--seats", "red,blue"])
    assert capsys.readouterr().err.count("2 of 2 recordings of a microphone have only 22050 Hz") == 1
    run(["listen", str(tmp_path / "5.wav"), str(folder / "5.acc.wav")])
    assert capsys.readouterr().err.count("this recording has only 22050 Hz") == 1
    seats = ["listen", str(tmp_path / "5.wav"), str(tmp_path / "9.wav"), str(tmp_path / "9.wav")]
    assert run([*seats, "--seats", "red,blue"]) == 2
    assert "22050" not in capsys.readouterr().err


def test_the_mock_keeps_its_igloo_where_it_is_asked_to() -> None:
    """Of one count all shakes are by that number of beads: another igloo, another sound. This seed would take 9, then
    4."""
    same = list(islice(shakes(seed=1, counts=(4, 9), same=True), 4))[1::2]
    one = list(islice(shakes(seed=1, counts=(4,)), 4))[1::2]
    other = list(islice(shakes(seed=1, counts=(9,)), 4))[1::2]
    alike = [[np.array_equal(a, b) for a, b in zip(same, which, strict=True)] for which in (one, other)]
    assert sorted(alike) == [[False] * 2, [True] * 2]


def test_nothing_simulated_is_put_among_what_is_real(folder: Path, capsys: Capture) -> None:
    before = (folder / "recordings.jsonl").read_text()
    for words in (["shakes", "--devices", "1"], ["together", "--tables", "1", "--rounds", "1"], ["taps"]):
        assert run(["simulate", *words, "--out", str(folder)]) == 2
        assert f"{folder} holds 4 recordings of something real" in capsys.readouterr().err
    assert (folder / "recordings.jsonl").read_text() == before


def test_nothing_simulated_is_put_among_lines_that_nobody_can_read(tmp_path: Path, capsys: Capture) -> None:
    listed = tmp_path / "recordings.jsonl"
    listed.write_text('not json\n{"file": 3}\n')
    assert run(["simulate", "shakes", "--devices", "1", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"polartable: PT-101: no line of {listed} can be read, and simulated ones would stand among them – "
        "name another folder, or move that list away\n"
    )
    assert listed.read_text() == 'not json\n{"file": 3}\n'
    assert list(tmp_path.iterdir()) == [listed]


def test_a_file_is_found_however_the_list_writes_its_name(
    folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    line = {"file": "./shell.wav", "sensor": "microphone", "place": "shell"}
    (tmp_path / "shell.wav").write_bytes((folder / "5.wav").read_bytes())
    (tmp_path / "recordings.jsonl").write_text(json.dumps(line) + "\n")
    said = []
    for source in (tmp_path, tmp_path / "shell.wav"):
        assert run(["listen", str(source), "--json"]) == 0
        said.append([json.loads(one)["probabilities"] for one in capsys.readouterr().out.splitlines()])
    assert said[0] == said[1]
