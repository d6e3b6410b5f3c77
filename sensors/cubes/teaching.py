"""Teaching a cube: a few faces shown upwards give its sensor's mounting. Each step has a figure and a bound.

Two faces that are not opposite determine the mounting; each further one is a check. Only gravity is used: the heading
does not matter, so a face may be shown in any rotation about the vertical.
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

SHOWN = ("U", "N", "E", "D")  # the faces to show upwards, in this order
STILL_S = 1.0
SHAKE_BOUND_G = 0.02  # while it should lie still
SIZE_BOUND_G = 0.08  # on the size of gravity: beyond it the accelerometer cannot be trusted
OFF_BOUND_DEG = 4.0  # between the measured direction of a face and the fitted one
SAME_BOUND_DEG = 45.0  # two different faces must differ by more


@dataclass(frozen=True, slots=True)
class Step:
    """The result of showing one face: `ok`, the figures, and what to do where it is not."""

    ok: bool
    shake_g: float
    text: str


@dataclass(slots=True)
class Teacher:
    """Teaches one cube. Show a face, give the samples of a second; any face can be repeated."""

    seen: dict[str, Vector] = field(default_factory=dict)  # body face → unit vector of up in sensor axes

    def show(self, face: str, batches: Sequence[MotionBatch]) -> Step:
        """Take the samples while body face `face` looked up. They are kept only if they are good."""
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
        """Sensor axes to body axes, and the largest angle between a measured and a fitted face; None: too few faces."""
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
