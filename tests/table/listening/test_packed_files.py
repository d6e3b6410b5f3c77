"""Files that were packed with losses, or hold 8 bits a sample: heard as before, and told where that costs beads."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from table.cli import run
from tests.rattle import rattle

Capture = pytest.CaptureFixture[str]
RATE = 48000
SMEARED = (
    "kbit/s on average ({}), and with less than 120 in a shake its hits are smeared, and more beads are heard than "
    "there are; record as WAV or FLAC"
)
BITS = (
    "the sound has 8 bits a sample, too few for the soft hits between loud ones; record with 16 bits or more"
)


def write(path: Path, how: dict[str, object]) -> None:
    if (
        "compression_level" in how
        and "compression_level" not in inspect.signature(soundfile.write).parameters
    ):
        pytest.skip("this soundfile is not told how small to pack")
    soundfile.write(path, rattle(7, 1, rate=RATE), RATE, **how)


def listened(path: Path, capsys: Capture) -> tuple[list[dict[str, object]], str]:
    assert run(["listen", str(path), "--json"]) == 0
    said = capsys.readouterr()
    return [line for line in map(json.loads, said.out.splitlines()) if line["event"] == "shake"], said.err


@pytest.mark.parametrize(
    ("name", "how", "called"),
    [
        ("a.ogg", {"format": "OGG", "subtype": "OPUS"}, "Opus"),
        ("a.ogg", {"format": "OGG", "subtype": "VORBIS", "compression_level": 0.9}, "Vorbis"),
        ("a.mp3", {"format": "MP3", "subtype": "MPEG_LAYER_III", "compression_level": 0.8}, "MP3"),
    ],
)
def test_what_was_packed_small_is_told_and_heard(
    name: str, how: dict[str, object], called: str, tmp_path: Path, capsys: Capture
) -> None:
    write(tmp_path / name, how)
    shakes, said = listened(tmp_path / name, capsys)
    assert said.startswith(f"polartable: of {tmp_path / name}, the sound was packed to ")
    assert said.endswith(f"{SMEARED.format(called)}\n")
    assert len(shakes) == 1
    assert "packed" not in str(shakes[0].get("reason"))


@pytest.mark.parametrize(
    "how",
    [
        {"format": "OGG", "subtype": "OPUS", "compression_level": 0.0},
        {"format": "OGG", "subtype": "VORBIS", "compression_level": 0.0},
        {"format": "MP3", "subtype": "MPEG_LAYER_III", "compression_level": 0.2, "bitrate_mode": "CONSTANT"},
        {"format": "WAV", "subtype": "PCM_16"},
        {"format": "WAV", "subtype": "ULAW"},
        {"format": "FLAC", "subtype": "PCM_16"},
    ],
)
def test_what_costs_no_beads_is_not_spoken_of(
    how: dict[str, object], tmp_path: Path, capsys: Capture
) -> None:
    write(tmp_path / "a.wav", how)
    assert listened(tmp_path / "a.wav", capsys)[1] == ""


@pytest.mark.parametrize(("kind", "subtype"), [("WAV", "PCM_U8"), ("FLAC", "PCM_S8"), ("AIFF", "PCM_S8")])
def test_eight_bits_are_told(kind: str, subtype: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / f"a.{kind.lower()}"
    soundfile.write(path, rattle(7, 1, rate=RATE), RATE, format=kind, subtype=subtype)
    _, said = listened(path, capsys)
    assert said == f"polartable: of {path}, {BITS}\n"


def test_a_folder_is_told_once_and_so_is_who_tests_it(tmp_path: Path, capsys: Capture) -> None:
    lines = []
    for n in (5, 7, 9):
        soundfile.write(tmp_path / f"{n}.ogg", rattle(n, 1, rate=RATE), RATE, format="OGG", subtype="OPUS")
        lines.append({"file": f"{n}.ogg", "sensor": "microphone", "beads": n})
    soundfile.write(tmp_path / "4.wav", rattle(4, 1, rate=RATE), RATE)
    lines.append({"file": "4.wav", "sensor": "microphone", "beads": 4})
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, said = listened(tmp_path, capsys)
    assert said.count("was packed to") == 1
    assert said.startswith(
        f"polartable: of 3 recordings of {tmp_path} (5.ogg and others), the sound was packed"
    )
    assert run(["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", "microphone", "--json"]) == 0
    said = capsys.readouterr().err
    assert "polartable: of 3 of 4 recordings (5.ogg and others), the sound was packed to" in said


@pytest.mark.parametrize(("kind", "subtype"), [("OGG", "OPUS"), ("WAV", "PCM_U8")])
def test_the_files_of_seats_are_asked_too(kind: str, subtype: str, tmp_path: Path, capsys: Capture) -> None:
    quiet = np.zeros(2 * RATE, np.float32)
    seats = [
        np.concatenate(parts)
        for parts in ((rattle(7, 1, rate=RATE), quiet), (quiet, rattle(5, 2, rate=RATE)))
    ]
    noise = 1e-3 * np.random.default_rng(1).standard_normal((2, len(seats[0])))
    red, blue = tmp_path / "red.wav", tmp_path / "blue.ogg"
    soundfile.write(red, seats[0] + noise[0], RATE)
    soundfile.write(blue, seats[1] + noise[1], RATE, format=kind, subtype=subtype)
    assert run(["listen", str(red), str(blue), "--seats", "red,blue", "--json"]) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"polartable: of {blue}, the sound ")
    assert said.count("\n") == 1


def test_how_small_a_file_was_packed_that_breaks_off_is_not_told_of_what_is_left(
    tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "a.mp3"
    write(
        path,
        {"format": "MP3", "subtype": "MPEG_LAYER_III", "compression_level": 0.5, "bitrate_mode": "CONSTANT"},
    )
    assert listened(path, capsys)[1] == ""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert run(["listen", str(path), "--json"]) == 2
    said = capsys.readouterr().err
    assert "breaks off" in said
    assert "packed" not in said
