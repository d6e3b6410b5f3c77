"""What the tests of calibration share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rattle import write_sweeps


@pytest.fixture(scope="module")
def sweeps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of rattles by three "people"; a module's own, for some write into it."""
    folder = tmp_path_factory.mktemp("sweeps")
    write_sweeps(folder)
    return folder
