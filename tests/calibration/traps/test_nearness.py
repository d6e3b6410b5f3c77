"""How near takes are to one another: by what all of them have, each feature as wide as any other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.takes.features import Row
from calibration.traps.nearness import ALL_SIZES, background, loudness, scaled, told_by_neighbours
from sensors.ear.frames.frontend import front_end_for
from sensors.ear.shakes.shake import Shake

FRONT = front_end_for("microphone", 44100)


def row(background_db: float, **features: float) -> Row:
    names = tuple(name.replace("size_", "size.") for name in features)
    shake = Shake(FRONT, names, np.array([*features.values()]), 0.0, 8, 0.0, 2.0)
    return Row(Recording(Path(), "a.wav", "microphone", 5), 44100.0, shake, 40.0, False, background_db)


def test_takes_are_as_loud_as_the_bands_that_all_of_them_have() -> None:
    rows = [
        row(-60.0, size_mean_low=1.0, size_mean_high=2.0, size_peak=3.0, pace=4.0),
        row(-50.0, pace=8.0, size_peak=7.0, size_mean_low=5.0),
    ]
    assert loudness(rows).tolist() == [[1.0], [5.0]]
    assert loudness(rows, ALL_SIZES).tolist() == [[1.0, 3.0], [5.0, 7.0]]
    assert loudness([row(-60.0, pace=4.0)]).size == 0
    assert background(rows).tolist() == [[-60.0], [-50.0]]


def test_each_feature_is_as_wide_as_any_other_and_one_that_never_changes_says_nothing() -> None:
    values = np.array([[0.0, 0.0, 7.0], [1.0, 100.0, 7.0], [5.0, 500.0, 7.0]])
    z = scaled(values)
    assert z[:, 0] == pytest.approx(z[:, 1])
    assert z[1].tolist() == [0.0, 0.0, 0.0]  # the median's
    assert z[:, 2].tolist() == [0.0, 0.0, 0.0]


def test_the_most_of_the_three_nearest_tell_a_count() -> None:
    at = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 12.0, 13.0])
    beads = np.array([3, 3, 3, 8, 8, 8, 3])
    apart = np.abs(at[:, None] - at)
    np.fill_diagonal(apart, np.inf)
    # the last one of the three is far off, and the last take of all is among others
    assert told_by_neighbours(apart, beads) == pytest.approx(6 / 7)
    assert told_by_neighbours(iter(apart), beads) == pytest.approx(6 / 7)  # one by one as well
