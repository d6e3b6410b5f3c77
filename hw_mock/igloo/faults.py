"""Faults of recordings: `spoil` gives a take one fault, by name, to test the code that should notice it.

Rates and sizes are judgement; each fault is meant to be mild enough that a maker would still overlook it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]


RANGES_G = 2.0, 4.0, 8.0, 16.0  # usual ranges of accelerometers


def clipped(samples: Samples, rate: float, r: np.random.Generator) -> Samples:
    """Clipped, overdriven by 6–18 dB. An accelerometer clips at the nearest range of a real chip. A gentle take stays
    below every range; it is clipped nevertheless, because otherwise it would have no fault."""
    peak = float(np.max(np.abs(samples)))
    top = peak * 10 ** (-r.uniform(6, 18) / 20)
    if samples.ndim == 2 and (ends := [end for end in RANGES_G if end <= peak / 2]):
        top = min(ends, key=lambda end: abs(np.log(end / top)))
    return np.clip(samples, -top, top)


def gaps(samples: Samples, rate: float, r: np.random.Generator) -> Samples:
    """Two to six stretches of 5–60 ms are missing without a trace: lost packets, an overflow."""
    keep = np.ones(len(samples), bool)
    for _ in range(int(r.integers(2, 7))):
        start = int(r.integers(len(samples)))
        keep[start : start + round(r.uniform(0.005, 0.06) * rate)] = False
    return np.asarray(samples[keep])


def crackling(samples: Samples, rate: float, r: np.random.Generator) -> Samples:
    """A loose plug: clicks, and now and then dropouts of some milliseconds."""
    out = samples.copy()
    top = float(np.max(np.abs(samples)))
    for at in r.integers(len(out), size=int(r.integers(4, 25))):
        span = slice(int(at), int(at) + max(1, round(r.uniform(0.0002, 0.004) * rate)))
        out[span] = top * r.uniform(-1, 1) if r.random() < 0.6 else 0.0
    return out


def drowned(samples: Samples, rate: float, r: np.random.Generator) -> Samples:
    """Drowned in noise as strong as the shake itself."""
    loud = np.std(samples, axis=0) * 10 ** (r.uniform(-3, 6) / 20)
    return np.asarray(samples + loud * r.normal(size=samples.shape), np.float32)


def cut_short(samples: Samples, rate: float, r: np.random.Generator) -> Samples:
    """The recording stops after about a quarter of a second."""
    return samples[: round((0.25 + r.uniform(0.1, 0.35)) * rate)]


def dead(samples: Samples, rate: float, r: np.random.Generator) -> Samples:
    """The first value throughout: a sensor that hangs from the start."""
    return np.repeat(samples[:1], len(samples), axis=0)


FAULTS: dict[str, Callable[[Samples, float, np.random.Generator], Samples]] = {
    "clipped": clipped,
    "gaps": gaps,
    "crackling": crackling,
    "drowned": drowned,
    "cut-short": cut_short,
    "dead": dead,
}


def drawn(share: float, names: Sequence[str], *seed: int) -> str | None:
    """One of `names` for the item that `seed` stands for, or None: a share `share` of all items gets one."""
    r = np.random.default_rng([*seed, 0xFA17])
    return str(r.choice(names)) if r.random() < share else None


def spoil(samples: Samples, rate: float, fault: str, seed: int) -> Samples:
    """`samples` float32[n] or [n, 3] at `rate` Hz with that fault; n is at least 1. Raises ValueError for a name not in
    FAULTS."""
    if fault not in FAULTS:
        raise ValueError(f"no fault called {fault!r}; there are {', '.join(FAULTS)}")
    return FAULTS[fault](samples, rate, np.random.default_rng([seed, 0xFA])).astype(np.float32)
