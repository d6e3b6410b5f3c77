"""A ring-down's poles: frequency, decay and size of each damped tone (ESPRIT).

Roy and Kailath, IEEE Trans. ASSP 37, 984, 1989: the tones' subspace of a Hankel matrix turns by each tone's pole from
one sample to the next. Its errors stay within a few tenths of the Cramér–Rao bound at the signal-to-noise ratios of a
tap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensors.one_thread import one_thread

Floats = NDArray[np.float64]
ORDER = 12  # six tones: two of the seat, two of the base on its feet, hum, and one to spare
LONGEST = 500  # samples that are looked at


@dataclass(frozen=True, slots=True)
class Tone:
    """One damped tone. hz; decay in 1/s; size: amplitude at the segment's start, over all axes, in its unit."""

    hz: float
    decay: float
    size: float

    @property
    def quality(self) -> float:
        return math.pi * self.hz / self.decay if self.decay > 0 else math.inf


@dataclass(frozen=True, slots=True)
class Fit:
    """A ring told as damped tones, strongest first. of: the differences [n, axes] that they are fitted to; left: what
    of these no tone tells."""

    tones: list[Tone]
    of: Floats
    left: Floats


def tones(samples: Floats, rate: float, differences: int = 0) -> list[Tone]:
    """The damped tones of samples [n, axes] or [n], `rate` a second, strongest first; the rest as of `fitted`."""
    return fitted(samples, rate, differences).tones


def fitted(samples: Floats, rate: float, differences: int = 0) -> Fit:
    """The same, and what they leave. Raises ValueError for fewer than 4·ORDER samples beside one for each difference.

    differences: how often neighbours are subtracted first. A damped tone stays one, with the same pole; low tones and
    gravity shrink, and nothing rings on as after a filter. Sizes are those before.
    """
    x = np.asarray(samples, np.float64)[:LONGEST]
    if x.ndim == 1:
        x = x[:, None]
    x = np.diff(x, n=differences, axis=0)
    n = len(x)
    if n < 4 * ORDER:
        raise ValueError(f"{n} samples are too few for {ORDER} poles")
    x = x - x.mean(axis=0)
    rows = n // 3
    hankel = np.concatenate(
        [np.lib.stride_tricks.sliding_window_view(x[:, k], rows) for k in range(x.shape[1])]
    )
    # the right singular vectors of the stacked Hankel matrix, by the small product
    with one_thread():
        _, vectors = np.linalg.eigh(hankel.T @ hankel)
    space = vectors[:, -ORDER:]
    turn, *_ = np.linalg.lstsq(space[:-1], space[1:], rcond=None)
    poles = np.linalg.eigvals(turn)
    poles = poles[(poles.imag > 1e-6) & (np.abs(poles) > 0.5) & (np.abs(poles) < 1.02)]
    if not len(poles):
        return Fit([], x, x)
    basis = poles[None, :] ** np.arange(n)[:, None]
    basis = np.concatenate([basis.real, basis.imag], axis=1)
    parts, *_ = np.linalg.lstsq(basis, x, rcond=None)
    half = len(poles)
    size = np.sqrt(np.sum(parts[:half] ** 2 + parts[half:] ** 2, axis=1)) / np.abs(1 - poles) ** differences
    found = [
        Tone(float(np.angle(p)) * rate / (2 * math.pi), float(-math.log(abs(p)) * rate), float(a))
        for p, a in zip(poles, size, strict=True)
    ]
    return Fit(sorted(found, key=lambda t: -t.size), x, x - basis @ parts)
