"""A counting seat with a node on a cable: a simulated person weighs one igloo after the other on it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from hw_mock.igloo.node import Samples
from hw_mock.igloo.seat_node import SeatNode
from hw_mock.igloo.seat_recordings import SeatJob, SeatPlan, perform, sense
from hw_mock.ports import FaultyWire

STEP_S = 0.02
HISS_G = 0.002  # noise of the sensor between two gestures
LATER = 99  # a day that occurs in no folder of `simulate taps`
SOMEBODY = 23  # index of a person of its plan


@dataclass(frozen=True, slots=True)
class Weighed:
    """The truth: an igloo of `beads` beads was set down and tapped, in seconds of the node's clock."""

    start_s: float
    end_s: float
    beads: int


class TappedSeat:
    """The seat of one of the makers of `simulate taps` with the same seed (`device` 0 is D01), on a later day. Somebody
    weighs igloos of that maker's set, drawn at random from those that hold `counts`."""

    def __init__(self, counts: Sequence[int], seed: int = 1, device: int = 0, pause_s: float = 2.0) -> None:
        self._counts, self._seed, self._device, self._pause_s = tuple(counts), seed, device, pause_s
        self._random = np.random.default_rng([seed, device])
        self._hiss = np.random.default_rng([seed, device, 1])  # its own: another thread draws the gestures
        _, seat, _, today = self._job(self._counts[0]).parts()
        self._rate = seat.accelerometer_rate * seat.accelerometer_true * today.clock
        self.node = SeatNode(self._rate, wire=FaultyWire(seed))
        self._ready = self._next()  # compiles the simulation before any clock runs

    def gesture(self, beads: int) -> Samples:
        """One gesture, from the empty seat on, as the seat's chip measures it: float32[n, 3] in g."""
        job = self._job(beads)
        return np.asarray(sense(job, perform(job), "accelerometer")[0], np.float32)

    def run(
        self,
        now: Callable[[], float],
        wait: Callable[[float], None],
        write: Callable[[bytes], object],
        stopped: Callable[[], bool],
        read: Callable[[], bytes] = bytes,
    ) -> Iterator[Weighed]:
        """Until `stopped`, paced by a clock: write what the node sends, and yield each igloo when it has been weighed.
        `read` returns the host's bytes since its last call."""
        began, measured = now(), 0
        with closing(self._evening()) as evening:
            for part in evening:
                if stopped():
                    return
                if isinstance(part, Weighed):
                    yield part
                    continue
                measured += len(part)
                wait(max(0.0, began + measured / self._rate - now()))
                write(self.node.feel(part, read()))

    def _evening(self) -> Generator[Samples | Weighed, None, None]:
        """The chip's samples in steps, and the truth after each gesture; endless."""
        step, measured = max(1, round(STEP_S * self._rate)), 0
        # simulating a gesture takes seconds, during which the seat is still and its node keeps streaming
        with ThreadPoolExecutor(1, "tapped-seat") as ahead:
            while True:
                (beads, felt), coming = self._ready, ahead.submit(self._next)
                pause = self._still(felt[0], round(self._pause_s * self._rate))
                for piece in (pause, felt):
                    yield from (piece[at : at + step] for at in range(0, len(piece), step))
                    measured += len(piece)
                yield Weighed((measured - len(felt)) / self._rate, measured / self._rate, beads)
                while not coming.done():
                    yield self._still(felt[0], step)
                    measured += step
                self._ready = coming.result()

    def _next(self) -> tuple[int, Samples]:
        beads = int(self._random.choice(self._counts))
        return beads, self.gesture(beads)

    def _still(self, lies: Samples, count: int) -> Samples:
        return np.asarray(lies + HISS_G * self._hiss.standard_normal((count, 3)), np.float32)

    def _job(self, beads: int) -> SeatJob:
        plan = SeatPlan(self._seed, sensors=("accelerometer",))
        return SeatJob(plan, self._device, LATER, SOMEBODY, beads, int(self._random.integers(2**31)))
