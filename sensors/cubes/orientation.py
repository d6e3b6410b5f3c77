"""Orientation from rate and acceleration: one interface, behind it `vqf` where installed, else `imufusion`.

Both return the rotation from sensor axes to a level frame with z up and an arbitrary, slowly drifting heading.
VQF: D. Laidig, T. Seel, Information Fusion 91 (2023), doi:10.1016/j.inffus.2022.10.014.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sensors.cubes import quats
from sensors.cubes.quats import Quat

G = 9.80665
Array = NDArray[np.float64]
# The tracker subtracts most of the bias, so VQF may find only the rest: a slow turn of 5 °/s is not bias.
_BIAS_CLIP_DPS = 2.0


class OrientationFilter(Protocol):
    """An orientation filter for one sensor; `name` says which one it is."""

    name: str

    @property
    def turned(self) -> Quat | None:
        """The integral of the bias-corrected rates since `restart`, without gravity; None where the filter keeps
        none."""
        ...

    def update(self, rates: Array, accels: Array) -> Quat:
        """Take samples (n, 3) in °/s and g, `period_s` apart; returns the orientation (w, x, y, z) after the last
        one."""
        ...

    def restart(self) -> None:
        """Forget the orientation; keep the learned bias."""
        ...


class VqfFilter:
    """VQF without magnetometer, with rest and motion bias estimation."""

    name = "vqf"

    def __init__(self, period_s: float) -> None:
        from vqf import VQF

        self._vqf: Any = VQF(
            period_s, biasClip=_BIAS_CLIP_DPS, restMinT=0.8, restThGyr=1.5, biasSigmaInit=1.0
        )

    @property
    def turned(self) -> Quat | None:
        w, x, y, z = self._vqf.getQuat3D()
        return (float(w), float(x), float(y), float(z))

    def update(self, rates: Array, accels: Array) -> Quat:
        w, x, y, z = self.whole(rates, accels)[-1]
        return (float(w), float(x), float(y), float(z))

    def whole(self, rates: Array, accels: Array) -> Array:
        """Orientations (n, 4) after each of the samples (n, 3)."""
        # VQF accepts C-ordered arrays only, and columns read from a file are not
        turns, pulls = np.ascontiguousarray(np.radians(rates)), np.ascontiguousarray(accels * G)
        out: Array = self._vqf.updateBatch(turns, pulls)["quat6D"]
        return out

    def restart(self) -> None:
        bias = self._vqf.getBiasEstimate()[0]
        self._vqf.resetState()
        self._vqf.setBiasEstimate(bias, 0.2)


class ImufusionFilter:
    """x-io's Fusion (a complementary filter with rejection), tuned as in benchmarks/cubes.py."""

    name = "imufusion"
    turned: Quat | None = None

    def __init__(self, period_s: float) -> None:
        import imufusion

        self._period_s = period_s
        self._make = imufusion
        self._fresh = True
        self.restart()

    def update(self, rates: Array, accels: Array) -> Quat:
        if self._fresh:  # Fusion's own start-up takes three seconds, in which it pins the heading
            self._fresh = False
            self._ahrs.skip_startup()
            up = (float(accels[0][0]), float(accels[0][1]), float(accels[0][2]))
            self._ahrs.set_quaternion(np.array(quats.levelled((1.0, 0.0, 0.0, 0.0), up)))
        for rate, accel in zip(rates, accels, strict=True):
            self._ahrs.update_no_magnetometer(self._bias.update(rate), accel)
        w, x, y, z = self._ahrs.get_quaternion()
        return (float(w), float(x), float(y), float(z))

    def restart(self) -> None:
        settings = self._make.AhrsSettings()
        settings.sample_rate = 1 / self._period_s
        settings.gain = 0.5
        settings.acceleration_rejection = 10.0
        settings.rejection_timeout = 5.0
        self._ahrs: Any = self._make.Ahrs()
        self._ahrs.set_settings(settings)
        self._fresh = True
        if not hasattr(self, "_bias"):
            bias = self._make.BiasSettings()
            bias.sample_rate = 1 / self._period_s
            self._bias: Any = self._make.Bias()
            self._bias.set_settings(bias)


FILTERS: dict[str, type[VqfFilter] | type[ImufusionFilter]] = {
    made.name: made for made in (VqfFilter, ImufusionFilter)
}


def available() -> str:
    """The filter that `make_filter` uses: `vqf`, or `imufusion` where vqf is not installed."""
    try:
        import vqf  # noqa: F401
    except ImportError:
        return "imufusion"
    return "vqf"


def make_filter(period_s: float, name: str | None = None) -> OrientationFilter:
    """A filter for samples `period_s` apart, by name; default: the better one that is installed.

    Raises ValueError for a name that is neither `vqf` nor `imufusion`, ImportError where that one is not installed.
    """
    name = available() if name is None else name
    if name not in FILTERS:
        raise ValueError(f"there is no filter {name!r}; known are {', '.join(FILTERS)}")
    return FILTERS[name](period_s)


def orientations(rates: Array, accels: Array, rate_hz: float, filter_name: str | None = None) -> Array:
    """Orientations of a whole recording: rates (n, 3) in °/s, accelerations (n, 3) in g, `rate_hz` samples a second.

    Returns (n, 4) quaternions w, x, y, z from sensor axes to a level frame, z up, heading free. Nothing is assumed
    about the movement: no tray, no rests, no gravity of exactly 1 g. Raises ValueError for shapes that do not match, a
    rate that is not positive and finite, samples that are not finite, or an unknown filter.
    """
    rates, accels = np.asarray(rates, dtype=float), np.asarray(accels, dtype=float)
    if rates.ndim != 2 or rates.shape[1] != 3 or rates.shape != accels.shape:
        raise ValueError(f"rates {rates.shape} and accelerations {accels.shape} must both be (n, 3)")
    # (an infinite rate leaves no time between samples, and VQF then ends the whole process)
    if not (0 < rate_hz < math.inf and np.isfinite(rates).all() and np.isfinite(accels).all()):
        raise ValueError("the rate must be above 0 and every number finite")
    f = make_filter(1 / rate_hz, filter_name)
    if isinstance(f, VqfFilter):
        return f.whole(rates, accels)
    return np.array([f.update(rates[i : i + 1], accels[i : i + 1]) for i in range(len(rates))]).reshape(-1, 4)
