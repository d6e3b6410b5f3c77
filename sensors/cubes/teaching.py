"""Teaching a cube: from a few faces shown upwards, how its sensor sits in it. Each step has a number and a bound.

Two faces that are not opposite fix the mounting; each further one is a check. Gravity alone is used: no face needs to
be turned to in any particular way, and the heading does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy  # its parts are loaded when they are first asked

from firmware_bridge.packets import Vector
from firmware_bridge.samples import MotionBatch
from sensors.cubes import turns
from sensors.cubes.quats import Quat
from sensors.cubes.turns import AXES

SHOWN = ("U", "N", "E", "D")  # faces that are asked for, upwards, in this order
STILL_S = 1.0
SHAKE_BOUND_G = 0.02  # while it should lie still
SIZE_BOUND_G = 0.08  # gravity's size: further off and the accelerometer is not to be trusted
OFF_BOUND_DEG = 4.0  # between where a face was measured and where the mounting puts it
SAME_BOUND_DEG = 45.0  # two different faces must differ by more


@dataclass(frozen=True, slots=True)
class Step:
    """What one face shown gave: `ok`, the numbers, and what to do where it is not."""

    ok: bool
    shake_g: float
    text: str


@dataclass(slots=True)
class Teacher:
    """One cube. Show a face, give the samples of a second, repeat any face as often as you like."""

    seen: dict[str, Vector] = field(default_factory=dict)  # body face → unit vector of up in sensor axes

    def show(self, face: str, batches: Sequence[MotionBatch]) -> Step:
        """Take the samples while body face `face` looked up. Kept only if it is good."""
        if face not in turns.FACES:
            raise ValueError(f"a cube has no face {face!r}")
        accels = np.array([a for b in batches for a in b.accels])
        if len(accels) < 20:
            return Step(False, 0.0, f"only {len(accels)} samples came; check that the node is awake")
        mean = accels.mean(axis=0)
        shake = float(np.linalg.norm(accels - mean, axis=1).std() + np.linalg.norm(accels.std(axis=0)))
        size = float(np.linalg.norm(mean))
        up = mean / max(size, 1e-9)
        if shake > SHAKE_BOUND_G:
            text = f"it moved ({shake * 1000:.0f} mg, at most {SHAKE_BOUND_G * 1000:.0f}): set it down and let go"
            return Step(False, shake, text)
        if abs(size - 1) > SIZE_BOUND_G:
            text = f"gravity measures {size:.2f} g: wait until it lies still, or the sensor is damaged"
            return Step(False, shake, text)
        for other, vector in self.seen.items():
            angle = math.degrees(math.acos(max(-1.0, min(1.0, float(np.dot(vector, up))))))
            wanted = 180.0 if {face, other} in ({"U", "D"}, {"N", "S"}, {"E", "W"}) else 90.0
            if other != face and abs(angle - wanted) > SAME_BOUND_DEG:
                text = f"this face is {angle:.0f}° from {other}, not {wanted:.0f}°: is {face} really up?"
                return Step(False, shake, text)
        self.seen[face] = (float(up[0]), float(up[1]), float(up[2]))
        return Step(True, shake, f"{face} is up: moved {shake * 1000:.1f} mg, gravity {size:.3f} g")

    def mounting(self) -> tuple[Quat, float] | None:
        """Sensor axes to body axes, and the largest angle between a face as seen and as fitted; None: too few faces."""
        axes = {
            frozenset(p)
            for p in self.seen
            for p in [{"U": "UD", "D": "UD", "N": "NS", "S": "NS"}.get(p, "EW")]
        }
        if len(axes) < 2:
            return None
        body = np.array([AXES[f] for f in self.seen], dtype=float)
        sensor = np.array(list(self.seen.values()))
        fitted, _ = scipy.spatial.transform.Rotation.align_vectors(body, sensor)
        along = (fitted.apply(sensor) * body).sum(axis=1)
        off = float(np.degrees(np.arccos(np.clip(along, -1, 1))).max())
        x, y, z, w = fitted.as_quat()
        return (float(w), float(x), float(y), float(z)), off
