"""A microphone of which nobody says where it sat may be heard as one on the shell: whoever fits is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sensors.ear.profiles.profile import load
from table.cli import run
from tests.calibration.folders import rewritten
from tests.rattle import write_sweeps

Capture = pytest.CaptureFixture[str]
SAID = 'no recording names its "place"'


@pytest.fixture(scope="module")
def nowhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep of four igloos; no line says where the microphone was."""
    folder = tmp_path_factory.mktemp("nowhere")
    write_sweeps(folder, sessions=1, counts=range(2, 14, 3))
    return folder


def fitted(folder: Path, out: Path, capsys: Capture, *options: str) -> tuple[bool, str]:
    """Is a head of the profile for a microphone on the shell; and what was said beside it."""
    profile = out / "p.profile"
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(profile), "--json", *options]) == 0
    said = json.loads(capsys.readouterr().out)
    return any(head.on_shell for head in load(profile).heads), "\n".join(said["warnings"])


def test_whoever_names_no_place_is_told_that_loudness_may_count(
    nowhere: Path, tmp_path: Path, capsys: Capture
) -> None:
    on_shell, said = fitted(nowhere, tmp_path, capsys)
    assert on_shell
    assert SAID in said
    assert '"place":"shell" or "place":"table" in recordings.jsonl, and fit again' in said


def test_whoever_names_a_place_or_a_start_is_not(nowhere: Path, tmp_path: Path, capsys: Capture) -> None:
    for place in ("table", "shell"):
        named = rewritten(nowhere, tmp_path / place, lambda i, line, at=place: line | {"place": at})
        on_shell, said = fitted(named, tmp_path, capsys)
        assert on_shell == (place == "shell")
        assert SAID not in said
    on_shell, said = fitted(nowhere, tmp_path, capsys, "--start-from", "contact")
    assert on_shell
    assert SAID not in said
    on_shell, said = fitted(nowhere, tmp_path, capsys, "--start-from", "microphone")
    assert not on_shell
    assert SAID not in said
