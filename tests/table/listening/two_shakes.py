"""A sound of two shakes, files that break off, and what `listen` tells of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from table.cli import run
from tests.rattle import RATE, rattle

Capture = pytest.CaptureFixture[str]
QUIET = np.zeros(RATE, np.float32)
TWICE = [QUIET, rattle(5, 1), QUIET, rattle(7, 2), QUIET]
SECOND_S = 1 + len(rattle(5, 1)) / RATE + 1  # of what the second one is heard in


def cut(path: Path, share: float) -> None:
    """The header promises what the file has no more."""
    path.write_bytes(path.read_bytes()[: round(share * path.stat().st_size)])


def told(capsys: Capture, *words: str) -> tuple[int, list[dict[str, object]], str]:
    code = run(["listen", *words, "--json"])
    said = capsys.readouterr()
    return code, [json.loads(line) for line in said.out.splitlines()], said.err
