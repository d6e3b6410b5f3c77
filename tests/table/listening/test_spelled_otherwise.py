"""A list, or whoever types, writes an accent in one sign, and the disk in two (a Mac's archive): one file is meant."""

from __future__ import annotations

import json
from pathlib import Path
from unicodedata import normalize

import pytest
import soundfile

from sensors.ear.errors import SoundError
from sensors.ear.sources.sound_file import open_sound
from table.cli import run
from tests.rattle import RATE, rattle

Capture = pytest.CaptureFixture[str]
NFC, NFD = (normalize(form, "täke") for form in ("NFC", "NFD"))
BOTH = [(NFC, NFD), (NFD, NFC)]


def folder(at: Path, listed: str, there: str) -> Path:
    at.mkdir()
    soundfile.write(at / f"{there}.wav", rattle(7, 1), RATE)
    line = {"file": f"{listed}.wav", "sensor": "microphone", "beads": 7, "place": "shell"}
    (at / "recordings.jsonl").write_text(json.dumps(line, ensure_ascii=False) + "\n")
    return at


@pytest.mark.parametrize(("asked", "there"), BOTH)
def test_a_file_is_found_by_its_list(tmp_path: Path, capsys: Capture, asked: str, there: str) -> None:
    named = tmp_path / f"{asked}s"
    folder(tmp_path / f"{there}s", asked, there)
    for words in (
        ["listen", str(named), "--json"],
        ["calibrate", "igloos", "evaluate", str(named), "--profile", "contact", "--json"],
    ):
        assert run(words) == 0
        said = capsys.readouterr()
        assert len(said.out.splitlines()) >= 1
        assert "does not exist" not in said.err


@pytest.mark.parametrize(("asked", "there"), BOTH)
def test_a_file_is_found_by_its_name_and_its_line(
    tmp_path: Path, capsys: Capture, asked: str, there: str
) -> None:
    folder(tmp_path / there, asked, there)
    for file in (asked, there):
        assert run(["listen", str(tmp_path / asked / f"{file}.wav"), "--json"]) == 0
        said = capsys.readouterr()
        assert "contact" not in said.err
        assert json.loads(said.out.splitlines()[0])["source"] == f"{there}.wav"


def test_its_faults_are_told_in_one_name(tmp_path: Path, capsys: Capture) -> None:
    at = folder(tmp_path / "a", NFC, NFD)
    soundfile.write(at / f"{NFD}.wav", 0 * rattle(7, 1), RATE)
    run(["calibrate", "igloos", "evaluate", str(at), "--profile", "contact"])
    said = normalize("NFC", capsys.readouterr().err)
    assert said.count(f"{NFC}.wav") == 1
    assert f"{NFC}.wav is silent" in said


def test_several_that_look_alike_are_told(tmp_path: Path) -> None:
    for name in (NFC, NFD):
        soundfile.write(tmp_path / f"{name}ä.wav", rattle(7, 1), RATE)
    assert open_sound(tmp_path / f"{NFC}ä.wav").path.name == f"{NFC}ä.wav"
    with pytest.raises(
        SoundError,
        match=r"does not exist, and 2 files look like it whose accents are written otherwise – give",
    ):
        open_sound(tmp_path / normalize("NFD", f"{NFC}ä.wav"))
    with pytest.raises(SoundError, match=r"does not exist – check the name"):
        open_sound(tmp_path / "öther.wav")


def test_a_file_that_differs_by_the_case_of_letters_alone_is_named(tmp_path: Path, capsys: Capture) -> None:
    """A camera's card, or Windows, writes A.WAV; whoever looked into the folder saw the file there."""
    at = folder(tmp_path / "a", "s1/take", "Take")
    (at / "S1").mkdir()
    (at / "Take.wav").rename(at / "S1" / "Take.WAV")
    for words in (
        ["listen", str(at), "--json"],
        ["calibrate", "igloos", "evaluate", str(at), "--profile", "contact"],
    ):
        assert run(words) == 2
        assert (
            f"{at}/s1/take.wav does not exist, and S1/Take.WAV differs from it by the case of letters alone – write "
            "the name as the file has it"
        ) in capsys.readouterr().err
    (at / "S1" / "TAKE.WAV").touch()
    with pytest.raises(SoundError, match=r"and S1/TAKE\.WAV and S1/Take\.WAV differ from it by the case"):
        open_sound(at / "s1" / "take.wav")
    (at / "S1" / "other.wav").mkdir()
    with pytest.raises(SoundError, match=r"does not exist – check the name"):
        open_sound(at / "s1" / "Other.wav")
