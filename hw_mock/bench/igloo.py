"""An igloo at a microphone: a simulated shake played into a capture device, or a real igloo shaken by a person."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from hw_mock.bench.person import Person
from hw_mock.pulse import RATE, VirtualSound

_QUIET_S = 0.5  # before and after a shake


class IglooOnDesk(Protocol):
    """`microphone`: name of the input device; `environment`: the variables with which a program finds it."""

    microphone: str
    environment: Mapping[str, str]
    simulated: bool

    def prepare(self, beads: int) -> None:
        """Prepare the next shake, so that `shake` starts at once (simulating one takes a while)."""

    def shake(self, beads: int) -> None:
        """Shake an igloo of `beads` beads at the microphone; returns when it is over."""

    def close(self) -> None:
        """May be called twice."""


class SimulatedIgloo:
    """Bead physics, a room and a microphone, played in real time into its own PulseAudio server.

    Raises FileNotFoundError if pulseaudio is not installed.
    """

    simulated = True
    microphone = "default"

    def __init__(self, folder: Path, *, seed: int = 1, gesture: str = "shake") -> None:
        self._folder = folder
        self._seed = seed
        self._gesture = gesture
        self._shakes = 0
        self._ready: dict[int, Path] = {}
        self.card = VirtualSound(folder)
        self.card.start()
        self.environment: Mapping[str, str] = self.card.environment

    def prepare(self, beads: int) -> None:
        if beads not in self._ready:
            self._ready[beads] = self.recorded(beads)

    def shake(self, beads: int) -> None:
        self.prepare(beads)
        self.card.play(self._ready.pop(beads))

    def recorded(self, beads: int) -> Path:
        """The sound file of the next shake; each shake is a little different."""
        import numpy as np
        import soundfile

        from hw_mock.igloo.device import Device
        from hw_mock.igloo.player import Player
        from hw_mock.igloo.shake import simulate

        self._shakes += 1
        take = simulate(
            beads,
            Device.draw(self._seed),
            Player.draw(self._seed),
            self._seed * 1000 + self._shakes,
            sensors=("near",),
            gesture=self._gesture,
        )
        assert take.near is not None
        quiet = np.zeros(round(_QUIET_S * RATE), np.float32)
        path = self._folder / f"shake-{self._shakes}-{beads}.wav"
        soundfile.write(path, np.concatenate([quiet, take.near, quiet]), RATE)
        return path

    def close(self) -> None:
        self.card.stop()


class RealIgloo:
    """An igloo in a person's hands, at the microphone called `name`."""

    simulated = False

    def __init__(self, name: str, person: Person) -> None:
        self.microphone = name
        self.environment: Mapping[str, str] = dict(os.environ)
        self._person = person

    def prepare(self, beads: int) -> None:
        """Nothing to do: a person needs no preparation."""

    def shake(self, beads: int) -> None:
        self._person.do(f"Shake the igloo of {beads} beads for two seconds and put it down")

    def close(self) -> None:
        """Nothing to do: the device belongs to the program under test."""
