"""Who shakes: a person's habits, how they differ from day to day (`Player.on`) and from take to take (`Player.take`).

People differ more than igloos do. Seated people shake a small thing at 2.5–6.5 Hz with 1.3–6.5 g at the turning points
(judgement); wrist, elbow and shoulder turn together. Days and takes spread both values further, without an upper limit.
The lower limit of a take (`Player.take`) is there because a listener shakes until it rattles; many takes lie on it. The
strength at the turning points is between a quarter less and a fifth more than the intended one, because of waveform,
jitter and the arc of the arm. Periods vary by 3–8 % and strokes by 8–22 % from one to the next (judgement; tapping in
time: 3–6 %, Wing and Kristofferson, 1973). Spreads are set so that hits at equal N differ from shake to shake by about
as much as an independent simulation of twelve people found, 40–47 % (`benchmarks/physics.py`). Physiological tremor:
8–12 Hz (Elble and Koller, 1990). Fingers on the shell: a spring of 1–6 kN/m with strong damping (judgement, from grip
impedances measured by Kern and Werthschützky, EuroHaptics 2008).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Player:
    """A person's habits. `Player.draw(seed)`; `take(seed)` is one shake of that person's on one occasion."""

    seed: int
    stroke_hz: float
    strength_g: float  # intended acceleration at the turning points
    second: float  # amplitude of the second harmonic: 0 smooth, 0.25 one turn sharper than the other
    third: float  # of the third; positive: flat-topped, with stops; negative: like a sawtooth
    period_jitter: float
    stroke_jitter: float
    wander: float  # slow changes of strength
    across: float  # share of movement across the main axis
    across_phase: float
    lever_m: float  # from the centre of turning to the igloo; wrist 0.1, elbow 0.35
    arc_share: float  # share of the movement that is rotation about that centre
    axis: Vector  # main axis of shaking, world
    tilt: Vector  # how the igloo is held: rotation vector from upright
    tremor_g: float
    pauses: float  # probability of a hesitation per second
    temper: float  # take-to-take spread of strength, log
    haste: float  # take-to-take spread of the rate, log
    grip_stiffness: float  # N/m
    grip_damping: float  # damping ratio, for 25 g
    grip_loss: float  # loss factor that the fingers add to the shell's modes
    flesh_mass: float  # of the finger pads that move with the shell, kg

    @classmethod
    def draw(cls, seed: int) -> Self:
        """A person from the seed."""
        r = np.random.default_rng([seed, 0xA0])
        up_down = r.random() < 0.6  # judgement: most shake up and down, some to and fro beside the ear
        lean = r.normal(0, 0.25, 3)
        axis = _unit((0.0, 0.0, 1.0) if up_down else _level(r), lean)
        held = r.normal(0, 0.35, 3)
        if r.random() < 0.25:  # held on its side between thumb and fingers
            held = held + np.array([math.pi / 2, 0.0, 0.0]) * float(r.choice((-1, 1)))
        stroke_hz = float(np.clip(np.exp(r.normal(math.log(4.3), 0.20)), 2.5, 6.5))
        # fast hands are no weaker: about 1 m/s in the middle of a stroke at any rate
        strength_g = 2.7 * stroke_hz / 4.3 * math.exp(r.normal(0, 0.32))
        return cls(
            seed=seed,
            stroke_hz=stroke_hz,
            strength_g=float(np.clip(strength_g, 1.3, 6.5)),
            second=float(r.uniform(0.0, 0.22)),
            third=float(r.uniform(-0.08, 0.10)),
            period_jitter=float(r.uniform(0.03, 0.08)),
            stroke_jitter=float(r.uniform(0.08, 0.22)),
            wander=float(r.uniform(0.05, 0.2)),
            across=float(np.abs(r.normal(0, 0.25))),
            across_phase=float(r.uniform(-math.pi, math.pi)),
            lever_m=float(np.exp(r.uniform(math.log(0.08), math.log(0.40)))),
            arc_share=float(r.uniform(0.2, 0.9)),
            axis=axis,
            tilt=(float(held[0]), float(held[1]), float(held[2])),
            tremor_g=float(np.exp(r.normal(math.log(0.04), 0.5))),
            pauses=float(np.exp(r.normal(math.log(0.06), 0.8))),
            temper=float(r.uniform(0.08, 0.24)),
            haste=float(r.uniform(0.03, 0.08)),
            grip_stiffness=float(np.exp(r.uniform(math.log(1000), math.log(6000)))),
            grip_damping=float(r.uniform(0.25, 0.8)),
            grip_loss=float(np.exp(r.uniform(math.log(0.015), math.log(0.10)))),
            flesh_mass=float(r.uniform(0.004, 0.015)),
        )

    def wider(self) -> Player:
        """The person with larger differences from others than we believe people have, for training."""
        r = np.random.default_rng([self.seed, 0xA1])

        def times(spread: float) -> float:
            return float(np.exp(r.normal(0, spread)))

        return replace(
            self,
            strength_g=float(np.clip(self.strength_g * times(0.25), 1.0, 7.0)),
            stroke_hz=float(np.clip(self.stroke_hz * times(0.1), 2.2, 6.8)),
            second=self.second * times(0.4),
            period_jitter=self.period_jitter * times(0.4),
            stroke_jitter=self.stroke_jitter * times(0.4),
            across=self.across * times(0.6),
            grip_stiffness=self.grip_stiffness * times(0.4),
            grip_loss=self.grip_loss * times(0.4),
        )

    def on(self, day: int) -> Player:
        """The same person on another occasion: mood, seat and hold differ a little throughout."""
        r = np.random.default_rng([self.seed, day, 0xDA])
        held = r.normal(0, 0.2, 3)
        return replace(
            self,
            stroke_hz=self.stroke_hz * math.exp(r.normal(0, 0.06)),
            strength_g=self.strength_g * math.exp(r.normal(0, 0.15)),
            across=self.across * math.exp(r.normal(0, 0.25)),
            arc_share=float(np.clip(self.arc_share + r.normal(0, 0.1), 0.05, 0.95)),
            tilt=(self.tilt[0] + held[0], self.tilt[1] + held[1], self.tilt[2] + held[2]),
            grip_stiffness=self.grip_stiffness * math.exp(r.normal(0, 0.2)),
            grip_loss=self.grip_loss * math.exp(r.normal(0, 0.25)),
        )

    def take(self, seed: int) -> Player:
        """The same person in another take: a new grip, a little harder or softer, faster or slower."""
        r = np.random.default_rng([self.seed, seed, 0x7A])
        held = r.normal(0, 0.15, 3)
        return replace(
            self,
            stroke_hz=self.stroke_hz * math.exp(r.normal(0, self.haste)),
            # people who hear nothing shake harder: until beads leave the floor, and with at least 0.6 m/s
            strength_g=max(1.8, 0.42 * self.stroke_hz, self.strength_g * math.exp(r.normal(0, self.temper))),
            second=self.second * math.exp(r.normal(0, 0.2)),
            across=self.across * math.exp(r.normal(0, 0.2)),
            across_phase=self.across_phase + r.normal(0, 0.3),
            tilt=(self.tilt[0] + held[0], self.tilt[1] + held[1], self.tilt[2] + held[2]),
            grip_stiffness=self.grip_stiffness * math.exp(r.normal(0, 0.2)),
            grip_loss=self.grip_loss * math.exp(r.normal(0, 0.25)),
        )


def _unit(base: Vector, lean: NDArray[np.float64]) -> Vector:
    v = np.array(base) + lean
    v = v / np.linalg.norm(v)
    return (float(v[0]), float(v[1]), float(v[2]))


def _level(r: np.random.Generator) -> Vector:
    angle = float(r.uniform(-math.pi, math.pi))
    return (math.cos(angle), math.sin(angle), 0.0)
