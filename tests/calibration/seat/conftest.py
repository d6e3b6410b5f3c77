"""Folders of gestures on a seat of two damped tones."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.calibration.seat.weighed import Write, write_gestures


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Writes a folder of one set, D01, with igloos 3, 6, 9 and 12 done rightly but for what is handed in."""
    return partial(write_gestures, tmp_path)
