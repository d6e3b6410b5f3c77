"""Every input that a reader has ever met, whole and torn, is answered with a value or one numbered sentence."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from calibration.recordings.folder import read as read_recordings
from firmware_bridge.detecting import DECODERS, Detector, make_decoder
from firmware_bridge.errors import PolartableError
from sensors.ear.profiles.profile import parse as parse_profile
from table.commands.referee import serve
from table.config import Settings
from table.games import GAMES
from table.journal.replay import read_export, replay
from table.report.unpacking import Report
from table.starts import NAME, Starts
from tests.parts import ROOT

CORPUS = ROOT / "tests" / "corpus"


def settings(file: Path) -> None:
    Settings.read(file)


def journal(file: Path) -> None:
    replay(read_export(file), GAMES)


def report(file: Path) -> None:
    with Report(file) as opened:
        for _, entries in opened.games():
            replay(entries, GAMES)


def referee(file: Path) -> None:
    """A line out for every line in, each a JSON object."""
    out = io.BytesIO()
    with file.open("rb") as lines:
        serve(lines, out)
    answers = out.getvalue().splitlines()
    assert len(answers) == len(file.read_bytes().splitlines(keepends=True))
    for answer in answers:
        told = json.loads(answer)
        assert "has a defect" not in json.dumps(told), told


def wire(file: Path) -> None:
    """Every decoder, byte by byte and at once: the same packets, and no exception."""
    data = file.read_bytes()
    for name in DECODERS:
        whole, piecewise = make_decoder(name), make_decoder(name)
        at_once = whole.feed(data)
        assert [p for byte in data for p in piecewise.feed(bytes([byte]))] == at_once
    Detector().feed(data)


def recordings(file: Path) -> None:
    folder = file.with_suffix("")
    folder.mkdir(exist_ok=True)
    shutil.copyfile(file, folder / "recordings.jsonl")
    complaints: list[PolartableError] = []
    for recording in read_recordings(folder, complaints.append):
        assert folder.resolve() in (folder / recording.file).resolve().parents
    assert all("\n" not in str(error) for error in complaints)


def profile(file: Path) -> None:
    parse_profile(file.read_text(errors="replace"), file.name)


def start(file: Path) -> None:
    shutil.copyfile(file, file.parent / NAME)
    assert len(Starts(file.parent).begin().why) <= 500


READERS: dict[str, Callable[[Path], None]] = {
    reader.__name__: reader
    for reader in (settings, journal, report, referee, wire, recordings, profile, start)
}


def test_every_folder_has_its_reader_and_every_reader_something_to_read() -> None:
    assert {folder.name for folder in CORPUS.iterdir() if folder.is_dir()} == READERS.keys()
    assert all(any((CORPUS / name).iterdir()) for name in READERS)


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*/*")), ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_an_input_is_answered_whole_and_torn(file: Path, tmp_path: Path) -> None:
    data = file.read_bytes()
    torn = tmp_path / file.name
    for part in (1.0, 0.9, 0.5, 0.1):
        torn.write_bytes(data[: round(len(data) * part)])
        said = _sentence(READERS[file.parent.name], torn)
        assert "\n" not in said
        assert re.match(r"PT-\d{3}: .+ – .+|$", said), said


def _sentence(reader: Callable[[Path], None], file: Path) -> str:
    try:
        reader(file)
    except PolartableError as error:
        return str(error)
    return ""
