"""Features of one shake, in groups. All but `size` are independent of gain.

The count shows in the number of impacts in a stroke and in how far they fill the gaps. The groups are: participation
ratio, crest and log-mean of the energy envelopes (`loc`), onsets and the times between them (`ons`), the envelopes' FFT
(`mod`), their autocorrelation (`acf`), single strokes (`stk`), quantiles (`dist`), correlation between bands (`cor`).
`ons`, `mod`, `acf` and `stk` are measured in the wide band and, as `ons@4` and so on, in the bands where a hit is
shortest: low bands ring and echo, and for how long depends on igloo and room, not on the count. `hand` is the arm's own
motion and `size` absolute levels: only for sensors that are fixed to the shell. `net` is the embedding by a small
network (sensors.ear.shakes.net), where one was learned for the front end. Free shakes on a sensor that feels the hand
have one group more, what beads would do in such a hand (sensors.ear.shakes.imagined).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sensors.ear.frames.frontend import HAND_BAND, HAND_RATE, Array
from sensors.ear.shakes.band_features import BY_BAND, WIDE, Features
from sensors.ear.shakes.net import GROUP, net_for
from sensors.ear.shakes.quantiles import quantiles
from sensors.ear.shakes.takes import Take

FIXED_GROUPS: tuple[str, ...] = ("hand", "size", "throw", "imagined")  # sensors on the shell

WINDOWS_MS = (5, 10, 20, 50, 100)
QUANTILES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


def local(take: Take) -> Features:
    """Effective number of impacts in windows above the median loudness, by band and window length."""
    out: Features = {}
    # sums run along contiguous memory
    energy, log = np.ascontiguousarray(take.energy.T), np.ascontiguousarray(take.log.T)
    square = np.square(energy)
    bands, frames = energy.shape
    for ms in WINDOWS_MS:
        n = round(ms * take.rate / 1000)
        if n < 3 or frames < 2 * n:
            n = max(2, min(n, frames // 2))
        m = frames // n
        e, e2, logs = (x[:, : m * n].reshape(bands, m, n) for x in (energy, square, log))
        mean = e.mean(axis=2)
        height = np.log(mean)
        participation = 2 * height - np.log(e2.mean(axis=2))
        flatness = logs.mean(axis=2) - height
        crest = np.log(e.max(axis=2)) - height
        loud = mean >= np.median(mean, axis=1, keepdims=True)
        count = loud.sum(axis=1)
        for name, value in (("participation", participation), ("flatness", flatness), ("crest", crest)):
            average = (value * loud).sum(axis=1) / count
            for band, v in enumerate(average.tolist()):
                out[f"loc.{name}_{ms}ms_{band}"] = v
    return out


def distribution(take: Take) -> Features:
    """Quantiles of ln energy relative to the mean, of the wide band and of each middle one."""
    out: Features = {}
    bands = take.log.shape[1]
    first = max(0, bands - 4)
    each = quantiles(take.log[:, first:], QUANTILES)
    for band, of_band in zip(range(first, bands), each.T.tolist(), strict=True):
        for q, v in zip(QUANTILES, of_band, strict=True):
            out[f"dist.{band}_{q}"] = v
    return out


def between_bands(take: Take) -> Features:
    """Correlation between the bands' envelopes, of their logarithms and their square roots."""
    out: Features = {}
    bands = take.energy.shape[1] - 1
    for name, x in (("l", take.log), ("r", np.sqrt(take.energy))):
        c = np.nan_to_num(np.corrcoef(x[:, :bands].T)).tolist()
        for i in range(bands):
            for j in range(i + 1, bands):
                out[f"cor.{name}_{i}{j}"] = c[i][j]
    return out


def hand_motion(take: Take) -> Features:
    """The arm's own motion (`HAND_BAND`): how hard and how often beads could be thrown against the shell."""
    return motion_of(take.hand)


