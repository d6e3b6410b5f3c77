"""What the tests of the ear's sources share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sensors.ear.profiles import profile as profiles
from sensors.ear.shakes.shake import get_ready
from tests.dongle import Dongle
from tests.sensors.ear.sources.igloo_ear import Ear


@pytest.fixture(scope="module")
def profile() -> profiles.Profile:
    """Of an accelerometer."""
    # or the first ear compiles while a dongle speaks, longer than what waits is kept
    get_ready("accelerometer")
    return profiles.load_shipped("accelerometer")


@pytest.fixture
def listening(port: Dongle, profile: profiles.Profile) -> Iterator[Ear]:
    """An ear at the port."""
    ear = Ear(port.name, profile)
    yield ear
    ear.close()
