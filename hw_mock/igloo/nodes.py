"""Igloos with nodes on one port: a simulated person picks up one after the other, shakes it and puts it down."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hw_mock.igloo import accelerometer
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.hand import Player
from hw_mock.igloo.handling import played
from hw_mock.igloo.node import IglooNode, Samples
from hw_mock.igloo.played import laid_out, play
from hw_mock.ports import FaultyWire

FIRST = 17  # the number of the first node
MOST = 12
STEP_S = 0.02
HISS_G = 0.002  # noise of a sensor at rest
Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Shaken:
    """The truth: which node's igloo was shaken, how many beads it holds, and when, in seconds of the nodes' clock. The
    igloo is lifted before and put down after that."""

    start_s: float
    end_s: float
    node: int
    beads: int


@dataclass(frozen=True, slots=True)
class _Turn:
    """An igloo lifted, shaken from `start_s` to `end_s`, and put down: float32[n, 3] in g, at the sensor's rate."""

    felt: Samples
    rate: float
    start_s: float
    end_s: float


class ShakenNodes:
    """Nodes 17, 18, … of igloos that hold `counts`, of one maker and in one person's hands."""

    def __init__(
        self, counts: Sequence[int], seed: int = 2, shake_s: float = 2.4, pause_s: float = 1.5
    ) -> None:
        """Raises ValueError for more igloos than there are node numbers, or more beads than an igloo holds."""
        if not 1 <= len(counts) <= MOST:
            raise ValueError(f"there are one to {MOST} igloos, not {len(counts)}")
        self._counts, self._seed = tuple(counts), seed
        self._shake_s, self._pause_s = shake_s, pause_s
        self._device, self._player = Device.draw(seed), Player.draw(seed).on(0)
        for beads in set(self._counts):  # now, not when an igloo is first picked up in the middle of a run
            laid_out(Igloo.of(self._device, beads), np.random.default_rng(seed))
        self._random = np.random.default_rng(seed)
        self._turns = itertools.count()
        first = self._turn(self._counts[0])  # compiles the simulation before any clock runs
        self._rate = first.rate
        self.nodes = tuple(
            IglooNode(FIRST + i, self._rate, FaultyWire(seed * 100 + i)) for i in range(len(counts))
        )
        self._lies = [first.felt[0]] * len(counts)  # how each igloo lies, as its sensor feels it

    @property
    def numbers(self) -> dict[int, int]:
        """Node number → how many beads its igloo holds."""
        return {node.number: beads for node, beads in zip(self.nodes, self._counts, strict=True)}

    def run(
        self,
        now: Callable[[], float],
        wait: Callable[[float], None],
        write: Callable[[bytes], object],
        stopped: Callable[[], bool],
        read: Callable[[], bytes] = bytes,
    ) -> Iterator[Shaken]:
        """Until `stopped`, paced by a clock: write what all nodes send, and yield each shake when it is over. `read`
        returns the host's bytes since its last call."""
        began, measured = now(), 0
        step = max(1, round(STEP_S * self._rate))
        while True:
            who = int(self._random.integers(len(self.nodes)))
            turn = self._turn(self._counts[who])
            start = measured / self._rate + self._pause_s + turn.start_s
            end = measured / self._rate + self._pause_s + turn.end_s
            before = self._still(np.repeat(self._lies[who][None], round(self._pause_s * self._rate), 0))
            whole = np.concatenate([before, turn.felt])
            for at in range(0, len(whole), step):
                if stopped():
                    return
                piece = whole[at : at + step]
                measured += len(piece)
                wait(max(0.0, began + measured / self._rate - now()))
                heard = read()
                said = [
                    node.feel(
                        piece if k == who else self._still(np.repeat(self._lies[k][None], len(piece), 0)),
                        heard,
                    )
                    for k, node in enumerate(self.nodes)
                ]
                write(b"".join(said))
            self._lies[who] = turn.felt[-1]
            yield Shaken(start, end, self.nodes[who].number, self._counts[who])

    def _turn(self, beads: int) -> _Turn:
        turn = self._seed * 40000 + next(self._turns)
        person = self._player.take(turn)
        motion, _ = played(person, turn, self._shake_s)
        one = play(self._device, Igloo.of(self._device, beads), person, motion, turn)
        felt = accelerometer.record(one, np.random.default_rng([turn, beads]))
        rate = self._device.accelerometer_rate * self._device.accelerometer_true
        return _Turn(felt, float(rate), motion.start_s, motion.end_s)

    def _still(self, around: Floats) -> Samples:
        return np.asarray(around + HISS_G * self._random.standard_normal(around.shape), np.float32)
