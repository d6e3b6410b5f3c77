"""A stand-in for PortAudio whose list of devices changes, and what they give."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sensors.ear.sources import capture

Devices = list[tuple[str, int, float]]  # name, channels, Hz


class Cards:
    """PortAudio as `capture` asks it. A stream gives some blocks when it is started, and then nothing."""

    PortAudioError = RuntimeError
    default = SimpleNamespace(device=(0, 0))

    def __init__(self, devices: Devices) -> None:
        self.devices = devices
        self.lost: dict[
            int, int
        ] = {}  # block of a stream: how often PortAudio says before it that it lost some
        self.blocks = 5
        self.sound: np.ndarray | None = None  # of one block, float32[samples, channels]
        self.played: np.ndarray | None = None  # instead, one block after another, float32[samples, channels]
        self.stereo = True  # whether devices give two channels
        self.opened: list[tuple[int, int]] = []  # the device's number and channels of each stream
        self.up, self.fails = True, 0  # so often PortAudio will not start

    def query_devices(self) -> list[dict[str, Any]]:
        if not self.up:
            raise self.PortAudioError("Error querying devices: PortAudio not initialized")
        return [
            {"name": name, "max_input_channels": channels, "default_samplerate": rate}
            for name, channels, rate in self.devices
        ]

    def _terminate(self) -> None:
        if not self.up:
            raise self.PortAudioError("Error terminating PortAudio: PortAudio not initialized")
        self.up = False

    def _initialize(self) -> None:
        if self.fails:
            self.fails -= 1
            raise self.PortAudioError("Error initializing PortAudio: Unanticipated host error")
        self.up = True

    def InputStream(
        self,
        device: int,
        samplerate: float,
        channels: int,
        blocksize: int,
        callback: Callable[..., None],
        **_: Any,
    ) -> Any:
        if channels > 1 and not self.stereo:
            raise self.PortAudioError("Error opening InputStream: Invalid number of channels")
        self.opened.append((device, channels))
        quiet = np.zeros((blocksize, channels), np.float32)
        sound = quiet if self.sound is None else self.sound[:, :channels]

        def start() -> None:
            if self.played is not None:
                for first in range(0, len(self.played) // blocksize * blocksize, blocksize):
                    callback(self.played[first : first + blocksize, :channels], blocksize, None, False)
                return
            for number in range(self.blocks):
                callback(sound, blocksize, None, number in self.lost)

        return SimpleNamespace(samplerate=samplerate, start=start, close=lambda ignore_errors: None)


def stand_in(monkeypatch: pytest.MonkeyPatch) -> Cards:
    """In the place of PortAudio for one test; nobody waits for a device that has fallen silent."""
    cards = Cards([("Built-in", 1, 48000.0), ("HDMI", 0, 48000.0), ("USB mic", 1, 48000.0)])
    monkeypatch.setattr(capture, "_portaudio", lambda: cards)
    monkeypatch.setattr(capture, "STALLED_S", 0.001)
    return cards
