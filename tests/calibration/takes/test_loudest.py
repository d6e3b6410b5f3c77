"""What is around the loudest sample is the same in copies that were cut, turned down and turned upside down."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from calibration.takes.loudest import Loudest
from sensors.ear.frames.frontend import Array


def told(sound: npt.ArrayLike) -> str:
    loudest = Loudest()
    loudest.push(np.asarray(sound, dtype=np.float32))
    return loudest.told


def sound(channels: int = 1) -> Array:
    """Whose loudest sample is far above zero."""
    made = np.random.default_rng(3).normal(0, 0.1, (3000, channels))
    made[1700] = 0.9
    return np.asarray(made.astype(np.float32))


def test_what_points_upwards_is_named_as_ever() -> None:
    """Profiles carry these names."""
    ramp = np.arange(60)[:, None] / 128
    ramp[30] = 0.75
    assert told(ramp) == "2f3de049adbcf0db"


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("gain", [-1.0, -0.5, 0.5])
def test_a_copy_upside_down_is_known(channels: int, gain: float) -> None:
    assert told(gain * sound(channels)) == told(sound(channels))
    assert told(gain * sound(channels)[500:-300]) == told(sound(channels))


def test_of_three_axes_they_are_turned_together() -> None:
    """One axis the other way round is another movement."""
    assert told(sound(3) * [1, 1, -1]) != told(sound(3))
