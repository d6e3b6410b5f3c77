"""Physical constants of the simulated igloos, and the rate at which their sounds are reckoned."""

from __future__ import annotations

SOUND_RATE = 48000  # Hz, of every sound
GRAVITY = 9.81  # m/s²; one g of the sensors here
SOUND_SPEED = 343.0  # m/s, in air of 20 °C
AIR = 1.2  # kg/m³, of air of 20 °C
