"""Another version beside the running one: made whole, tried out, and only then swapped in.

pip changes an environment in place: pull the plug in the middle and neither version is left. Here the new one gets an
environment of its own; until it has played a game to its end the table runs the old one, and the swap is one rename.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from table.setup.doing import SetupFailed, swap

KEPT = 2  # versions: the running one and the one before
WHOLE = ".whole"  # in an environment that was finished


def upgrade(wheel: Path, current: Path, say: Callable[[str], None]) -> Path:
    """Install `wheel` and point `current` to it; the new environment. Raises `SetupFailed`; then all is as before."""
    try:
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()[:8]
    except OSError as error:
        raise SetupFailed(
            f"{wheel} cannot be read ({error.strerror})", "give a wheel of Polartable"
        ) from error
    versions = current.parent / "versions"
    new = versions / f"{'-'.join(wheel.name.split('-')[:2])}-{digest}"
    if not (new / WHOLE).exists():
        shutil.rmtree(new, ignore_errors=True)  # what an interrupted upgrade left
        say(f"making {new}; the table goes on with what it runs")
        _install(new, wheel)
        say("trying it: a round and a game on simulated hardware")
        _run([str(new / "bin" / "polartable"), "demo", "--headless"])
        os.sync()  # the rename must not reach the disk before the files do
        (new / WHOLE).touch()
    before = current.resolve()
    swap(current, new)
    if before != new.resolve() and before.exists():
        swap(current.with_name("previous"), before)
    for old in sorted(versions.iterdir(), key=lambda p: p.stat().st_mtime)[:-KEPT]:
        if old.resolve() not in (new.resolve(), before):
            shutil.rmtree(old, ignore_errors=True)
    return new


def _install(new: Path, wheel: Path) -> None:
    """A fresh environment with the wheel in it: by our own pip where we have one, which saves unpacking another."""
    python = str(new / "bin" / "python")
    ours = importlib.util.find_spec("pip") is not None
    make = [getattr(sys, "_base_executable", sys.executable), "-m", "venv", str(new)]
    _run([*make, "--without-pip"] if ours else make)
    pip = [sys.executable, "-m", "pip", "--python", python] if ours else [python, "-m", "pip"]
    _run([*pip, "--quiet", "install", str(wheel)])


def back(current: Path) -> Path:
    """The version of before again. Raises `SetupFailed` where there is none."""
    previous = current.with_name("previous")
    if not previous.exists():
        raise SetupFailed("there is no version of before", "install one: polartable setup --upgrade WHEEL")
    was, now = previous.resolve(), current.resolve()
    swap(current, was)
    swap(previous, now)
    return was


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()[-1]
        raise SetupFailed(
            f"{Path(command[0]).name} {' '.join(command[1:])}: {said}",
            "the table runs on as before; mend that first",
        )
