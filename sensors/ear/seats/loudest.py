"""Whose hits they are: a hit belongs to the seat where it is loudest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.seats.neighbours import Floats


class Rises(NamedTuple):
    """The rise of a seat's energy in each frame, float64[frames]: in all, and while no other seat is louder."""

    all: Floats
    own: Floats

    @property
    def share(self) -> float:
        """The part of all rises that is its own."""
        return float(self.own.sum() / max(float(self.all.sum()), 1e-30))


def rises(seat: int, energies: Floats, near_frames: int) -> Rises:
    """The rises of `seat`, from energies [seats, frames]; a hit comes to others at most `near_frames` earlier or
    later."""
    smooth = scipy.ndimage.uniform_filter1d(energies, 3, axis=1)
    rising = np.maximum(np.diff(smooth[seat], prepend=smooth[seat, :1]), 0.0)
    others = [j for j in range(len(energies)) if j != seat]
    if not others:
        return Rises(rising, rising)
    near = scipy.ndimage.maximum_filter1d(smooth[others], 2 * near_frames + 1, axis=1).max(axis=0)
    return Rises(rising, rising * (smooth[seat] >= near))
