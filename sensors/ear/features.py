"""Features of one shake, in groups. All but `size` are free of gain.

What carries the count is how many impacts there are in a stroke and how far they fill the gaps: participation ratio,
crest and log-mean of the energy envelopes (`loc`), onsets and the times between them (`ons`), the FFT of the envelopes
(`mod`), their autocorrelation (`acf`), what one stroke holds (`stk`), quantiles (`dist`), how the bands go together
(`cor`). `ons`, `mod`, `acf` and `stk` are measured in the wide band and, as `ons@4` and so on, in the bands where a hit
is shortest: low bands ring and echo, and how long is the igloo's and the room's, not the count's. `hand` is the arm's
own motion and `size` absolute levels: only for sensors that are fixed to the shell.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sensors.ear.frontend import HAND_RATE, Floats
from sensors.ear.takes import Take

Features = dict[str, float]
WIDE = -1  # the last band
FIXED_GROUPS: tuple[str, ...] = ("hand", "size", "throw")  # sensors on the shell

WINDOWS_MS = (5, 10, 20, 50, 100)
ONSET_RISES = (0.4, 0.7, 1.1, 1.6, 2.2)  # of ln energy over 1.8 ms
ONSET_DEPTHS = (-2.0, -4.0)  # ln of the loudest frame
MOD_EDGES = np.geomspace(2.0, 1000.0, 22)  # Hz
ACF_MS = np.geomspace(1.0, 130.0, 20)
QUANTILES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


def local(take: Take) -> Features:
    """Effective number of impacts in windows that are louder than their median, by band and window length."""
    out: Features = {}
    energy, log = (
        np.ascontiguousarray(take.energy.T),
        np.ascontiguousarray(take.log.T),
    )  # sums run along memory
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
            for band, v in enumerate(average):
                out[f"loc.{name}_{ms}ms_{band}"] = float(v)
    return out


def onsets(take: Take, band: int = WIDE, group: str = "ons") -> Features:
    """Steep rises of a band: how many a second and a stroke, how far apart, how strong beside the loudest."""
    out: Features = {}
    k = max(1, round(0.0018 * take.rate))
    log, energy = take.log[:, band], take.energy[:, band]
    rise = log[k:] - log[:-k]
    at = np.flatnonzero((rise[1:-1] >= rise[:-2]) & (rise[1:-1] > rise[2:])) + 1
    height = rise[at]
    after = np.minimum(at[:, None] + np.arange(k + 3), len(log) - 1)
    depth = log[after].max(axis=1) - np.log(np.quantile(energy, 0.999)) if len(at) else np.zeros(0)
    strokes = max(1, len(take.strokes))
    for threshold in ONSET_RISES:
        for least in ONSET_DEPTHS:
            count = float(((height > threshold) & (depth > least)).sum()) + 0.5
            out[f"{group}.rate_{threshold}_{least}"] = float(np.log(count / take.seconds))
            out[f"{group}.stroke_{threshold}_{least}"] = float(np.log(count / strokes))
    for threshold in (0.7, 1.6):
        chosen = (height > threshold) & (depth > -4.0)
        gaps = np.diff(at[chosen]) / take.rate
        enough = len(gaps) >= 4
        # a shake without gaps to measure is one with few beads: the slow end of the scale, not the middle
        q = np.quantile(np.log(gaps), (0.1, 0.25, 0.5, 0.75, 0.9)) if enough else np.full(5, np.log(0.1))
        a = np.quantile(depth[chosen], (0.1, 0.25, 0.5, 0.75, 0.9)) if enough else np.zeros(5)
        for i in range(5):
            out[f"{group}.gap_{threshold}_{i}"] = float(q[i])
            out[f"{group}.depth_{threshold}_{i}"] = float(a[i])
    for i, v in enumerate(np.quantile(rise, (0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98))):
        out[f"{group}.rise_{i}"] = float(v)
    return out


def modulation(take: Take, band: int = WIDE, group: str = "mod") -> Features:
    """FFT of a band's envelope and of its logarithm: power in logarithmic bands from 2 Hz to 1 kHz (Welch, ~1 s)."""
    out: Features = {}
    n = min(1 << int(np.log2(take.rate)), 1 << int(np.log2(len(take.energy))))
    start = np.arange(0, len(take.energy) - n + 1, max(1, n // 2))
    window = np.hanning(n)
    frequency = np.fft.rfftfreq(n, 1 / take.rate)
    edges = MOD_EDGES[0.47 * take.rate > MOD_EDGES]
    for name, x in (("e", take.energy[:, band] - 1.0), ("l", take.log[:, band])):
        parts = x[start[:, None] + np.arange(n)]
        parts = (parts - parts.mean(axis=1, keepdims=True)) * window
        power = (np.abs(np.fft.rfft(parts, axis=1)) ** 2).mean(axis=0) * (
            2 / (take.rate * np.square(window).sum())
        )
        total = np.concatenate([[0.0], np.cumsum(power) * frequency[1]])
        inside = np.diff(np.interp(edges, np.append(0.0, frequency + frequency[1] / 2), total))
        for hz, v in zip(edges, np.log(inside + 1e-9), strict=False):
            out[f"{group}.{name}_{hz:.0f}Hz"] = float(v)
    return out


def autocorrelation(take: Take, band: int = WIDE, group: str = "acf") -> Features:
    """Autocorrelation of a band's envelope, its root and its logarithm at 1–130 ms."""
    out: Features = {}
    lags = np.unique(np.round(ACF_MS * take.rate / 1000).astype(int))
    lags = lags[(lags > 0)]
    energy = take.energy[:, band]
    size = 1 << int(np.ceil(np.log2(len(energy) + lags[-1] + 1)))
    for name, x in (("l", take.log[:, band]), ("e", energy), ("r", np.sqrt(energy))):
        x = x - x.mean()
        r = np.fft.irfft(np.abs(np.fft.rfft(x, size)) ** 2, size)[: lags[-1] + 1]
        r = r / max(r[0], 1e-12)
        for lag in lags:
            out[f"{group}.{name}_{lag}"] = float(r[lag])
    return out


def by_stroke(take: Take, band: int = WIDE, group: str = "stk") -> Features:
    """What one stroke holds: events, participation ratio, sum over peak, duration; mean and spread over the strokes."""
    half = max(2, round(0.05 * take.rate))
    k = max(1, round(0.0018 * take.rate))
    middle = take.strokes[(take.strokes >= half) & (take.strokes + half < len(take.energy))]
    if not len(middle):
        middle = np.array([np.clip(len(take.energy) // 2, half, max(half, len(take.energy) - half - 1))])
    index = np.clip(middle[:, None] + np.arange(-half, half), 0, len(take.energy) - 1)
    e, log = take.energy[index, band], take.log[index, band]
    total, peak = e.sum(axis=1), e.max(axis=1)
    rise = log[:, k:] - log[:, :-k]
    crest = (rise[:, 1:-1] >= rise[:, :-2]) & (rise[:, 1:-1] > rise[:, 2:]) & (rise[:, 1:-1] > 1.0)
    events = (crest & (log[:, k + 1 : -1] > np.log(peak)[:, None] - 4)).sum(axis=1)
    running = np.cumsum(e, axis=1) / total[:, None]
    duration = ((running < 0.9) & (running > 0.1)).sum(axis=1) + 1.0
    out: Features = {}
    for name, v in (
        ("participation", np.log(total**2 / (2 * half * np.square(e).sum(axis=1)))),
        ("sum_over_peak", np.log(total / peak)),
        ("events", np.log(events + 0.5)),
        ("duration", np.log(duration / take.rate)),
    ):
        out[f"{group}.{name}"] = float(v.mean())
        out[f"{group}.{name}_spread"] = float(v.std())
    if band != WIDE:  # when the strokes come is the same in every band
        return out
    out[f"{group}.rate"] = float(np.log(max(1, len(take.strokes)) / take.seconds))
    out[f"{group}.unevenness"] = float(np.std(np.log(take.stroke_energy[middle])))
    return out


def distribution(take: Take) -> Features:
    """Quantiles of ln energy over the mean's, of the wide band and of each middle one."""
    out: Features = {}
    for band in (
        *range(max(0, take.energy.shape[1] - 4), take.energy.shape[1] - 1),
        take.energy.shape[1] - 1,
    ):
        for q, v in zip(QUANTILES, np.quantile(take.log[:, band], QUANTILES), strict=True):
            out[f"dist.{band}_{q}"] = float(v)
    return out


def between_bands(take: Take) -> Features:
    """Correlation between the bands' envelopes, logarithmic and root."""
    out: Features = {}
    bands = take.energy.shape[1] - 1
    for name, x in (("l", take.log), ("r", np.sqrt(take.energy))):
        c = np.corrcoef(x[:, :bands].T)
        for i in range(bands):
            for j in range(i + 1, bands):
                out[f"cor.{name}_{i}{j}"] = float(np.nan_to_num(c[i, j]))
    return out


def hand_motion(take: Take) -> Features:
    """The arm's own motion below 22 Hz: how hard and how often beads could be thrown at the shell."""
    hand = take.hand.astype(np.float64)
    if len(hand) < 8:
        hand = np.zeros((8, 3))
    size = np.sqrt(np.square(hand).sum(axis=1))
    # along the axis that moves most: strokes there and back
    _, vectors = np.linalg.eigh(np.cov(hand.T) + 1e-12 * np.eye(3))
    along = hand @ vectors[:, -1]
    frequency = np.fft.rfftfreq(len(along), 1 / HAND_RATE)
    power = np.abs(np.fft.rfft((along - along.mean()) * np.hanning(len(along)))) ** 2 + 1e-12
    inside = (frequency >= 0.7) & (frequency <= 22.0)
    power, frequency = power[inside], frequency[inside]
    middle = float((np.log(frequency) * power).sum() / power.sum())
    jerk = np.sqrt(np.square(np.diff(hand, axis=0)).sum(axis=1).mean()) * HAND_RATE
    rms = float(np.sqrt(np.square(size).mean()))
    return {
        "hand.rms": float(np.log(rms + 1e-3)),
        "hand.peak": float(np.log(np.quantile(size, 0.98) + 1e-3)),
        "hand.crest": float(np.log((np.quantile(size, 0.98) + 1e-3) / (rms + 1e-3))),
        "hand.pitch": middle,
        "hand.width": float(np.sqrt((np.square(np.log(frequency) - middle) * power).sum() / power.sum())),
        "hand.jerk": float(np.log(jerk + 1e-2)),
        "hand.along": float(np.log((along.var() + 1e-6) / (np.square(size).mean() + 1e-6))),
    }


def size(take: Take) -> Features:
    """Absolute levels by band: mean, loud frames, quiet frames; and mean energy beside the hand's own."""
    out: Features = {}
    mean = np.log(take.raw.mean(axis=0) + 1e-12)
    quiet, loud = np.log(np.quantile(take.raw, (0.5, 0.95), axis=0) + 1e-12)
    for band in range(take.raw.shape[1]):
        out[f"size.mean_{band}"] = float(mean[band])
        out[f"size.loud_{band}"] = float(loud[band])
        out[f"size.half_{band}"] = float(quiet[band])
    return out


_BY_BAND: dict[str, Callable[[Take, int, str], Features]] = {
    "ons": onsets,
    "mod": modulation,
    "acf": autocorrelation,
    "stk": by_stroke,
}
_GROUPS: dict[str, Callable[[Take], Features]] = {
    "loc": local,
    "ons": onsets,
    "mod": modulation,
    "acf": autocorrelation,
    "stk": by_stroke,
    "dist": distribution,
    "cor": between_bands,
    "hand": hand_motion,
    "size": size,
}


def features_of(take: Take) -> Features:
    """All groups of one take; the same names in the same order for every take of one front end.

    `hand` only where the sensor feels it. Values are finite.
    """
    out: Features = {}
    for group, of in _GROUPS.items():
        if group != "hand" or take.front.hand:
            out |= of(take)
    for band in take.front.short:
        for group, of_band in _BY_BAND.items():
            out |= of_band(take, band, f"{group}@{band}")
    return out


def strength(take: Take) -> float:
    """How hard the igloo is shaken: strokes a second and the unevenness of their energy do not depend on gain; where
    the hand is felt, its RMS in g. In the unit of ln; the profile knows its middle."""
    if take.front.hand and len(take.hand) >= 8:
        return float(np.log(np.sqrt(np.square(take.hand.astype(np.float64)).sum(axis=1).mean()) + 1e-3))
    return float(np.log(max(1, len(take.strokes)) / take.seconds))


def matrix(rows: list[Features], names: tuple[str, ...]) -> Floats:
    return np.array([[row[name] for name in names] for row in rows], dtype=np.float64)
