"""The poles of a ring-down: frequency, decay and amplitude of each damped tone (ESPRIT).

Roy and Kailath, IEEE Trans. ASSP 37, 984, 1989: from one sample to the next, the signal subspace of a Hankel matrix is
rotated by the tones' poles. The errors stay within a few tenths of the Cramér–Rao bound at the signal-to-noise ratios
of a tap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are loaded when they are first asked
from numpy.typing import NDArray

from sensors.one_thread import one_thread

Floats = NDArray[np.float64]
ORDER = 12  # model order, six tones: two of the seat, two of the base on its feet, hum, and one to spare
LONGEST = 500  # samples that are used


@dataclass(frozen=True, slots=True)
class Tone:
    """One damped tone. hz; decay in 1/s; size: amplitude over all axes at the segment's start, in the segment's
    unit."""

    hz: float
    decay: float
    size: float

    @property
    def quality(self) -> float:
        return math.pi * self.hz / self.decay if self.decay > 0 else math.inf


@dataclass(frozen=True, slots=True)
class Fit:
    """A ring as a sum of damped tones, the strongest first. of: the differences [n, axes] that they are fitted to;
    left: the residual."""

    tones: list[Tone]
    of: Floats
    left: Floats


def tones(samples: Floats, rate: float, differences: int = 0) -> list[Tone]:
    """The damped tones of samples [n, axes] or [n], `rate` a second, the strongest first; otherwise as `fitted`."""
    return fitted(samples, rate, differences).tones


def fitted(samples: Floats, rate: float, differences: int = 0) -> Fit:
    """The same, with the residual. Raises ValueError for fewer than 4·ORDER samples, plus one for each difference.

    differences: how often neighbouring samples are subtracted first. A damped tone keeps its pole; low tones and
    gravity shrink, and nothing rings on as after a filter. Amplitudes are those before the subtraction.
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
    space = _space(_product(x, rows))
    turn, *_ = np.linalg.lstsq(space[:-1], space[1:], rcond=None)
    poles = np.linalg.eigvals(turn)
    poles = poles[(poles.imag > 1e-6) & (np.abs(poles) > 0.5) & (np.abs(poles) < 1.02)]
    if not len(poles):
        return Fit([], x, x)
    basis = np.exp(np.arange(n)[:, None] * np.log(poles))
    basis = np.concatenate([basis.real, basis.imag], axis=1)
    parts, *_ = np.linalg.lstsq(basis, x, rcond=None)
    half = len(poles)
    size = np.sqrt(np.sum(parts[:half] ** 2 + parts[half:] ** 2, axis=1)) / np.abs(1 - poles) ** differences
    found = [
        Tone(float(np.angle(p)) * rate / (2 * math.pi), float(-math.log(abs(p)) * rate), float(a))
        for p, a in zip(poles, size, strict=True)
    ]
    return Fit(sorted(found, key=lambda t: -t.size), x, x - basis @ parts)


def _space(product: Floats) -> Floats:
    """The ORDER dominant right singular vectors of the axes' stacked Hankel matrices, float64[rows, ORDER], from
    HᵀH."""
    rows = len(product)
    with one_thread():
        try:
            few = (rows - ORDER, rows - 1)
            found = scipy.linalg.eigh(product, lower=False, subset_by_index=few, driver="evr")[1]
        except np.linalg.LinAlgError:
            # a lone step in silence, say, has many zero eigenvalues, from which it cannot choose a few
            found = np.linalg.eigh(product, UPLO="U")[1][:, -ORDER:]
    return np.asarray(found)


def _product(x: Floats, rows: int) -> Floats:
    """HᵀH of the axes' Hankel matrices H[j, i] = x[i + j], stacked: its upper half, float64[rows, rows].

    The first row correlates x with itself. Each further entry is its upper left neighbour, minus the product that
    leaves the window, plus the one that enters.
    """
    long = len(x) - rows + 1
    out = np.zeros((rows, rows))
    out[0] = sum(np.correlate(axis, axis[:long], "valid") for axis in x.T)
    change = x[long:] @ x[long:].T - x[: rows - 1] @ x[: rows - 1].T
    for i in range(1, rows):
        out[i, i:] = out[i - 1, i - 1 : -1] + change[i - 1, i - 1 :]
    return out
