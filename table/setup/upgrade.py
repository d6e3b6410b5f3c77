"""Upgrade: installs another version beside the running one, tests it, and only then switches over.

pip changes an environment in place: after a power cut in the middle neither version works. Here the new version gets
its own environment. Until it has played a game to its end the table runs the old one, and the switch is one rename.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from stat import S_ISREG

from table.setup.acts import SetupFailed, swap
from table.setup.doing import Say
from table.setup.plan import PREVIOUS, VERSIONS, WHOLE

KEPT = 2  # versions: the running one and the one before
WHEEL = re.compile(r"(polartable-[^-]+)(-\d[^-]*)?(-[^-]+){3}\.whl")  # pip parses a wheel's name


def environment(wheel: Path, current: Path) -> Path:
    """The folder of `wheel`'s environment. Raises `SetupFailed` if it is no wheel of ours."""
    mend = "give a wheel of Polartable, under the name with which it was built"
    name = WHEEL.fullmatch(wheel.name)
    try:
        if not S_ISREG(wheel.stat().st_mode) or name is None or not zipfile.is_zipfile(wheel):
            raise SetupFailed(f"{wheel} is no wheel of Polartable", mend)
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()[:8]
    except OSError as error:
        raise SetupFailed(f"{wheel} cannot be read ({error.strerror})", mend) from error
    return current.with_name(VERSIONS.name) / f"{name[1]}-{digest}"


def upgrade(wheel: Path, current: Path, say: Say) -> Path:
    """Install `wheel` and point `current` to it; returns the new environment.

    Raises `SetupFailed`; then everything is as before.
    """
    new = environment(wheel, current)
    if not (new / WHOLE).exists():
        shutil.rmtree(new, ignore_errors=True)  # left over from a power cut
        try:
            _make(new, wheel, say)
        except BaseException:  # also Ctrl-C
            shutil.rmtree(new, ignore_errors=True)
            with contextlib.suppress(OSError):  # other environments are in it
                new.parent.rmdir()
            raise
    running = current.resolve()
    swap(current, new)
    if running != new.resolve() and running.exists():
        swap(current.with_name(PREVIOUS.name), running)
    for old in sorted(new.parent.iterdir(), key=lambda p: p.stat().st_mtime)[:-KEPT]:
        if old.resolve() not in (new.resolve(), running):
            shutil.rmtree(old, ignore_errors=True)
    return new


def _make(new: Path, wheel: Path, say: Say) -> None:
    say("make", f"{new}; the table goes on with what it runs")
    _install(new, wheel)
    say("try", "a round and a game on simulated hardware")
    _run([str(new / "bin" / "polartable"), "demo", "--headless"])
    os.sync()  # the files must reach the disk before the rename does
    (new / WHOLE).touch()


def _install(new: Path, wheel: Path) -> None:
    """Create a fresh environment with the wheel, using our own pip if there is one, which saves unpacking another."""
    python = str(new / "bin" / "python")
    ours = importlib.util.find_spec("pip") is not None
    make = [getattr(sys, "_base_executable", sys.executable), "-m", "venv", str(new)]
    _run([*make, "--without-pip"] if ours else make)
    pip = [sys.executable, "-m", "pip", "--python", python] if ours else [python, "-m", "pip"]
    _run([*pip, "--quiet", "install", str(wheel)])


def before(current: Path) -> Path:
    """The previous version. Raises `SetupFailed` if there is none."""
    previous = current.with_name(PREVIOUS.name)
    if not previous.exists():
        raise SetupFailed("there is no version of before", "install one: polartable setup --upgrade WHEEL")
    return previous.resolve()


def back(current: Path) -> Path:
    """Switch back to the previous version. Raises `SetupFailed` if there is none."""
    was, now = before(current), current.resolve()
    swap(current, was)
    swap(current.with_name(PREVIOUS.name), now)
    return was


def _run(command: list[str]) -> None:
    words = f"{Path(command[0]).name} {' '.join(command[1:])}"
    mend = "the table runs on as before; mend that first"
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise SetupFailed(f"{words}: {error.strerror}", mend) from error
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()
        # pip prints the cause first and then hints
        cause = next((line for line in said if line.startswith("ERROR")), said[-1])
        raise SetupFailed(f"{words}: {cause}", mend)
