"""A sound server that never answers is not left behind, also where it does not mean to end."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hw_mock import pulse
from hw_mock.bench.igloo import SimulatedIgloo
from hw_mock.pulse import VirtualSound

STUBBORN = "trap '' TERM\n"  # outlives `exec`
SLOW, REFUSED = "exec sleep 100\n", "exit 1\n"

Programs = Callable[[str, str], Path]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    """Have other programs for pulseaudio and pactl; where the first one writes its number."""
    number = tmp_path / "number"

    def put(server: str, control: str) -> Path:
        there = tmp_path / "programs"
        there.mkdir()
        for name, does in (("pulseaudio", f"echo $$ > {number}\n{server}"), ("pactl", control)):
            (there / name).write_text(f"#!/bin/sh\n{does}")
            (there / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{there}:{os.environ['PATH']}")
        return number

    monkeypatch.setattr(pulse, "PATIENCE_S", 0.7)
    return put


def runs(number: Path) -> bool:
    if not number.exists():  # ended before it could write
        return False
    try:
        os.kill(int(number.read_text()), 0)
    except ProcessLookupError:
        return False
    return True


def entered(folder: Path) -> None:
    with VirtualSound(folder):
        pytest.fail("nothing has answered")


def simulated(folder: Path) -> None:
    SimulatedIgloo(folder)


@pytest.mark.parametrize("start", [entered, simulated])
@pytest.mark.parametrize(
    ("control", "error", "words"),
    [(REFUSED, RuntimeError, "pulseaudio did not start"), (SLOW, subprocess.TimeoutExpired, "pactl")],
)
def test_one_that_did_not_start_is_ended(
    tmp_path: Path,
    programs: Programs,
    start: Callable[[Path], None],
    control: str,
    error: type[Exception],
    words: str,
) -> None:
    number = programs(SLOW, control)
    with pytest.raises(error, match=words):
        start(tmp_path)
    assert not runs(number)


def test_one_that_ignores_that_it_is_to_end_is_killed(tmp_path: Path, programs: Programs) -> None:
    number = programs(STUBBORN + SLOW, REFUSED)
    with pytest.raises(RuntimeError, match="did not start"):
        entered(tmp_path)
    assert not runs(number)


def test_one_that_answered_and_then_hangs_is_killed_and_may_be_stopped_again(
    tmp_path: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "PATIENCE_S", 10.0)
    # its answer: the number that it has written
    number = programs(STUBBORN + SLOW, f"test -s {tmp_path / 'number'}\n")
    with VirtualSound(tmp_path) as card:
        assert runs(number)
        monkeypatch.setattr(pulse, "PATIENCE_S", 0.3)
        card.stop()
        assert not runs(number)
