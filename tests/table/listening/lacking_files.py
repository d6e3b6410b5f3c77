"""Folders of recordings in which a sensor lacks something, for tests of what is told of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from tests.narrow import through
from tests.rattle import RATE, Sound, rattle, shaken_sensor

COARSE_G = 0.125  # the steps of a coarse accelerometer's values


@dataclass(frozen=True)
class Lack:
    """`sound` of so many beads is as it should be, and `lacking` makes of a sound what this sensor gives.

    `sentence` tells of it; only there do `mark` (in what is said of a shake) and `page_mark` (in a report) stand.
    """

    sensor: str
    sentence: str
    mark: str
    page_mark: str
    rate: int
    subtype: str
    sound: Callable[[int], Sound]
    lacking: Callable[[Sound, int], Sound]

    def write(self, folder: Path) -> Path:
        """Three recordings that lack it, and `whole.wav`, which does not; their list."""
        lines = []
        for beads in (5, 7, 9):
            self._write(folder / f"{beads}.wav", self.lacking(self.sound(beads), self.rate), self.rate)
            lines.append({"file": f"{beads}.wav", "sensor": self.sensor, "beads": beads})
        self._write(folder / "whole.wav", self.sound(4), self.rate)
        lines.append({"file": "whole.wav", "sensor": self.sensor, "beads": 4})
        (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        return folder

    def take_from(self, folder: Path) -> None:
        """Every recording in a folder lacks it from now on."""
        for path in folder.rglob("*.wav"):
            sound, rate = soundfile.read(path, dtype="float32")
            self._write(path, self.lacking(sound, rate), rate)

    def _write(self, path: Path, sound: Sound, rate: int) -> None:
        soundfile.write(path, sound, rate, subtype=self.subtype)


def shakes(out: str) -> list[dict[str, Any]]:
    """What `listen --json` printed of shakes."""
    return [line for line in map(json.loads, out.splitlines()) if line.get("event") == "shake"]


COARSE = Lack(
    "accelerometer",
    "this accelerometer's values go in steps of 0.12 g, too coarse to count by; set it to more bits or a narrower "
    "range (less ±g), or take one with steps below 0.06 g",
    "steps",
    "go in steps of 0.12 g, too coarse to count by",
    1600,
    "FLOAT",
    lambda beads: shaken_sensor(beads, 1),
    lambda sound, rate: np.round(sound / COARSE_G) * COARSE_G,
)
NARROW = Lack(
    "microphone",
    "the sound has nothing above 8 kHz, as after a headset, a telephone or a low MP3, and what is missing tells beads "
    "apart best; record with the microphone itself at 44.1 or 48 kHz, and keep it as WAV or FLAC",
    "kHz",
    "the sound has nothing above 8 kHz",
    RATE,
    "PCM_16",
    lambda beads: rattle(beads, 1),
    lambda sound, rate: through(16000, sound, rate),
)
