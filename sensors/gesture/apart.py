"""How well a set's igloos can be told apart: what its model predicts for other days, as figures without sentences."""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are first asked
from numpy.typing import NDArray

from sensors.gesture.day import sideways_gains
from sensors.gesture.model import FREEDOM, SetModel, Weighing, student

Floats = NDArray[np.float64]
FARTHEST = 99.0  # standard deviations; larger distances are all the same to a reader
DRAWN = 40  # samples of each coordinate of a gesture, at even quantiles of its distribution


def expected(model: SetModel) -> float | None:
    """The expected share of gestures (three placings, the first of another day) that name the right one of the weighed
    igloos, simulated from the model itself. None where no igloo was weighed."""
    z = scipy.special.stdtrit(FREEDOM, (np.arange(DRAWN) + 0.5) / DRAWN)
    gains, likely = sideways_gains()
    right = []
    for i in _known_igloos(model):
        sd_t, sd_s = _of_a_gesture(model, i)
        stiff = model.stiff
        off = float(stiff[i]) * gains
        up = _density(model.means[i, 0] + z * sd_t[i] - model.means[:, 0, None], sd_t)
        drawn = _evenly(z * sd_s[i], off, likely)
        far = stiff[i] + drawn - stiff[:, None]
        side = np.stack([_density(far - step, sd_s) for step in off], axis=-1) @ likely
        told = np.argmax(up[:, :, None] * side[:, None, :], axis=0)
        right.append(np.mean(told == i))
    return float(np.mean(right)) if right else None


def closest(model: SetModel) -> tuple[int, int, float] | None:
    """The two weighed counts that are hardest to tell apart, and their distance: standard deviations of one gesture on
    a day of which some igloos were tapped. None where fewer than two were weighed."""
    mine = _known_igloos(model)
    if len(mine) < 2:
        return None
    best = model.counts[mine[0]], model.counts[mine[-1]], FARTHEST
    weights = np.stack([model.means[:, 0], model.stiff], axis=1)
    for i in mine:
        sd = np.stack(_of_a_gesture(model, i), axis=1)
        far = np.hypot(*((weights[i] - weights) / sd).T)
        for j in mine:
            if j != i and far[j] < best[2]:
                best = model.counts[min(i, j)], model.counts[max(i, j)], float(far[j])
    return best


def _known_igloos(model: SetModel) -> list[int]:
    return [i for i, times in enumerate(model.weighed) if times]


def _of_a_gesture(model: SetModel, i: int) -> tuple[Floats, Floats]:
    """[counts] each: standard deviations of the distances in t and s between each igloo and a gesture of three placings
    that weighs as igloo `i`, from scatter and from how much heavier the day is. For igloos never weighed, the error
    of s includes that of t."""
    t, s = float(model.means[i, 0]), float(model.stiff[i])
    sd_t, sd_s = model.deviations(Weighing(t, s / model.kappa, 3, 0.0, 3))
    sd_s = np.where(model.unweighed, np.hypot(sd_s, sd_t), sd_s)
    return np.hypot(sd_t, model.noise.gain * t), sd_s


def _density(far: Floats, sd: Floats) -> Floats:
    """[counts, n], up to a factor."""
    out: Floats = np.exp(student(far / sd[:, None])) / sd[:, None]
    return out


def _evenly(drawn: Floats, off: Floats, likely: Floats) -> Floats:
    """As many samples as `drawn`, at even quantiles of the sum of two variables: `drawn` (equal weights) and `off`
    (weights `likely`)."""
    both = (drawn[:, None] + off).ravel()
    share = np.tile(likely, len(drawn))
    order = np.argsort(both)
    below = np.cumsum(share[order]) / share.sum()
    out: Floats = np.interp((np.arange(len(drawn)) + 0.5) / len(drawn), below, both[order])
    return out
