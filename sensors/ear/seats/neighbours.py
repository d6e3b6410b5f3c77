"""Estimates how neighbours leak into a seat's microphone, and subtracts it.

Hands move while they shake, by more than the wavelengths that beads ring at, so no filter on waveforms would hold:
everything here works on energies. At seat i the envelope is that of its own igloo plus, for every other seat j, the
envelope there, delayed, weighted by band, and smeared by the room. Own hits only ever add to that, so the weights
describe the lower edge of the data: an expectile regression (Newey and Powell, Econometrica 55, 819, 1987) with
non-negative weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import mul

import numpy as np
import scipy  # its parts are loaded when they are first asked
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LATE_S = (0.0005, 0.0022)  # delay of sound at another seat: a path longer by 0.2–0.75 m
SMEAR_S = 0.040  # early reflections
SMEARED = 0.6  # their energy relative to the direct sound
COARSE_S = 0.003  # frames are averaged to this for the regression
EXPECTILE = 0.1
ROUNDS = 5  # of iterative reweighting
USUAL_WEIGHT = 0.05  # −13 dB, the prior
TRUST_USUAL = 0.02  # weight of the prior beside the data
MOST_WEIGHT = 0.8  # nobody is as loud at another seat as at their own
# The edge misses late reverberation, the more so the more of the room is heard, and a remainder of a neighbour's hit
# fills a gap: so more than the edge is subtracted, in this proportion to the weight (chosen on simulated rounds).
MORE_TAKEN = 80.0
FLOOR_QUANTILE = 0.05
LEAST_LEFT = 1e-3  # of the mean energy, the least that is left in any frame


def without_floor(energies: Floats) -> Floats:
    """Energies [seats, frames, bands] minus the 5 % quantile of each band at its seat."""
    floor = np.quantile(energies, FLOOR_QUANTILE, axis=1, keepdims=True)
    least = LEAST_LEFT * energies.mean(axis=1, keepdims=True)
    return np.asarray(np.maximum(energies - floor, least))


def arriving(energy: Floats, rate: float) -> Floats:
    """The shape that `energy` [frames, bands] at its own seat has at another one, for a weight of 1."""
    first, last = (round(s * rate) for s in LATE_S)
    padded = np.concatenate([np.zeros((last, energy.shape[1])), energy])
    n = len(energy)
    straight = padded[last - first : last - first + n].copy()
    for k in range(first + 1, last + 1):
        straight += padded[last - k : last - k + n]
    straight /= last - first + 1
    keep = np.exp(-1 / (SMEAR_S * rate))
    late = scipy.signal.lfilter([1 - keep], [1, -keep], energy, axis=0)
    return np.asarray((straight + SMEARED * late) / (1 + SMEARED))


def usual_weights(seats: int, bands: int) -> Floats:
    """The prior: float64[seats, seats, bands], row: where it is heard, column: where it comes from; diagonal 0."""
    out = np.full((seats, seats, bands), USUAL_WEIGHT)
    out[np.arange(seats), np.arange(seats)] = 0.0
    return out


def weights(energies: Floats, rate: float, before: Floats | None = None, passes: int = 2) -> Floats:
    """Leak weights, shaped as `usual_weights`, from float64[seats, frames, bands] without background.

    `before`: the present estimate. Each pass subtracts what the one before found, so that leaked sound is not taken for
    a source.
    """
    seats, _, bands = energies.shape
    out = usual_weights(seats, bands) if before is None else before.copy()
    n = max(1, round(COARSE_S * rate))
    seen = np.stack([_coarse(e, n) for e in energies])
    for _ in range(passes):
        own = take_off(energies, out, rate)
        shapes = np.stack([_coarse(arriving(e, rate), n) for e in own])
        for i in range(seats):
            others = [j for j in range(seats) if j != i]
            for b in range(bands):
                out[i, others, b] = _edge(shapes[others, :, b].T, seen[i, :, b])
    return out


def _coarse(energy: Floats, n: int) -> Floats:
    m = len(energy) // n
    return np.asarray(energy[: m * n].reshape(m, n, -1).mean(axis=1))


def _edge(x: Floats, y: Floats) -> Floats:
    """Weights in [0, MOST_WEIGHT] of the columns of `x` for the lower edge of `y`."""
    w = np.full(x.shape[1], USUAL_WEIGHT)
    # relative errors, so that a loud frame does not count by its square
    relative = 1 / (y + x @ w + 0.02 * float(y.mean()) + 1e-30)
    pull = TRUST_USUAL * np.diag(np.sum((x * relative[:, None]) ** 2, axis=0) + 1e-30)
    usual, square = pull @ w, relative**2
    for _ in range(ROUNDS):
        trust = np.where(y > x @ w, EXPECTILE, 1 - EXPECTILE) * square
        gram = (x * trust[:, None]).T @ x + pull
        aim = x.T @ (trust * y) + usual
        w = _bounded(gram, aim)
    return w


def _bounded(gram: Floats, aim: Floats) -> Floats:
    """argmin w·G·w/2 − a·w subject to 0 ≤ w ≤ MOST_WEIGHT, by coordinate descent."""
    # for five neighbours at most: in plain Python, because NumPy takes ten times as long for so few
    rows, aims = gram.tolist(), aim.tolist()
    w = [USUAL_WEIGHT] * len(aims)
    for _ in range(12):
        before = w[:]
        for k, row in enumerate(rows):
            rest = aims[k] - sum(map(mul, row, w)) + row[k] * w[k]
            w[k] = min(MOST_WEIGHT, max(0.0, rest / row[k])) if row[k] > 0 else 0.0
        if w == before:
            break
    return np.array(w)


def leak_at(seat: int, energies: Floats, weight: Floats, rate: float) -> Floats:
    """The estimated leak of the others into the microphone of `seat`, float64[frames, bands]."""
    return _leak(seat, {j: arriving(e, rate) for j, e in enumerate(energies) if j != seat}, weight)


def _leak(seat: int, arrived: Mapping[int, Floats], weight: Floats) -> Floats:
    """The same, from the arriving shape of each other seat."""
    return np.asarray(sum(weight[seat, j] * shape for j, shape in arrived.items() if j != seat))


def take_off(energies: Floats, weight: Floats, rate: float) -> Floats:
    """The envelopes minus the leak by these weights, float64[seats, frames, bands]."""
    out = np.empty_like(energies)
    # what arrives from a seat has the same shape at all others, up to the weight
    arrived = {j: arriving(e, rate) for j, e in enumerate(energies)}
    for i, energy in enumerate(energies):
        left = energy - _leak(i, arrived, weight)
        out[i] = np.maximum(left, LEAST_LEFT * energy.mean(axis=0) + 1e-14)
    return out


def clean(seat: int, energies: Floats, weight: Floats, rate: float, quick: bool = False) -> Floats:
    """The envelope of `seat` alone, float64[frames, bands], with more than the leak subtracted.

    `quick`: without estimating how much of what the others hear was this seat's own.
    """
    more = weight * (1 + MORE_TAKEN * weight)
    own = energies if quick else take_off(energies, more, rate)
    left = energies[seat] - leak_at(seat, own, more, rate)
    return np.asarray(np.maximum(left, LEAST_LEFT * energies[seat].mean(axis=0) + 1e-14))
