"""The trainer's room: its sources, the ear, everybody's tables, and the sounds that are served."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import numpy as np

from firmware_bridge.errors import PolartableError
from sensors.ear.profiles.profile import Profile, load_shipped
from sensors.evidence import Heard
from table.trainer.confusions import Learner, Learners
from table.trainer.lesson import Lesson
from table.trainer.rattles import Rattles, as_wav
from table.trainer.sources import OwnRecordings, Rattle, SimulatedIgloos, Source, heard

SIMULATED, OWN = "simulated", "own"
_KEPT = 64  # sounds kept at most, over all lessons


class TrainerRoom:
    """`rattles`: called at the first simulated shake. `own`: a folder of recordings. `profile`: gives the profile for
    these; None: the shipped ones."""

    def __init__(
        self,
        rattles: Callable[[], Rattles],
        own: Path | None = None,
        profile: Callable[[], Profile] | None = None,
        kept: Path | None = None,
        seed: int | None = None,
    ) -> None:
        self.own = own
        self.learners = Learners(kept)
        self._rattles, self._profile = rattles, profile
        self._chance = random.Random(seed)
        self._chosen: Profile | None = None  # what `profile` gave
        self._sounds: OrderedDict[str, bytes] = OrderedDict()

    def sources(self) -> tuple[str, ...]:
        return (SIMULATED,) if self.own is None else (OWN, SIMULATED)

    async def lesson(self, source: str, learner: Learner) -> Lesson:
        """A new lesson. Raises RecordingsError if the folder of recordings cannot be used."""
        chance = random.Random(self._chance.random())
        chosen: Source
        if source == OWN and self.own is not None:
            chosen = await asyncio.to_thread(OwnRecordings, self.own)
        else:
            chosen = SimulatedIgloos(self._rattles(), chance.randrange(1000))
        return Lesson(chosen, learner, self._listen, chance)

    async def _listen(self, rattle: Rattle) -> Heard | None:
        return await asyncio.to_thread(self._hear, rattle)

    def _hear(self, rattle: Rattle) -> Heard | None:
        try:
            return heard(rattle, self._profile_for(rattle), random.Random(rattle.beads))
        except PolartableError:  # a profile for another sensor: train without the ear
            return None

    def _profile_for(self, rattle: Rattle) -> Profile:
        if rattle.own and self._profile is not None:
            if self._chosen is None:
                self._chosen = self._profile()
            if self._chosen is not load_shipped("microphone"):  # which is chosen where nobody chose
                return self._chosen
        return load_shipped(rattle.profile)

    # sounds

    def put(self, rattle: Rattle) -> str:
        """Keep a sound for a while; its served name reveals nothing about it."""
        key = secrets.token_urlsafe(12)
        self._sounds[key] = as_wav(np.asarray(rattle.sound.mean(1), np.float32), round(rattle.rate))
        while len(self._sounds) > _KEPT:
            self._sounds.popitem(last=False)
        return key

    def sound(self, key: str) -> bytes | None:
        """A WAV file; None if it is no longer kept."""
        return self._sounds.get(key)
