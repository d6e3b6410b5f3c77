"""Contact laws: stiffness, damping and friction between a bead and a wall, or between two beads.

Bead on wall: a Hertz spring (Johnson, Contact Mechanics, 1985, ch. 4) in series with the shell, which acts as a point
on a plate: its bending waves carry energy away like a dashpot of Z = 8·sqrt(D·rho·h) (Zener, Phys. Rev. 59, 669,
1941). Thus a heavy bead on a thin wall has a low restitution and a long contact, without any further parameter.
Material losses: Tsuji's damping (Powder Technology 71, 239, 1992), which gives a restitution that does not depend on
speed. Friction: Coulomb.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

GLASS_YOUNG = 68e9  # Pa, soda-lime glass, handbook 63–74 GPa
GLASS_POISSON = 0.22
# The dynamics make the glass-glass contact softer by this factor, so that its 10–25 µs become 20–50 µs, which a step of
# 2 µs resolves. Flights last milliseconds, so the order of hits is unaffected. Its sound is made from the impulse.
PAIR_SOFTENING = 6.0
# Sticking is not instantaneous: friction stops the slip within some steps. Each step changes the bead's momentum by
# this share of its mass (of two beads, the lighter's) times the slip. The spin of a solid sphere changes as well, so
# the slip decreases by 1 + 5/2 times as much, and by twice that between two equal beads: either number removes a
# quarter of the slip in each step.
WALL_BRAKING, PAIR_BRAKING = 0.07, 0.035


@dataclass(frozen=True, slots=True)
class WallLaw:
    """Bead on wall. Force = stiffness·depth^1.5 + damping·depth^0.25·speed; the yielding plate takes part of the
    depth."""

    stiffness: float  # N/m^1.5
    damping: float  # Tsuji's coefficient, N·s/m^1.25
    impedance: float  # N·s/m, the plate's point impedance
    relaxation: float  # s, impedance over static stiffness: time constant of the dent's recovery
    friction: float


@dataclass(frozen=True, slots=True)
class PairLaw:
    """Bead on bead: the same law without the plate."""

    stiffness: float
    damping: float
    friction: float


def effective_modulus(young_a: float, poisson_a: float, young_b: float, poisson_b: float) -> float:
    """Hertz's E* in Pa."""
    return 1.0 / ((1 - poisson_a**2) / young_a + (1 - poisson_b**2) / young_b)


def tsuji(restitution: float) -> float:
    """The dimensionless damping coefficient of Tsuji's law for this coefficient of restitution."""
    log = math.log(restitution)
    return -math.sqrt(5.0) * log / math.sqrt(log * log + math.pi**2)


def plate_stiffness(young: float, poisson: float, thickness: float) -> float:
    """Bending stiffness D of a plate in N·m."""
    return young * thickness**3 / (12 * (1 - poisson**2))


def dome_stiffness(young: float, poisson: float, thickness: float, radius: float) -> float:
    """Static stiffness in N/m of a spherical shell under a point load (Reissner, J. Math. Phys. 25, 80, 1946)."""
    return 4 * young * thickness**2 / (radius * math.sqrt(3 * (1 - poisson**2)))


def disc_stiffness(young: float, poisson: float, thickness: float, radius: float, fixity: float) -> float:
    """Static stiffness in N/m of a disc at half its radius; `fixity`: 0 loose at the rim, 1 clamped.

    Timoshenko and Woinowsky-Krieger, Theory of Plates and Shells, 1959, art. 19; taken as twice the stiffness at the
    centre.
    """
    clamped = 16 * math.pi * plate_stiffness(young, poisson, thickness) / radius**2
    return 2 * clamped * (fixity + (1 - fixity) * (1 + poisson) / (3 + poisson))


def wall_law(
    mass: float,
    radius: float,
    plastic: tuple[float, float, float],
    thickness: float,
    static: float,
    stiffening: float,
    restitution: float,
    friction: float,
) -> WallLaw:
    """The law of a bead of `mass` kg and `radius` m on a wall of `plastic` (E Pa, Poisson, density kg/m³).

    `static` N/m: static stiffness of the whole wall, which restores the dent; `stiffening` ≥ 1: factor of relief on Z.
    """
    young, poisson, density = plastic
    modulus = effective_modulus(young, poisson, GLASS_YOUNG, GLASS_POISSON)
    stiffness = 4 / 3 * modulus * math.sqrt(radius)
    impedance = 8 * math.sqrt(plate_stiffness(young, poisson, thickness) * density * thickness) * stiffening
    return WallLaw(
        stiffness, tsuji(restitution) * math.sqrt(mass * stiffness), impedance, impedance / static, friction
    )


def pair_law(mass: float, radius: float, restitution: float, friction: float) -> PairLaw:
    """The law of two equal beads."""
    modulus = effective_modulus(GLASS_YOUNG, GLASS_POISSON, GLASS_YOUNG, GLASS_POISSON) / PAIR_SOFTENING
    stiffness = 4 / 3 * modulus * math.sqrt(radius / 2)
    return PairLaw(stiffness, tsuji(restitution) * math.sqrt(mass / 2 * stiffness), friction)


def contact_time(mass: float, stiffness: float, speed: float) -> float:
    """Duration in s of a Hertz contact of effective `mass` at `speed` m/s (Johnson, eq. 11.24)."""
    return float(2.94 * (mass * mass / (stiffness * stiffness * speed) * (25.0 / 16.0)) ** 0.2)
