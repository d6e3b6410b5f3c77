"""One shake from end to end: `simulate(count, device, player, seed)`. The same arguments give the same bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.signal import sosfilt

from hw_mock.igloo import accelerometer, microphone, noises
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.gestures import gesture as named_gesture
from hw_mock.igloo.hand import Motion, Player
from hw_mock.igloo.played import Played, play
from hw_mock.igloo.room import Room, through

SENSORS = ("microphone", "near", "contact", "accelerometer")


def check_sensors(asked: Iterable[str], known: Sequence[str]) -> None:
    """Raises ValueError for sensors that are not known."""
    unknown = set(asked) - set(known)
    if unknown:
        raise ValueError(f"no sensor called {', '.join(sorted(unknown))}; there are {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class Shake:
    """The sensors' recordings, and the truth. Sound float32[n] at 48 kHz, ±1; None for a sensor not asked for.

    sound: microphone in the room; near: a few centimetres away; contact: on the shell. accel float32[m, 3] in g at
    accel_true_rate, although the chip claims accel_rate. impacts [K, 7]: start in s, impulse in N·s, kind (0 dome,
    1 floor, 2 bead on bead), bead, other bead or -1, duration in s, closing speed in m/s. stop_force float32[n] in N:
    force on an elastic stop, if the gesture has one. level: RMS of the hand's acceleration during the gesture, g.
    """

    beads: int
    sound: NDArray[np.float32] | None
    near: NDArray[np.float32] | None
    contact: NDArray[np.float32] | None
    accel: NDArray[np.float32] | None
    accel_rate: float
    accel_true_rate: float
    impacts: NDArray[np.float64]
    stop_force: NDArray[np.float32]
    motion: Motion
    level: float


def simulate(
    count: int,
    device: Device,
    player: Player,
    seed: int,
    seconds: float = 2.5,
    sensors: Sequence[str] = ("microphone", "accelerometer"),
    gesture: str = "shake",
    room: Room | None = None,
) -> Shake:
    """Shake `device`'s igloo of `count` beads once. `player` as on that day (`Player.on`); `seed` is of the take.

    `room` default: the device's own. Raises ValueError for an unknown sensor or gesture, or a count below 1.
    """
    check_sensors(sensors, SENSORS)
    person = player.take(seed)
    played = play(
        device, Igloo.of(device, count), person, named_gesture(gesture, person, seed, seconds), seed
    )
    room = Room.draw(device.seed) if room is None else room
    r = {name: np.random.default_rng([seed, count, 2 + k]) for k, name in enumerate(SENSORS)}
    takes = {
        name: record_air(played, room, seed, r[name], name == "near")
        for name in ("microphone", "near")
        if name in sensors
    }
    contact = accel = None
    if "contact" in sensors:
        rubbing = 0.5 * np.exp(r["contact"].normal(0, 0.7))
        skin = noises.rubbing(r["contact"], played.samples, rubbing * played.strength())
        contact = record_contact(device, played.vibration() + skin, r["contact"])
    if "accelerometer" in sensors:
        accel = accelerometer.record(played, r["accelerometer"])
    return Shake(
        count,
        takes.get("microphone"),
        takes.get("near"),
        contact,
        accel,
        device.accelerometer_rate,
        device.accelerometer_rate * device.accelerometer_true,
        played.impacts.copy(),
        played.traces.stop,
        played.motion,
        played.level(),
    )


def record_air(
    played: Played,
    room: Room,
    seed: int,
    r: np.random.Generator,
    near: bool = False,
    beside: NDArray[np.float64] | float = 0.0,
) -> NDArray[np.float32]:
    """A microphone's recording, in the room or a few centimetres away; `beside`: further sound from the igloo's place,
    Pa at 1 m [n]."""
    device = played.device
    own = np.random.default_rng([device.microphone, 1])
    self_noise, away = float(own.uniform(22, 38)), float(own.uniform(0.02, 0.08))
    direct, diffuse = played.pressure()
    rub = noises.rubbing(r, played.samples, 4e-4 * np.exp(r.normal(0, 0.7)) * played.strength())
    other = rub + beside
    got = through(room.response(seed, away if near else None), direct + other, diffuse + other)
    loud = microphone.PASCAL * 10 ** (room.background_db / 20) * float(np.exp(r.normal(0, 0.3)))
    got += loud * noises.background(room.background, r, played.samples)
    return microphone.record(got, microphone.air_response(device.microphone), r, self_noise)


def record_contact(
    device: Device, vibration: NDArray[np.float64], r: np.random.Generator
) -> NDArray[np.float32]:
    """A contact microphone's recording, float32[n] in ±1, of `vibration` [n] m/s², both at 48 kHz.

    Its gain is set once, by ear, and then fixed, so absolute level carries information.
    """
    own = np.random.default_rng([device.contact, 2])
    got = np.asarray(sosfilt(microphone.contact_response(device.contact), vibration))
    loud = _loud_contact(device)
    got += loud * 10 ** (own.uniform(-80, -55) / 20) * r.normal(size=len(got))
    got += loud * 10 ** (own.uniform(-80, -50) / 20) * noises.hum(r, len(got))
    return np.clip(got * (10 ** (own.uniform(-14, -3) / 20) / loud), -1, 1).astype(np.float32)


@lru_cache(maxsize=256)
def _loud_contact(device: Device) -> float:
    """The loud parts of a usual shake of seven beads at the contact microphone, m/s²; its gain is set by them."""
    person = replace(Player.draw(0), stroke_hz=4.3, strength_g=2.4)
    played = play(device, Igloo.of(device, 7), person, named_gesture("shake", person, 0, 0.8), 0)
    got = np.asarray(sosfilt(microphone.contact_response(device.contact), played.vibration()))
    return float(np.quantile(np.abs(got), 0.999))
