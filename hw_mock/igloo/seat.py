"""An elastic seat for weighing an igloo's beads apart from its shell: what is built, how it varies, where it stands.

A heavy base on soft feet, on which it bobs and rocks, carries two leaf springs that lie (they let the seat move up and
down) and, on these, two that stand (they let it move to and fro). A tap on the base rings both. Moving up and down,
beads at rest go with the floor, and the seat feels shell and beads: S + B. To and fro they roll: a solid sphere on an
accelerated floor follows with 2/7 of its acceleration (Landau and Lifshitz, Mechanics, § 39 gives the rolling
constraint), and it feels S + 2B/7.
Two frequencies from one tap, so B comes out whatever the shell weighs and whoever taps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEEL = 2.0e11  # Pa, spring steel (feeler gauge, steel rule)
# The loss factor at 21 Hz of a spring beside which another one, as stiff, creeps as `seat_motion` has it; for smaller
# parts about in proportion. Of a loss of .2 nine tenths are there at 10 Hz, two thirds at 45 Hz.
LOSS_OF_CREEPING = 0.4
# m, of docs/gesture.md's drawing: a square tile, feet below its corners, the platform's and the notch's height
SIDE, THICK, STANCE = 0.15, 0.03, 0.06
PLATFORM_HIGH = 0.09  # above the tile's middle
# above its top; beside the ring's middle, on the side that is tapped from
NOTCH_HIGH, NOTCH_BESIDE = 0.025, -0.04

NUBS, TAPE = 3 * 45e-6, 0.2e-3  # m², m: three tops of 4 × 12 mm with round ends, the tape on them
SILICONE = (0.3e6, 0.9e6)  # Pa, shear modulus of rubbers of 30–60 Shore A (data sheets)
# what two bodies that touch give sideways beside upright: (1 − ν)/(1 − ν/2), of moulded plastics (Mindlin)
MINDLIN = 0.8
NUB_SPREAD = 0.07  # judgement


def leaf_pair(young: float, width: float, thickness: float, free: float) -> float:
    """Stiffness N/m of two parallel leaves clamped at both ends, across their flat side: 2 · 12·E·I/L³ (Roark)."""
    return 24 * young * width * thickness**3 / 12 / free**3


def _nubs(sheared: np.random.Generator, pressed: np.random.Generator) -> tuple[float, float]:
    """N/m of an igloo on three taped nubs, x and z. Upright the tape is confined: what gives is how a moulded floor
    meets it (judgement). Sideways that gives as well, and the tape is sheared: G·A/h."""
    met = float(np.exp(pressed.uniform(math.log(4e5), math.log(1.2e6))))
    shear = float(sheared.uniform(*SILICONE)) * NUBS / TAPE
    return 1 / (1 / shear + 1 / (MINDLIN * met)), met


@dataclass(frozen=True, slots=True)
class Seat:
    """One built seat. SI units; axes: x to and fro, z up."""

    seed: int
    platform: float  # what moves to and fro, kg: ring, nubs, sensor
    carriage: float  # what moves up and down beside it, kg
    base: float  # kg
    feet: tuple[float, float]  # rad/s, the base on its soft feet, x and z
    feet_loss: float  # loss factor of the feet, about: between a bob and the seat's tones
    stiffness: tuple[float, float]  # N/m, x and z, at 20 °C
    quality: tuple[float, float]  # of the empty seat, x and z
    warmth: float  # relative change of stiffness for 1 K
    nub_stiffness: tuple[float, float]  # N/m, igloo on its three nubs, x and z
    nub_friction: float
    nub_spread: float  # how much otherwise they meet the igloo each time, sideways and upright, ln
    play: float  # m, of an igloo in the ring
    accelerometer_rate: float  # nominal, Hz
    accelerometer_true: float
    accelerometer_noise: float  # g/√Hz
    accelerometer_offset: tuple[float, float, float]  # g
    skew: tuple[float, float, float]  # rotation vector of the chip on the platform, rad
    contact: int  # seed of the piezo disc's response
    contact_axes: tuple[float, float]  # how much of x and of z the disc feels

    @classmethod
    def draw(cls, seed: int, printed: bool = False) -> Self:
        """A seat after docs/gesture.md, with the errors of a maker; `printed`: leaves of PLA instead of steel."""
        r = np.random.default_rng([seed, 0x5EA7])
        # modulus of steel, of PLA, for 1 K
        young, warmth = (STEEL, -2.6e-4) if not printed else (2.8e9, -4e-3)
        # clamped steel in printed jaws (judgement: the jaws take most of it); PLA: losses 2–4 % (handbook)
        quality = (60, 150) if not printed else (22, 45)
        thick = np.array([0.30e-3, 0.60e-3]) * (1 if not printed else (STEEL / 2.8e9) ** (1 / 3))
        # gauges are rolled to a hundredth
        thick = thick * (1 + (0.01 if not printed else 0.03) * r.normal(size=2))
        # what a maker with a ruler and kitchen scales gets right: lengths, masses and the base (judgement)
        free = np.array([0.040, 0.037]) + 0.0004 * r.normal(size=2)
        # foam or gel feet under 1 kg: asked for are 8 Hz or less, and makers come near it; feet give more to and fro
        # than up and down (judgement). Polyurethane foams and gels lose 0.1–0.4 of a cycle, soft rubbers less (data
        # sheets)
        own = np.random.default_rng([seed, 0xFEE7])
        bobs = 2 * math.pi * float(own.uniform(6, 10))
        k = [leaf_pair(young, 0.0127, float(h), float(f)) for h, f in zip(thick, free, strict=True)]
        return cls(
            seed=seed,
            platform=0.016 * math.exp(r.normal(0, 0.04)),
            carriage=0.022 * math.exp(r.normal(0, 0.04)),
            base=1.0 * math.exp(r.normal(0, 0.15)),
            feet=(bobs * float(own.uniform(0.6, 0.9)), bobs),
            feet_loss=float(own.uniform(0.1, 0.3)),
            stiffness=(k[0], k[1]),
            quality=(float(r.uniform(*quality)), float(r.uniform(*quality))),
            warmth=warmth,
            nub_stiffness=_nubs(own, r),
            nub_friction=float(r.uniform(0.6, 0.9)),
            nub_spread=NUB_SPREAD,
            play=float(r.uniform(0.1e-3, 0.4e-3)),
            accelerometer_rate=float(r.choice((833.0, 1666.0, 3332.0))),
            accelerometer_true=float(1 + np.clip(r.normal(0, 0.008), -0.02, 0.02)),
            accelerometer_noise=float(r.uniform(70e-6, 130e-6)),
            accelerometer_offset=tuple(float(v) for v in r.normal(0, 0.02, 3)),  # type: ignore[arg-type]
            # glued by eye: three degrees (judgement)
            skew=tuple(float(v) for v in r.normal(0, 0.05, 3)),  # type: ignore[arg-type]
            contact=int(r.integers(2**31)),
            contact_axes=(float(r.uniform(0.25, 0.7)), 1.0),  # a disc under the ring: mostly up and down
        )

    def standing(self, today: Occasion) -> tuple[Floats, Floats]:
        """How the base moves and rocks today: `feet` and `rock` as `seat_motion.Bodies` has them."""
        inertia = self.base * (SIDE**2 + THICK**2) / 12 + self.carriage * 0.05**2
        stiff = self.base * np.array(self.feet) ** 2 * today.feet
        feet = np.array([*stiff, stiff[1] * STANCE**2])
        rock = np.array([inertia, PLATFORM_HIGH, -THICK / 2, NOTCH_HIGH + THICK / 2, NOTCH_BESIDE])
        return np.stack([feet, feet * self.feet_loss / LOSS_OF_CREEPING], axis=1), rock


@dataclass(frozen=True, slots=True)
class Occasion:
    """The seat on a day: where it stands, how level, how warm, and how the table trembles."""

    lean: tuple[float, float]  # rad about y and x: gravity then points to and fro, and across
    kelvin: float  # above 20 °C
    drift_kelvin: float  # a minute: what the seat warms between the empty tap and the others
    feet: float  # how stiff they are beside the seat's usual
    clock: float  # ratio of the chip's rate today to its own usual one
    tremble: float  # m/s², RMS of the base's own unrest
    damp: float  # relative change of all shells' mass: moisture in the plastic, battery, grease of hands
    dust: float  # the same for each igloo by itself, RMS

    @classmethod
    def draw(cls, seed: int) -> Self:
        """An occasion from its seed; levelled with a round bubble or a phone, to some tenths of a degree (judgement; a
        bubble of 30′ is the usual one). Warmth of a room and what it changes in a minute: judgement."""
        r = np.random.default_rng([seed, 0x0CCA])
        own = np.random.default_rng([seed, 0xFEE7])
        lean = np.radians(r.normal(0, 0.3, 2))
        return cls(
            lean=(float(lean[0]), float(lean[1])),
            kelvin=float(r.normal(2, 3)),
            drift_kelvin=float(r.normal(0, 0.3)),
            # foam softens by a hundredth or two a degree, creeps, and stands on another cloth or table (judgement)
            feet=float(np.exp(own.normal(0, 0.12))),
            clock=float(1 + r.normal(0, 2e-4)),
            # a table among people: 8 mm/s², by a factor of two either way (judgement)
            tremble=float(np.exp(r.normal(math.log(0.008), 0.7))),
            # styrene plastics take up 0.05–0.3 % of water (data sheets); days differ less
            damp=float(r.normal(0, 3e-4)),
            dust=1e-4,  # 1–2 mg on 12 g (judgement)
        )
