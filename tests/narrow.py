"""Sound as it comes out of what hands on less of it: a headset, a telephone."""

from __future__ import annotations

from math import gcd

import numpy as np
from scipy.signal import resample_poly

from tests.rattle import Sound


def through(codec: int, sound: Sound, rate: int) -> Sound:
    """The same at `rate` Hz, but at `codec` Hz in between."""
    common = gcd(codec, rate)
    there = resample_poly(sound, codec // common, rate // common)
    return resample_poly(there, rate // common, codec // common)[: len(sound)].astype(np.float32)
