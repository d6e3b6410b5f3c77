"""The trainer's sources: simulated igloos, or a folder of the person's own recordings (contracts 3)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from calibration.errors import RecordingsError
from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from sensors.ear.errors import SoundError
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import Profile
from sensors.ear.sources.sound_file import open_sound
from sensors.evidence import COUNTS, Heard
from table.trainer.rattles import RATE, SENSOR, Rattles, Samples

LONGEST_S = 8.0  # of a recording: counting needs no more
_PAUSE_S = 0.6  # of quiet before and after, so that the ear knows the background
_SHAKES_S = (1.8, 2.6)
_PEOPLE = 400


@dataclass(frozen=True, slots=True)
class Rattle:
    """One shake: float32[n, channels] at `rate` Hz, the true count, and which of our profiles fits its sensor. `own`:
    of the person's own recordings."""

    beads: int
    sound: Samples
    rate: float
    profile: str
    own: bool = False


class Source(Protocol):
    """Igloos that can be shaken any number of times."""

    counts: Sequence[int]

    async def shake(self, beads: int, chance: random.Random) -> Rattle:
        """Shake an igloo of that count. Raises SoundError if that is impossible."""
        ...


class SimulatedIgloos:
    """A simulated set of igloos (`device`: which), shaken by changing people."""

    counts: Sequence[int] = COUNTS

    def __init__(self, rattles: Rattles, device: int) -> None:
        self._rattles, self._device = rattles, device

    async def shake(self, beads: int, chance: random.Random) -> Rattle:
        person, take = chance.randrange(_PEOPLE), chance.randrange(10**6)
        seconds = chance.uniform(*_SHAKES_S)
        sound = await self._rattles.shake(beads, person, 0, take, seconds, self._device)
        return Rattle(beads, sound[:, None], RATE, SENSOR)


class OwnRecordings:
    """The shakes with known counts that a microphone recorded in a folder. Raises RecordingsError if there are none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._by_count: dict[int, list[Recording]] = {}
        for recording in store.read(folder, lambda error: None):
            heard = (
                recording.sensor == "microphone" and recording.gesture is None and recording.rejected is None
            )
            if heard and recording.beads:
                self._by_count.setdefault(recording.beads, []).append(recording)
        if len(self._by_count) < 2:
            raise RecordingsError(
                f"{folder} has no shakes of two different known counts that a microphone heard",
                "record a sweep: polartable calibrate igloos record",
            )
        self.counts: Sequence[int] = tuple(sorted(self._by_count))

    async def shake(self, beads: int, chance: random.Random) -> Rattle:
        takes = list(self._by_count.get(beads, ()))
        chance.shuffle(takes)
        for take in takes:
            try:
                return await asyncio.to_thread(_read, take, beads)
            except SoundError:
                continue  # a file is missing: use another take
        raise SoundError(f"no recording of {beads} beads can be read", "check the files of that folder")


def _read(take: Recording, beads: int) -> Rattle:
    file = open_sound(take.path)
    blocks, samples = [], 0
    for block in file.blocks():
        blocks.append(block)
        samples += len(block)
        if samples >= LONGEST_S * file.rate:
            break
    return Rattle(beads, np.concatenate(blocks), file.rate, take.kind, own=True)


def heard(rattle: Rattle, profile: Profile, chance: random.Random) -> Heard | None:
    """The ear's own result for a rattle; None if it finds nothing in it. Takes a tenth of a second."""
    channels = rattle.sound.shape[1]
    ear = Listener(profile, rattle.rate, channels, "trainer")
    quiet = float(np.std(rattle.sound[: max(1, round(0.02 * rattle.rate))])) or 1e-5
    noise = np.random.default_rng(chance.randrange(2**31)).normal(
        0, quiet, (round(_PAUSE_S * rattle.rate), channels)
    )
    pause = noise.astype(np.float32)
    said = [h for h in ear.push(np.concatenate([pause, rattle.sound, pause])) if isinstance(h, Heard)]
    said += ear.finish()
    shakes = [h for h in said if h.probabilities]
    return max(shakes, key=lambda h: h.end_s - h.start_s) if shakes else None
