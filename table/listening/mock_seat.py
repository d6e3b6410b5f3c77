"""The `mock` source at a seat: simulated people who set down igloos and tap, and a simulated piezo disc."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from firmware_bridge.clock import Clock

if TYPE_CHECKING:
    from hw_mock.sound import MockCapture

Block = npt.NDArray[np.float32]
SEED = 2
OWNER, GUEST = 0, 1
TRIES = 4
AGAIN = 10**7  # distance between the seeds of two tries
# between two tries: by then we know whether the first was enough, and no other need be simulated
REST_S = 1.0


def gesture(beads: int, turn: int, who: int) -> tuple[Block, float]:
    """Float32[samples] of one gesture by the seat's owner or a guest, and the rate in Hz; `turn` seeds the take."""
    from hw_mock.igloo.seat_recordings import SeatJob, SeatPlan, perform, sense

    plan = SeatPlan(SEED, devices=1, sessions=2, sensors=("contact",))
    job = SeatJob(plan, 0, who, who, beads, SEED * 30000 + turn)
    samples, rate = sense(job, perform(job), "contact")
    return samples, float(rate)


def one_gesture(beads: int, turn: int, clock: Clock, wait: Callable[[float], None]) -> MockCapture:
    """A capture stream in which the owner weighs one igloo.

    If that was not enough, as sometimes happens, he starts again from the empty seat.
    """
    from hw_mock.sound import MockCapture

    first, rate = gesture(beads, turn, OWNER)

    def tries() -> Iterator[Block]:
        yield first
        for k in range(1, TRIES):
            yield np.zeros(round(REST_S * rate), np.float32)
            yield gesture(beads, AGAIN * k + turn, OWNER)[0]

    return MockCapture(tries(), clock, wait, rate=rate, endless=True)


def guests(counts: tuple[int, ...], clock: Clock, wait: Callable[[float], None]) -> MockCapture:
    """An endless capture stream in which a guest weighs igloos of these counts, one after the other."""
    from hw_mock.sound import MockCapture

    random = np.random.default_rng(SEED)

    def one_by_one() -> Iterator[tuple[Block, float]]:
        for number in itertools.count():
            yield gesture(int(random.choice(counts)), 5000 + number, GUEST)

    coming = one_by_one()
    ready, rate = next(coming)  # the first use on a machine compiles: do that before the clock runs
    return MockCapture(itertools.chain([ready], (sound for sound, _ in coming)), clock, wait, rate=rate)
