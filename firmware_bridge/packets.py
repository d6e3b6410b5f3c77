"""The content of a frame, whichever wire it came by. Rates in °/s, accelerations in g (at rest +1 upwards).

Quaternions are (w, x, y, z) and rotate sensor axes into a level frame with z up (its heading is arbitrary).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Kind = Literal["cube", "igloo", "dongle", "seat"]


@dataclass(frozen=True, slots=True)
class Stamp:
    """Sender of a frame of our own protocol, its sequence number, and the sender's clock (microseconds, 32 bits,
    wraps)."""

    node: int
    seq: int
    us: int


@dataclass(frozen=True, slots=True)
class Hello:
    """A node identifies itself: at power-up, every two seconds, and when asked."""

    stamp: Stamp
    kind: Kind
    uid: str  # 16 hexadecimal digits, permanent for the board
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
    """The node's own integrated orientation: two of them show the rotation in between, whatever was lost."""

    stamp: Stamp
    pose: Quaternion
    resting: bool


@dataclass(frozen=True, slots=True)
class Burst:
    """Vibration of an igloo's shell or a counting seat's ring: samples in g, `rate_hz` is the chip's true sample
    rate."""

    stamp: Stamp
    burst: int
    index: int  # of the first sample within the burst
    rate_hz: float
    accels: tuple[Vector, ...]


@dataclass(frozen=True, slots=True)
class Status:
    """A node's health, every ten seconds. `dropped` counts frames that were never sent (16 bits, wraps)."""

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
    """A message of a node to a person: level 0 (debug) … 3 (error)."""

    stamp: Stamp
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class HelloRequest:
    """Host to node: identify yourself."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Configure:
    """Host to node: sample rate, samples in a frame, what to stream, and when to fall asleep (0: never)."""

    stamp: Stamp
    rate_hz: int
    batch: int
    motion: bool
    pose: bool
    burst: bool
    sleep_after_s: int


@dataclass(frozen=True, slots=True)
class Light:
    """Host to node: show a colour for a while (0 ms: until the next command)."""

    stamp: Stamp
    red: int
    green: int
    blue: int
    duration_ms: int


@dataclass(frozen=True, slots=True)
class Identify:
    """Host to node: light up, so that a person sees which one you are."""

    stamp: Stamp
    seconds: int


@dataclass(frozen=True, slots=True)
class ChipAngles:
    """A chip that fuses by itself (BNO08x in RVC mode): its orientation and acceleration; `index` counts to 255."""

    index: int
    pose: Quaternion
    accel: Vector


@dataclass(frozen=True, slots=True)
class ChipMotion:
    """A chip that sends no clock (WitMotion): rate and acceleration. Its own angles change too rarely to be used."""

    rate: Vector
    accel: Vector
    missing: int = 0  # damaged readings just before this one


PolarPacket = (
    Hello | Motion | Pose | Burst | Status | Button | Log | HelloRequest | Configure | Light | Identify
)
Packet = PolarPacket | ChipAngles | ChipMotion
