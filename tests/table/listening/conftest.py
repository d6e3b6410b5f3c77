"""Sound cards that stand in for real ones."""

from __future__ import annotations

import pytest

from tests.cards import Cards, stand_in


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Cards:
    return stand_in(monkeypatch)
