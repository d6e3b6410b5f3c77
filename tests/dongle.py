"""Simulated igloo nodes behind a pseudo-terminal, for tests: what they feel, and the port that they speak on."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.node import IglooNode
from hw_mock.igloo.seat_node import SeatNode
from hw_mock.igloo.shake import simulate
from hw_mock.ports import PtyPort
from sensors.ear.sources.igloo_port import IglooPort

PIECE = 38  # samples that a node measures between two looks


@dataclass(frozen=True)
class Felt:
    """Acceleration of a shaken igloo's shell, float32[n, 3] in g, at `rate` Hz, with quiet around."""

    samples: np.ndarray
    rate: float


class Dongle(PtyPort):
    """A pseudo-terminal that nodes speak on."""

    def __init__(self, link: Path) -> None:
        super().__init__(link)
        self._hands: list[threading.Thread] = []

    def shake(self, felt: Felt, *nodes: IglooNode | SeatNode) -> None:
        """All nodes feel the same shake at once, in a thread; no faster than somebody reads."""
        self._hands.append(threading.Thread(target=self._shake, args=(felt, *nodes), daemon=True))
        self._hands[-1].start()

    def say(self, said: Sequence[bytes]) -> None:
        """What a node has said, in a thread; no faster than somebody reads."""
        self._hands.append(threading.Thread(target=self._say, args=(said,), daemon=True))
        self._hands[-1].start()

    def rest(self) -> None:
        """When all has been said."""
        for hand in self._hands:
            hand.join(10.0)

    def _say(self, said: Sequence[bytes]) -> None:
        with contextlib.suppress(OSError):  # unplugged meanwhile
            for one in said:
                self._unhurried(one)

    def _unhurried(self, said: bytes) -> None:
        while self.plugged and self.waiting + len(said) > 2000:
            time.sleep(0.001)
        self._send(said)

    def _shake(self, felt: Felt, *nodes: IglooNode | SeatNode) -> None:
        with contextlib.suppress(OSError):  # unplugged meanwhile
            for start in range(0, len(felt.samples), PIECE):
                heard = self.read()
                for node in nodes:
                    self._unhurried(node.feel(felt.samples[start : start + PIECE], heard))

    def _send(self, said: bytes) -> None:
        """All of it: `waiting` does not see what a busy kernel has not handed on yet, and that may be all it takes."""
        while said and self.plugged:
            before = self.overflowed
            self.write(said)
            left, self.overflowed = self.overflowed - before, before
            said = said[len(said) - left :]
            if said:
                time.sleep(0.001)


@contextlib.contextmanager
def held_dongle(folder: Path) -> Iterator[Dongle]:
    """One whose port is open already, for pySerial throws away what waits when it opens a port."""
    pty = Dongle(folder / "dongle")
    with IglooPort.at(pty.name):
        yield pty
        pty.close()
        pty.rest()


def one_shake() -> Felt:
    """Seven beads, shaken for 2.4 s by a simulated hand."""
    shake = simulate(7, Device.draw(2), Player.draw(2).on(0), 200, 2.4, sensors=("accelerometer",))
    assert shake.accel is not None
    rate, dice = round(shake.accel_true_rate), np.random.default_rng(1)

    def quiet(seconds: float, around: np.ndarray) -> np.ndarray:
        hiss = 0.003 * dice.standard_normal((int(seconds * rate), 3))
        return (around + hiss).astype(np.float32)

    whole = [quiet(1.0, shake.accel[0]), shake.accel, quiet(1.0, shake.accel[-1])]
    return Felt(np.concatenate(whole), float(rate))


def without_x(felt: Felt, times: int) -> Felt:
    """So many shakes, of a chip whose first axis is dead."""
    return Felt(np.concatenate([felt.samples * np.float32([0, 1, 1])] * times), felt.rate)
