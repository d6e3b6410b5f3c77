"""Profiles of seats of two damped tones."""

from __future__ import annotations

import pytest

from sensors.gesture.profile import GestureProfile
from tests.sensors.gesture.seat_table import HEAVY, SMALL, fitted


@pytest.fixture(scope="module")
def profile() -> GestureProfile:
    return fitted()


@pytest.fixture(scope="module")
def alike() -> GestureProfile:
    """Neighbours differ by less than half a hundredth."""
    return fitted(SMALL, HEAVY)
