"""Several igloos at one table, and what each sensor there gets of all of them: `Scene`.

Sound pressures add up; each microphone hears everybody from its own distance through the same room. A contact
microphone or an accelerometer feels its own igloo; of the others only air-borne sound reaches its shell. Hands are no
path: what the table passes on, an igloo in a hand does not feel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hw_mock.igloo import accelerometer, microphone, noises
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.gestures import gesture as named_gesture
from hw_mock.igloo.hand import Player
from hw_mock.igloo.played import RATE, Played, Sound, play
from hw_mock.igloo.room import Room, through
from hw_mock.igloo.shake import record_contact

# m/s² of the shell for 1 Pa of sound field: mass law, 2/m'' with 2 kg/m², five times that as its modes ring (judgement)
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
    """A stretch of time at a table. `seats` people sit around it, each with a place for a microphone before them."""

    room: Room
    seed: int
    seconds: float
    seats: int = 4
    parts: list[Part] = field(default_factory=list)
    extra: list[tuple[float, int, Sound]] = field(default_factory=list)

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
        """Let `player` at `seat` play the igloo of `count` beads from `start_s` on."""
        seed = self.seed * 1009 + len(self.parts)
        person = player.take(seed)
        motion = named_gesture(gesture, person, seed, seconds)
        part = Part(start_s, seat, play(device, Igloo.of(device, count), person, motion, seed), seed)
        self.parts.append(part)
        return part

    def sound(self, start_s: float, seat: int, pressure: Sound) -> None:
        """Add another sound, pressure at 1 m in Pa, that comes from `seat`."""
        self.extra.append((start_s, seat, pressure))

    def distance(self, seat: int, listener: int | None) -> float:
        """m from the igloo at `seat` to the microphone of `listener`'s seat (0.2–0.35), or to the room's one (None)."""
        r = np.random.default_rng([self.seed, seat, 0 if listener is None else listener + 1, 0x5C])
        if listener is None:
            return self.room.distance * math.exp(r.normal(0, 0.25))
        if listener == seat:
            return float(r.uniform(0.20, 0.35))
        around = 2 * math.sin(math.pi * abs(seat - listener) / max(self.seats, 2))
        return 0.45 * around * math.exp(r.normal(0, 0.1)) + 0.1  # people sit some 0.45 m from the middle

    def pressure(self, listener: int | None = None, background: bool = True) -> Sound:
        """What arrives at a microphone, Pa [n]."""
        n = round(self.seconds * RATE)
        out = np.zeros(n)
        r = np.random.default_rng([self.seed, 0x5D])
        for part in self.parts:
            direct, diffuse = part.played.pressure()
            rub = noises.rubbing(r, len(direct), 4e-4 * part.played.strength())
            response = self.room.response(part.seed, self.distance(part.seat, listener))
            _add(out, part.start_s, through(response, direct + rub, diffuse + rub))
        for k, (start, seat, other) in enumerate(self.extra):
            response = self.room.response(self.seed + k, self.distance(seat, listener))
            _add(out, start, through(response, other, other))
        if background:
            loud = microphone.PASCAL * 10 ** (self.room.background_db / 20)
            out += loud * noises.background(self.room.background, np.random.default_rng([self.seed, 0x5E]), n)
        return out

    def microphones(self, listeners: tuple[int | None, ...], device: Device) -> NDArray[np.float32]:
        """float32[n, microphones], all at one gain, as one sound card records them."""
        sections = microphone.air_response(device.microphone)
        r = np.random.default_rng([self.seed, 0x5F])
        rows = [microphone.hear(self.pressure(one), sections, r, 30.0) for one in listeners]
        together = np.stack(rows, axis=1)
        gain = 10 ** (r.uniform(-20, -2) / 20) / (float(np.max(np.abs(together))) + 1e-12)
        return np.clip(together * gain, -1, 1).astype(np.float32)

    def contact(self, part: Part) -> NDArray[np.float32]:
        """The contact microphone on that igloo for the length of its own motion, others leaking in through the air."""
        vibration = part.played.vibration()
        r = np.random.default_rng([part.seed, 0x60])
        vibration = vibration + noises.rubbing(r, len(vibration), 0.5 * part.played.strength())
        return record_contact(part.played.device, vibration + self._leak(part), r)

    def accelerometer(self, part: Part) -> NDArray[np.float32]:
        """The accelerometer on that igloo, float32[m, 3] in g: air-borne sound moves it by less than its own noise."""
        return accelerometer.record(part.played, np.random.default_rng([part.seed, 0x61]))

    def _leak(self, mine: Part) -> Sound:
        n = mine.played.samples
        out = np.zeros(n)
        for other in self.parts:
            if other is mine:
                continue
            direct, diffuse = other.played.pressure()
            response = self.room.response(other.seed, self.distance(other.seat, mine.seat))
            arriving = through(response, direct, diffuse)
            start = round((other.start_s - mine.start_s) * RATE)
            low, high = max(0, start), min(n, start + len(arriving))
            if low < high:
                out[low:high] += arriving[low - start : high - start]
        return out * LEAK


def _add(out: Sound, start_s: float, sound: Sound) -> None:
    at = round(start_s * RATE)
    end = min(len(out), at + len(sound))
    if at < end:
        out[at:end] += sound[: end - at]
