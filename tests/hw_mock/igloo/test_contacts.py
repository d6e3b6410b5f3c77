"""Contact laws against what they are of: Hertz's spring in motion, a plate, a sphere on a sphere."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hw_mock.igloo.contacts import (
    GLASS_POISSON,
    GLASS_YOUNG,
    PAIR_SOFTENING,
    contact_time,
    effective_modulus,
    pair_law,
    plate_stiffness,
    tsuji,
    wall_law,
)

MASS, RADIUS = 1.6e-4, 2.5e-3


def blow(mass: float, stiffness: float, damping: float, speed: float) -> tuple[float, float]:
    """Duration in s, and the share of speed that is given back, of a mass that meets a spring of F ∝ depth^1.5."""
    step, depth, now, at = contact_time(mass, stiffness, speed) / 20000, 0.0, speed, 0.0
    while depth >= 0.0:
        spring = max(depth, 0.0)
        now -= step / mass * (stiffness * spring**1.5 + damping * spring**0.25 * now)
        depth += step * now
        at += step
    return at, -now / speed


@pytest.mark.parametrize("speed", [0.2, 2.0])
def test_a_blow_lasts_as_long_as_hertz_has_it(speed: float) -> None:
    stiffness = wall_law(MASS, RADIUS, (3.1e9, 0.35, 1050.0), 0.0015, 1e5, 1.0, 0.9, 0.3).stiffness
    lasted, back = blow(MASS, stiffness, 0.0, speed)
    assert lasted == pytest.approx(contact_time(MASS, stiffness, speed), rel=0.01)
    assert back == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("restitution", [0.6, 0.95])
@pytest.mark.parametrize("speed", [0.1, 2.0])
def test_what_a_blow_gives_back_is_the_restitution_at_any_speed(restitution: float, speed: float) -> None:
    stiffness = 1e9
    damping = tsuji(restitution) * math.sqrt(MASS * stiffness)
    assert blow(MASS, stiffness, damping, speed)[1] == pytest.approx(restitution, abs=0.02)


def test_two_beads_are_two_springs_in_a_row_and_half_a_mass() -> None:
    """Two spheres alike: E* of glass on glass, half the radius, half the mass (Johnson, eq. 4.23)."""
    pair = pair_law(MASS, RADIUS, 0.9, 0.1)
    modulus = effective_modulus(GLASS_YOUNG, GLASS_POISSON, GLASS_YOUNG, GLASS_POISSON)
    assert modulus == pytest.approx(GLASS_YOUNG / (1 - GLASS_POISSON**2) / 2)
    assert pair.stiffness == pytest.approx(4 / 3 * modulus / PAIR_SOFTENING * math.sqrt(RADIUS / 2))
    assert blow(MASS / 2, pair.stiffness, pair.damping, 1.0)[1] == pytest.approx(0.9, abs=0.02)
    assert 20e-6 < contact_time(MASS / 2, pair.stiffness, 1.0) < 50e-6  # as said where it is softened


def test_a_wall_yields_as_a_plate_does() -> None:
    young, poisson, density = plastic = (3.1e9, 0.35, 1050.0)
    wall = wall_law(MASS, RADIUS, plastic, 0.0015, 1e5, 1.2, 0.9, 0.3)
    bending = plate_stiffness(young, poisson, 0.0015)
    assert bending == pytest.approx(young * 0.0015**3 / 12 / (1 - poisson**2))
    assert wall.impedance == pytest.approx(1.2 * 8 * np.sqrt(bending * density * 0.0015))
    assert wall.relaxation == pytest.approx(wall.impedance / 1e5)
    assert wall.friction == 0.3
