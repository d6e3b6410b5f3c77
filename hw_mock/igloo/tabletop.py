"""Sound of the table under an igloo: the impact when it is put down, and rubbing while it is pushed.

Levels at one metre, by judgement, as in `table_noise`: 62 to 75 dB when an igloo lands at some 10 cm/s, 40 to 55 dB of
rubbing when it judders at 1.5 m/s².
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter1d
from scipy.signal import butter, fftconvolve, sosfilt

from hw_mock.igloo.constants import SOUND_RATE
from hw_mock.igloo.hand import RATE as MOTION_RATE
from hw_mock.igloo.microphone import PASCAL
from hw_mock.igloo.noises import unit
from hw_mock.igloo.played import Played
from hw_mock.igloo.table_noise import thump

LANDS_M_S, JUDDERS = 0.1, 1.5  # m/s; m/s²
THUMP_S = 0.4
SETTLES_S = 0.12
SLOWER_HZ = 20.0  # slower changes of force make no sound
JUDDER_HZ = 150.0  # a bumped table vibrates below this
Sound = NDArray[np.float64]


def of_table(played: Played, r: np.random.Generator) -> Sound:
    """Sound pressure at 1 m in Pa [n], 48 kHz. Raises ValueError for a motion that has no table."""
    if not played.motion.on_table:
        raise ValueError("there is no table in this motion: take one of hw_mock.igloo.handling")
    landing, rubbing = float(r.uniform(62, 75)), float(r.uniform(40, 55))
    return _blows(played, r, PASCAL * 10 ** (landing / 20)) + _rubbing(
        played, r, PASCAL * 10 ** (rubbing / 20)
    )


def _blows(played: Played, r: np.random.Generator, loud: float) -> Sound:
    force = played.traces.stop.astype(np.float64)
    quick = np.asarray(sosfilt(butter(1, SLOWER_HZ, "high", fs=SOUND_RATE, output="sos"), force))
    # fade in: an igloo that lies on the table from the start does not strike it
    quick *= np.clip(np.arange(len(force)) / (SETTLES_S * SOUND_RATE) - 1, 0, 1)
    usual = played.igloo.shell_mass * LANDS_M_S  # N·s
    answer = loud / usual * thump(r, round(THUMP_S * SOUND_RATE))
    return np.asarray(fftconvolve(quick / SOUND_RATE, answer)[: len(force)])


def _rubbing(played: Played, r: np.random.Generator, loud: float) -> Sound:
    judder = sosfilt(butter(2, JUDDER_HZ, "high", fs=MOTION_RATE, output="sos"), played.motion.force, axis=0)
    size = (
        np.sqrt(np.maximum(0.0, uniform_filter1d(np.square(judder).sum(axis=1), round(0.02 * MOTION_RATE))))
        / JUDDERS
    )
    at = np.arange(played.samples) * MOTION_RATE / SOUND_RATE
    swell = np.interp(at, np.arange(len(size)), size) * (played.traces.stop > 0)
    low, high = r.uniform(150, 600), r.uniform(2500, 9000)
    noise = sosfilt(
        butter(1, [low, high], "band", fs=SOUND_RATE, output="sos"), r.normal(size=played.samples)
    )
    return np.asarray(loud * swell * unit(np.asarray(noise)))
