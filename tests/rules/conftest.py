"""What the tests of the rules share."""

from __future__ import annotations

import pytest

from tests.rules.talk import Talk


@pytest.fixture
def talk() -> Talk:
    return Talk()
