"""What the list says about a file that is heard alone: what is wrong with its own line is said, and nothing else."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import soundfile

from table.cli import run
from table.listening import own_line
from tests.rattle import RATE, rattle

Capture = pytest.CaptureFixture[str]
LINE = {"file": "in/a.wav", "sensor": "microphone", "beads": 6}


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    soundfile.write(tmp_path / "in" / "a.wav", rattle(6, 1), RATE)
    return tmp_path / "in" / "a.wav"


def write(folder: Path, *lines: object) -> None:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / "recordings.jsonl").write_text("".join(text + "\n" for text in texts))


def heard(sound: Path, capsys: Capture) -> str:
    """What is said beside the one shake that is heard."""
    assert run(["listen", str(sound), "--json"]) == 0
    said = capsys.readouterr()
    assert [json.loads(line)["event"] for line in said.out.splitlines()] == ["shake"]
    return said.err


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (LINE | {"beads": "six"}, 'line 2, has "six" as "beads"'),
        (LINE | {"sensor": "ear"}, 'line 2, has the sensor "ear"'),
        (LINE | {"file": "./in/a.wav", "beads": -1}, 'line 2, has -1 as "beads"'),
        (LINE | {"file": "in\\a.wav", "beads": -1}, 'line 2, has -1 as "beads"'),
        ('{"file": "in/a.wav", "sensor": "microphone", "beads": 6', "line 2, is no JSON"),
    ],
)
def test_a_line_of_its_own_that_cannot_be_used_is_said_once(
    own: object, said: str, sound: Path, tmp_path: Path, capsys: Capture
) -> None:
    write(tmp_path, LINE | {"file": "in/b.wav"}, own)
    told = heard(sound, capsys)
    assert f"{tmp_path / 'recordings.jsonl'}, {said}" in told
    assert told.count("recordings.jsonl") == 1


def test_broken_lines_of_others_are_not_said(sound: Path, tmp_path: Path, capsys: Capture) -> None:
    others = [LINE | {"file": f, "beads": "six"} for f in ("a.wav", "in/aa.wav", "in/a.wav.wav")]
    write(tmp_path, *others, "in/a.wav", LINE)
    assert heard(sound, capsys) == ""


def test_a_list_that_is_none_is_said(sound: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "recordings.jsonl").write_text(json.dumps(LINE), encoding="utf-16")
    assert "is written in UTF-16" in heard(sound, capsys)


def test_a_name_is_found_however_it_is_written(tmp_path: Path) -> None:
    for name, written in (
        ("a.wav", r'"\u0061.wav"'),
        ("é.wav", '"e\u0301.wav"'),
        ('"a".wav', r'"\"a\".wav"'),
        ("a.wav", f'"{tmp_path}/a.wav"'),
    ):
        write(tmp_path, f'{{"file": {written}, "sensor": "accelerometer", "beads": 6}}')
        line = own_line.listed(tmp_path / name)
        assert line is not None
        assert line.sensor == "accelerometer"


def test_a_list_of_a_hundred_thousand_lines_is_searched_at_once(tmp_path: Path) -> None:
    others = (LINE | {"file": f"in/{i}.wav", "device": "D01", "session": "s"} for i in range(100_000))
    write(tmp_path, *others, LINE | {"file": "a.wav"}, LINE | {"file": "\u00e9.wav"})
    since = time.process_time()
    assert own_line.listed(tmp_path / "a.wav") is not None
    assert own_line.listed(tmp_path / "\u00e9.wav") is not None
    assert time.process_time() - since < 1.0
