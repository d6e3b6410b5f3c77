"""A sprung seat that weighs an igloo's beads separately from its shell: its construction, variation and setting.

A heavy base on soft feet, on which it bobs and rocks, carries two horizontal leaf springs, which let the seat move up
and down, and on these two upright ones, which let it move to and fro. A tap on the base excites both modes. Up and
down, resting beads move with the floor, and the seat's load is shell and beads: S + B. To and fro they roll: a solid
sphere on an accelerated floor follows with 2/7 of its acceleration (Landau and Lifshitz, Mechanics, § 39 gives the
rolling constraint), and the load is S + 2B/7.
One tap gives two frequencies, so B follows whatever the shell weighs and whoever taps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEEL = 2.0e11  # Pa, spring steel (feeler gauge, steel rule)
# Loss factor at 21 Hz of a spring in parallel with an equally stiff creeping one (see `seat_motion`); with a softer
# creeping one it is about proportionally less. A loss factor of 0.2 falls to nine tenths at 10 Hz, two thirds at 45 Hz.
LOSS_OF_CREEPING = 0.4
# m, from the drawing in docs/gesture.md: a square tile, feet below its corners, height of platform and notch
SIDE, THICK, STANCE = 0.15, 0.03, 0.06
PLATFORM_HIGH = 0.09  # above the tile's centre
# above the tile's top; relative to the ring's centre, on the side of the tap
NOTCH_HIGH, NOTCH_BESIDE = 0.025, -0.04

# m², m: area of three nubs of 4 × 12 mm with round ends, and the thickness of the tape on them
NUBS, TAPE = 3 * 45e-6, 0.2e-3
SILICONE = (0.3e6, 0.9e6)  # Pa, shear modulus of rubbers of 30–60 Shore A (data sheets)
# ratio of tangential to normal contact stiffness, (1 − ν)/(1 − ν/2), for moulded plastics (Mindlin)
MINDLIN = 0.8
NUB_SPREAD = 0.07  # judgement


def leaf_pair(young: float, width: float, thickness: float, free: float) -> float:
    """Stiffness N/m of two parallel leaves clamped at both ends, across their flat side: 2 · 12·E·I/L³ (Roark)."""
    return 24 * young * width * thickness**3 / 12 / free**3


def _nubs(sheared: np.random.Generator, pressed: np.random.Generator) -> tuple[float, float]:
    """Stiffness N/m of an igloo on three taped nubs, x and z. In z the tape is confined: the compliance is that of a
    moulded floor's contact (judgement). In x the shear of the tape, G·A/h, is in series with it."""
    met = float(np.exp(pressed.uniform(math.log(4e5), math.log(1.2e6))))
    shear = float(sheared.uniform(*SILICONE)) * NUBS / TAPE
    return 1 / (1 / shear + 1 / (MINDLIN * met)), met


