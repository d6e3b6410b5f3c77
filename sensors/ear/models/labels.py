"""What is known of the takes that a model is fitted on, besides their measured features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Labels:
    """Int[takes] each. All but `beads` are labels from 0 on: equal numbers mean the same fold, device, person or
    source."""

    beads: Ints
    sessions: Ints
    folds: Ints  # the fold that each take is left out with
    devices: Ints | None = None  # its set of igloos; None: all are of one
    people: Ints | None = None  # who shook; None: nobody knows
    # where the set comes from: a simulation engine, or another part of the world; None: all from one
    sources: Ints | None = None

    @property
    def sets(self) -> Ints:
        """`devices`, also where all are of one."""
        return np.zeros_like(self.sessions) if self.devices is None else self.devices
