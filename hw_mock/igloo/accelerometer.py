"""An LSM6DS-class accelerometer on the shell: rigid motion, ringing, mount, filter, sampling, noise, steps, range.

Data sheets LSM6DS3 / LSM6DSO: rates 833, 1666, 3332 Hz, low-pass at half the rate or a quarter, noise 70–130 µg/√Hz,
±16 g in steps of 0.488 mg. The chip's own oscillator is off by up to some per cent, so the true sample rate differs
from the nominal one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, lfilter, lfilter_zi, resample_poly, sosfilt, sosfilt_zi

from hw_mock.igloo.constants import GRAVITY, SOUND_RATE
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.hand import RATE as MOTION_RATE
from hw_mock.igloo.played import Grip, Played

RATE = 12000  # Hz, the sample rate of the computation here
RANGE_G = 16.0
STEP_G = 0.000488
Array = NDArray[np.float64]


def place(device: Device, igloo: Igloo) -> tuple[Array, Array]:
    """Where the sensor sits (m, in the igloo's frame, from the floor's centre) and the outward normal there.

    On the floor its lever arm is a fifth shorter than in `shell.modes`: there it is a share of the dome's radius, here
    of the floor's flat part. This is left as it is, because the shipped networks learned from these recordings.
    """
    way, angle = device.mount.place
    if device.mount.on_floor:
        flat = way * igloo.dome_radius * 0.8
        return np.array([flat * math.cos(angle), flat * math.sin(angle), -igloo.floor_thickness]), np.array(
            [0.0, 0.0, -1.0]
        )
    polar = way * math.pi / 2
    normal = np.array([math.sin(polar) * math.cos(angle), math.sin(polar) * math.sin(angle), math.cos(polar)])
    return normal * (igloo.dome_radius + igloo.dome_thickness) + np.array([0, 0, igloo.centre_height]), normal


def record(played: Played, r: np.random.Generator, pushed: Array | None = None) -> NDArray[np.float32]:
    """float32[m, 3] in g, in the sensor's axes, at the true rate; `pushed` [n, 3]: acceleration of the shell from
    elsewhere (neighbours), m/s² at `RATE`."""
    device, igloo, motion = played.device, played.igloo, played.motion
    where, normal = place(device, igloo)
    traces = played.traces
    # impacts on the shell: the chip hears nothing above its 1.7 kHz, so a quarter of the samples is enough
    blows = np.concatenate([traces.recoil, traces.torque, played.ring[3][:, None]], axis=1).astype(np.float64)
    blows = np.asarray(resample_poly(blows, 1, SOUND_RATE // RATE, axis=0, window=("kaiser", 6.0)))
    n = len(blows)
    coarse = -motion.force + np.cross(motion.turn_rate, where)
    coarse += np.cross(motion.turn, np.cross(motion.turn, where))
    t, grid = np.arange(n) * (MOTION_RATE / RATE), np.arange(len(coarse))
    felt = np.stack([np.interp(t, grid, coarse[:, k]) for k in range(3)], axis=1)
    spun = _rotation(igloo, blows[:, 3:6], played.grip)
    # torques are given about 0.45·(radius + centre), which differs from this point by at most a tenth of the radius
    felt += blows[:, :3] + np.cross(spun, where - np.array([0, 0, 0.45 * igloo.dome_radius]))
    felt += blows[:, 6:] * normal
    if pushed is not None:
        felt[: len(pushed)] += pushed[: len(felt)]
    sensed = felt @ np.array(device.mount.axes).T / GRAVITY
    true_rate = device.accelerometer_rate * device.accelerometer_true
    sensed = _mounted(sensed, device.mount.resonance_hz, device.mount.quality)
    low = butter(3, device.accelerometer_rate * device.accelerometer_band, "low", fs=RATE, output="sos")
    start = np.repeat(np.mean(sensed[:50], axis=0)[None, :], 2, axis=0) * sosfilt_zi(low)[:, :, None]
    sensed, _ = sosfilt(low, sensed, axis=0, zi=start)
    at = (np.arange(int((n - 2) / RATE * true_rate)) + r.random()) / true_rate * RATE
    out = np.stack([np.interp(at, np.arange(n), sensed[:, k]) for k in range(3)], axis=1)
    out += device.accelerometer_noise * math.sqrt(true_rate / 2) * r.normal(size=out.shape)
    out += np.array(device.accelerometer_offset)
    return np.clip(np.round(out / STEP_G) * STEP_G, -RANGE_G, RANGE_G).astype(np.float32)


def _mounted(sensed: Array, hz: float, quality: float) -> Array:
    """The signal after tape or glue: a resonant low-pass."""
    w = 2 * math.pi * hz / RATE
    pole = math.exp(-w / (2 * quality))
    angle = w * math.sqrt(max(0.0, 1 - 1 / (4 * quality**2)))
    a = np.array([1.0, -2 * pole * math.cos(angle), pole * pole])
    b = np.array([a.sum()])
    out, _ = lfilter(b, a, sensed, axis=0, zi=lfilter_zi(b, a)[:, None] * np.mean(sensed[:50], axis=0))
    return np.asarray(out)


def _rotation(igloo: Igloo, torque: Array, grip: Grip) -> Array:
    """Angular acceleration of the shell in the fingers [n, 3], rad/s²: a damped oscillator about each axis."""
    inertia = 0.55 * grip.mass * igloo.dome_radius**2  # between a hollow hemisphere's two axes
    arm = (0.8 * igloo.dome_radius) ** 2  # fingers hold at the rim
    w = math.sqrt(grip.stiffness * arm / inertia) / RATE
    pole = math.exp(-grip.damping * arm / inertia / 2 / RATE)
    a = np.array([1.0, -2 * pole * math.cos(w), pole * pole])
    rate = lfilter([1.0, -1.0], a, torque / inertia / RATE, axis=0)
    return np.asarray(np.diff(np.asarray(rate), axis=0, prepend=0.0) * RATE)
