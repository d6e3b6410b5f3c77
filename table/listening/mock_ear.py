"""The `mock` source of the ear: simulated igloos with a contact microphone, shaken one after another.

Everything above the samples is the code that processes real sound.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from firmware_bridge.clock import Clock
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import Profile
from sensors.evidence import COUNTS, Heard, Hearing

if TYPE_CHECKING:
    from hw_mock.sound import MockCapture

Block = npt.NDArray[np.float32]
RATE = 48000  # sample rate of the simulated sound, Hz
PAUSE_S = 1.0
SHAKE_S = 2.4
SEED = 2
MOVES = ("strokes", "toss", "roll", "flip", "swirl", "knock")  # can be made instead of shaking


def shakes(seed: int = SEED, counts: tuple[int, ...] = COUNTS, same: bool = False) -> Iterator[Block]:
    """Endless float32[samples] at 48 kHz: a pause, then a simulated person shakes an igloo of a random count.

    `same`: one igloo again and again; else another each time.
    """
    from hw_mock.igloo.device import Device
    from hw_mock.igloo.hand import Player
    from hw_mock.igloo.shake import simulate

    device, player = Device.draw(seed), Player.draw(seed).on(0)
    random = np.random.default_rng(seed)
    counts = (int(random.choice(counts)),) if same else counts
    for number in itertools.count():
        taken = simulate(
            int(random.choice(counts)),
            device,
            player,
            seed * 10000 + number,
            SHAKE_S,
            sensors=("contact",),
        )
        assert taken.contact is not None
        quiet = np.std(taken.contact[: RATE // 50])
        yield (quiet * random.standard_normal(int(PAUSE_S * RATE))).astype(np.float32)
        yield taken.contact


def one_move(
    gesture: str | None, beads: int, turn: int, seconds: float, clock: Clock, wait: Callable[[float], None]
) -> MockCapture:
    """A capture stream of a simulated person who shakes one igloo once, or makes one of `MOVES`; `turn` is the seed."""
    from hw_mock.igloo.device import Device
    from hw_mock.igloo.hand import Player
    from hw_mock.igloo.shake import simulate
    from hw_mock.sound import MockCapture

    taken = simulate(
        beads,
        Device.draw(SEED),
        Player.draw(SEED).on(0),
        SEED * 20000 + turn,
        seconds,
        sensors=("contact",),
        gesture=gesture or "shake",
    )
    assert taken.contact is not None
    quiet = np.std(taken.contact[: RATE // 50]) * np.random.default_rng(turn).standard_normal(2 * RATE)
    before, after = np.split(quiet.astype(np.float32), [RATE // 2])
    return MockCapture([before, taken.contact, after], clock, wait, rate=float(RATE), endless=True)


def hear_mock(
    profile: Profile,
    partial: bool,
    seconds: float | None,
    clock: Clock,
    wait: Callable[[float], None],
    stopped: Callable[[], bool] = lambda: False,
    same: bool = False,
) -> Iterator[Heard | Hearing]:
    """Listen to simulated igloos (`same`: to one) at the pace of `clock`.

    It ends after `seconds` (None: never), or when `stopped` returns true.
    """
    from hw_mock.sound import MockCapture

    coming = shakes(same=same)
    ready = [next(coming), next(coming)]  # the first use on a machine compiles: do that before the clock runs
    with MockCapture(itertools.chain(ready, coming), clock, wait, rate=float(RATE)) as capture:
        ear = Listener(profile, capture.rate, capture.channels, "mock", partial=partial)
        for block in capture.blocks():
            yield from ear.push(block)
            if stopped() or (seconds is not None and ear.now_s >= seconds):
                break
        yield from ear.finish()
