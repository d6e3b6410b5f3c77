"""What one frame says, whichever wire it came by. Rates in °/s, accelerations in g (at rest +1 upwards).

Quaternions are (w, x, y, z) and turn sensor axes into a level frame with z up (its heading is arbitrary).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Kind = Literal["cube", "igloo", "dongle", "seat"]


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who sent a frame of our own protocol, its number, and the sender's clock (microseconds, 32 bits, wraps)."""

    node: int
    seq: int
    us: int


@dataclass(frozen=True, slots=True)
class Hello:
    """A node introduces itself: at power-up, every two seconds, and when asked."""

    stamp: Stamp
    kind: Kind
    uid: str  # 16 hexadecimal digits that stay with the board
    firmware: tuple[int, int, int]
    battery_mv: int
    rate_hz: int
    gyro_range_dps: int
    accel_range_g: int
    resting: bool
    pose: Quaternion
    name: str
    version: int = 1


@dataclass(frozen=True, slots=True)
class Motion:
    """One or more samples of rate and acceleration, `period_us` apart; the stamp is the time of the first."""

    stamp: Stamp
    period_us: int
    rates: tuple[Vector, ...]
    accels: tuple[Vector, ...]


@dataclass(frozen=True, slots=True)
class Pose:
    """The node's own integrated orientation: two of them tell what happened between, whatever was lost."""

    stamp: Stamp
    pose: Quaternion
    resting: bool


@dataclass(frozen=True, slots=True)
class Burst:
    """Vibration of an igloo's shell or a counting seat's ring: samples in g, `rate_hz` is the true rate of the chip."""

    stamp: Stamp
    burst: int
    index: int  # of the first sample within the burst
    rate_hz: float
    accels: tuple[Vector, ...]


@dataclass(frozen=True, slots=True)
class Status:
    """A node's health, every ten seconds. `dropped` frames never left it (16 bits, wraps)."""

    stamp: Stamp
    battery_mv: int
    temperature_c: float
    uptime_s: int
    dropped: int
    charging: bool
    low: bool


@dataclass(frozen=True, slots=True)
class Button:
    """A button on a node was pressed or let go."""

    stamp: Stamp
    button: int
    pressed: bool


@dataclass(frozen=True, slots=True)
class Log:
    """What a node wants a person to read: level 0 (debug) … 3 (error)."""

    stamp: Stamp
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class HelloRequest:
    """Host to node: introduce yourself."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Configure:
    """Host to node: samples a second, samples a frame, what to stream, and when to fall asleep (0: never)."""

    stamp: Stamp
    rate_hz: int
    batch: int
    motion: bool
    pose: bool
    burst: bool
    sleep_after_s: int


@dataclass(frozen=True, slots=True)
class Light:
    """Host to node: show a colour for a while (0 ms: until told otherwise)."""

    stamp: Stamp
    red: int
    green: int
    blue: int
    duration_ms: int


@dataclass(frozen=True, slots=True)
class Identify:
    """Host to node: shine, so that a person sees which one you are."""

    stamp: Stamp
    seconds: int


@dataclass(frozen=True, slots=True)
class ChipAngles:
    """A chip that fuses by itself (BNO08x in RVC mode): its orientation, and acceleration; `index` counts to 255."""

    index: int
    pose: Quaternion
    accel: Vector


@dataclass(frozen=True, slots=True)
class ChipMotion:
    """A chip without a clock on the wire (WitMotion): rate and acceleration; its own angles change too seldom."""

    rate: Vector
    accel: Vector
    missing: int = 0  # readings just before this one that were damaged


PolarPacket = (
    Hello | Motion | Pose | Burst | Status | Button | Log | HelloRequest | Configure | Light | Identify
)
Packet = PolarPacket | ChipAngles | ChipMotion
