"""What is known of takes that a model is fitted on, beside what was measured of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Labels:
    """Int[takes] each; all but `beads` are numbers from 0 on that only tell the same from another."""

    beads: Ints
    sessions: Ints
    folds: Ints  # that each take is left out with
    devices: Ints | None = None  # its set of igloos; None: all are of one
    people: Ints | None = None  # who shook; None: nobody knows
    # where the set is from, an engine that simulates them or another part of the world; None: one and the same
    sources: Ints | None = None

    @property
    def sets(self) -> Ints:
        """`devices`, also where all are of one."""
        return np.zeros_like(self.sessions) if self.devices is None else self.devices
