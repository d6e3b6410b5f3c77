"""Our own protocol on the wire, published in docs/wire.md: `00`, COBS of (header, payload, CRC-16), `00`.

Header: type u8, node u8, sequence number u16, device microseconds u32; all little-endian. CRC-16: polynomial 0x1021,
start 0xFFFF, not reflected (CRC-16/IBM-3740), over header and payload. Delimiters on both sides make every whole frame
decodable, whatever came before it.
"""

from __future__ import annotations

import binascii
import struct
from collections.abc import Callable, Sequence
from typing import Any, cast

from cobs import cobs

from firmware_bridge import packets as p
from firmware_bridge.errors import WireError

VERSION = 1
BROADCAST = 0xFF
MAX_BODY = 250  # header, payload and CRC: below 254, so that COBS adds exactly one byte
RATE_UNIT_DPS = 1 / 16  # ±2048 °/s in 16 bits: more than any hand needs
ACCEL_UNIT_G = 1 / 2048  # ±16 g
_QUAT_UNIT = 1 / 32767
_RATES, _ACCELS = 1 / RATE_UNIT_DPS, 1 / ACCEL_UNIT_G  # exact: both are powers of two

_HEADER = struct.Struct("<BBHI")
_CRC = struct.Struct("<H")
_HELLO = struct.Struct("<BB8sBBBHHHBB4h")
_POSE = struct.Struct("<4hB")
_BURST = struct.Struct("<HHH")
_STATUS = struct.Struct("<HhIHB")
_CONFIGURE = struct.Struct("<HBBH")
_LIGHT = struct.Struct("<BBBH")
_KINDS: tuple[p.Kind, ...] = ("cube", "igloo", "dongle", "seat")
_SIXES = {n: struct.Struct(f"<{6 * n}h") for n in range(1, 20)}
_THREES = {n: struct.Struct(f"<{3 * n}h") for n in range(1, 40)}
MAX_BATCH = max(_SIXES)
MIN_PERIOD_US = 200  # 5,000 samples a second: more than any cube's chip delivers


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740 of `data` (`crc16(b"123456789") == 0x29B1`)."""
    return binascii.crc_hqx(data, 0xFFFF)


def frame(body: bytes) -> bytes:
    """A body (header and payload) with its CRC, COBS-encoded, between delimiters. Raises WireError where it is too
    long."""
    if len(body) > MAX_BODY - 2:
        raise WireError(
            f"a frame of {len(body)} bytes is longer than {MAX_BODY - 2}", "send fewer samples a frame"
        )
    stuffed: bytes = cobs.encode(body + _CRC.pack(crc16(body)))
    return b"\x00" + stuffed + b"\x00"


def encode(packet: p.PolarPacket) -> bytes:
    """The bytes of a packet on the wire. Angular rates, accelerations, quaternions and temperatures out of range
    saturate. Raises WireError where another value does not fit, and for infinity and NaN.
    """
    stamp = packet.stamp
    try:
        number, payload = _ENCODERS[type(packet)](packet)
        return frame(_HEADER.pack(number, stamp.node, stamp.seq & 0xFFFF, stamp.us & 0xFFFFFFFF) + payload)
    except (struct.error, ValueError, OverflowError) as error:  # OverflowError: rounding infinity
        if isinstance(error, WireError):
            raise
        raise WireError(
            f"{type(packet).__name__} does not fit on the wire ({error})", "check its values"
        ) from None


class PolarDecoder:
    """Bytes to packets of our own protocol (the interface of `decoding.Decoder`)."""

    name = "polar"

    def __init__(self) -> None:
        self.frames = 0
        self.bad = 0
        self.skipped = 0
        self._rest = b""
        self._overlong = False

    def feed(self, data: bytes) -> list[p.Packet]:
        """The packets that `data` completes."""
        chunks = (self._rest + data).split(b"\x00")
        self._rest = chunks.pop()
        out: list[p.Packet] = []
        for chunk in chunks:
            if self._overlong:  # the end of an overlong frame, empty where all of it is discarded already
                self._overlong = False
                self.skipped += len(chunk)
                continue
            if not chunk:
                continue
            packet = decode(chunk)
            if packet is None:
                self.bad += 1
                self.skipped += len(chunk)
            else:
                self.frames += 1
                out.append(packet)
        if len(self._rest) > MAX_BODY + 1:
            if not self._overlong:
                self.bad += 1
            self.skipped += len(self._rest)
            self._rest, self._overlong = b"", True
        return out


def decode(chunk: bytes) -> p.PolarPacket | None:
    """The packet between two delimiters, or None where it is damaged or not ours."""
    if not _HEADER.size + 3 <= len(chunk) <= MAX_BODY + 1:
        return None
    try:
        body = cobs.decode(chunk)
    except cobs.DecodeError:
        return None
    if len(body) < _HEADER.size + 2 or crc16(body[:-2]) != body[-2] | body[-1] << 8:
        return None
    number, node, seq, us = _HEADER.unpack_from(body)
    reader = _DECODERS.get(number)
    if reader is None:
        return None
    try:
        return reader(p.Stamp(node, seq, us), body[_HEADER.size : -2])
    except (struct.error, ValueError, IndexError, KeyError):
        return None  # the CRC is right but the content is of another version: we cannot interpret it


def _i16(value: float) -> int:
    return max(-32768, min(32767, round(value)))


def _unpack_vectors(values: Sequence[int], unit: float) -> tuple[p.Vector, ...]:
    it = iter(values)
    return tuple((x * unit, y * unit, z * unit) for x, y, z in zip(it, it, it, strict=True))


def _quaternion(values: Sequence[int]) -> p.Quaternion:
    w, x, y, z = values
    norm = (w * w + x * x + y * y + z * z) ** 0.5
    if norm < 16384:
        raise ValueError("not a unit quaternion")
    return (w / norm, x / norm, y / norm, z / norm)


def _words(quaternion: p.Quaternion) -> list[int]:
    return [_i16(v / _QUAT_UNIT) for v in quaternion]


def _put_hello(h: p.Hello) -> tuple[int, bytes]:
    fixed = _HELLO.pack(
        h.version, _KINDS.index(h.kind), bytes.fromhex(h.uid), *h.firmware, h.battery_mv, h.rate_hz,
        h.gyro_range_dps, h.accel_range_g, int(h.resting), *_words(h.pose),
    )  # fmt: skip
    return 0x01, fixed + h.name.encode()[:32]


def _get_hello(stamp: p.Stamp, data: bytes) -> p.Hello:
    version, kind, uid, a, b, c, battery, rate, gyro, accel, flags, *pose = _HELLO.unpack_from(data)
    name = data[_HELLO.size :].decode("utf-8", "replace")
    return p.Hello(
        stamp=stamp,
        kind=_KINDS[kind],
        uid=uid.hex(),
        firmware=(a, b, c),
        battery_mv=battery,
        rate_hz=rate,
        gyro_range_dps=gyro,
        accel_range_g=accel,
        resting=bool(flags & 1),
        pose=_quaternion(pose),
        name=name,
        version=version,
    )


def _put_motion(m: p.Motion) -> tuple[int, bytes]:
    # every sample of every cube passes here: avoid a call for each number
    r, a = _RATES, _ACCELS
    words: list[int] = []
    for (gx, gy, gz), (ax, ay, az) in zip(m.rates, m.accels, strict=True):
        words += (round(gx * r), round(gy * r), round(gz * r), round(ax * a), round(ay * a), round(az * a))
    if words and (max(words) > 32767 or min(words) < -32768):
        words = [_i16(word) for word in words]
    if not 1 <= len(m.rates) <= MAX_BATCH:
        raise WireError(f"{len(m.rates)} samples in one frame", f"send 1 to {MAX_BATCH}")
    if m.period_us < MIN_PERIOD_US:
        raise WireError(f"a sample every {m.period_us} µs", f"send one every {MIN_PERIOD_US} µs at most")
    return 0x02, struct.pack("<H", m.period_us) + _SIXES[len(m.rates)].pack(*words)


def _get_motion(stamp: p.Stamp, data: bytes) -> p.Motion:
    period = data[0] | data[1] << 8
    words = _SIXES[(len(data) - 2) // 12].unpack(data[2:])
    if period < MIN_PERIOD_US:
        raise ValueError("no chip is so quick")
    rates, accels = [], []
    for i in range(0, len(words), 6):
        gx, gy, gz, ax, ay, az = words[i : i + 6]
        rates.append((gx * RATE_UNIT_DPS, gy * RATE_UNIT_DPS, gz * RATE_UNIT_DPS))
        accels.append((ax * ACCEL_UNIT_G, ay * ACCEL_UNIT_G, az * ACCEL_UNIT_G))
    return p.Motion(stamp, period, tuple(rates), tuple(accels))


def _get_pose(stamp: p.Stamp, data: bytes) -> p.Pose:
    *pose, flags = _POSE.unpack(data)
    return p.Pose(stamp, _quaternion(pose), bool(flags & 1))


def _put_burst(b: p.Burst) -> tuple[int, bytes]:
    words = [_i16(v / ACCEL_UNIT_G) for accel in b.accels for v in accel]
    if not 1 <= len(b.accels) <= max(_THREES):
        raise WireError(f"{len(b.accels)} samples in one burst frame", f"send 1 to {max(_THREES)}")
    return 0x04, _BURST.pack(b.burst & 0xFFFF, b.index, round(b.rate_hz * 10)) + _THREES[len(b.accels)].pack(
        *words
    )


def _get_burst(stamp: p.Stamp, data: bytes) -> p.Burst:
    burst, index, rate = _BURST.unpack_from(data)
    words = _THREES[(len(data) - _BURST.size) // 6].unpack(data[_BURST.size :])
    return p.Burst(stamp, burst, index, rate / 10, _unpack_vectors(words, ACCEL_UNIT_G))


def _put_status(s: p.Status) -> tuple[int, bytes]:
    flags = int(s.charging) | int(s.low) << 1
    return 0x05, _STATUS.pack(
        s.battery_mv, _i16(s.temperature_c * 100), s.uptime_s, s.dropped & 0xFFFF, flags
    )


def _get_status(stamp: p.Stamp, data: bytes) -> p.Status:
    battery, temperature, uptime, dropped, flags = _STATUS.unpack(data)
    return p.Status(stamp, battery, temperature / 100, uptime, dropped, bool(flags & 1), bool(flags & 2))


def _get_button(stamp: p.Stamp, data: bytes) -> p.Button:
    button, pressed = data
    return p.Button(stamp, button, bool(pressed))


def _get_configure(stamp: p.Stamp, data: bytes) -> p.Configure:
    rate, batch, flags, sleep = _CONFIGURE.unpack(data)
    return p.Configure(stamp, rate, batch, bool(flags & 1), bool(flags & 2), bool(flags & 4), sleep)


def _put_configure(c: p.Configure) -> tuple[int, bytes]:
    flags = int(c.motion) | int(c.pose) << 1 | int(c.burst) << 2
    return 0x82, _CONFIGURE.pack(c.rate_hz, c.batch, flags, c.sleep_after_s)


def _get_request(stamp: p.Stamp, data: bytes) -> p.HelloRequest:
    if data:
        raise ValueError("a request for hello has no content")
    return p.HelloRequest(stamp)


def _get_identify(stamp: p.Stamp, data: bytes) -> p.Identify:
    (seconds,) = data
    return p.Identify(stamp, seconds)


_ENCODERS: dict[type, Callable[[Any], tuple[int, bytes]]] = {
    p.Hello: _put_hello,
    p.Motion: _put_motion,
    p.Pose: lambda x: (0x03, _POSE.pack(*_words(x.pose), int(x.resting))),
    p.Burst: _put_burst,
    p.Status: _put_status,
    p.Button: lambda x: (0x06, bytes((x.button, int(x.pressed)))),
    p.Log: lambda x: (0x07, bytes((x.level,)) + x.text.encode()[:200]),
    p.HelloRequest: lambda x: (0x81, b""),
    p.Configure: _put_configure,
    p.Light: lambda x: (0x83, _LIGHT.pack(x.red, x.green, x.blue, x.duration_ms)),
    p.Identify: lambda x: (0x84, bytes((x.seconds,))),
}
_DECODERS: dict[int, Callable[[p.Stamp, bytes], p.PolarPacket]] = {
    0x01: _get_hello,
    0x02: _get_motion,
    0x03: _get_pose,
    0x04: _get_burst,
    0x05: _get_status,
    0x06: _get_button,
    0x07: lambda stamp, data: p.Log(stamp, data[0], data[1:].decode("utf-8", "replace")),
    0x81: _get_request,
    0x82: _get_configure,
    0x83: lambda stamp, data: p.Light(stamp, *cast("tuple[int, int, int, int]", _LIGHT.unpack(data))),
    0x84: _get_identify,
}
