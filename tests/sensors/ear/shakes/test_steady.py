"""A hand that is felt goes to and fro in every part of a shake, and nothing else does (`shakes.steady`)."""

from __future__ import annotations

import numpy as np
import pytest

from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.shake import simulate
from sensors.ear.frames.frontend import Array, Envelopes, Frames, FrontEnd, front_end_for
from sensors.ear.shakes.steady import shaken_evenly
from sensors.ear.shakes.takes import cut

RATE = 1600.0
PART_S = 0.8  # as much as a finder asks about


def felt(samples: Array, rate: float = RATE) -> tuple[FrontEnd, Frames]:
    """Frames of float32[samples, 3] in g."""
    front = front_end_for("accelerometer", rate)
    return front, Envelopes(front, rate, 3).push(samples.astype(np.float32))


@pytest.mark.parametrize("person", range(6))
def test_every_part_of_a_simulated_shake_is_one_whoever_shakes(person: int) -> None:
    shake = simulate(
        7, Device.draw(person), Player.draw(person).on(0), 40 + person, 2.4, sensors=("accelerometer",)
    )
    assert shake.accel is not None
    front, frames = felt(shake.accel, shake.accel_true_rate)
    take = cut(front, frames)
    assert take is not None
    part = round(PART_S * front.frame_rate)
    parts = range(take.first, take.end - part, part // 2)
    assert len(parts) >= 2
    assert all(shaken_evenly(front, frames.cut(front, first, first + part)) for first in parts)


def evenly(hz: float, g: float) -> bool:
    """Whether a swing of that pace and size is taken for one, from its second second on."""
    t = np.arange(round(3 * RATE)) / RATE
    moved = np.zeros((len(t), 3))
    moved[:, 2] = 1.0
    moved[:, 0] = g * np.sin(2 * np.pi * hz * t)
    front, frames = felt(moved)
    first, last = (round(s * front.frame_rate) for s in (1.0, 1.0 + PART_S))
    return shaken_evenly(front, frames.cut(front, first, last))


@pytest.mark.parametrize(("hz", "g"), [(13.0, 2.0), (20.0, 2.0), (5.0, 0.15), (0.5, 1.0)])
def test_a_machine_a_step_and_a_slow_turn_are_none(hz: float, g: float) -> None:
    assert not evenly(hz, g)
    assert evenly(4.0, 1.0)
