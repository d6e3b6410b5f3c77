"""How like a shake of beads a sound is: talk, music, knocks, cutlery, keys, wind and a café are not.

A hand shakes three to eight strokes a second, as evenly as hands do; beads on plastic ring above 5 kHz, and their hits
come some dozens to some hundreds a second: slower is a knock or a syllable, faster is noise. An accelerometer on the
shell has it easier: it feels the hand itself.

The weights are a logistic regression on simulated shakes against simulated talkers, babble, music, fans, hum and
knocks, with wide random tilts of the spectrum (`benchmarks/not_a_shake.py` fits and tests it). Beside them stands one
thing that needs no fitting: plastic and wood are damped within milliseconds, metal, glass and voices go on.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sensors.ear.frontend import Floats
from sensors.ear.takes import Take

#           tilt  tilt²  hits  hits² even  even² strokes strokes² hits·even hits³
WEIGHTS = (2.97, 0.25, -1.34, -2.63, 3.65, -0.09, 1.09, -2.38, 0.62, -0.71)
INTERCEPT = 1.46
# ln of energy, this long after a hit has risen: 98 in 100 simulated shakes have faded further, and so have real takes
FADES = ((0.006, -0.95), (0.015, -1.05))
RINGS = 20.0  # log odds for each ln of it
FLOOR_QUANTILE, FLOOR_TIMES, DEPTH = 0.05, 3.0, 0.01
LEAST_HAND_G = 0.2  # RMS below 22 Hz: an igloo that lies there, or is put down gently, feels less
EVEN_OVER_S = (0.09, 0.6)  # where a stroke's period is looked for


def evenness(take: Take) -> float:
    """Highest autocorrelation of the stroke-wide envelope at a stroke's period, 0 … 1."""
    x = np.sqrt(take.stroke_energy)
    x = x - x.mean()
    n = len(x)
    low, high = (round(s * take.rate) for s in EVEN_OVER_S)
    high = min(high, n - n // 8)
    if high - low < 10:
        return 0.3  # too short to tell
    spectrum = np.abs(np.fft.rfft(x, 2 * n)) ** 2
    r = np.fft.irfft(spectrum)[:n] / np.maximum(1 - np.arange(n) / n, 0.1)
    return float(np.clip(r[low:high].max() / max(float(r[0]), 1e-12), 0.0, 1.0))


def levels(take: Take) -> Floats:
    """ln of the wide band's energy [frames] above the quietest frames, down to 20 dB below the loudest."""
    raw = take.raw[:, -1]
    above = np.maximum(raw - FLOOR_TIMES * float(np.quantile(raw, FLOOR_QUANTILE)), 0.0)
    return np.asarray(np.log(above + DEPTH * float(np.quantile(above, 0.99)) + 1e-30))


def clear_rises(level: Floats, rate: float) -> npt.NDArray[np.intp]:
    """Frames in which a hit has risen."""
    k = max(1, round(0.0018 * rate))
    rise = level[k:] - level[:-k]
    peaks = (rise[1:-1] >= rise[:-2]) & (rise[1:-1] > rise[2:]) & (rise[1:-1] > 1.1)
    return np.flatnonzero(peaks) + 1 + k


def ringing(take: Take) -> float:
    """How much less than beads on plastic do hits fade: ln beyond what one shake in fifty shows, 0 for most."""
    level = levels(take)
    at = clear_rises(level, take.rate)
    if len(at) < 4:
        return 0.0
    beyond = 0.0
    for after_s, usual in FADES:
        later = np.minimum(at + round(after_s * take.rate), len(level) - 1)
        beyond += max(0.0, float(np.median(level[later] - level[at])) - usual)
    return beyond


def hits_a_second(take: Take) -> float:
    """Clear rises of the wide band a second."""
    return len(clear_rises(levels(take), take.rate)) / take.seconds


def tilt_db(take: Take) -> float:
    """Energy above 5.5 kHz beside that below 2.8 kHz; of a slow microphone what is above 2.8 kHz stands in."""
    mean = take.raw.mean(axis=0)
    high = mean[3:5].sum() if take.front.least_rate > 20000 else mean[2]
    return float(10 * np.log10((high + 1e-14) / (mean[:2].sum() + 1e-14)))


def evidence(tilt: float, hits: float, even: float, strokes: float) -> Floats:
    """The regression's terms, float64[10]."""
    t = np.clip(tilt, -25, 25) / 10
    h = np.log(np.clip(hits, 5, 600) / 120)
    s = np.log(np.clip(strokes, 0.5, 12) / 4.5)
    return np.array([t, t**2, h, h**2, even, even**2, s, s**2, h * even, h**3])


def likeness(take: Take) -> float:
    """Log odds that the take is a shake and not something else; above 0: a shake."""
    strokes = len(take.strokes) / take.seconds
    if take.front.hand:
        moved = (
            float(np.sqrt(np.square(take.hand.astype(np.float64)).sum(axis=1).mean()))
            if len(take.hand)
            else 0.0
        )
        return float(np.clip(4 * np.log((moved + 1e-6) / LEAST_HAND_G), -8, 8))
    terms = evidence(tilt_db(take), hits_a_second(take), evenness(take), strokes)
    return float(INTERCEPT + terms @ np.array(WEIGHTS) - RINGS * ringing(take))
