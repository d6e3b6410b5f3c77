"""WitMotion sensors: 11-byte frames on a serial line (WT61, WT901, HWT901B), 20-byte frames over Bluetooth LE.

Serial: `55`, type, 8 data bytes, sum of the first ten bytes. Types: 51 acceleration /32768·16 g, 52 rate /32768·2000
°/s, 53 angles /32768·180°; others are counted and ignored. Bluetooth (WT901BLE67, WT9011DCL): `55 61`, acceleration,
rate, angles and no checksum, so a frame counts where another header follows, or where the data ends with it and its
values are plausible.
"""

from __future__ import annotations

import math
import struct

from firmware_bridge.packets import ChipMotion, Packet, Vector

_ACCEL = 16 / 32768
_RATE = 2000 / 32768
_ANGLE = 180 / 32768
_THREE = struct.Struct("<3h")
_NINE = struct.Struct("<9h")
_TYPES = frozenset((*range(0x50, 0x5B), 0x5F))


def _words(values: tuple[float, float, float], unit: float) -> bytes:
    return _THREE.pack(*(max(-32768, min(32767, round(v / unit))) for v in values))


def encode_serial(number: int, values: Vector) -> bytes:
    """One serial frame of type 0x51 (g), 0x52 (°/s) or 0x53 (degrees roll, pitch, yaw). KeyError for another type."""
    unit = {0x51: _ACCEL, 0x52: _RATE, 0x53: _ANGLE}[number]
    body = bytes((0x55, number)) + _words(values, unit) + b"\x00\x00"
    return body + bytes((sum(body) & 0xFF,))


def encode_ble(accel: Vector, rate: Vector, angles: Vector) -> bytes:
    """One 20-byte Bluetooth frame (g, °/s, degrees roll, pitch, yaw)."""
    return b"\x55\x61" + _words(accel, _ACCEL) + _words(rate, _RATE) + _words(angles, _ANGLE)


class WitMotionDecoder:
    """Bytes to packets for both WitMotion wires (the interface of `decoding.Decoder`)."""

    name = "witmotion"

    def __init__(self) -> None:
        self.frames = 0
        self.bad = 0
        self.skipped = 0
        self.incomplete = 0  # readings of which one frame was lost
        self._buffer = bytearray()
        self._accel: Vector | None = None
        self._in_step = True
        self._told = 0  # number of incomplete readings reported
        self._gap = 0  # bytes between Bluetooth frames that belong to none

    def feed(self, data: bytes) -> list[Packet]:
        """The packets that `data` completes: one for each rate frame that follows its acceleration frame."""
        buffer = self._buffer
        buffer += data
        out: list[Packet] = []
        at = 0
        while len(buffer) - at >= 2:
            if buffer[at] != 0x55 or (buffer[at + 1] != 0x61 and buffer[at + 1] not in _TYPES):
                at = self._skip(at)
                continue
            if buffer[at + 1] == 0x61:
                taken = self._ble(at, out)
            else:
                taken = self._serial(at, out)
            if taken == 0:
                break
            at = at + taken if taken > 0 else self._skip(at, bad=True)
        del buffer[:at]
        return out

    def _skip(self, at: int, bad: bool = False) -> int:
        self._in_step = False
        self.bad += bad
        self.skipped += 1
        self._gap += self.frames > 0
        if self._accel is not None:  # its rate frame may be damaged: never pair it with a later one
            self._accel = None
            self.incomplete += 1
        return at + 1

    def _ble(self, at: int, out: list[Packet]) -> int:
        """The length of a Bluetooth frame at `at`; 0: wait for more, −1: not a frame."""
        buffer = self._buffer
        if len(buffer) - at < 20:
            return 0
        after = buffer[at + 20 : at + 22]
        if after and not b"\x55\x61".startswith(bytes(after)):
            return -1
        values = _NINE.unpack_from(buffer, at + 2)
        if not self._in_step and len(after) < 2:
            size = math.hypot(*values[:3]) * _ACCEL
            # plausible for a hand or a table; else wait for the next header
            if after or not 0.3 < size < 4:
                return 0
        accel = (values[0] * _ACCEL, values[1] * _ACCEL, values[2] * _ACCEL)
        rate = (values[3] * _RATE, values[4] * _RATE, values[5] * _RATE)
        missing, self._gap = -(-self._gap // 20), 0
        out.append(ChipMotion(rate, accel, missing))
        self.frames += 1
        self._in_step = True
        return 20

    def _serial(self, at: int, out: list[Packet]) -> int:
        buffer = self._buffer
        if len(buffer) - at < 11:
            return 0
        if sum(buffer[at : at + 10]) & 0xFF != buffer[at + 10]:
            return -1
        self.frames += 1
        self._in_step = True
        number = buffer[at + 1]
        if number in (0x51, 0x52):
            x, y, z = _THREE.unpack_from(buffer, at + 2)
            if number == 0x51:
                if self._accel is not None:
                    self.incomplete += 1
                self._accel = (x * _ACCEL, y * _ACCEL, z * _ACCEL)
            elif self._accel is None:
                self.incomplete += 1
            else:
                rate = (x * _RATE, y * _RATE, z * _RATE)
                out.append(ChipMotion(rate, self._accel, self.incomplete - self._told))
                self._accel, self._told = None, self.incomplete
        return 11
