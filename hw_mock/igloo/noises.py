"""Background noises of a microphone: air, fans, mains hum, talk-like babble, music-like tones, a hand on the shell.

All are synthetic, float64[n] at 48 kHz, and have unit RMS, so that a level in dB can be applied (except `rubbing`,
which takes its strength as an argument). `r` is the random generator; `n` is at least one sample, because no samples
have no RMS. Talk is not speech: harmonics of a varying pitch through moving formants, in syllables, which is what a
counter of rattles can mistake for strokes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, lfilter, sosfilt

from hw_mock.choices import one_of
from hw_mock.igloo.constants import SOUND_RATE

Sound = NDArray[np.float64]


def background(kind: str, r: np.random.Generator, n: int) -> Sound:
    """`n` samples of "quiet", "fan", "hum", "babble" or "music" at 48 kHz, RMS 1, always with some air noise.

    Raises ValueError for another name.
    """
    one_of("background", kind, ("quiet", *OTHERS))
    air = pink(r, n)
    if kind == "quiet":
        return air
    other = OTHERS[kind](r, n)
    share = r.uniform(0.5, 0.95)
    return unit(share * other + (1 - share) * air)


def unit(sound: Sound) -> Sound:
    """`sound` scaled to RMS 1."""
    return sound / max(float(np.sqrt(np.mean(sound**2))), 1e-12)


def pink(r: np.random.Generator, n: int) -> Sound:
    """Noise that falls by about 3 dB an octave (Kellet's filter)."""
    b = (0.049922035, -0.095993537, 0.050612699, -0.004408786)
    a = (1.0, -2.494956002, 2.017265875, -0.522189400)
    return unit(np.asarray(lfilter(b, a, r.normal(size=n + 2000)))[2000:])


def fan(r: np.random.Generator, n: int) -> Sound:
    """Broad noise with blade tones."""
    t = np.arange(n) / SOUND_RATE
    blade = r.uniform(60, 240)
    tones = sum(0.3 / k * np.sin(2 * math.pi * blade * k * t + r.uniform(0, 6.3)) for k in (1, 2, 3, 5))
    noise = sosfilt(
        butter(2, [r.uniform(80, 200), r.uniform(1500, 5000)], "band", fs=SOUND_RATE, output="sos"),
        r.normal(size=n),
    )
    return unit(unit(np.asarray(noise)) + tones)


def hum(r: np.random.Generator, n: int) -> Sound:
    """Mains and its harmonics, 50 or 60 Hz."""
    t = np.arange(n) / SOUND_RATE
    mains = float(r.choice((50.0, 60.0))) * (1 + r.normal(0, 0.0005))
    return unit(
        np.asarray(
            sum(
                r.uniform(0.1, 1) / k * np.sin(2 * math.pi * mains * k * t + r.uniform(0, 6.3))
                for k in (1, 2, 3, 4, 6, 10)
            )
        )
    )


def voice(r: np.random.Generator, n: int) -> Sound:
    """One talker: syllables of buzzing and hissing."""
    t = np.arange(n) / SOUND_RATE
    syllable = r.uniform(3.0, 6.0)
    count = max(2, math.ceil(n / SOUND_RATE * syllable) + 2)
    when = np.cumsum(np.clip(r.normal(1, 0.35, count), 0.3, 2.5)) / syllable - r.uniform(0, 0.3)
    loud = np.zeros(n)
    hiss = np.zeros(n)
    for w in when:
        if r.random() < 0.18:
            continue  # a pause for breath
        env = np.exp(-0.5 * ((t - w) / (0.28 / syllable)) ** 2) * r.uniform(0.4, 1.0)
        loud += env
        if r.random() < 0.4:
            hiss += np.exp(-0.5 * ((t - w + 0.1) / 0.03) ** 2) * r.uniform(0.1, 0.5)
    pitch = np.exp(r.uniform(math.log(95), math.log(240)))
    bend = 0.12 * np.interp(t, np.linspace(0, t[-1] + 1e-9, count), r.normal(size=count))
    phase = 2 * math.pi * np.cumsum(pitch * (1 + bend)) / SOUND_RATE
    buzz = np.sign(np.sin(phase)) * (np.abs(np.sin(phase)) ** 8)
    out = np.zeros(n)
    for low, high, gain in ((300, 800, 1.0), (900, 2200, 0.5), (2300, 3500, 0.2)):
        centre = r.uniform(low, high)
        out += gain * np.asarray(
            sosfilt(
                butter(1, [centre * 0.85, centre * 1.18], "band", fs=SOUND_RATE, output="sos"), buzz * loud
            )
        )
    sibilant = sosfilt(butter(2, [4000, 9000], "band", fs=SOUND_RATE, output="sos"), r.normal(size=n) * hiss)
    return unit(unit(out) + 0.35 * unit(np.asarray(sibilant) + 1e-9))


def babble(r: np.random.Generator, n: int) -> Sound:
    """Two to five talkers."""
    return unit(np.asarray(sum(r.uniform(0.4, 1.0) * voice(r, n) for _ in range(int(r.integers(2, 6))))))


def music(r: np.random.Generator, n: int) -> Sound:
    """Plucked notes over a beat with a soft noise drum."""
    t = np.arange(n) / SOUND_RATE
    beat = 60 / r.uniform(80, 150)
    out = np.zeros(n)
    for k in range(math.ceil(n / SOUND_RATE / beat * 2) + 1):
        start = int(k * beat / 2 * SOUND_RATE)
        if start >= n:
            break
        tail = t[: min(n - start, SOUND_RATE)]
        if r.random() < 0.8:
            hz = 220 * 2 ** (int(r.choice((0, 3, 5, 7, 10, 12, 15, 17))) / 12)
            note = sum(
                np.sin(2 * math.pi * hz * h * tail) / h**1.3 * np.exp(-tail * h / 0.25) for h in (1, 2, 3, 4)
            )
            out[start : start + len(tail)] += r.uniform(0.3, 1.0) * note
        if k % 2 == 0:
            m = min(len(tail), 9600)
            out[start : start + m] += 0.4 * r.normal(size=m) * np.exp(-tail[:m] / 0.03)
    return unit(out)


OTHERS: dict[str, Callable[[np.random.Generator, int], Sound]] = {
    "fan": fan,
    "hum": hum,
    "babble": babble,
    "music": music,
}


def rubbing(r: np.random.Generator, n: int, strength: Sound) -> Sound:
    """Skin sliding on plastic: noise below some 2 kHz that follows the hand's acceleration `strength` [n], in its unit,
    with 0.38 of it as RMS."""
    noise = np.asarray(lfilter([0.25], [1, -0.75], r.normal(size=n)))
    return noise * strength
