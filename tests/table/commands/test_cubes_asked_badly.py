"""`polartable cubes` and `calibrate cubes` asked for what cannot be: told at once, in words, nothing opened."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.bno08x_rvc import RvcDecoder
from firmware_bridge.detecting import DECODERS
from hw_mock.bench.cubes import SimulatedCubes
from hw_mock.cubes.node import PROTOCOLS as SPOKEN
from table.cli import run
from table.commands import cubes
from tests.table.commands.running import called, lines


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("cubes", "mock", "--baud", "12345678901234"), "--baud"),
        (("cubes", "mock", "--seed", "-1"), "--seed"),
        (("cubes", *(f"/dev/null{i}" for i in range(5))), "5 ports, but four cubes"),
        (("calibrate", "cubes"), "no port"),
    ],
    ids=lambda x: " ".join(x)[:30],
)
def test_what_cannot_be_is_refused_before_anything_is_opened(words: tuple[str, ...], why: str) -> None:
    refused = called(*words)
    assert refused.returncode == 2
    assert why in refused.stderr


@pytest.mark.parametrize("words", [("cubes", "mock"), ("calibrate", "cubes", "mock", "--out")])
def test_simulated_cubes_are_asked_for_a_protocol_that_they_do_not_speak(
    words: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A decoder that is added is known to the commands at once, and to the mock when somebody teaches it."""
    monkeypatch.setattr(cubes, "PROTOCOLS", (*cubes.PROTOCOLS, "other"))
    monkeypatch.setitem(DECODERS, "other", RvcDecoder)
    where = [str(tmp_path / "cubes.json")] if words[-1] == "--out" else []
    assert run([*words, *where, "--protocol", "other"]) == 2
    told = capsys.readouterr().err
    assert "simulated cubes do not speak 'other' – use one of polar, " in told
    assert told.endswith(", or the ports of real ones\n")
    assert told.count("\n") == 1


@pytest.mark.parametrize("words", [("mock", "--protocol", "witmotion-ble"), ("p", "--protocol", "morse")])
def test_cubes_are_not_taught_in_a_protocol_that_there_is_not(
    words: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "hw_mock.bench.cubes.SimulatedCubes", lambda *_, **__: pytest.fail("cubes were begun")
    )
    monkeypatch.setattr("table.commands.calibrate_cubes._teach", lambda *_: pytest.fail("ports were opened"))
    assert run(["calibrate", "cubes", *words, "--out", str(tmp_path / "cubes.json")]) == 2
    assert f"PT-311: there is no protocol {words[-1]!r}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "spoken"), [("auto", "polar"), *((word, word) for word in DECODERS if word in SPOKEN)]
)
def test_simulated_cubes_are_taught_in_the_protocol_that_is_listened_for(
    asked: str, spoken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They spoke `polar` whatever was asked for, and the wizard blamed them for not having been shaken."""
    made = list[str]()

    class Cubes(SimulatedCubes):
        def __init__(self, links: Path, **how: Any) -> None:
            super().__init__(links, **how)
            made.append(self.table.nodes["NW"].protocol)

    def teach(ports: Sequence[str], protocol: str, *_: object) -> None:
        made.append(protocol)

    monkeypatch.setattr("hw_mock.bench.cubes.SimulatedCubes", Cubes)
    monkeypatch.setattr("table.commands.calibrate_cubes._teach", teach)
    out = str(tmp_path / "cubes.json")
    assert run(["calibrate", "cubes", "mock", "--out", out, "--protocol", asked]) == 0
    assert made == [spoken, asked]


def test_what_was_taught_is_shown_without_any_port(tmp_path: Path) -> None:
    out = tmp_path / "cubes.json"
    cube = {"cube": "A", "slot": "NW", "mount": [1.0, 0.0, 0.0, 0.0], "port": "p", "node": 1, "uid": "aa"}
    cube |= {"off_deg": 1.0}
    out.write_text(json.dumps({"format": "polartable-cubes-1", "cubes": [cube]}))
    done = called("calibrate", "cubes", "--show", "--json", "--out", str(out))
    assert (done.returncode, lines(done.stdout)) == (0, [cube])
    none = called("calibrate", "cubes", "--show", "--out", str(tmp_path / "none.json"))
    assert none.returncode == 0
    assert "no cube was taught yet" in none.stdout
    none = called("calibrate", "cubes", "--show", "--json", "--out", str(tmp_path / "none.json"))
    assert (none.returncode, none.stdout) == (0, "")  # a line of it is a cube
    assert "no cube was taught yet" in none.stderr


def test_a_folder_that_may_not_be_entered_is_named_as_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was called no calibration, and to be taught again, which the same folder refuses."""
    closed = tmp_path / "closed" / "cubes.json"
    closed.parent.mkdir()
    closed.touch()

    def look(path: Path, *_: object, **__: object) -> str:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_text", look)  # root may enter everywhere
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert run(["calibrate", "cubes", "mock", "--out", str(closed)]) == 2
    assert capsys.readouterr().err == (
        f"polartable: PT-501: {closed} cannot be read (Permission denied) – "
        "check who owns it and the folders that it is in, or name another place\n"
    )


@pytest.mark.parametrize(
    ("out", "why"),
    [
        ("", "cannot be read (Is a directory)"),
        ("file/cubes.json", "cannot be read (Not a directory)"),
        ("closed/cubes.json", "cannot be written (it may not be written to)"),
        ("closed/new/cubes.json", "cannot be written (it may not be written to)"),
    ],
)
def test_where_nothing_can_be_saved_no_cube_is_taught(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, out: str, why: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "closed").mkdir()
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: "closed" not in str(path) and access(path, mode))
    assert run(["calibrate", "cubes", "/dev/no-such-port", "--out", str(tmp_path / out)]) == 2
    told = capsys.readouterr().err
    assert f"{tmp_path / out} {why} – " in told
    assert told.count("\n") == 1


def test_a_damaged_calibration_is_taught_anew_as_its_sentence_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command that the sentence named read the same file, and refused it again."""
    out = tmp_path / "cubes.json"
    words = ["calibrate", "cubes", "/dev/no-such-port", "--out", str(out)]
    out.write_text("{")
    assert run(words) == 2
    assert "move it away, then run `polartable calibrate cubes` again" in capsys.readouterr().err
    out.rename(tmp_path / "away.json")
    assert run(words) == 2
    assert "PT-301: there is no port /dev/no-such-port" in capsys.readouterr().err
    out.touch()  # nothing is lost with it
    assert run(words) == 2
    assert "PT-301: there is no port /dev/no-such-port" in capsys.readouterr().err
