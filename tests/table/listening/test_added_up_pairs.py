"""`polartable listen FOLDER --same-igloo`: what several recordings tell of one shake counts once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from sensors.ear.models.sets import add_up
from table.cli import run
from tests.rattle import RATE, rattle, shaken_sensor

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def lines(tmp_path: Path) -> list[dict[str, Any]]:
    """Two shakes of one igloo, each heard across the table and felt on the shell."""
    out: list[dict[str, Any]] = []
    for seed in (1, 2):
        still = np.zeros(RATE // 2, np.float32)
        soundfile.write(tmp_path / f"{seed}.wav", np.concatenate([still, rattle(6, seed), still]), RATE)
        soundfile.write(tmp_path / f"{seed}.acc.wav", shaken_sensor(6, seed), 1600, subtype="FLOAT")
        line = {"beads": 6, "igloo": "F", "device": "D01", "session": "s", "pair": f"p{seed}"}
        out.append({"file": f"{seed}.wav", "sensor": "microphone", "place": "table"} | line)
        out.append({"file": f"{seed}.acc.wav", "sensor": "accelerometer"} | line)
    return out


def told(folder: Path, lines: list[dict[str, Any]], capsys: Capture) -> list[dict[str, Any]]:
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run(["listen", str(folder), "--same-igloo", "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def chances(line: dict[str, Any]) -> dict[int, float]:
    return {int(n): p for n, p in line["probabilities"].items()}


def test_two_sensors_of_one_shake_are_one_shake(
    lines: list[dict[str, Any]], tmp_path: Path, capsys: Capture
) -> None:
    said = told(tmp_path, lines, capsys)
    assert [line["event"] for line in said] == ["shake"] * 3 + ["igloo", "shake", "igloo"]
    first, second = (add_up([chances(a), chances(b)]) for a, b in ((said[0], said[1]), (said[2], said[4])))
    assert [line["shakes"] for line in said if line["event"] == "igloo"] == [2, 2]
    assert chances(said[5]) == pytest.approx(add_up([first, second]), abs=1e-6)


@pytest.mark.parametrize("order", [(0, 2, 1, 3), (3, 1, 0, 2)])
def test_one_sensor_may_be_listed_after_the_other(
    order: tuple[int, ...], lines: list[dict[str, Any]], tmp_path: Path, capsys: Capture
) -> None:
    at_once = told(tmp_path, lines, capsys)[-1]
    said = told(tmp_path, [lines[i] for i in order], capsys)
    assert said[-1]["shakes"] == 2
    assert chances(said[-1]) == pytest.approx(chances(at_once), abs=1e-6)


def test_devices_named_after_sensors_are_of_one_igloo(
    lines: list[dict[str, Any]], tmp_path: Path, capsys: Capture
) -> None:
    said = told(tmp_path, [line | {"device": line["sensor"]} for line in lines], capsys)
    assert said[-1]["shakes"] == 2


def test_a_file_that_is_listed_twice_is_one_shake(
    lines: list[dict[str, Any]], tmp_path: Path, capsys: Capture
) -> None:
    twice = [lines[0], lines[0] | {"file": "./1.wav"}]
    assert [line["event"] for line in told(tmp_path, twice, capsys)] == ["shake", "shake"]
    said = told(tmp_path, [*twice, lines[2]], capsys)
    assert said[-1]["shakes"] == 2
    assert chances(said[-1]) == pytest.approx(add_up([chances(said[0]), chances(said[2])]), abs=1e-6)
