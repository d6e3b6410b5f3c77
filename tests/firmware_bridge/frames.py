"""Frames of every protocol, as nodes and chips send them."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge import bno08x_rvc, polar, witmotion
from firmware_bridge import packets as p

LEVEL = (0.0, 0.0, 1.0)


def rvc_frame(i: int) -> bytes:
    return bno08x_rvc.encode(i, i % 170, -1.1, 20.85, (-0.371, -0.02, 0.977))


def wit_frame(i: int) -> bytes:
    return b"".join(witmotion.encode_serial(0x51 + k, (0.1 * k, i % 7, -1.0)) for k in range(3))


def ble_frame(i: int) -> bytes:
    return witmotion.encode_ble((0.0, 0.0, 1.0), (float(i % 100), -3.0, 5.0), (1.0, 2.0, 3.0))


def polar_frame(i: int) -> bytes:
    return polar.encode(p.Motion(p.Stamp(1, i & 0xFFFF, i * 5000), 5000, ((i % 9, 1.0, 2.0),), (LEVEL,)))


FRAMES: dict[str, Callable[[int], bytes]] = {
    "polar": polar_frame,
    "bno08x-rvc": rvc_frame,
    "witmotion": wit_frame,
    "witmotion-ble": ble_frame,
}
