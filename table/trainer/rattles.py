"""The sounds of simulated igloos, computed beside the table so that no page waits for them."""

from __future__ import annotations

import asyncio
import io
import os
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from typing import Any

import numpy as np
import numpy.typing as npt

from firmware_bridge.host.deaf import deaf
from firmware_bridge.host.orphans import end_with

RATE = 48_000
# a microphone on the shell is the best sensor after the accelerometer (docs/ear-figures.md)
SENSOR = "contact"
Samples = npt.NDArray[np.float32]


def rattle(beads: int, device: int, player: int, day: int, take: int, seconds: float) -> Samples:
    """One simulated shake as float32[n] at 48 kHz, deterministic in its arguments. Runs in another process."""
    from hw_mock.igloo.device import Device
    from hw_mock.igloo.hand import Player
    from hw_mock.igloo.shake import simulate

    person = Player.draw(player).on(day)
    shake = simulate(beads, Device.draw(device), person, take, seconds, sensors=(SENSOR,))
    sound = shake.contact
    assert sound is not None
    return sound


class Rattles:
    """Simulated shakes of one set of igloos. `beside`: in another process, or here in this one (without a page)."""

    def __init__(self, device: int, beside: bool) -> None:
        self.device = device
        self._pool: ProcessPoolExecutor | None = None
        self._beside, self._here = beside, not beside
        self._closed = False

    def warm_up(self) -> None:
        """Compile the physics before the first shake is needed (on a first start this takes some seconds)."""
        if self._beside:
            self._executor().submit(rattle, 2, self.device, 0, 0, 0, 0.3)

    async def shake(
        self, beads: int, player: int, day: int, take: int, seconds: float, device: int | None = None
    ) -> Samples:
        """One shake; see `rattle`. `device` None: of the set of igloos on the table. Cancelled by `close`."""
        device = self.device if device is None else device
        arguments: tuple[Any, ...] = (beads, device, player, day, take, seconds)
        if self._here:
            return rattle(*arguments)
        if not self._beside:
            return await asyncio.to_thread(rattle, *arguments)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor(), rattle, *arguments)
        except BrokenExecutor:
            if self._closed:
                raise asyncio.CancelledError from None
            # no room for a second process: slower, but it works
            self._beside, self._pool = False, None
            return await asyncio.to_thread(rattle, *arguments)

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:  # spawn: forking a process with threads and sockets is not safe
            self._pool = ProcessPoolExecutor(
                1, mp_context=get_context("spawn"), initializer=end_with, initargs=(os.getpid(),)
            )
            with deaf():
                self._pool.submit(os.getpid)  # the first task starts the process
        return self._pool

    def close(self) -> None:
        """No more shakes: those in progress are cancelled."""
        self._closed = True
        if self._pool is not None:
            # on a first start compiling takes a minute: do not wait for that
            for process in list(self._pool._processes.values()):
                process.terminate()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def as_wav(sound: Samples, rate: int = RATE) -> bytes:
    """A sound as a WAV file in memory, normalized to full scale."""
    import soundfile

    out = io.BytesIO()
    peak = float(np.abs(sound).max()) or 1.0
    soundfile.write(out, sound / peak * 0.8, rate, format="WAV", subtype="PCM_16")
    return out.getvalue()


COLUMNS = 40


def bands_db(block: Samples) -> tuple[float, ...]:
    """The spectrum of a block in forty columns from 200 Hz to 20 kHz, logarithmic; dB of full scale."""
    window = np.hanning(len(block)) * 2.0
    power = np.abs(np.fft.rfft(block * window) / len(block)) ** 2
    hz = np.fft.rfftfreq(len(block), 1 / RATE)
    edges = np.geomspace(200.0, 20_000.0, COLUMNS + 1)
    columns = np.searchsorted(hz, edges)
    out = []
    for low, high in pairwise(columns):
        out.append(10 * float(np.log10(power[low : max(high, low + 1)].sum() + 1e-12)))
    return tuple(round(v, 1) for v in out)
