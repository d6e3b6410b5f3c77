"""A simulated port on which igloos speak, and one shake of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dongle import Dongle, Felt, one_shake


@pytest.fixture(scope="module")
def felt() -> Felt:
    return one_shake()


@pytest.fixture
def dongle(tmp_path: Path) -> Iterator[Dongle]:
    pty = Dongle(tmp_path / "dongle")
    yield pty
    pty.close()
    pty.rest()
