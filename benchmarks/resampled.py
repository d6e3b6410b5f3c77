"""Intervals of figures that are no shares, of many tables or hours: by resampling whole ones with replacement."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

RESAMPLES = 2000


def by_sessions(
    sessions: Sequence[str], of: Callable[[npt.NDArray[np.intp]], float], seed: int = 0
) -> list[float]:
    """95 % interval of a figure under resampling whole sessions; `of` takes the chosen ones' members."""
    names, which = np.unique(np.array(sessions, dtype=str), return_inverse=True)
    if len(names) < 2:
        return [0.0, 1.0]  # one session tells nothing about another
    members = [np.flatnonzero(which == i) for i in range(len(names))]
    random = np.random.default_rng(seed)
    figures = [
        of(np.concatenate([members[i] for i in random.integers(0, len(names), len(names))]))
        for _ in range(RESAMPLES)
    ]
    low, high = np.quantile(figures, (0.025, 0.975))
    return [round(float(low), 3), round(float(high), 3)]
