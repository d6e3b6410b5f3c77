"""Table noise: the sounds at a table while nobody shakes an igloo near the microphone.

It tests for false alarms: talk, music, knuckles and cups on the table, rolling talers and dice, shuffled cards, igloos
set down, somebody who shakes at the far end of the room. Levels at one metre: talk 58–68 dB (ANSI S3.5: 62 for normal
effort), the rest by judgement. `table_noise` yields any length in pieces, always the same for the same seed; each
single noise is float64[n] at 48 kHz, of unit RMS, as in `noises`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from hw_mock.igloo import microphone, noises
from hw_mock.igloo.constants import SOUND_RATE
from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.microphone import PASCAL
from hw_mock.igloo.played import Sound
from hw_mock.igloo.room import Room
from hw_mock.igloo.scene import Scene

KINDS = ("talk", "music", "knock", "rolling", "cards", "put-down", "far-shake")
PIECE_S = 20.0


@dataclass(frozen=True, slots=True)
class Happening:
    """One noise: its start, in s since the start of all noise, its audible duration, and its kind.

    It is cut off at the end of the piece in which it begins.
    """

    start_s: float
    seconds: float
    kind: str


def table_noise(
    seed: int, seconds: float, kinds: tuple[str, ...] = KINDS, times: float = 1.0
) -> Iterator[tuple[NDArray[np.float32], list[Happening]]]:
    """Pieces of up to 20 s of microphone sound at 48 kHz, float32[n], and what happens in each.

    `times`: how many times more often than at a usual table. Raises ValueError for a kind that is not in KINDS.
    """
    unknown = set(kinds) - set(KINDS)
    if unknown:
        raise ValueError(f"no table noise called {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")
    room, device = Room.draw(seed), Device.draw(seed)
    gain = 10 ** (np.random.default_rng([seed, 1]).uniform(-16, -4) / 20)  # of full scale for 1 Pa, set once
    sections = microphone.air_response(device.microphone)
    for piece in range(math.ceil(seconds / PIECE_S)):
        lasts = min(PIECE_S, seconds - piece * PIECE_S)
        r = np.random.default_rng([seed, piece, 0x7B])
        scene = Scene(room, seed * 7919 + piece, lasts)
        happened = []
        for kind in kinds:
            for _ in range(r.poisson(lasts / PIECE_S * _OFTEN[kind] * times)):
                happened.append(_happen(scene, kind, r, piece * PIECE_S, device))
        sound = gain * microphone.hear(scene.pressure(None), sections, r, 30.0)
        yield np.clip(sound, -1, 1).astype(np.float32), sorted(happened, key=lambda h: h.start_s)


_OFTEN = {
    "talk": 1.5,
    "music": 0.3,
    "knock": 1.5,
    "rolling": 0.7,
    "cards": 0.5,
    "put-down": 1.2,
    "far-shake": 0.3,
}


def _happen(scene: Scene, kind: str, r: np.random.Generator, since: float, device: Device) -> Happening:
    start = float(r.uniform(0, max(0.1, scene.seconds - 1)))
    left = max(0.0, scene.seconds - start)
    seat = int(r.integers(scene.seats))
    if kind in ("put-down", "far-shake"):
        player, count = Player.draw(int(r.integers(2**31))), int(r.integers(2, 14))
        lasts = 0.6 if kind == "put-down" else float(r.uniform(1.5, 4))
        part = scene.shake(
            start, seat, count, device, player, lasts, "knock" if kind == "put-down" else "shake"
        )
        if kind == "far-shake":  # at another table: reverberant sound, which reaches all seats
            scene.parts.remove(part)
            _, diffuse = part.played.pressure()
            scene.sound(start, seat, diffuse / float(r.uniform(4, 8)))
        else:
            scene.sound(start + 0.13, seat, _level(thump(r, round(0.4 * SOUND_RATE)), r.uniform(62, 75)))
        return Happening(since + start, min(lasts, left), kind)
    lasts = float(
        {"talk": r.uniform(2, 12), "music": r.uniform(8, 20), "knock": 0.8, "rolling": 1.2, "cards": 0.9}[
            kind
        ]
    )
    n = round(lasts * SOUND_RATE)
    made = {"talk": noises.voice, "music": noises.music, "knock": knocks, "rolling": rolling, "cards": cards}[
        kind
    ](r, n)
    loud = {"talk": (58, 68), "music": (48, 64), "knock": (60, 76), "rolling": (48, 62), "cards": (45, 58)}[
        kind
    ]
    fade = np.minimum(1, np.minimum(np.arange(n), n - np.arange(n)) / (0.02 * SOUND_RATE))
    scene.sound(start, seat, _level(made * fade, r.uniform(*loud)))
    return Happening(since + start, min(lasts, left), kind)


def knocks(r: np.random.Generator, n: int) -> Sound:
    """Knuckles or a cup on the table, one to four times."""
    out = np.zeros(n)
    for k in range(int(r.integers(1, 5))):
        at = round(k * r.uniform(0.14, 0.25) * SOUND_RATE)
        if at < n:
            out[at:] += r.uniform(0.6, 1.0) * thump(r, n)[: n - at]
    return noises.unit(out)


def thump(r: np.random.Generator, n: int) -> Sound:
    """An impact on a wooden table top: a few low modes and a short broadband click."""
    t = np.arange(n) / SOUND_RATE
    out = 0.3 * r.normal(size=n) * np.exp(-t / 0.0015)
    for _ in range(8):
        hz = float(np.exp(r.uniform(math.log(90), math.log(1800))))
        out += r.uniform(0.2, 1.0) * np.sin(2 * math.pi * hz * t + r.uniform(0, 6.3)) * np.exp(-t * hz / 12)
    return noises.unit(out)


def rolling(r: np.random.Generator, n: int) -> Sound:
    """A wooden taler or a die that bounces until it rests: impacts ever faster and softer."""
    out, at, gap, size = np.zeros(n), 0.0, float(r.uniform(0.1, 0.2)), 1.0
    keep = float(r.uniform(0.75, 0.9))
    blow = thump(r, 4800)
    band = sosfilt(butter(2, [700, 9000], "band", fs=SOUND_RATE, output="sos"), blow)
    while gap > 0.006 and at < n / SOUND_RATE - 0.11:
        start = round(at * SOUND_RATE)
        out[start : start + 4800] += size * np.asarray(band)[: n - start] * r.uniform(0.7, 1.2)
        at += gap
        gap *= keep * r.uniform(0.9, 1.1)
        size *= keep
    return noises.unit(out)


def cards(r: np.random.Generator, n: int) -> Sound:
    """A riffle shuffle: some fifty snaps in half a second."""
    out = np.zeros(n)
    snap = r.normal(size=300) * np.exp(-np.arange(300) / 60)
    for at in np.cumsum(r.uniform(0.004, 0.02, 50)) * SOUND_RATE:
        start = int(at)
        if start + 300 < n:
            out[start : start + 300] += r.uniform(0.2, 1.0) * snap
    return noises.unit(
        np.asarray(sosfilt(butter(2, [1500, 10000], "band", fs=SOUND_RATE, output="sos"), out))
    )


def _level(sound: Sound, db: float) -> Sound:
    return noises.unit(sound) * PASCAL * 10 ** (db / 20)
