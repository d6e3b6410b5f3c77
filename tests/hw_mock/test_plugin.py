"""hw_mock as a pytest plugin: another project's tests on simulated parts, and the same tests on parts on a desk.

The desk is played here: its cubes are simulated behind real pseudo-terminals, and what the plugin asks of a person on
the terminal is done by reading the question, moving the cubes, and pressing Enter.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware_bridge.clock import SystemClock
from hw_mock import pytest_plugin
from hw_mock.bench.buttons import RealButtons
from hw_mock.bench.cubes import RealCubes, SimulatedCubes
from hw_mock.bench.igloo import RealIgloo
from hw_mock.bench.person import NotDone, Person
from tests.parts import ROOT, needs


@pytest.fixture
def lamp(tmp_path: Path) -> Path:
    """The example project of docs/mock.md in a folder of its own, away from our settings of pytest."""
    folder = tmp_path / "lamp"
    shutil.copytree(
        ROOT / "docs" / "examples" / "lamp", folder, ignore=shutil.ignore_patterns("__pycache__", ".*")
    )
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p no:cacheprovider\n")
    return folder


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "pytest", *words]


@needs("pulseaudio", "portaudio")
def test_another_projects_tests_pass_on_simulated_parts(lamp: Path) -> None:
    done = subprocess.run(command(), cwd=lamp, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "real parts: none; the others are simulated" in done.stdout
    assert "6 passed" in done.stdout


def test_the_same_tests_run_on_the_parts_of_a_desk(lamp: Path, tmp_path: Path) -> None:
    cubes = SimulatedCubes(tmp_path / "desk", seed=5)
    acts: dict[str, Callable[[], None]] = {
        "Tilt the northern pair to the south": lambda: cubes.tilt("n", "S"),
        "Lift the cube in SE, look through it, put it back as it was": lambda: cubes.look_through("SE"),
    }
    ours, theirs = pty.openpty()
    name = os.ttyname(theirs)
    words = command("-k", "tilt", "--hw", "cubes=" + ",".join(cubes.ports), "test_lamp.py")

    def own_terminal() -> None:  # so that /dev/tty is this one
        os.setsid()
        fcntl.ioctl(os.open(name, os.O_RDWR), termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        words, cwd=lamp, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, preexec_fn=own_terminal
    )
    clock, heard = SystemClock(), ""
    asked = []
    while process.poll() is None and clock.now() < 200:
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        heard += os.read(ours, 4096).decode()
        for what, act in acts.items():
            if f"{what}, then press Enter" in heard:
                heard = ""
                asked.append(what)
                act()
                os.write(ours, b"\n")
    out = process.communicate(timeout=60)[0]
    cubes.close()
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 0, out
    assert f"real parts: cubes {cubes.ports[0]}" in out
    assert asked == list(acts)


def test_what_a_person_is_asked() -> None:
    asked: list[str] = []
    person = Person(lambda question: asked.append(question) or "")  # type: ignore[func-returns-value]
    cubes = RealCubes(["/dev/ttyACM0"], person)
    cubes.tilt("e", "W")
    cubes.turn("NW", "ccw")
    RealIgloo("USB", person).shake(7)
    RealButtons({"red": 17}, person).press("red")
    assert asked == [
        "Tilt the eastern pair to the west, then press Enter (n: I cannot).",
        "Turn the cube in NW a quarter counter-clockwise, seen from above, then press Enter (n: I cannot).",
        "Shake the igloo of 7 beads for two seconds and put it down, then press Enter (n: I cannot).",
        "Press the button of red (pin 17) once, then press Enter (n: I cannot).",
    ]
    with pytest.raises(NotDone, match="Unplug the cable"):
        RealCubes([], Person(lambda question: "n")).unplug("NW")


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["--hw", "cubes=A", "mic=B", "tests"], ["--hw", "cubes=A", "--hw", "mic=B", "tests"]),
        (["-x", "--hw=cubes=A", "mic=B"], ["-x", "--hw=cubes=A", "--hw", "mic=B"]),
        (["tests", "mic=B"], ["tests", "mic=B"]),
        (["--hw", "cubes=A", "-k", "mic=B"], ["--hw", "cubes=A", "-k", "mic=B"]),
    ],
)
def test_several_parts_may_follow_the_option(given: list[str], meant: list[str]) -> None:
    pytest_plugin.pytest_load_initial_conftests(None, given)  # type: ignore[arg-type]
    assert given == meant


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("cube=A", "no part 'cube'; did you mean cubes?"),
        ("mic=", "say which – the name of the microphone"),
        ("zzz", "no part 'zzz'; did you mean cubes?"),
    ],
)
def test_a_part_that_is_none_is_said_so(word: str, says: str) -> None:
    config = SimpleNamespace(getoption=lambda name: [word])
    with pytest.raises(pytest.UsageError, match=says.replace("?", r"\?")):
        pytest_plugin.real_parts(config)  # type: ignore[arg-type]
