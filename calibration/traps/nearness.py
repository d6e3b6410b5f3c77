"""Distances between takes by their sound, as used by several traps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from calibration.takes.features import Row
from sensors.ear.frames.frontend import Floats

# features of the bands' loudness: on average, and all of them
MEAN_SIZES, ALL_SIZES = "size.mean_", "size."
NEIGHBOURS = 3  # nearest takes that vote on a take's count
BEYOND_CHANCE = 3.0  # standard errors beyond which an effect is more than chance


def loudness(rows: Sequence[Row], of: str = MEAN_SIZES) -> Floats:
    """[takes, the loudness features that all takes have]: a folder may hold several kinds of sensors."""
    names = tuple(
        n for n in rows[0].shake.names if n.startswith(of) and all(n in r.shake.names for r in rows)
    )
    return np.array([r.shake.pick(names) for r in rows])


def background(rows: Sequence[Row]) -> Floats:
    """[takes, 1], dB."""
    return np.array([[r.background_db] for r in rows])


def scaled(values: Floats) -> Floats:
    """[takes, features], each feature centred on its median and scaled to the same width; constant ones are 0."""
    out: Floats = (values - np.median(values, axis=0)) / (values.std(axis=0) + 1e-9)
    return out


def told_by_neighbours(apart: Iterable[Floats], beads: npt.NDArray[np.intp]) -> float:
    """Share of counts predicted by the majority of the nearest takes.

    `apart`: for each take in turn its distances from all, or their squares; inf from itself, and from takes that must
    not be used.
    """
    right = 0
    for distances, own in zip(apart, beads, strict=True):
        near = beads[np.argsort(distances, kind="stable")[:NEIGHBOURS]]
        kinds, votes = np.unique(near, return_counts=True)
        right += int(kinds[np.argmax(votes)] == own)
    return right / len(beads)
