"""What the seat's sensors record of a `Tapped`: an LSM6DS-class accelerometer, or a piezo disc on a sound input."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, resample_poly, sosfilt, sosfreqz

from hw_mock.igloo import noises
from hw_mock.igloo.constants import GRAVITY, SOUND_RATE
from hw_mock.igloo.hand import rotation
from hw_mock.igloo.microphone import contact_response
from hw_mock.igloo.seat import Occasion, Seat
from hw_mock.igloo.seat_tap import Tapped

FINE = 12000
RANGE_G, STEP_G = 4.0, 0.000122  # ±4 g


def accelerometer(taken: Tapped, seat: Seat, today: Occasion, r: np.random.Generator) -> NDArray[np.float32]:
    """float32[m, 3] in g, in the chip's axes, at its true rate; data sheets as in `accelerometer`."""
    moved = np.asarray(resample_poly(taken.platform, 1, SOUND_RATE // FINE, axis=0))
    lean = math.sin(today.lean[0]), math.sin(today.lean[1])
    sensed = np.zeros((len(moved), 3))
    sensed[:, 0] = moved[:, 0] / GRAVITY - lean[0]
    sensed[:, 1] = -lean[1]
    sensed[:, 2] = moved[:, 1] / GRAVITY + 1.0
    sensed = sensed @ rotation(np.array(seat.skew)).T
    low = butter(2, seat.accelerometer_rate / 2 * 0.9, "low", fs=FINE, output="sos")
    rest = sensed[:20].mean(axis=0)
    sensed = np.asarray(sosfilt(low, sensed - rest, axis=0)) + rest
    true = seat.accelerometer_rate * seat.accelerometer_true * today.clock
    at = (np.arange(int((len(sensed) - 2) / FINE * true)) + r.random()) / true * FINE
    out = np.stack([np.interp(at, np.arange(len(sensed)), sensed[:, k]) for k in range(3)], axis=1)
    out += seat.accelerometer_noise * math.sqrt(true / 2) * r.normal(size=out.shape)
    out += np.array(seat.accelerometer_offset)
    return np.clip(np.round(out / STEP_G) * STEP_G, -RANGE_G, RANGE_G).astype(np.float32)


def disc(taken: Tapped, seat: Seat, r: np.random.Generator) -> NDArray[np.float32]:
    """float32[n] at 48 kHz, ±1: a piezo disc under the ring on an instrument input, gain set once.

    A disc of 20 mm has 10–25 nF (data sheets). With an input of 1 MΩ this is a high-pass at 6–16 Hz, with 100 kΩ at
    60–160 Hz, which still leaves enough of the seat's tones. A microphone input of some kΩ would leave nothing.
    """
    own = np.random.default_rng([seat.contact, 3])
    corner = float(np.exp(own.uniform(math.log(6), math.log(160))))
    sections = contact_response(seat.contact)
    sections[:1] = butter(1, corner, "high", fs=SOUND_RATE, output="sos")
    felt = seat.contact_axes[0] * taken.platform[:, 0] + seat.contact_axes[1] * taken.platform[:, 1]
    _, gain = sosfreqz(sections, [60.0], fs=SOUND_RATE)
    # a good tap peaks at -14 to -22 dB: headroom for a hard one
    full = 10 ** (own.uniform(14, 22) / 20) * 0.4 * GRAVITY * float(abs(gain[0]))
    got = np.asarray(sosfilt(sections, felt)) / full
    got += 10 ** (own.uniform(-75, -55) / 20) * r.normal(size=len(got))
    got += 10 ** (own.uniform(-70, -45) / 20) * noises.hum(r, len(got))
    # talk and rattling nearby reach the disc through the air, faintly
    talk = np.asarray(
        sosfilt(butter(2, (150, 3000), "band", fs=SOUND_RATE, output="sos"), r.normal(size=len(got)))
    )
    got += 10 ** (own.uniform(-70, -50) / 20) * talk
    return np.clip(got, -1, 1).astype(np.float32)
