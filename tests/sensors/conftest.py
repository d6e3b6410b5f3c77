"""What the tests of sensors share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dongle import Dongle, Felt, held_dongle, one_shake


@pytest.fixture(scope="module")
def felt() -> Felt:
    """A shaken igloo, as its node feels it."""
    return one_shake()


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Dongle]:
    """A dongle whose port is open already."""
    with held_dongle(tmp_path) as pty:
        yield pty
