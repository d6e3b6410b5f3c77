"""How far a set's igloos stand apart: what its own model expects of other days, without a word of people."""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are first asked
from numpy.typing import NDArray

from sensors.gesture.day import sideways_gains
from sensors.gesture.model import FREEDOM, SetModel, Weighing, student

Floats = NDArray[np.float64]
FARTHEST = 99.0  # standard deviations; of what lies farther apart nobody need know how far
DRAWN = 40  # of each side of a gesture, evenly over its distribution


def expected(model: SetModel) -> float | None:
    """How often one gesture of three placings, the first of another day, names an igloo that was weighed: by the model
    itself, drawn from what it expects a gesture to give. None where none was weighed."""
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
    """Two counts that weigh most alike, of those that were weighed, and how far one's weights lie from what a gesture
    of the other may give, on a day of which some were tapped: standard deviations. None where fewer than two were."""
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
    """[counts] each: how far from each igloo's t and s a gesture of three placings may lie that weighs as `i`, by what
    it scatters and by how much heavier the day is. Of igloos that nobody weighed s is known as well as t."""
    t, s = float(model.means[i, 0]), float(model.stiff[i])
    sd_t, sd_s = model.deviations(Weighing(t, s / model.kappa, 3, 0.0, 3))
    sd_s = np.where(model.unweighed, np.hypot(sd_s, sd_t), sd_s)
    return np.hypot(sd_t, model.noise.gain * t), sd_s


def _density(far: Floats, sd: Floats) -> Floats:
    """[counts, n], but for a factor."""
    out: Floats = np.exp(student(far / sd[:, None])) / sd[:, None]
    return out


def _evenly(drawn: Floats, off: Floats, likely: Floats) -> Floats:
    """As many as `drawn`, evenly over what both together may be: `drawn` is alike likely, `off` as `likely`."""
    both = (drawn[:, None] + off).ravel()
    share = np.tile(likely, len(drawn))
    order = np.argsort(both)
    below = np.cumsum(share[order]) / share.sum()
    out: Floats = np.interp((np.arange(len(drawn)) + 0.5) / len(drawn), below, both[order])
    return out
