"""What the tests of calibration share."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.cli import run
from tests.rattle import write_sweeps


@pytest.fixture(scope="module")
def sweeps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of rattles by three "people"; a module's own, for some write into it."""
    folder = tmp_path_factory.mktemp("sweeps")
    write_sweeps(folder)
    return folder


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four igloos, three sessions."""
    folder = tmp_path_factory.mktemp("few")
    write_sweeps(folder, counts=range(2, 14, 3))
    return folder


@pytest.fixture(scope="module")
def one_sitting(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder of one session, and the profile that was fitted on it."""
    folder = tmp_path_factory.mktemp("one")
    write_sweeps(folder, sessions=1)
    out = folder / "one.profile"
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(out)]) == 0
    return folder, out