def motion_of(moved: Array) -> Features:
    """The same of float32[frames at 100 Hz, 3] in g."""
    hand = moved.astype(np.float64)
    if len(hand) < 8:
        hand = np.zeros((8, 3))
    size = np.sqrt(np.square(hand).sum(axis=1))
    # project on the axis of most motion: strokes go back and forth along it
    _, vectors = np.linalg.eigh(np.cov(hand.T) + 1e-12 * np.eye(3))
    along = hand @ vectors[:, -1]
    frequency = np.fft.rfftfreq(len(along), 1 / HAND_RATE)
    power = np.abs(np.fft.rfft((along - along.mean()) * np.hanning(len(along)))) ** 2 + 1e-12
    inside = (frequency >= HAND_BAND[0]) & (frequency <= HAND_BAND[1])
    power, frequency = power[inside], frequency[inside]
    middle = float((np.log(frequency) * power).sum() / power.sum())
    jerk = np.sqrt(np.square(np.diff(hand, axis=0)).sum(axis=1).mean()) * HAND_RATE
    rms = float(np.sqrt(np.square(size).mean()))
    peak = float(np.quantile(size, 0.98))
    return {
        "hand.rms": float(np.log(rms + 1e-3)),
        "hand.peak": float(np.log(peak + 1e-3)),
        "hand.crest": float(np.log((peak + 1e-3) / (rms + 1e-3))),
        "hand.pitch": middle,
        "hand.width": float(np.sqrt((np.square(np.log(frequency) - middle) * power).sum() / power.sum())),
        "hand.jerk": float(np.log(jerk + 1e-2)),
        "hand.along": float(np.log((along.var() + 1e-6) / (np.square(size).mean() + 1e-6))),
    }


def size(take: Take) -> Features:
    """Absolute levels by band: mean, loud frames, median frame."""
    out: Features = {}
    mean = np.log(take.raw.mean(axis=0) + 1e-12)
    median, loud = np.log(quantiles(take.raw, (0.5, 0.95)) + 1e-12)
    for band in range(take.raw.shape[1]):
        out[f"size.mean_{band}"] = float(mean[band])
        out[f"size.loud_{band}"] = float(loud[band])
        out[f"size.half_{band}"] = float(median[band])
    return out


def learned(take: Take) -> Features:
    """The network's embedding; empty where the front end has no network."""
    net = net_for(take.front.name)
    if net is None:
        return {}
    told = net.embedding(take.front, take.seen, take.hand, take.ahead)
    return {f"{GROUP}.{i}": float(v) for i, v in enumerate(told)}


_GROUPS: dict[str, Callable[[Take], Features]] = {
    "loc": local,
    "dist": distribution,
    "cor": between_bands,
    "hand": hand_motion,
    "size": size,
}


def features_of(take: Take) -> Features:
    """All groups of one take; every take of one front end gets the same names in the same order.

    `hand` is only there where the sensor feels it. Values are finite.
    """
    out: Features = {}
    for group, of in _GROUPS.items():
        if group != "hand" or take.front.hand:
            out |= of(take)
    bands = (WIDE, *take.front.short)
    measured = [
        of_bands(take, bands, [group if band == WIDE else f"{group}@{band}" for band in bands])
        for group, of_bands in BY_BAND.items()
    ]
    for of_one in zip(*measured, strict=True):  # band by band
        for features in of_one:
            out |= features
    return out | learned(take)


def strength(take: Take) -> float:
    """How hard the igloo is shaken, in ln. Strokes a second and the unevenness of their energy do not depend on gain;
    where the hand is felt, it is the RMS of its motion in g. The profile knows the middle of the range."""
    if take.front.hand and len(take.hand) >= 8:
        return float(np.log(np.sqrt(np.square(take.hand.astype(np.float64)).sum(axis=1).mean()) + 1e-3))
    return float(np.log(max(1, len(take.strokes)) / take.seconds))
