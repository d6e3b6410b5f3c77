"""A simulated cube node: samples its cube's movement, mismeasures it, and speaks – or answers – on the wire."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from firmware_bridge import bno08x_rvc, polar, witmotion
from firmware_bridge import packets as p
from hw_mock.cubes.mems import Array, Sensor
from hw_mock.cubes.motion import Timeline
from hw_mock.ports import FaultyWire

_HELLO_S = 2.0
_STATUS_S = 10.0
_POSE_S = 0.1
_UNTURNED: p.Quaternion = (1.0, 0.0, 0.0, 0.0)


@dataclass(slots=True)
class CubeNode:
    """One node. `protocol` polar, bno08x-rvc, witmotion or witmotion-ble; `advance` gives its bytes up to a time."""

    number: int
    cube: Timeline
    sensor: Sensor
    wire: FaultyWire
    protocol: str = "polar"
    batch: int = 4
    battery_mv: float = 4000.0
    battery_mv_per_hour: float = 60.0
    started: float = 0.0
    light: tuple[int, int, int] = (0, 0, 0)
    alive: bool = True
    _sampled: int = 0  # samples taken so far
    _seq: int = 0
    _rates: list[p.Vector] = field(default_factory=list)
    _accels: list[p.Vector] = field(default_factory=list)
    _pose: p.Quaternion = _UNTURNED  # the node's own integration
    _bias: p.Vector = (0.0, 0.0, 0.0)
    _due: dict[str, float] = field(default_factory=lambda: {"hello": 0.0, "status": 5.0, "pose": 0.0})
    _ears: polar.PolarDecoder = field(default_factory=polar.PolarDecoder)
    _now: float = 0.0
    _epoch: float = 0.0  # when its clock began

    @property
    def uid(self) -> str:
        return f"c0be{self.number:012x}"

    @property
    def rate_hz(self) -> float:
        return self.sensor.rate_hz

    def advance(self, now: float, heard: bytes = b"") -> bytes:
        """The bytes that leave the node up to the time `now`, after `heard` has come from the host."""
        if not self.alive:
            return b""
        frames: list[bytes] = []
        for packet in self._ears.feed(heard) if heard else ():
            frames += self._answer(packet)
        due = int((now - self.started) * self.rate_hz) - self._sampled
        if due > 0:
            times = self.started + (self._sampled + 1 + np.arange(due)) / self.rate_hz
            quats, rates, forces = self.cube.sample(times)
            rates, accels = self.sensor.measure(times, rates, forces)
            speak = _SPEAKERS[self.protocol]
            frames += speak(self, times, quats, rates, accels)
            self._sampled += due
        self._now = now
        return self.wire.carry(frames, now)

    def _us(self, t: float) -> int:
        """The node's own clock."""
        share = 1 - self.wire.faults.slow_clock
        return int(((t - self._epoch) * share + self.number * 7.7) * 1e6) & 0xFFFFFFFF

    def begin_anew(self, now: float) -> None:
        """Its battery was changed, or it woke from deep sleep: numbers, clock and its own pose start again."""
        self._seq, self._epoch, self.alive = 0, now, True
        self._pose, self._bias = _UNTURNED, (0.0, 0.0, 0.0)
        self._due = {"hello": now, "status": now + 5.0, "pose": now}

    def _stamp(self, t: float) -> p.Stamp:
        self._seq = (self._seq + 1) & 0xFFFF
        number = self.number
        if self.wire.faults.wrong_node and self.sensor.random.random() < self.wire.faults.wrong_node:
            number = 200 + self.number
        return p.Stamp(number, self._seq, self._us(t))

    def _polar(self, times: Array, quats: Array, rates: Array, accels: Array) -> list[bytes]:
        frames: list[bytes] = []
        period = round(1e6 / self.rate_hz * (1 - self.wire.faults.slow_clock))
        for t, rate, accel in zip(times.tolist(), rates.tolist(), accels.tolist(), strict=True):
            self._rates.append((rate[0], rate[1], rate[2]))
            self._accels.append((accel[0], accel[1], accel[2]))
            if len(self._rates) < self.batch:
                continue
            first = t - (len(self._rates) - 1) / self.rate_hz
            motion = p.Motion(self._stamp(first), period, tuple(self._rates), tuple(self._accels))
            frames.append(polar.encode(motion))
            resting = self._integrate()
            self._rates.clear()
            self._accels.clear()
            frames += self._regular(t, resting)
        return frames

    def _integrate(self) -> bool:
        """The node's own idea of its orientation, and whether it rests, as the firmware does it."""
        n, bias = len(self._rates), self._bias
        bx, by, bz = bias
        resting = all(
            -4.0 < gx - bx < 4.0 and -4.0 < gy - by < 4.0 and -4.0 < gz - bz < 4.0
            for gx, gy, gz in self._rates
        )
        x, y, z = (sum(axis) / n for axis in zip(*self._rates, strict=True))
        if resting:
            bias = (
                bias[0] + 0.05 * (x - bias[0]),
                bias[1] + 0.05 * (y - bias[1]),
                bias[2] + 0.05 * (z - bias[2]),
            )
            self._bias = bias
        half = math.radians(n / self.rate_hz) / 2
        x, y, z = (x - bias[0]) * half, (y - bias[1]) * half, (z - bias[2]) * half
        angle = math.sqrt(x * x + y * y + z * z)
        c, s = math.cos(angle), math.sin(angle) / angle if angle > 1e-9 else 1.0
        self._pose = _times(self._pose, (c, x * s, y * s, z * s))
        return resting

    def _regular(self, t: float, resting: bool) -> list[bytes]:
        out: list[bytes] = []
        if t >= self._due["hello"]:
            self._due["hello"] = t + _HELLO_S
            out.append(self._hello(t, resting))
        if t >= self._due["status"]:
            self._due["status"] = t + _STATUS_S
            millivolts = round(self.battery_now(t))
            out.append(
                polar.encode(p.Status(self._stamp(t), millivolts, 25.0, int(t), 0, False, millivolts < 3400))
            )
        if t >= self._due["pose"]:
            self._due["pose"] = t + _POSE_S
            out.append(polar.encode(p.Pose(self._stamp(t), self._pose, resting)))
        return out

    def battery_now(self, t: float) -> float:
        """Millivolts; below 3.0 V the node falls silent."""
        millivolts = self.battery_mv - self.battery_mv_per_hour * (t - self.started) / 3600
        self.alive = millivolts > 3000
        return max(0.0, millivolts)

    @property
    def own_pose(self) -> p.Quaternion:
        """Its own idea of how it is turned, as its pose and hello frames say it."""
        return self._pose

    def _hello(self, t: float, resting: bool) -> bytes:
        rate, battery = round(self.rate_hz), round(self.battery_now(t))
        name = f"cube {self.number}"
        hello = p.Hello(
            self._stamp(t),
            "cube",
            self.uid,
            (0, 1, 0),
            battery,
            rate,
            2000,
            16,
            resting,
            self._pose,
            name,
        )
        return polar.encode(hello)

    def _answer(self, packet: p.Packet) -> list[bytes]:
        if not isinstance(packet, p.HelloRequest | p.Configure | p.Light | p.Identify):
            return []
        if packet.stamp.node not in (self.number, polar.BROADCAST) or self.protocol != "polar":
            return []
        if isinstance(packet, p.HelloRequest):
            return [self._hello(self._now, False)]
        if isinstance(packet, p.Light):
            self.light = (packet.red, packet.green, packet.blue)
        elif isinstance(packet, p.Identify):
            self.light = (255, 255, 255)
        else:
            self.batch = max(1, min(polar.MAX_BATCH, packet.batch))
        return []

    def _rvc(self, times: Array, quats: Array, rates: Array, accels: Array) -> list[bytes]:
        """The chip's own fusion: the truth, a heading that drifts from wherever it was at power-up, and noise."""
        frames = []
        drift = Rotation.from_euler("z", (self.number * 50 + times * 0.01)[:, None], degrees=True)
        noise = Rotation.from_rotvec(self.sensor.random.normal(size=(len(times), 3)) * np.radians(0.03))
        angles = (drift * Rotation.from_quat(quats) * noise).as_euler("ZYX", degrees=True)
        for (yaw, pitch, roll), accel in zip(angles.tolist(), accels.tolist(), strict=True):
            frames.append(bno08x_rvc.encode(self._seq, yaw, pitch, roll, (accel[0], accel[1], accel[2])))
            self._seq = (self._seq + 1) & 0xFF
        return frames

    def _wit(self, times: Array, quats: Array, rates: Array, accels: Array) -> list[bytes]:
        frames = []
        angles = Rotation.from_quat(quats).as_euler("ZYX", degrees=True)[:, ::-1]
        for rate, accel, angle in zip(rates.tolist(), accels.tolist(), angles.tolist(), strict=True):
            a, r, e = ((v[0], v[1], v[2]) for v in (accel, rate, angle))
            if self.protocol == "witmotion-ble":
                frames.append(witmotion.encode_ble(a, r, e))
            else:
                frames.append(b"".join(witmotion.encode_serial(0x51 + i, v) for i, v in enumerate((a, r, e))))
        return frames


def _times(a: p.Quaternion, b: p.Quaternion) -> p.Quaternion:
    """First `b`, then `a`, of length one."""
    w, x, y, z = (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )
    n = math.sqrt(w * w + x * x + y * y + z * z)
    return (w / n, x / n, y / n, z / n)


_Speaker = Callable[[CubeNode, Array, Array, Array, Array], list[bytes]]
_SPEAKERS: dict[str, _Speaker] = {
    "polar": CubeNode._polar,
    "bno08x-rvc": CubeNode._rvc,
    "witmotion": CubeNode._wit,
    "witmotion-ble": CubeNode._wit,
}
PROTOCOLS = tuple(_SPEAKERS)
