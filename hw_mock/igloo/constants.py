"""Physical constants of the simulated igloos, and the sample rate of their sounds."""

from __future__ import annotations

SOUND_RATE = 48000  # Hz, of every sound
GRAVITY = 9.81  # m/s²; the g in which the sensors here measure
SOUND_SPEED = 343.0  # m/s, in air at 20 °C
AIR = 1.2  # kg/m³, density of air at 20 °C
