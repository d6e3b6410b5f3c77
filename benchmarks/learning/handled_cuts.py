"""Training cuts of shakes, alone and in play, and of igloos that are handled and not shaken.

They come from a sensor on the shell, or from a microphone in the room.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

from benchmarks.learning.cuts import Cut, Floats, Span, cuts, cuts_of
from benchmarks.not_a_shake import GENTLE, HARD, RATE
from hw_mock.igloo import accelerometer, handling, noises
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.hand import Player, shaking
from hw_mock.igloo.played import Played, play
from hw_mock.igloo.room import Room
from hw_mock.igloo.shake import record_air, record_contact
from hw_mock.igloo.tabletop import of_table
from sensors.ear.profiles.profile import Profile, load_shipped

HANDLED_S = 20.0
SHAKEN_S = 2.5
NOISE_DB = (8.0, 36.0)  # how far a steady noise is below the loud parts
LOWEST_HZ = 100.0  # below this its spectrum is flat
LOUD = 0.97  # the loud parts: this quantile of twentieths of a second


@dataclass(frozen=True)
class Ear:
    """Which profile hears the sensor, and at what rate in Hz; `noisy`: with a steady noise, as of a fan or a
    preamplifier."""

    kind: str
    rate: float
    noisy: bool = False

    @property
    def profile(self) -> Profile:
        return load_shipped(self.kind)


# by the regression that judges whether it is a shake (sensors.ear.verdicts.likeness)
EARS = {
    "accelerometer-1600": Ear("accelerometer", 1666.0),
    "accelerometer-800": Ear("accelerometer", 833.0),
    "microphone-44100-shell": Ear("contact", 48000.0),
    "microphone-16000-shell": Ear("contact", 16000.0),
    "microphone-44100-shell-noise": Ear("contact", 48000.0, noisy=True),
    "microphone-16000-shell-noise": Ear("contact", 16000.0, noisy=True),
    "microphone-44100": Ear("microphone", 48000.0),
    "microphone-16000": Ear("microphone", 16000.0),
}
ON_THE_SHELL = tuple(name for name, ear in EARS.items() if ear.kind != "microphone")


@dataclass(frozen=True)
class Felt:
    """One igloo in one motion as a sensor records it, float[samples, channels], and what is done when."""

    sound: Floats
    rate: float  # Hz, as the sensor states it
    spans: list[Span]


def felt(
    ear: Ear, device: Device, count: int, person: Player, what: str, seed: int, seconds: float = 0.0
) -> Felt:
    """`what`: "handled", "played" (lifted, shaken, put down) or "shaken" alone."""
    if what == "shaken":
        motion = shaking(person, seed, seconds or SHAKEN_S)
        acts = [handling.Act(motion.start_s, motion.end_s, "shake")]
    elif what == "played":
        motion, acts = handling.played(person, seed, seconds or SHAKEN_S)
    else:
        motion, acts = handling.handled(person, seed, seconds or HANDLED_S)
    if ear.kind == "accelerometer":
        device = replace(device, accelerometer_rate=ear.rate)
    all_of_it = play(device, Igloo.of(device, count), person, motion, seed)
    said = device.accelerometer_true if ear.kind == "accelerometer" else 1.0
    spans = [Span(act.start_s * said, act.end_s * said, act.kind, act.kind == "shake") for act in acts]
    return Felt(_sensed(ear, all_of_it, seed, np.random.default_rng([seed, count, 0x5E])), ear.rate, spans)


def in_noise(ear: Ear, sound: Floats, rate: float, seed: int) -> Floats:
    """The sound for `ear`, float[samples, channels] at `rate` Hz, with a steady noise if the ear is `noisy`."""
    if not ear.noisy:
        return sound
    random = np.random.default_rng([seed, 0xFA])
    pieces = np.array_split(sound, max(1, round(20 * len(sound) / rate)))
    loud = float(np.quantile([float(piece.std()) for piece in pieces], LOUD))
    hertz = np.maximum(np.fft.rfftfreq(len(sound), 1 / rate), LOWEST_HZ)
    white = np.fft.rfft(random.standard_normal(len(sound)))
    steady = noises.unit(np.fft.irfft(white * hertz ** -random.uniform(0.0, 1.0), len(sound)))
    return np.asarray(sound + loud * 10 ** (-random.uniform(*NOISE_DB) / 20) * steady[:, None])


def _sensed(ear: Ear, one: Played, seed: int, r: np.random.Generator) -> Floats:
    if ear.kind == "accelerometer":
        return accelerometer.record(one, r).astype(np.float64)
    if ear.kind == "contact":
        rubbing = 0.5 * np.exp(r.normal(0, 0.7)) * one.strength()
        sound = record_contact(one.device, one.vibration() + noises.rubbing(r, one.samples, rubbing), r)
    else:
        table = of_table(one, np.random.default_rng([seed, 0x7A])) if one.motion.on_table else 0.0
        sound = record_air(one, Room.draw(seed), seed, r, beside=table)
    heard = sound.astype(np.float64)[:, None]
    return heard if ear.rate == RATE else np.asarray(resample_poly(heard, round(ear.rate), RATE, axis=0))


def of_hw_mock(what: str, seed: int, name: str) -> list[Cut]:
    """Cuts of one motion in hw_mock; `seed` draws device, person, count, and how hard the person shakes."""
    ear = EARS[name]
    device, person = Device.draw(seed), Player.draw(seed).on(seed)
    person = replace(person, strength_g=(GENTLE, 1.0, HARD)[seed % 3] * person.strength_g).take(seed)
    got = felt(ear, device, 2 + seed % 12, person, what, seed)
    spans = [replace(span, of="hw_mock") if span.shake else span for span in got.spans]
    return cuts_of(in_noise(ear, got.sound, got.rate, seed), got.rate, ear.profile, spans, f"{what}: at rest")


def of_folder(path: Path, seed: int, of: str, name: str) -> list[Cut]:
    """Cuts of one take of another world, by a sensor on the shell, between two silences: the whole take, and a short
    piece of it, as by somebody who shakes briefly."""
    ear, random = EARS[name], np.random.default_rng(seed)
    sound, had = soundfile.read(path, always_2d=True)
    one = sound.astype(np.float64)
    if had != round(ear.rate):
        one = resample_poly(one, round(ear.rate), round(had), axis=0, padtype="line")
    rate = round(ear.rate)
    first, last = random.uniform(0.3, 1.0), random.uniform(0.5, 1.2)
    part = one[round(first * rate) : round((first + last) * rate)]
    levels = [float(piece.std()) for piece in np.array_split(one, max(1, len(one) * 50 // rate))]
    noise = min(levels) + 1e-5
    out = []
    for piece in (one, part):
        rest = np.repeat(one.mean(axis=0)[None], rate, axis=0)
        before, after = (rest + noise * random.standard_normal(rest.shape) for _ in range(2))
        whole = in_noise(ear, np.concatenate([before, piece, after]), ear.rate, seed)
        out += cuts(whole, ear.rate, ear.profile, of, True)
    return out
