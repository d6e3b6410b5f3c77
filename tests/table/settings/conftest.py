"""What the tests of the settings share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.table.settings.back_room import GOOD


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Settings without a fault; a test spoils them."""
    path = tmp_path / "table.toml"
    path.write_text(GOOD)
    return path
