"""The two IMUs whose FIFO the firmware empties, what they are fed, and where in it a burst begins."""

from __future__ import annotations

import numpy as np
import pytest

CHIPS = pytest.mark.parametrize(
    "who", [0x6A, 0x6C], ids=["LSM6DSL, words in a pattern", "LSM6DSO, words with tags"]
)


def fed(truth: np.ndarray) -> list[list[float]]:
    return np.hstack([np.zeros_like(truth), truth]).round(4).tolist()


def where(got: np.ndarray, truth: np.ndarray) -> int:
    """At which sample of the truth a burst begins: all of it must be there, in order, to a unit of the wire."""
    starts = [i for i in range(len(truth) - len(got) + 1) if np.allclose(truth[i], got[0], atol=1.1e-3)]
    return next(i for i in starts if np.allclose(truth[i : i + len(got)], got, atol=1.1e-3))
