"""Who shakes in the fourth world: an arm that rotates about a wrist or an elbow.

Strokes are harmonic, with a person's own overtones. Ranges are judgement unless a source is given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, lfilter, sosfilt
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]
MOTION = 2000.0  # Hz
G = 9.81
LEAD_S = 0.25  # held still before and after
TAIL_S = 0.3
RISE_S = 0.2


@dataclass(frozen=True)
class Person:
    """A person's habits: the same every day, apart from the day's own variation."""

    hz: float
    peak: float  # peak acceleration of a stroke, m/s²
    way: Array  # direction, unit vector in the igloo's frame
    round: float  # share of circular motion
    phase: float
    overtones: Array  # amplitude and phase of the second and third harmonic
    uneven: float  # variation of rate and size from one stroke to the next
    arm: float  # m from the igloo to the centre of rotation
    turns: float  # share of the stroke that is rotation
    up: Array  # the upward direction in the igloo's frame
    tremor: float  # m/s²
    grip: tuple[float, float]  # Hz and damping ratio of the shell in the fingers
    fingers: float  # loss factor that they add to the shell's own


def draw_person(seed: int, day: int) -> Person:
    """Somebody on a day."""
    r, d = np.random.default_rng([seed, 71]), np.random.default_rng([seed, 72, day])
    # a comfortable rate: 3 to 6 Hz, as rattles and maracas are played
    hz = float(np.clip(4.2 * np.exp(0.2 * r.normal() + 0.05 * d.normal()), 2.4, 7.0))
    # a stroke of some 3 cm to either side
    reach = 0.03 * float(np.exp(0.35 * r.normal() + 0.12 * d.normal()))
    peak = float(np.clip(reach * (2 * np.pi * hz) ** 2, 1.1 * G, 6 * G))
    base = np.array([[0.1, 0.1, 1.0], [1.0, 0.2, 0.25], [0.6, 0.3, 0.7]])[r.choice(3, p=[0.4, 0.35, 0.25])]
    way = base * r.choice([-1, 1], 3) + 0.2 * r.normal(size=3) + 0.07 * d.normal(size=3)
    up = np.array([0, 0, 1.0]) + 0.3 * r.normal(size=3) + 0.1 * d.normal(size=3)
    return Person(
        hz=hz,
        peak=peak,
        way=way / np.linalg.norm(way),
        round=float(min(0.8, r.exponential(0.18))),
        phase=float(r.uniform(0.5, 2.6)),
        overtones=np.stack([np.abs(r.normal(0, [0.15, 0.08])), r.uniform(0, 6.28, 2)], axis=1),
        uneven=float(r.uniform(0.03, 0.14)),
        arm=float(r.uniform(0.06, 0.30)),  # a wrist, an elbow
        turns=float(r.uniform(0.1, 0.9)),
        up=up / np.linalg.norm(up),
        tremor=float(r.uniform(0.05, 0.4)),  # 8 to 12 Hz: physiological
        grip=(float(np.exp(r.uniform(*np.log([18, 75])) + 0.1 * d.normal())), float(r.uniform(0.25, 0.8))),
        fingers=float(np.exp(r.uniform(*np.log([0.003, 0.04])) + 0.2 * d.normal())),
    )


def motion(person: Person, seconds: float, r: np.random.Generator) -> tuple[Array, Array]:
    """Acceleration less gravity at the centre of the floor in the igloo's frame, float64[n, 3], m/s² at MOTION, and its
    angular velocity, float64[n, 3], rad/s."""
    n = round((LEAD_S + seconds + TAIL_S) * MOTION)
    t = np.arange(n) / MOTION - LEAD_S
    slow = butter(
        3, 1.5, fs=MOTION, output="sos"
    )  # a hand's: what is not smooth shakes the sensor as it turns

    def wander(size: float) -> Array:
        noise = sosfilt(slow, r.normal(size=n + 8000))[8000:]
        return np.asarray(size * noise / np.sqrt(3.1 / MOTION))  # the filter's noise bandwidth: of size 1

    loud = np.clip(t / RISE_S, 0, 1) * np.clip((seconds - t) / RISE_S, 0, 1)
    loud = loud * loud * (3 - 2 * loud) * np.exp(wander(1.3 * person.uneven))
    phase = 2 * np.pi * np.cumsum(person.hz * np.exp(wander(person.uneven))) / MOTION + r.uniform(0, 6.28)
    wave = np.sin(phase)
    for k, (size, late) in enumerate(person.overtones, start=2):
        wave = wave + size * np.sin(k * phase + late)
    size = person.peak * float(np.exp(0.1 * r.normal()))
    across = np.cross(person.way, person.up)
    across = across / (np.linalg.norm(across) + 1e-9)
    beside = np.cross(across, person.way)
    going = person.round * np.sin(phase + person.phase)
    stroke = np.outer(loud * wave, person.way) + np.outer(loud * going, across)
    stroke = stroke + 0.5 * person.round * np.outer(loud * np.sin(phase + 2 * person.phase), beside)
    shiver = r.normal(size=(n, 3))
    pole = np.exp(-2 * np.pi * 1.5 / MOTION)
    shiver = lfilter([1.0], [1, -2 * pole * np.cos(2 * np.pi * 10 / MOTION), pole**2], shiver, axis=0)
    pull = size * stroke + person.tremor * shiver / shiver.std()
    # angle of rotation: displacement over the arm; the displacement of a harmonic is −acceleration / ω²
    angle = -person.turns * size * loud * wave / (2 * np.pi * person.hz) ** 2 / person.arm
    turned = Rotation.from_rotvec(np.outer(angle, across))
    felt = pull + G * turned.inv().apply(np.tile(person.up, (n, 1)))
    rate = np.outer(np.gradient(angle) * MOTION, across)
    return felt, rate
