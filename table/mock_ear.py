"""The `mock` source of the ear: simulated igloos, shaken one after another, through the same listener as real sound."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from firmware_bridge.clock import Clock
from sensors.ear.listener import Listener
from sensors.ear.profile import Profile
from sensors.evidence import Heard, Hearing

Block = npt.NDArray[np.float32]
RATE = 48000  # Hz, of simulated sound
PAUSE_S = 1.0
SHAKE_S = 2.4
SEED = 1


def shakes(seed: int = SEED, counts: tuple[int, ...] = tuple(range(2, 14))) -> Iterator[Block]:
    """Float32[samples] at 48 kHz without end: a pause, then an igloo of a random count shaken by a simulated person."""
    from hw_mock.igloo.device import Device
    from hw_mock.igloo.hand import Player
    from hw_mock.igloo.shake import simulate

    device, player = Device.draw(seed), Player.draw(seed).on(0)
    random = np.random.default_rng(seed)
    for number in itertools.count():
        taken = simulate(
            int(random.choice(counts)),
            device,
            player,
            seed * 10000 + number,
            SHAKE_S,
            sensors=("microphone",),
        )
        assert taken.sound is not None
        quiet = np.std(taken.sound[: RATE // 50])
        yield (quiet * random.standard_normal(int(PAUSE_S * RATE))).astype(np.float32)
        yield taken.sound


def hear_mock(
    profile: Profile, partial: bool, seconds: float | None, clock: Clock, wait: Callable[[float], None]
) -> Iterator[Heard | Hearing]:
    """Listen to simulated igloos for `seconds` (None: for ever) of `clock`, in its pace."""
    from hw_mock.sound import MockCapture

    with MockCapture(shakes(), clock, wait, rate=float(RATE)) as capture:
        ear = Listener(profile, capture.rate, capture.channels, "mock", partial=partial)
        for block in capture.blocks():
            yield from ear.push(block)
            if seconds is not None and ear.now_s >= seconds:
                break
        yield from ear.finish()
