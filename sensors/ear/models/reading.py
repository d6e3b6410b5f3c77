"""The count that the network itself reads off its embedding: a last layer and a softmax.

On simulated igloos that nobody has calibrated it errs less than the populations do. Once a sweep is known the
populations tell more, and the reading's weight falls, to zero where left-out takes speak against it
(sensors.ear.models.fitting).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensors.ear.frames.frontend import Floats
from sensors.ear.shakes.net import GROUP, MOST_READ, Net

UNCALIBRATED = 0.5  # weight beside the fitted model, on igloos that nobody has calibrated
# after a sweep, where the hand is felt: without that, a sweep hardly improves the populations
AFTER_SWEEP = 0.3


@dataclass(frozen=True, slots=True)
class Reading:
    """The embedding's columns among the features, the last layer for 1 … MOST_READ beads, and the reading's weight."""

    columns: npt.NDArray[np.intp]
    slopes: Floats  # [embedding, MOST_READ]
    intercepts: Floats  # [MOST_READ]
    weight: float

    def log_likelihood(self, values: Floats, counts: Sequence[int]) -> Floats:
        """ln p of float64[rows, features] under each of `counts`, float64[rows, counts]; only differences mean
        anything."""
        return self.of_embedding(values[:, self.columns], counts)

    def of_embedding(self, embedding: Floats, counts: Sequence[int]) -> Floats:
        """The same for float64[rows, embedding], in the order of `columns`."""
        told: Floats = self.intercepts + embedding @ self.slopes
        return told[:, np.asarray(counts, dtype=np.intp) - 1]


def readable(counts: Sequence[int]) -> bool:
    """Does the last layer cover all of these counts?"""
    return min(counts) >= 1 and max(counts) <= MOST_READ


def reading_of(net: Net | None, names: Sequence[str], counts: Sequence[int], weight: float) -> Reading | None:
    """The reading of `net` over features `names`; None without a network, or where a count is beyond its range."""
    columns = [i for i, name in enumerate(names) if name.startswith(GROUP + ".")]
    if net is None or not columns or not readable(counts):
        return None
    return Reading(
        np.array(columns, dtype=np.intp),
        net.weights["out"].astype(np.float64),
        net.biases["out"].astype(np.float64),
        weight,
    )
