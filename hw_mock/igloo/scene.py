"""Several igloos at one table, and the signal of each sensor there: `Scene`.

Sound pressures add up. Each microphone hears everybody from its own distance, with the delay of sound and with its own
reverberation (a diffuse field differs from place to place). A contact microphone or an accelerometer feels its own
igloo; from the others it gets air-borne sound on its shell and, below 30 Hz, what two elbows on one table transmit
(`seating`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

from hw_mock.igloo import accelerometer, microphone, noises, seating
from hw_mock.igloo.constants import SOUND_RATE, SOUND_SPEED
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.gestures import gesture as named_gesture
from hw_mock.igloo.hand import Player
from hw_mock.igloo.played import Played, Sound, play
from hw_mock.igloo.room import Room, through
from hw_mock.igloo.shake import record_contact

# m/s² of the shell per Pa of sound field: mass law, 2/m'' with 2 kg/m², times five because its modes ring (judgement)
LEAK = 5.0


@dataclass(frozen=True, slots=True)
class Part:
    """One igloo that is played in the scene, from `start_s` on, at seat `seat`."""

    start_s: float
    seat: int
    played: Played
    seed: int

    @property
    def beads(self) -> int:
        return self.played.igloo.beads

    @property
    def span_s(self) -> tuple[float, float]:
        """When the gesture begins and ends in the scene."""
        return self.start_s + self.played.motion.start_s, self.start_s + self.played.motion.end_s


@dataclass(slots=True)
class Scene:
    """A period of time at a table. `seats` people sit around it, each with a place for a microphone before them."""

    room: Room
    seed: int
    seconds: float
    seats: int = 4
    parts: list[Part] = field(default_factory=list)
    extra: list[tuple[float, int, Sound]] = field(default_factory=list)
    pattern: float = 0.0  # polar pattern of the seats' microphones: 0 omni, 0.5 cardioid

    def shake(
        self,
        start_s: float,
        seat: int,
        count: int,
        device: Device,
        player: Player,
        seconds: float = 2.0,
        gesture: str = "shake",
    ) -> Part:
        """Let `player` at `seat` shake the igloo of `count` beads (or do another `gesture`) from `start_s` on."""
        seed = self.seed * 1009 + len(self.parts)
        person = player.take(seed)
        motion = named_gesture(gesture, person, seed, seconds)
        part = Part(start_s, seat, play(device, Igloo.of(device, count), person, motion, seed), seed)
        self.parts.append(part)
        return part

    def sound(self, start_s: float, seat: int, pressure: Sound) -> None:
        """Add another sound from `seat`, as pressure at 1 m in Pa."""
        self.extra.append((start_s, seat, pressure))

    def distance(self, seat: int, listener: int | None) -> float:
        """Distance in m from the igloo at `seat` to the microphone of `listener`'s seat (0.20–0.35 for the own one,
        about 0.6–1.3 for the others of four), or to the room's microphone (None)."""
        r = np.random.default_rng([self.seed, seat, 0 if listener is None else listener + 1, 0x5C])
        if listener is None:
            return self.room.distance * math.exp(r.normal(0, 0.25))
        return seating.distance(r, seat, listener, self.seats)

    def pressure(self, listener: int | None = None, background: bool = True) -> Sound:
        """The pressure at a microphone, Pa [n]."""
        n = round(self.seconds * SOUND_RATE)
        out = np.zeros(n)
        r = np.random.default_rng([self.seed, 0x5D])
        for part in self.parts:
            direct, diffuse = part.played.pressure()
            rub = noises.rubbing(r, len(direct), 4e-4 * part.played.strength())
            self._arrive(out, part.start_s, part.seat, part.seed, listener, direct + rub, diffuse + rub)
        for k, (start, seat, other) in enumerate(self.extra):
            self._arrive(out, start, seat, self.seed + k, listener, other, other)
        if background:
            loud = microphone.PASCAL * 10 ** (self.room.background_db / 20)
            noise = noises.background(self.room.background, np.random.default_rng([self.seed, 0x5E]), n)
            # people and fans are the same, but the room's field differs from seat to seat
            if listener is not None:
                _, tail = self.room.response(self.seed, 1.0, listener)
                noise = noises.unit(through((np.zeros(1), tail), noise, noise))
            out += loud * noise
        return out

    def _arrive(
        self,
        out: Sound,
        start_s: float,
        seat: int,
        seed: int,
        listener: int | None,
        direct: Sound,
        all_: Sound,
    ) -> None:
        away = self.distance(seat, listener)
        early, tail = self.room.response(seed, away, listener)
        if listener is not None:
            # a hand shadows its igloo on one side more than on another (judgement: 2 dB)
            hidden = np.random.default_rng([seed, listener, 0x62]).normal(0, 2.0)
            early = (
                early * seating.direct_gain(seat, listener, self.seats, self.pattern) * 10 ** (hidden / 20)
            )
            tail = tail * seating.diffuse_gain(self.pattern)
        _add(out, start_s + away / SOUND_SPEED, through((early, tail), direct, all_))

    def microphones(
        self, listeners: tuple[int | None, ...], device: Device, set_db: float | None = None
    ) -> NDArray[np.float32]:
        """float32[n, microphones] as one sound card records them, all at one gain that suits the loudness.

        `set_db`: use this gain instead, dB; at 0, 1 Pa is full scale.
        """
        sections = microphone.air_response(device.microphone)
        r = np.random.default_rng([self.seed, 0x5F])
        rows = [microphone.hear(self.pressure(one), sections, r, 30.0) for one in listeners]
        together = np.stack(rows, axis=1)
        if set_db is None:
            gain = 10 ** (r.uniform(-20, -2) / 20) / (float(np.max(np.abs(together))) + 1e-12)
        else:
            gain = 10 ** (set_db / 20)
        return np.clip(together * gain, -1, 1).astype(np.float32)

    def contact(self, part: Part) -> NDArray[np.float32]:
        """The contact microphone on that igloo, float32[n] in ±1 at 48 kHz, for the length of its own motion; others
        leak in through the air."""
        vibration = part.played.vibration()
        r = np.random.default_rng([part.seed, 0x60])
        vibration = vibration + noises.rubbing(r, len(vibration), 0.5 * part.played.strength())
        return record_contact(part.played.device, vibration + self._leak(part), r)

    def accelerometer(self, part: Part) -> NDArray[np.float32]:
        """The accelerometer on that igloo, float32[m, 3] in g, for the length of its own motion."""
        n = round(part.played.samples * accelerometer.RATE / SOUND_RATE)
        r = np.random.default_rng([part.seed, 0x63])
        leans = r.random() < seating.LEANS
        pushed = np.zeros((n, 3))
        for other in self.parts:
            elbow = np.random.default_rng([other.seed, 0x64])
            if other is part or not (leans and elbow.random() < seating.LEANS):
                continue
            moved = seating.sway(other.played.motion, accelerometer.RATE, n)
            pushed += _shifted(moved, other.start_s - part.start_s, accelerometer.RATE, n)
        air = seating.moved_by_air(self._air_at(part), part.played.igloo, SOUND_RATE)
        along = r.normal(size=3)
        pushed += np.outer(_decimated(air, n), along / np.linalg.norm(along))
        return accelerometer.record(part.played, np.random.default_rng([part.seed, 0x61]), pushed)

    def _leak(self, mine: Part) -> Sound:
        return self._air_at(mine) * LEAK

    def _air_at(self, mine: Part) -> Sound:
        """Sound of all others at the shell of `mine`, Pa, for the length of that igloo's motion."""
        n = mine.played.samples
        out = np.zeros(n)
        for other in self.parts:
            if other is mine:
                continue
            direct, diffuse = other.played.pressure()
            response = self.room.response(other.seed, self.distance(other.seat, mine.seat), mine.seat)
            out += _shifted(through(response, direct, diffuse), other.start_s - mine.start_s, SOUND_RATE, n)
        return out


def _shifted(sound: Sound, late_s: float, rate: float, n: int) -> Sound:
    """`sound` delayed by `late_s`, cut or padded to `n` samples."""
    out = np.zeros((n, *sound.shape[1:]))
    start = round(late_s * rate)
    low, high = max(0, start), min(n, start + len(sound))
    if low < high:
        out[low:high] = sound[low - start : high - start]
    return out


def _decimated(sound: Sound, n: int) -> Sound:
    out = np.asarray(resample_poly(sound, 1, SOUND_RATE // accelerometer.RATE))[:n]
    return np.pad(out, (0, n - len(out)))


def _add(out: Sound, start_s: float, sound: Sound) -> None:
    at = round(start_s * SOUND_RATE)
    end = min(len(out), at + len(sound))
    if at < end:
        out[at:end] += sound[: end - at]
