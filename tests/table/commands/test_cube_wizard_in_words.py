"""`polartable calibrate cubes` without `--json`: what it tells people are sentences, and no names of fields."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.cubes import calibration
from sensors.cubes.calibration import CubeTeaching
from sensors.cubes.follow import NodeKey
from table.commands.cube_wizard import Wizard
from tests.table.commands.running import called, lines

KEY, UID = ("/dev/ttyACM0", 1), "c0be000000000001"
NUMBERED = CubeTeaching("A", "NW", (1.0, 0.0, 0.0, 0.0), *KEY, UID, 1.234)
PLAIN = CubeTeaching("C", "SE", (1.0, 0.0, 0.0, 0.0), "/dev/ttyUSB0", 3, None, 0.5)


class Silent:
    """A bridge from which nothing comes."""

    def take(self, timeout: float = 0.0) -> list[object]:
        return []


def found(monkeypatch: pytest.MonkeyPatch, as_json: bool, uids: dict[NodeKey, str]) -> None:
    """The wizard has found the cube of slot NW."""
    wizard = Wizard(Silent(), as_json, VirtualClock(), lambda question: "")  # type: ignore[arg-type]
    wizard._uids = uids
    monkeypatch.setattr(wizard, "_find", lambda: KEY)
    assert wizard._which("NW") == KEY


def test_which_cube_was_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found(monkeypatch, False, {KEY: UID})
    found(monkeypatch, False, {})
    assert capsys.readouterr().out.splitlines() == [
        f"cube A of slot NW is found: node 1 at /dev/ttyACM0 (board {UID})",
        "cube A of slot NW is found: node 1 at /dev/ttyACM0",
    ]
    found(monkeypatch, True, {KEY: UID})
    (told,) = lines(capsys.readouterr().out)
    assert told == {
        "step": "found", "ok": True, "slot": "NW", "port": "/dev/ttyACM0", "node": 1, "uid": UID
    }  # fmt: skip


def test_what_was_saved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = str(tmp_path / "cubes.json")
    monkeypatch.setattr(Wizard, "teach", lambda self, slot: PLAIN)
    words = "calibrate", "cubes", "mock", "--slot", "SE", "--out", out
    assert called(*words).stdout == f"cube C of slot SE is saved in {out}\n"
    assert lines(called(*words, "--json").stdout) == [{"step": "saved", "slot": "SE", "file": out}]


def test_what_was_taught_is_shown(tmp_path: Path) -> None:
    out = tmp_path / "cubes.json"
    calibration.save(out, [NUMBERED, PLAIN])
    words = "calibrate", "cubes", "--show", "--out", str(out)
    assert called(*words).stdout.splitlines() == [
        f"cube A of slot NW: node 1 at /dev/ttyACM0 (board {UID}); its faces fit to 1.2°",
        "cube C of slot SE: node 3 at /dev/ttyUSB0; its faces fit to 0.5°",
    ]
    assert lines(called(*words, "--json").stdout) == json.loads(out.read_text())["cubes"]
