"""Features of single bands: onsets, modulation spectrum, autocorrelation, and what one stroke holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from sensors.ear.shakes.quantiles import quantiles
from sensors.ear.shakes.takes import Take

Features = dict[str, float]
Bands = tuple[int, ...]
Groups = Sequence[str]  # the prefix of each band's feature names
RISE_S = 0.0018  # over this time a rise of the energy is measured
ONSET_RISES = (0.4, 0.7, 1.1, 1.6, 2.2)  # of ln energy
ONSET_DEPTHS = (-2.0, -4.0)  # ln, relative to the loudest frame
MOD_EDGES = np.geomspace(2.0, 1000.0, 22)  # Hz
ACF_MS = np.geomspace(1.0, 130.0, 20)
WIDE = -1  # the last band


def rise_frames(rate: float) -> int:
    """`RISE_S` in frames, at `rate` frames a second."""
    return max(1, round(RISE_S * rate))


def onsets(take: Take, bands: Bands, groups: Groups) -> list[Features]:
    """Onsets (steep rises) of a band: how many a second and a stroke, how far apart, how strong beside the loudest."""
    return [_onsets(take, band, group) for band, group in zip(bands, groups, strict=True)]


def _onsets(take: Take, band: int, group: str) -> Features:
    out: Features = {}
    k = rise_frames(take.rate)
    log, energy = take.log[:, band], take.energy[:, band]
    rise = log[k:] - log[:-k]
    at = np.flatnonzero((rise[1:-1] >= rise[:-2]) & (rise[1:-1] > rise[2:])) + 1
    height = rise[at]
    after = np.minimum(at[:, None] + np.arange(k + 3), len(log) - 1)
    depth = log[after].max(axis=1) - np.log(quantiles(energy, (0.999,))) if len(at) else np.zeros(0)
    strokes = max(1, len(take.strokes))
    steep, deep = height > np.array(ONSET_RISES)[:, None], depth > np.array(ONSET_DEPTHS)[:, None]
    counts = (steep[:, None] & deep).sum(axis=2) + 0.5
    for threshold, row in zip(ONSET_RISES, counts.tolist(), strict=True):
        for least, count in zip(ONSET_DEPTHS, row, strict=True):
            out[f"{group}.rate_{threshold}_{least}"] = math.log(count / take.seconds)
            out[f"{group}.stroke_{threshold}_{least}"] = math.log(count / strokes)
    for threshold in (0.7, 1.6):
        chosen = (height > threshold) & (depth > -4.0)
        gaps = np.diff(at[chosen]) / take.rate
        enough = len(gaps) >= 4
        # too few gaps to measure means few beads: take the slow end of the scale, not the middle
        q = quantiles(np.log(gaps), (0.1, 0.25, 0.5, 0.75, 0.9)) if enough else np.full(5, np.log(0.1))
        a = quantiles(depth[chosen], (0.1, 0.25, 0.5, 0.75, 0.9)) if enough else np.zeros(5)
        for i in range(5):
            out[f"{group}.gap_{threshold}_{i}"] = float(q[i])
            out[f"{group}.depth_{threshold}_{i}"] = float(a[i])
    for i, v in enumerate(quantiles(rise, (0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98))):
        out[f"{group}.rise_{i}"] = float(v)
    return out


def modulation(take: Take, bands: Bands, groups: Groups) -> list[Features]:
    """Modulation spectra of a band's envelope and its log: power in logarithmic bands, 2 Hz to 1 kHz (Welch, ~1 s)."""
    n = min(1 << int(np.log2(take.rate)), 1 << int(np.log2(len(take.energy))))
    start = np.arange(0, len(take.energy) - n + 1, max(1, n // 2))
    window = np.hanning(n)
    frequency = np.fft.rfftfreq(n, 1 / take.rate)
    edges = MOD_EDGES[0.47 * take.rate > MOD_EDGES]
    both = np.stack([x for band in bands for x in (take.energy[:, band], take.log[:, band])])
    parts = both[:, start[:, None] + np.arange(n)]
    parts = (parts - parts.mean(axis=2, keepdims=True)) * window
    power = np.square(np.abs(np.fft.rfft(parts))).mean(axis=1) * (2 / (take.rate * np.square(window).sum()))
    at = np.append(0.0, frequency + frequency[1] / 2)
    running = np.zeros((len(both), len(at)))
    np.cumsum(power, axis=1, out=running[:, 1:])
    running[:, 1:] *= frequency[1]
    inside = np.diff([np.interp(edges, at, row) for row in running])
    told = iter(np.log(inside + 1e-9).tolist())
    names = [f"{hz:.0f}Hz" for hz in edges[:-1].tolist()]
    return [
        {f"{group}.{name}_{hz}": v for name in "el" for hz, v in zip(names, next(told), strict=True)}
        for group in groups
    ]


def autocorrelation(take: Take, bands: Bands, groups: Groups) -> list[Features]:
    """Autocorrelation of a band's envelope, of its square root and of its logarithm, at 1–130 ms."""
    lags = np.unique(np.round(ACF_MS * take.rate / 1000).astype(int))
    lags = lags[(lags > 0)]
    size = 1 << int(np.ceil(np.log2(len(take.energy) + lags[-1] + 1)))
    envelopes = ((take.log[:, band], take.energy[:, band]) for band in bands)
    x = np.stack([row for log, energy in envelopes for row in (log, energy, np.sqrt(energy))])
    x -= x.mean(axis=1, keepdims=True)
    r = np.fft.irfft(np.square(np.abs(np.fft.rfft(x, size))), size)
    r = r[:, lags] / np.maximum(r[:, :1], 1e-12)
    told, names = iter(r.tolist()), lags.tolist()
    return [
        {f"{group}.{name}_{lag}": v for name in "ler" for lag, v in zip(names, next(told), strict=True)}
        for group in groups
    ]


def by_stroke(take: Take, bands: Bands, groups: Groups) -> list[Features]:
    """What one stroke holds: events, participation ratio, sum over peak, duration; mean and spread over the strokes."""
    half = max(2, round(0.05 * take.rate))
    k = rise_frames(take.rate)
    middle = take.strokes[(take.strokes >= half) & (take.strokes + half < len(take.energy))]
    if not len(middle):
        last = len(take.energy) - 1  # a knock may be shorter than half a stroke
        middle = np.array([min(last, max(half, min(len(take.energy) // 2, last - half)))])
    index = np.clip(middle[:, None] + np.arange(-half, half), 0, len(take.energy) - 1)
    e, log = (np.stack([x[index, band] for band in bands]) for x in (take.energy, take.log))
    total, peak = e.sum(axis=2), e.max(axis=2)
    rise = log[..., k:] - log[..., :-k]
    crest = (rise[..., 1:-1] >= rise[..., :-2]) & (rise[..., 1:-1] > rise[..., 2:]) & (rise[..., 1:-1] > 1.0)
    events = (crest & (log[..., k + 1 : -1] > np.log(peak)[..., None] - 4)).sum(axis=2)
    running = np.cumsum(e, axis=2) / total[..., None]
    duration = ((running < 0.9) & (running > 0.1)).sum(axis=2) + 1.0
    out: list[Features] = [{} for _ in groups]
    for name, v in (
        ("participation", np.log(total**2 / (2 * half * np.square(e).sum(axis=2)))),
        ("sum_over_peak", np.log(total / peak)),
        ("events", np.log(events + 0.5)),
        ("duration", np.log(duration / take.rate)),
    ):
        for group, of, mean, spread in zip(
            groups, out, v.mean(axis=1).tolist(), v.std(axis=1).tolist(), strict=True
        ):
            of[f"{group}.{name}"] = mean
            of[f"{group}.{name}_spread"] = spread
    for band, group, of in zip(bands, groups, out, strict=True):
        if band == WIDE:  # the timing of the strokes is the same in every band
            of[f"{group}.rate"] = float(np.log(max(1, len(take.strokes)) / take.seconds))
            of[f"{group}.unevenness"] = float(np.std(np.log(take.stroke_energy[middle])))
    return out


BY_BAND: dict[str, Callable[[Take, Bands, Groups], list[Features]]] = {
    "ons": onsets,
    "mod": modulation,
    "acf": autocorrelation,
    "stk": by_stroke,
}
