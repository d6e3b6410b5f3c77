"""Quaternions (w, x, y, z) as tuples: for a handful of products this is faster than arrays."""

from __future__ import annotations

import math

Quat = tuple[float, float, float, float]
Vec = tuple[float, float, float]


def multiply(a: Quat, b: Quat) -> Quat:
    """The rotation `b` followed by `a`."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def conjugate(q: Quat) -> Quat:
    """The inverse rotation."""
    return (q[0], -q[1], -q[2], -q[3])


def normalised(q: Quat) -> Quat:
    """`q` at unit length; the identity for length zero."""
    n = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (q[0] / n, q[1] / n, q[2] / n, q[3] / n) if n > 1e-12 else (1.0, 0.0, 0.0, 0.0)


def rotate(q: Quat, v: Vec) -> Vec:
    """`v` rotated by `q`."""
    w, x, y, z = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (
        v[0] + w * tx + y * tz - z * ty,
        v[1] + w * ty + z * tx - x * tz,
        v[2] + w * tz + x * ty - y * tx,
    )


def rotation_vector(q: Quat) -> Vec:
    """Axis times angle in radians, the short way round (rotation vector)."""
    w, x, y, z = q if q[0] >= 0 else (-q[0], -q[1], -q[2], -q[3])
    s = math.sqrt(x * x + y * y + z * z)
    if s < 1e-9:
        return (2 * x, 2 * y, 2 * z)
    k = 2 * math.atan2(s, w) / s
    return (k * x, k * y, k * z)


def middle(a: Quat, b: Quat) -> Quat:
    """The midpoint between two orientations, the short way round."""
    sign = 1.0 if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] >= 0 else -1.0
    return normalised((a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2], a[3] + sign * b[3]))


def angle_deg(a: Quat, b: Quat) -> float:
    """The angle between two orientations, degrees."""
    w, x, y, z = multiply(conjugate(a), b)
    return math.degrees(2 * math.atan2(math.sqrt(x * x + y * y + z * z), abs(w)))


def about_z(angle: float) -> Quat:
    """A rotation about the vertical by `angle` radians."""
    return (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))


def heading(q: Quat) -> float:
    """The rotation about the vertical that `q` contains (its twist), in radians, −π…π."""
    angle = 2 * math.atan2(q[3], q[0])
    return (angle + math.pi) % (2 * math.pi) - math.pi


def inclination_deg(q: Quat) -> float:
    """The rotation about a level axis that `q` contains (its swing): the tilt of the vertical in degrees."""
    return math.degrees(2 * math.atan2(math.hypot(q[1], q[2]), math.hypot(q[0], q[3])))


def levelled(q: Quat, up: Vec) -> Quat:
    """`q` followed by the smallest rotation that brings the sensor-frame vector `up` to the vertical."""
    x, y, z = rotate(q, up)
    flat = math.hypot(x, y)
    if math.hypot(flat, z) < 1e-9:
        return q
    # the rotation from (x, y, z) to the vertical is about the level axis (y, -x)
    half = math.atan2(flat, z) / 2
    axis = (y / flat, -x / flat) if flat > 1e-12 else (1.0, 0.0)
    s = math.sin(half)
    return normalised(multiply((math.cos(half), axis[0] * s, axis[1] * s, 0.0), q))
