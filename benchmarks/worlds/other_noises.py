"""Table noises that hw_mock does not make, synthesized in another way, to test what the ear takes for a shake.

Speech comes from espeak-ng, if it is installed. Clatter consists of impacts on bars and shells with their own modes
(glass rings for tenths of a second, plastic keys for milliseconds), timed by what hands do: typing, cutlery in a
drawer, coins poured out, jingling keys, claps, a rustling bag. All are float64[n] at 48 kHz, some seconds long.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile
from scipy.signal import butter, resample_poly, sosfilt

RATE = 48000
Sound = npt.NDArray[np.float64]
Random = np.random.Generator
WORDS = (
    "who takes the red one then", "I had the seven, did you not see it", "shake it again", "three, two, one, go",
    "that is not fair at all", "pass me the water please", "what does the card say", "six, seven or eight",
    "hurry up", "my turn", "no, put it back on the table", "he always guesses the same number", "yes", "listen",
)  # fmt: skip
VOICES = ("en", "en-us+f3", "de", "fr+f2", "it", "es+m3", "en-gb+croak", "nl+f4")


def speech(random: Random, seconds: float) -> Sound:
    """Synthetic talkers one after another. Raises FileNotFoundError without espeak-ng."""
    program = shutil.which("espeak-ng")
    if program is None:
        raise FileNotFoundError("espeak-ng is not installed")
    parts: list[Sound] = []
    length = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "said.wav"
        while length < seconds * RATE:
            text = " ".join(str(w) for w in random.choice(WORDS, 3))
            voice = str(random.choice(VOICES))
            pace, pitch = str(random.integers(130, 230)), str(random.integers(20, 90))
            subprocess.run(
                [program, "-v", voice, "-s", pace, "-p", pitch, "-w", path, text], check=True, timeout=60
            )
            sound, rate = soundfile.read(path)
            said = resample_poly(sound, RATE, rate)
            parts += [said / (np.std(said) + 1e-9), np.zeros(round(random.uniform(0.1, 1.0) * RATE))]
            length += len(parts[-2]) + len(parts[-1])
    return np.concatenate(parts)[: round(seconds * RATE)]


def typing(random: Random, seconds: float) -> Sound:
    """A keyboard: words of presses and releases, six to ten keys a second."""
    key = [_blow(random, (1500, 9000), 6, 0.006) for _ in range(8)]
    out, t = _nothing(seconds), 0.2
    while t < seconds:
        for _ in range(random.integers(2, 9)):
            _add(out, t, key[random.integers(8)], random.uniform(0.5, 1.0))
            _add(out, t + random.uniform(0.06, 0.1), key[random.integers(8)], random.uniform(0.2, 0.5))
            t += random.uniform(0.08, 0.22)
        t += random.exponential(0.5)
    return out


def cutlery(random: Random, seconds: float) -> Sound:
    """Forks and spoons that clatter in a drawer or are laid on plates: groups of ringing impacts."""
    bars = [_blow(random, (1200, 12000), 9, random.uniform(0.03, 0.15)) for _ in range(10)]
    return _handfuls(random, seconds, bars, (3, 25), (0.1, 0.9), 0.7)


def glasses(random: Random, seconds: float) -> Sound:
    """Glasses that clink."""
    bells = [_blow(random, (1800, 11000), 5, random.uniform(0.1, 0.5)) for _ in range(6)]
    return _handfuls(random, seconds, bells, (1, 5), (0.1, 0.6), 0.8)


def coins(random: Random, seconds: float) -> Sound:
    """Coins poured on a table, or turned over in a hand."""
    discs = [_blow(random, (3000, 16000), 6, random.uniform(0.01, 0.06)) for _ in range(8)]
    return _handfuls(random, seconds, discs, (10, 80), (0.3, 1.5), 1.2)


def keys(random: Random, seconds: float) -> Sound:
    """A bunch of keys carried or shaken: many ringing impacts, at the rate of steps or of a hand."""
    bits = [_blow(random, (3500, 15000), 7, random.uniform(0.01, 0.05)) for _ in range(8)]
    out, t = _nothing(seconds), 0.1
    while t < seconds:
        lasts, pace = random.uniform(0.8, 3.0), random.uniform(1.5, 4.5)
        beat = 0.0
        while beat < lasts:
            for at in np.abs(random.normal(0, 0.06, random.integers(3, 12))):
                _add(out, t + beat + float(at), bits[random.integers(8)], random.uniform(0.2, 1.0))
            beat += random.normal(1, 0.18) / pace
        t += lasts + random.exponential(3.0)
    return out


def claps(random: Random, seconds: float) -> Sound:
    """Two or three people applaud."""
    out = _nothing(seconds)
    for _ in range(random.integers(1, 4)):
        t, pace = random.uniform(0, 1), random.uniform(2.5, 5.0)
        clap = _burst(random, (700, 6000), 0.008)
        while t < seconds:
            if math.sin(t / 3) > -0.3:
                _add(out, t, clap, random.uniform(0.5, 1.0))
            t += random.normal(1, 0.08) / pace
    return out


def rustle(random: Random, seconds: float) -> Sound:
    """A bag of crisps: crackles, whose density varies as hands move."""
    out = _nothing(seconds)
    crack = [_burst(random, (2000, 14000), random.uniform(0.001, 0.004)) for _ in range(8)]
    for at in np.cumsum(random.exponential(0.006, round(seconds / 0.006))):
        if at < seconds and math.sin(at * 2.1) + math.sin(at * 5.3 + 1) > 0.2:
            _add(out, float(at), crack[random.integers(8)], random.exponential(0.5))
    return out


def dice(random: Random, seconds: float) -> Sound:
    """One or two dice thrown on a table, again and again."""
    faces = [_blow(random, (600, 7000), 7, 0.008) for _ in range(6)]
    out, t = _nothing(seconds), 0.3
    while t < seconds:
        for _ in range(random.integers(1, 3)):
            at, gap = t + random.uniform(0, 0.1), random.uniform(0.08, 0.16)
            while gap > 0.012:
                _add(out, at, faces[random.integers(6)], gap * 6)
                at += gap * random.uniform(0.8, 1.2)
                gap *= random.uniform(0.65, 0.85)
        t += random.uniform(1.0, 4.0)
    return out


NOISES: dict[str, Callable[[Random, float], Sound]] = {
    "speech (espeak-ng)": speech,
    "typing": typing,
    "cutlery": cutlery,
    "glasses": glasses,
    "coins": coins,
    "keys": keys,
    "claps": claps,
    "rustle": rustle,
    "dice": dice,
}


def _nothing(seconds: float) -> Sound:
    return np.zeros(round(seconds * RATE))


def _add(out: Sound, at_s: float, sound: Sound, gain: float) -> None:
    start = round(at_s * RATE)
    if 0 <= start < len(out):
        end = min(len(out), start + len(sound))
        out[start:end] += gain * sound[: end - start]


def _blow(random: Random, band: tuple[float, float], modes: int, decay_s: float) -> Sound:
    """A struck body: modes spread over `band` Hz, which decay faster the higher they are, and the impact itself."""
    t = np.arange(round(min(0.6, 5 * decay_s) * RATE)) / RATE
    out = np.zeros(len(t))
    for hz in np.exp(random.uniform(math.log(band[0]), math.log(band[1]), modes)):
        fade = decay_s * (band[0] / hz) ** 0.5
        out += (
            random.uniform(0.3, 1.0) * np.sin(2 * math.pi * hz * t + random.uniform(0, 6)) * np.exp(-t / fade)
        )
    out[:48] += random.normal(0, 1.0, 48)[: len(out)]
    return out


def _burst(random: Random, band: tuple[float, float], decay_s: float) -> Sound:
    n = round(6 * decay_s * RATE) + 64
    noise = sosfilt(butter(2, band, "band", fs=RATE, output="sos"), random.normal(size=n))
    return np.asarray(noise * np.exp(-np.arange(n) / RATE / decay_s))


def _handfuls(
    random: Random,
    seconds: float,
    bodies: list[Sound],
    many: tuple[int, int],
    lasts: tuple[float, float],
    every: float,
) -> Sound:
    out, t = _nothing(seconds), 0.2
    while t < seconds:
        spread = random.uniform(*lasts)
        for at in random.uniform(0, spread, random.integers(*many)):
            _add(out, t + float(at), bodies[random.integers(len(bodies))], random.exponential(0.6))
        t += spread + random.exponential(every)
    return out
