"""A capture stream without a sound card: delivers a given sound in blocks, as PortAudio would, with its faults.

`MockCapture` has the interface of the real one in `sensors.ear.sources.capture`: `rate`, `channels`, `overflows`,
`blocks()`, a context manager. A given clock paces it, and it never runs ahead of that clock: a block comes when its
last sample has happened. A late reader finds blocks waiting, up to a limit; beyond it the oldest are lost and counted.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError

Block = NDArray[np.float32]
BLOCK_S = 0.02  # approximate: a block has a whole number of samples
QUEUED_S = 4.0


class MockUnplugged(PolartableError):
    """The simulated device was unplugged while it was read."""

    number = 204


@dataclass(frozen=True, slots=True)
class Faults:
    """Faults, in seconds since the stream was opened: lost blocks, silence from a dead cable, unplugging."""

    lost: tuple[tuple[float, float], ...] = ()  # from, to: blocks that never come; counted as overflows
    silent: tuple[tuple[float, float], ...] = ()  # from, to: zeros
    unplugged_at: float | None = None


class MockCapture:
    """A running stream of `sound`: pieces float32[n] or float32[n, channels] of any length; silence when they end.

    `wait(s)` waits `s` seconds of `clock` (for a `VirtualClock`, it advances it). `name` is what the real stream calls
    its device.
    """

    def __init__(
        self,
        sound: Iterable[Block],
        clock: Clock,
        wait: Callable[[float], None] | None = None,
        rate: float = 48000.0,
        channels: int = 1,
        faults: Faults | None = None,
        name: str = "mock",
        endless: bool = False,
    ) -> None:
        self.rate = rate
        self.channels = channels
        self.overflows = 0
        self.name = name
        size = max(1, round(BLOCK_S * rate))
        self._block_s = size / rate
        self._pieces = _cut(sound, size, channels, endless)
        self._clock = clock
        self._wait = wait
        self._faults = faults or Faults()
        self._opened = clock.now()
        self._count = 0
        self._closed = False

    def blocks(self) -> Iterator[Block]:
        """Blocks float32[0.02 s, channels] as they come, to the end of the sound; the caller may write into them.

        Raises MockUnplugged.
        """
        while not self._closed:
            late = self._next_at() - self._clock.now()
            if late > 0:
                if self._wait is None:
                    raise ValueError("blocks() needs a way to wait; use stream() with a clock that sleeps")
                self._wait(late)
                continue
            block = self._take()
            if block is None:
                return
            if len(block):
                yield block

    @property
    def age_s(self) -> float:
        """The age in s of the last sample of the latest block."""
        return self._clock.now() - self._opened - self._count * self._block_s

    async def stream(self) -> AsyncIterator[Block]:
        """As `blocks`, for a task: sleeps on the clock between blocks."""
        while not self._closed:
            await self._clock.sleep(max(0.0, self._next_at() - self._clock.now()))
            block = self._take()
            if block is None:
                return
            if len(block):
                yield block

    def _next_at(self) -> float:
        return self._opened + (self._count + 1) * self._block_s - 1e-9

    def _take(self) -> Block | None:
        """The next block: None at the end, empty if it was lost."""
        began = self._count * self._block_s
        waiting = self._clock.now() - self._opened - began
        unplugged = self._faults.unplugged_at
        if unplugged is not None and began >= unplugged:
            self.close()
            raise MockUnplugged(f"{self.name} was unplugged", "plug it in again")
        block = next(self._pieces, None)
        if block is None:
            self.close()
            return None
        self._count += 1
        if waiting > QUEUED_S + self._block_s or _inside(began, self._faults.lost):
            self.overflows += 1
            return block[:0]
        return np.zeros_like(block) if _inside(began, self._faults.silent) else block

    def close(self) -> None:
        """May be called twice."""
        self._closed = True

    def __enter__(self) -> MockCapture:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _inside(t: float, spans: tuple[tuple[float, float], ...]) -> bool:
    return any(start <= t < end for start, end in spans)


def _cut(sound: Iterable[Block], size: int, channels: int, endless: bool) -> Iterator[Block]:
    """Cut pieces of any length into blocks [size, channels]; the last is zero-padded; silence follows if `endless`."""
    rest = np.zeros((0, channels), np.float32)
    for piece in sound:
        new = np.asarray(piece, np.float32)
        new = np.repeat(new[:, None], channels, axis=1) if new.ndim == 1 else new
        if new.shape[1] != channels:
            raise ValueError(f"a piece of {new.shape[1]} channels in a stream of {channels}")
        rest = np.concatenate([rest, new]) if len(rest) else new
        while len(rest) >= size:
            yield rest[:size].copy()  # the piece may be played again
            rest = rest[size:]
    if len(rest):
        yield np.concatenate([rest, np.zeros((size - len(rest), channels), np.float32)])
    while endless:
        yield np.zeros((size, channels), np.float32)
