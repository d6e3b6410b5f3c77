"""A simulated cube node: samples its cube's movement with sensor errors, sends frames, and obeys the host."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from firmware_bridge import bno08x_rvc, polar, witmotion
from firmware_bridge import packets as p
from hw_mock.commands import Commands
from hw_mock.cubes.mems import Array, Sensor
from hw_mock.cubes.motion import Timeline
from hw_mock.ports import FaultyWire

_STATUS_S = 10.0
_POSE_S = 0.1
_STEP = 4  # samples in the chip each time the board reads it
_EMPTY_MV = 3000
RATES = (104, 208, 416, 833, 1660, 3330)  # samples a second that a host may set (`ODR` in firmware/lsm6ds.py)
_UNTURNED: p.Quaternion = (1.0, 0.0, 0.0, 0.0)


@dataclass(slots=True)
class CubeNode:
    """One node. `protocol`: polar, bno08x-rvc, witmotion or witmotion-ble; `advance` returns its bytes up to a time.

    `batch` and the sensor's rate are what its program starts with. `sleeps`: a radio node with a cell of its own.
    """

    number: int
    cube: Timeline
    sensor: Sensor
    wire: FaultyWire
    protocol: str = "polar"
    batch: int = 4
    battery_mv: float = 4000.0
    battery_mv_per_hour: float = 60.0
    started: float = 0.0
    alive: bool = True
    sleeps: bool = False
    commands: Commands = field(init=False)
    _loaded: tuple[int, float] = field(init=False)  # its program's defaults: samples per frame and per second
    _told_hz: int = field(init=False)
    _send_motion: bool = True
    _send_pose: bool = True
    _since: float = field(init=False)  # from when samples are counted
    _sampled: int = 0  # samples taken so far
    _seq: int = 0
    _rates: list[p.Vector] = field(default_factory=list)  # of the next frame
    _accels: list[p.Vector] = field(default_factory=list)
    _turned: list[p.Vector] = field(default_factory=list)  # rates not yet integrated into its own pose
    _pose: p.Quaternion = _UNTURNED  # the node's own integration
    _bias: p.Vector = (0.0, 0.0, 0.0)
    _due: dict[str, float] = field(default_factory=lambda: {"status": 5.0, "pose": 0.0})
    _now: float = field(init=False)
    _epoch: float = 0.0  # when its clock began

    def __post_init__(self) -> None:
        self._since = self._now = self.started
        self._loaded, self._told_hz = (self.batch, self.rate_hz), round(self.rate_hz)
        self.commands = Commands(sleeps=self.sleeps)
        self.commands.begin_anew(self.started)

    @property
    def uid(self) -> str:
        return f"c0be{self.number:012x}"

    @property
    def rate_hz(self) -> float:
        return self.sensor.rate_hz

    @property
    def light(self) -> tuple[int, int, int]:
        """The colour that it shows: red, green, blue, 0 to 255."""
        return self.commands.light

    @property
    def own_pose(self) -> p.Quaternion:
        """Its own estimate of its orientation, as in its pose and hello frames."""
        return self._pose

    def advance(self, now: float, heard: bytes = b"") -> bytes:
        """The bytes that leave the node up to the time `now`, after `heard` has come from the host."""
        if not self.alive:
            return b""
        frames: list[bytes] = []
        if self.protocol == "polar":  # nobody writes to another maker's sensor
            for told in self.commands.hear(heard, self.number, self._now):
                frames += self._configure(told)
        due = int((now - self._since) * self.rate_hz) - self._sampled
        if due > 0:
            times = self._since + (self._sampled + 1 + np.arange(due)) / self.rate_hz
            quats, rates, forces = self.cube.sample(times)
            rates, accels = self.sensor.measure(times, rates, forces)
            self._sampled += due
            speak = _SPEAKERS[self.protocol]
            frames += speak(self, times, quats, rates, accels)
        self._now = now
        return self.wire.carry(frames, now)

    def _us(self, t: float) -> int:
        """The node's own clock."""
        share = 1 - self.wire.faults.slow_clock
        return int(((t - self._epoch) * share + self.number * 7.7) * 1e6) & 0xFFFFFFFF

    def begin_anew(self, now: float) -> None:
        """Its battery was changed, or it woke from deep sleep: frame numbers, clock and its own pose start again, and
        the host's configuration is forgotten."""
        self._seq, self._epoch, self.alive = 0, now, True
        self._pose, self._bias = _UNTURNED, (0.0, 0.0, 0.0)
        self._due = {"status": now + 5.0, "pose": now}
        self.commands.begin_anew(now)
        for held in (self._rates, self._accels, self._turned):
            held.clear()
        self.batch, rate = self._loaded
        self._measure_at(rate)
        self._told_hz = round(rate)
        self._send_motion = self._send_pose = True

    def _measure_at(self, rate_hz: float) -> None:
        if rate_hz != self.rate_hz:
            self._since, self._sampled = self._sampled_until, 0
            self.sensor.rate_hz = rate_hz

    @property
    def _sampled_until(self) -> float:
        return self._since + self._sampled / self.rate_hz

    def _configure(self, told: p.Configure) -> list[bytes]:
        self._send_motion, self._send_pose = told.motion, told.pose
        self.batch = max(1, min(polar.MAX_BATCH, told.batch))
        if not told.rate_hz:
            return []
        # samples of two rates never share a frame
        frames = self._out(self._sampled_until)
        if self._turned:
            self._integrate()
        self._measure_at(min(RATES, key=lambda rate: abs(rate - told.rate_hz)))
        self._told_hz = told.rate_hz
        return frames

    def _stamp(self, t: float) -> p.Stamp:
        self._seq = (self._seq + 1) & 0xFFFF
        number = self.number
        if self.wire.faults.wrong_node and self.sensor.random.random() < self.wire.faults.wrong_node:
            number = 200 + self.number
        return p.Stamp(number, self._seq, self._us(t))

    def _polar(self, times: Array, quats: Array, rates: Array, accels: Array) -> list[bytes]:
        frames: list[bytes] = []
        for t, rate, accel in zip(times.tolist(), rates.tolist(), accels.tolist(), strict=True):
            if self.commands.asleep:
                if self.commands.wakes((accel[0], accel[1], accel[2]), t):
                    self.begin_anew(t)
                    break  # what the chip measures until it is set up again is lost
                continue
            self._rates.append((rate[0], rate[1], rate[2]))
            self._accels.append((accel[0], accel[1], accel[2]))
            self._turned.append(self._rates[-1])
            if len(self._rates) >= self.batch:
                frames += self._out(t)
            if len(self._turned) >= _STEP:
                frames += self._regular(t, self._integrate())
        return frames

    def _out(self, t: float) -> list[bytes]:
        """The frame of the collected samples, the last of which is from time `t`."""
        rates, accels = tuple(self._rates), tuple(self._accels)
        self._rates.clear()
        self._accels.clear()
        if not rates or not self._send_motion:
            return []
        period = round(1e6 / self.rate_hz * (1 - self.wire.faults.slow_clock))
        first = t - (len(rates) - 1) / self.rate_hz
        return [polar.encode(p.Motion(self._stamp(first), period, rates, accels))]

    def _integrate(self) -> bool:
        """Integrate the node's own orientation as the firmware does; returns whether it rests."""
        n, bias = len(self._turned), self._bias
        bx, by, bz = bias
        resting = all(
            -4.0 < gx - bx < 4.0 and -4.0 < gy - by < 4.0 and -4.0 < gz - bz < 4.0
            for gx, gy, gz in self._turned
        )
        x, y, z = (sum(axis) / n for axis in zip(*self._turned, strict=True))
        self._turned.clear()
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
        millivolts = round(self.battery_at(t))
        if self.commands.hello_due(t):
            out.append(self._hello(t, resting))
        if t >= self._due["status"]:
            self._due["status"] = t + _STATUS_S
            out.append(
                polar.encode(p.Status(self._stamp(t), millivolts, 25.0, int(t), 0, False, millivolts < 3400))
            )
        if self._send_pose and t >= self._due["pose"]:
            self._due["pose"] = t + _POSE_S
            out.append(polar.encode(p.Pose(self._stamp(t), self._pose, resting)))
        log = self.commands.regular(t, resting)
        if log is not None:
            out.append(polar.encode(p.Log(self._stamp(t), *log)))
        self.alive = millivolts > _EMPTY_MV  # else that was the last of it
        return out

    def battery_at(self, t: float) -> float:
        """Voltage of its cell in mV at time `t`; at 3.0 V the node falls silent."""
        return max(0.0, self.battery_mv - self.battery_mv_per_hour * (t - self.started) / 3600)

    def _hello(self, t: float, resting: bool) -> bytes:
        battery, name = round(self.battery_at(t)), f"cube {self.number}"
        hello = p.Hello(
            self._stamp(t),
            "cube",
            self.uid,
            (0, 1, 0),
            battery,
            self._told_hz,
            2000,
            16,
            resting,
            self._pose,
            name,
        )
        return polar.encode(hello)

    def _rvc(self, times: Array, quats: Array, rates: Array, accels: Array) -> list[bytes]:
        """The output of the chip's own fusion: the truth, a heading that starts at power-up and drifts, and noise."""
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
    """The product a·b (first `b`, then `a`), normalized."""
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
