"""Microphones: response, self-noise, level, automatic gain, limiter; one in the air and one stuck to the shell."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from hw_mock.igloo.compiled import compiled, run_whole
from hw_mock.igloo.constants import SOUND_RATE

Sound = NDArray[np.float64]
PASCAL = 2e-5


def air_response(seed: int) -> NDArray[np.float64]:
    """Second-order sections [k, 6] at 48 kHz of an air microphone (MEMS, electret): roll-off at both ends, and a
    presence peak."""
    r = np.random.default_rng([seed, 0x31C])
    sections = [
        butter(1, float(np.exp(r.uniform(math.log(30), math.log(180)))), "high", fs=SOUND_RATE, output="sos"),
        butter(2, r.uniform(11000, 22000), "low", fs=SOUND_RATE, output="sos"),
        peak(float(r.uniform(3000, 12000)), float(r.uniform(-3, 7)), float(r.uniform(0.7, 2))),
        peak(float(r.uniform(300, 2500)), float(r.uniform(-4, 3)), float(r.uniform(0.5, 1.5))),
    ]
    return np.concatenate(sections)


def contact_response(seed: int) -> NDArray[np.float64]:
    """Second-order sections [k, 6] at 48 kHz of a piezo disc at its input: a high-pass by the load, and the disc's own
    resonance."""
    r = np.random.default_rng([seed, 0xC07])
    sections = [
        butter(1, float(np.exp(r.uniform(math.log(60), math.log(600)))), "high", fs=SOUND_RATE, output="sos"),
        butter(1, r.uniform(6000, 20000), "low", fs=SOUND_RATE, output="sos"),
        peak(float(r.uniform(3000, 9000)), float(r.uniform(3, 12)), float(r.uniform(1, 4))),
    ]
    return np.concatenate(sections)


def peak(hz: float, gain_db: float, quality: float) -> NDArray[np.float64]:
    """A peaking section (Bristow-Johnson's cookbook), [1, 6], at 48 kHz."""
    a = 10 ** (gain_db / 40)
    w = 2 * math.pi * hz / SOUND_RATE
    alpha = math.sin(w) / (2 * quality)
    b = np.array([1 + alpha * a, -2 * math.cos(w), 1 - alpha * a])
    d = np.array([1 + alpha / a, -2 * math.cos(w), 1 - alpha / a])
    return np.asarray(np.concatenate([b, d])[None, :] / d[0])


def hear(pressure: Sound, sections: NDArray[np.float64], r: np.random.Generator, noise_db: float) -> Sound:
    """`pressure` [n] in Pa at 48 kHz, filtered by the response `sections` [k, 6], plus self-noise of `noise_db` SPL;
    Pa."""
    return np.asarray(sosfilt(sections, pressure)) + PASCAL * 10 ** (noise_db / 20) * r.normal(
        size=len(pressure)
    )


def record(
    pressure: Sound, sections: NDArray[np.float64], r: np.random.Generator, noise_db: float
) -> NDArray[np.float32]:
    """The stored recording of one take, float32[n] in ±1: as from `hear`, at a level that carries no information.

    The peak is anywhere between -20 and -1 dB of full scale, because people set the level by ear, and so does automatic
    gain. One take in twenty is overdriven, one in three has a slow automatic gain, one in four a limiter.
    """
    sound = hear(pressure, sections, r, noise_db)
    if r.random() < 0.35:
        sound = automatic_gain(sound, float(r.uniform(0.15, 0.6)), float(r.uniform(0.1, 0.8)))
    gain_db = r.uniform(-20, -1) if r.random() > 0.05 else r.uniform(3, 10)
    sound = sound * (10 ** (gain_db / 20) / (float(np.max(np.abs(sound))) + 1e-12))
    if r.random() < 0.25:
        knee = float(r.uniform(0.2, 0.6))
        sound = knee * np.tanh(sound / knee)
    return np.clip(sound, -1.0, 1.0).astype(np.float32)


def automatic_gain(sound: Sound, strength: float, seconds: float) -> Sound:
    """`sound` [n] at 48 kHz with a slow gain that removes the share `strength` (0–1) of its changes in level and
    recovers in `seconds` (above 0)."""
    release, attack = math.exp(-1 / (seconds * SOUND_RATE)), math.exp(-1 / (0.01 * SOUND_RATE))
    gain = run_whole(_gain, np.abs(sound), release, attack)
    floor = float(np.max(gain)) * 0.02 + 1e-12
    return np.asarray(sound * (gain + floor) ** (-strength))


@compiled()
def _gain(level: Sound, release: float, attack: float) -> Sound:
    out = np.empty_like(level)
    now = 0.0
    for i in range(level.shape[0]):
        keep = attack if level[i] > now else release
        now = keep * now + (1 - keep) * level[i]
        out[i] = now
    return out
