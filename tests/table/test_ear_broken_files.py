"""Several files of one table or igloo, one of them muted or cut short: the others are heard, and that one is named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from table.cli import run
from tests.rattle import RATE, rattle, shaken_sensor

Capture = pytest.CaptureFixture[str]
QUIET = np.zeros(RATE, np.float32)
TWICE = [QUIET, rattle(5, 1), QUIET, rattle(7, 2), QUIET]
SECOND_S = 1 + len(rattle(5, 1)) / RATE + 1  # of what the second one is heard in


def cut(path: Path, share: float) -> None:
    """The header promises what the file has no more."""
    path.write_bytes(path.read_bytes()[: round(share * path.stat().st_size)])


def told(capsys: Capture, *words: str) -> tuple[int, list[dict[str, object]], str]:
    code = run(["listen", *words, "--json"])
    said = capsys.readouterr()
    return code, [json.loads(line) for line in said.out.splitlines()], said.err


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """An accelerometer's and a microphone's file that began together, with two shakes."""
    still = np.tile(np.array([0.1, 0.2, 0.97], np.float32), (1600, 1))
    felt, heard = tmp_path / "felt.wav", tmp_path / "heard.wav"
    shakes = [still, shaken_sensor(5, 1), still, shaken_sensor(7, 2), still]
    soundfile.write(felt, np.concatenate(shakes), 1600, subtype="FLOAT")
    soundfile.write(heard, np.concatenate(TWICE), RATE)
    return felt, heard


@pytest.mark.parametrize("turned", [False, True])
def test_where_one_sensor_is_muted_the_other_tells_alone(
    pair: tuple[Path, Path], capsys: Capture, turned: bool
) -> None:
    felt, heard = pair
    soundfile.write(heard, np.zeros(8 * RATE), RATE)
    code, lines, said = told(capsys, *map(str, (heard, felt) if turned else (felt, heard)))
    assert code == 2
    assert [line["source"] for line in lines] == ["felt.wav"] * 2
    assert (
        said == f"polartable: PT-201: {heard} is silent – check the plug and the gain, and record it again\n"
    )


def test_where_one_sensor_breaks_off_both_tell_what_they_heard(
    pair: tuple[Path, Path], capsys: Capture
) -> None:
    felt, heard = pair
    cut(heard, 0.5)
    code, lines, said = told(capsys, str(felt), str(heard))
    assert code == 2
    assert [line["source"] for line in lines] == ["felt.wav + heard.wav", "felt.wav"]
    assert said == f"polartable: PT-201: {heard} breaks off in the middle – copy or record it again\n"


@pytest.fixture
def seats(tmp_path: Path) -> list[Path]:
    """Three seats' files: red shakes twice, the others hear it softly."""
    files = []
    for k, name in enumerate(("red", "blue", "green")):
        files.append(tmp_path / f"{name}.wav")
        noise = 1e-4 * np.random.default_rng(k).standard_normal(sum(map(len, TWICE)))
        soundfile.write(files[-1], (0.01 if k else 1.0) * np.concatenate(TWICE) + noise, RATE)
    return files


def of(seat: str, lines: list[dict[str, object]]) -> list[object]:
    return [line["start_s"] for line in lines if line["seat"] == seat and line["verdict"] != "not-a-shake"]


def test_a_seat_that_breaks_off_leaves_the_others_to_their_end(seats: list[Path], capsys: Capture) -> None:
    cut(seats[1], 0.3)
    code, lines, said = told(capsys, *map(str, seats), "--seats", "red,blue,green")
    assert code == 2
    assert of("red", lines) == [pytest.approx(1.4, abs=0.3), pytest.approx(SECOND_S + 0.4, abs=0.3)]
    assert said == f"polartable: PT-201: {seats[1]} breaks off in the middle – copy or record it again\n"


@pytest.mark.parametrize("one_file", [False, True])
def test_a_shake_that_was_under_way_where_it_breaks_off_is_told(
    tmp_path: Path, seats: list[Path], capsys: Capture, one_file: bool
) -> None:
    last = (SECOND_S + 1.6) / (sum(map(len, TWICE)) / RATE)
    if one_file:
        table = tmp_path / "table.wav"
        soundfile.write(table, np.stack([soundfile.read(path)[0] for path in seats], axis=1), RATE)
        seats = [table]
    for path in seats:
        cut(path, last)
    code, lines, said = told(capsys, *map(str, seats), "--seats", "red,blue,green")
    assert (code, len(of("red", lines))) == (2, 2)
    assert said.count("breaks off in the middle") == len(seats)


@pytest.mark.parametrize("one_file", [False, True])
def test_each_seat_that_is_silent_is_named(
    tmp_path: Path, seats: list[Path], capsys: Capture, one_file: bool
) -> None:
    for path in seats[1:]:
        soundfile.write(path, np.zeros(sum(map(len, TWICE))), RATE)
    if one_file:
        table = tmp_path / "table.wav"
        soundfile.write(table, np.stack([soundfile.read(path)[0] for path in seats], axis=1), RATE)
        seats = [table]
    code, lines, said = told(capsys, *map(str, seats), "--seats", "red,blue,green")
    assert (code, len(of("red", lines))) == (2, 2)
    wheres = (
        ["channel 2 of table.wav (seat blue)", "channel 3 of table.wav (seat green)"]
        if one_file
        else ["blue.wav (seat blue)", "green.wav (seat green)"]
    )
    assert [
        line.partition("PT-201: ")[2].partition(" is silent – ")[0] for line in said.splitlines()
    ] == wheres