@dataclass(frozen=True, slots=True)
class Seat:
    """One built seat. SI units; axes: x to and fro, z up."""

    seed: int
    platform: float  # mass that moves to and fro, kg: ring, nubs, sensor
    carriage: float  # further mass that moves up and down, kg
    base: float  # kg
    feet: tuple[float, float]  # natural frequencies of the base on its soft feet, rad/s, x and z
    feet_loss: float  # approximate loss factor of the feet between a bob and the seat's tones
    stiffness: tuple[float, float]  # N/m, x and z, at 20 °C
    quality: tuple[float, float]  # Q factor of the empty seat, x and z
    warmth: float  # relative change of stiffness per K
    nub_stiffness: tuple[float, float]  # N/m, igloo on its three nubs, x and z
    nub_friction: float
    nub_spread: float  # variation of that stiffness from placing to placing, sideways and upright, ln
    play: float  # m, clearance of an igloo in the ring
    accelerometer_rate: float  # nominal, Hz
    accelerometer_true: float
    accelerometer_noise: float  # g/√Hz
    accelerometer_offset: tuple[float, float, float]  # g
    skew: tuple[float, float, float]  # rotation vector of the chip on the platform, rad
    contact: int  # seed of the piezo disc's response
    contact_axes: tuple[float, float]  # the disc's sensitivity to x and z

    @classmethod
    def draw(cls, seed: int, printed: bool = False) -> Self:
        """A seat built after docs/gesture.md, with a maker's tolerances; `printed`: leaves of PLA instead of steel."""
        r = np.random.default_rng([seed, 0x5EA7])
        # Young's modulus of steel or PLA, and its change per K
        young, warmth = (STEEL, -2.6e-4) if not printed else (2.8e9, -4e-3)
        # steel clamped in printed jaws (judgement: most of the loss is in the jaws); PLA: losses 2–4 % (handbook)
        quality = (60, 150) if not printed else (22, 45)
        thick = np.array([0.30e-3, 0.60e-3]) * (1 if not printed else (STEEL / 2.8e9) ** (1 / 3))
        # feeler gauges are rolled to one per cent
        thick = thick * (1 + (0.01 if not printed else 0.03) * r.normal(size=2))
        # tolerances of a maker with a ruler and kitchen scales: lengths, masses and the base (judgement)
        free = np.array([0.040, 0.037]) + 0.0004 * r.normal(size=2)
        # foam or gel feet under 1 kg: the instructions ask for 8 Hz or less, and makers come near it; feet are softer
        # to and fro than up and down (judgement). Loss factors: 0.1–0.4 for polyurethane foams and gels, less for soft
        # rubbers (data sheets)
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
            # aligned by eye: three degrees (judgement)
            skew=tuple(float(v) for v in r.normal(0, 0.05, 3)),  # type: ignore[arg-type]
            contact=int(r.integers(2**31)),
            contact_axes=(float(r.uniform(0.25, 0.7)), 1.0),  # a disc under the ring feels mostly z
        )

    def standing(self, today: Occasion) -> tuple[Floats, Floats]:
        """Today's properties of the base on its feet: `feet` and `rock` of `seat_motion.Bodies`."""
        inertia = self.base * (SIDE**2 + THICK**2) / 12 + self.carriage * 0.05**2
        stiff = self.base * np.array(self.feet) ** 2 * today.feet
        feet = np.array([*stiff, stiff[1] * STANCE**2])
        rock = np.array([inertia, PLATFORM_HIGH, -THICK / 2, NOTCH_HIGH + THICK / 2, NOTCH_BESIDE])
        return np.stack([feet, feet * self.feet_loss / LOSS_OF_CREEPING], axis=1), rock


@dataclass(frozen=True, slots=True)
class Occasion:
    """The seat on one day: where it stands, how level and how warm it is, and how the table vibrates."""

    lean: tuple[float, float]  # tilt in rad about y and x: gravity then has a part to and fro, and one across
    kelvin: float  # above 20 °C
    drift_kelvin: float  # warming of the seat per minute, between the empty tap and the others
    feet: float  # their stiffness relative to the seat's usual one
    clock: float  # ratio of the chip's rate today to its own usual one
    tremble: float  # m/s², RMS of the base's vibration
    damp: float  # relative change of all shells' mass: moisture in the plastic, battery, grease of hands
    dust: float  # the same for each igloo by itself, RMS

    @classmethod
    def draw(cls, seed: int) -> Self:
        """An occasion from its seed; levelled with a bull's-eye level or a phone, to some tenths of a degree
        (judgement; a sensitivity of 30′ is usual). Room temperature and its change per minute: judgement."""
        r = np.random.default_rng([seed, 0x0CCA])
        own = np.random.default_rng([seed, 0xFEE7])
        lean = np.radians(r.normal(0, 0.3, 2))
        return cls(
            lean=(float(lean[0]), float(lean[1])),
            kelvin=float(r.normal(2, 3)),
            drift_kelvin=float(r.normal(0, 0.3)),
            # foam softens by 1–2 % per K, creeps, and stands on another cloth or table (judgement)
            feet=float(np.exp(own.normal(0, 0.12))),
            clock=float(1 + r.normal(0, 2e-4)),
            # a table among people: 8 mm/s², within a factor of two (judgement)
            tremble=float(np.exp(r.normal(math.log(0.008), 0.7))),
            # styrene plastics absorb 0.05–0.3 % of water (data sheets); days differ less
            damp=float(r.normal(0, 3e-4)),
            dust=1e-4,  # 1–2 mg on 12 g (judgement)
        )
