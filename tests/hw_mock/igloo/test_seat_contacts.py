"""The contact law stands twice, in `beads.run` and for the seat: the same touch gives the same forces by both."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from hw_mock.igloo import beads, traces
from hw_mock.igloo.constants import SOUND_RATE
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.hand import RATE
from hw_mock.igloo.played import law_row
from hw_mock.igloo.seat_contacts import press_pair, press_wall
from hw_mock.igloo.traces import Array

ROUNDS = 4  # the fewest in which `beads.run` moves what touches within a sample
DOME, CENTRE = 0.024, 0.001  # m: radius, height of its centre
IGLOO = Igloo.of(Device.draw(3), 2)
LAWS = np.array([law_row(IGLOO.dome), law_row(IGLOO.floor), law_row(IGLOO.pair)])
RADIUS, MASS = np.array([0.0025, 0.0026]), np.array([1.6e-4, 1.8e-4])
DEEP = 2e-6  # m, that beads are in the wall or in each other
ASIDE = np.array([0.36, 0.48, 0.8])  # from the dome's centre to where it is touched; how a pair lies


@dataclass(frozen=True)
class Moved:
    """After one sample: of each bead, and what the wall was pushed with, N, and how hard was pressed, N, on average."""

    position: Array
    velocity: Array
    spin: Array
    wall: Array
    pressed: float


def by_shaking(position: Array, velocity: Array, spin: Array) -> Moved:
    """By `beads.run`, without gravity, in a shell too heavy to be moved."""
    position, velocity, spin = position.copy(), velocity.copy(), spin.copy()
    n, none = len(position), np.zeros((4, 3))
    out = beads.run(
        position, velocity, spin, RADIUS[:n], MASS[:n], (DOME, CENTRE), LAWS, np.array([1e12, *[0.0] * 8]),
        (none, none, none, np.zeros(0)), np.zeros(5), (float(SOUND_RATE), RATE), 1, 1, 20, traces.traces(1),
    )  # fmt: skip
    pressed = (out.entry_impulse[: out.counts[0]].sum() + out.click[0]) * SOUND_RATE
    return Moved(position, velocity, spin, out.force[0].astype(float), float(pressed))


def by_the_seat(touch: str, position: Array, velocity: Array, spin: Array) -> Moved:
    """By the seat's laws as they are written, not compiled."""
    position, velocity, spin = position.copy(), velocity.copy(), spin.copy()
    n, step = len(position), 1 / SOUND_RATE / ROUNDS
    shell, dent, wall, pressed = np.zeros(6), np.zeros((n, 2)), np.zeros(3), 0.0
    for _ in range(ROUNDS):
        push, twist = np.zeros((n, 3)), np.zeros((n, 3))
        given: tuple[Any, ...] = (velocity, spin, shell, RADIUS, MASS, LAWS, dent, push, twist, wall, step)
        if touch == "dome":
            away = position[0] - (0.0, 0.0, CENTRE)
            far = float(np.linalg.norm(away))
            pressed += press_wall.py_func(0, 0, far - DOME + RADIUS[0], *-away / far, *given)
        elif touch == "floor":
            pressed += press_wall.py_func(0, 1, RADIUS[0] - position[0, 2], 0.0, 0.0, 1.0, *given)
        else:
            pressed += press_pair.py_func(
                0, 1, position, velocity, spin, RADIUS, MASS, LAWS, push, twist, step
            )
        velocity += push / MASS[:n, None] * step
        position += velocity * step
        spin += twist / (0.4 * MASS * RADIUS**2)[:n, None] * step
    return Moved(position, velocity, spin, wall / ROUNDS, pressed / ROUNDS)


@pytest.mark.parametrize("slides", [1e-3, 0.3], ids=["sticks", "slides"])
@pytest.mark.parametrize("comes", [0.2, -0.02], ids=["comes", "goes"])
@pytest.mark.parametrize("touch", ["dome", "floor", "pair"])
def test_a_touch_is_the_same_in_a_shaken_igloo_and_on_the_seat(
    touch: str, comes: float, slides: float
) -> None:
    into = np.array([0.0, 0.0, -1.0]) if touch == "floor" else ASIDE
    along = np.cross(into, (1.0, 0.0, 0.0))
    speed = comes * into + slides * along / math.sqrt(along @ along)
    spin = slides / RADIUS[0] * np.array([[0.3, -0.2, 0.4], [0.1, 0.5, -0.3]])
    middle = np.array([0.001, 0.002, 0.012])
    if touch == "dome":
        position = (0.0, 0.0, CENTRE) + (DOME - RADIUS[:1] + DEEP) * into[None]
    elif touch == "floor":
        position = np.array([[0.001, 0.002, RADIUS[0] - DEEP]])
    else:
        position = np.array([middle, middle + (RADIUS.sum() - DEEP) * into])
    n = len(position)
    velocity, spin = np.array([speed, 0.3 * speed])[:n], spin[:n]

    shaken = by_shaking(position, velocity, spin)
    seated = by_the_seat(touch, position, velocity, spin)

    assert shaken.pressed > 0
    for here, there, most in (
        (seated.velocity - velocity, shaken.velocity - velocity, 1e-9),
        (seated.spin - spin, shaken.spin - spin, 1e-9),
        (seated.position - position, shaken.position - position, 1e-9),
        # what is written down is float32
        (seated.wall, shaken.wall, 1e-6),
        (seated.pressed, shaken.pressed, 1e-6),
    ):
        np.testing.assert_allclose(here, there, rtol=most, atol=most * float(np.abs(there).max()))
