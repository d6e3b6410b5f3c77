"""The errors of a MEMS sensor: figures of two data sheets, as ranges from which each chip is drawn.

LSM6DSO (ST DS12140 rev 2, table 2): rate noise 3.8 m°/s/√Hz, zero rate ±1 °/s, sensitivity ±1 %, acceleration noise
110 µg/√Hz at ±16 g, zero g ±20 mg; BMI270 (Bosch BST-BMI270-DS000, tables 3, 4): 7 m°/s/√Hz, ±0.5 °/s, ±0.4 %,
160 µg/√Hz, ±20 mg. Drift with temperature: 0.01 °/s/K and 0.1 mg/K over a warm-up of some 15 K.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SensorModel:
    """Error ranges of one kind of chip and of its mounting in a cube; °/s, g, shares, degrees, seconds."""

    name: str
    rate_noise: float  # °/s/√Hz
    rate_bias: float  # uniform ±
    rate_scale: float  # uniform ±
    rate_range: float
    accel_noise: float  # g/√Hz
    accel_bias: float
    accel_scale: float
    accel_range: float
    misalignment: float = 1.0  # degrees, about a random axis: chip in case, board in cube
    rate_warmth: float = 0.15  # °/s by which the bias drifts during warm-up
    warm_up_s: float = 600.0
    rate_walk: float = 0.002  # °/s/√s

    def worse(self) -> SensorModel:
        """The same chip at its limits: a bias of 3 °/s, half as much again of thermal drift, and 2 % of scale."""
        from dataclasses import replace

        return replace(self, rate_bias=3.0, rate_scale=0.02, rate_warmth=1.5)


LSM6DSO = SensorModel("LSM6DSO", 0.0038, 1.0, 0.01, 2000.0, 110e-6, 0.020, 0.01, 16.0)
BMI270 = SensorModel("BMI270", 0.007, 0.5, 0.004, 2000.0, 160e-6, 0.020, 0.004, 16.0)


@dataclass(slots=True)
class Sensor:
    """One chip, drawn from a model. `mount` turns body axes into the chip's (without the misalignment)."""

    model: SensorModel
    rate_hz: float
    random: np.random.Generator
    mount: Array = field(default_factory=lambda: np.eye(3))
    _bias: Array = field(init=False)
    _warm: Array = field(init=False)
    _walk: Array = field(init=False)
    _rate_scale: Array = field(init=False)
    _accel_scale: Array = field(init=False)
    _accel_bias: Array = field(init=False)
    _axes: Array = field(init=False)

    def __post_init__(self) -> None:
        m, draw = self.model, self.random.uniform
        self._bias = draw(-m.rate_bias, m.rate_bias, 3)
        self._warm = draw(-m.rate_warmth, m.rate_warmth, 3)
        self._walk = np.zeros(3)
        self._rate_scale = 1 + draw(-m.rate_scale, m.rate_scale, 3)
        self._accel_scale = 1 + draw(-m.accel_scale, m.accel_scale, 3)
        self._accel_bias = draw(-m.accel_bias, m.accel_bias, 3)
        axis = self.random.normal(size=3)
        x, y, z = axis / np.linalg.norm(axis) * np.radians(draw(0, m.misalignment))
        self._axes = (np.eye(3) + np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])) @ self.mount

    @property
    def scale_error(self) -> Array:
        """The true scale error of its gyroscope's three axes (0.01: it reads one per cent too much)."""
        error: Array = self._rate_scale - 1
        return error

    def measure(self, t: Array, rates: Array, forces: Array) -> tuple[Array, Array]:
        """The chip's readings of true body rates (n, 3) in °/s and specific forces (n, 3) in g at times `t` (n,)."""
        m, n = self.model, len(t)
        band = math.sqrt(self.rate_hz / 2)
        self._walk = self._walk + self.random.normal(size=3) * m.rate_walk * math.sqrt(n / self.rate_hz)
        warm = self._warm * (1 - np.exp(-t[:, None] / m.warm_up_s))
        rate = (rates @ self._axes.T) * self._rate_scale + self._bias + warm + self._walk
        rate += self.random.normal(size=(n, 3)) * (m.rate_noise * band)
        accel = (forces @ self._axes.T) * self._accel_scale + self._accel_bias
        accel += self.random.normal(size=(n, 3)) * (m.accel_noise * band)
        # for few samples np.clip takes four times as long
        for said, most in ((rate, m.rate_range), (accel, m.accel_range)):
            np.maximum(np.minimum(said, most, out=said), -most, out=said)
        return rate, accel
