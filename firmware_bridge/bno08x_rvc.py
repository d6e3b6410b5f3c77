"""The UART-RVC output of the BNO08x chips, by section 1.3.5.2 of their data sheet (1000-3927).

The chip sends a hundred frames a second at 115200 8N1 and accepts no commands. The header `AA AA` is followed by a
counter (u8), three angles (i16, hundredths of a degree), three accelerations (i16, mg), three reserved bytes, and the
sum of all bytes except the header. A header may occur by chance inside a frame, so after a wrong sum resynchronisation
skips a single byte, not a whole frame.
"""

from __future__ import annotations

import math
import struct

from firmware_bridge.packets import ChipAngles, Packet, Quaternion

LENGTH = 19
_BODY = struct.Struct("<B6h")


def encode(index: int, yaw: float, pitch: float, roll: float, accel_g: tuple[float, float, float]) -> bytes:
    """A frame as the chip sends it; angles in degrees (the chip's are within ±180), acceleration in g, at most ±32.

    Raises struct.error for an angle that does not fit into 16 bits when rounded to hundredths (−327.68 … 327.67°), and
    OverflowError or ValueError for infinity or NaN.
    """
    words = [round(a * 100) for a in (yaw, pitch, roll)] + [
        max(-32768, min(32767, round(a * 1000))) for a in accel_g
    ]
    body = _BODY.pack(index & 0xFF, *words) + b"\x00\x00\x00"
    return b"\xaa\xaa" + body + bytes((sum(body) & 0xFF,))


def quaternion(yaw: float, pitch: float, roll: float) -> Quaternion:
    """(w, x, y, z) of three angles in degrees: yaw (z) first, then pitch (y) and roll (x) about the rotated axes."""
    y, p, r = (math.radians(a) / 2 for a in (yaw, pitch, roll))
    cy, sy, cp, sp, cr, sr = math.cos(y), math.sin(y), math.cos(p), math.sin(p), math.cos(r), math.sin(r)
    return (
        cy * cp * cr + sy * sp * sr,
        cy * cp * sr - sy * sp * cr,
        cy * sp * cr + sy * cp * sr,
        sy * cp * cr - cy * sp * sr,
    )


class RvcDecoder:
    """Bytes to packets of the RVC wire (the interface of `decoding.Decoder`)."""

    name = "bno08x-rvc"

    def __init__(self) -> None:
        self.frames = 0
        self.bad = 0
        self.skipped = 0
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[Packet]:
        """The packets that `data` completes."""
        buffer = self._buffer
        buffer += data
        out: list[Packet] = []
        at = 0
        while True:
            start = buffer.find(b"\xaa\xaa", at)
            if start < 0:
                keep = len(buffer) - 1 if buffer.endswith(b"\xaa") else len(buffer)
                keep = max(keep, at)
                self.skipped += keep - at
                at = keep
                break
            self.skipped += start - at
            at = start
            if len(buffer) - at < LENGTH:
                break
            if sum(buffer[at + 2 : at + 18]) & 0xFF == buffer[at + 18] and self._plausible(at):
                out.append(self._packet(at))
                self.frames += 1
                at += LENGTH
            else:
                self.bad += 1
                self.skipped += 1
                at += 1
        del buffer[:at]
        return out

    def _plausible(self, at: int) -> bool:
        """An eight-bit sum passes one damaged frame in 256; the chip's angles are never out of range."""
        _, yaw, pitch, roll, *_ = _BODY.unpack_from(self._buffer, at + 2)
        return bool(abs(yaw) <= 18000 and abs(pitch) <= 9000 and abs(roll) <= 18000)

    def _packet(self, at: int) -> ChipAngles:
        index, yaw, pitch, roll, ax, ay, az = _BODY.unpack_from(self._buffer, at + 2)
        pose = quaternion(yaw / 100, pitch / 100, roll / 100)
        return ChipAngles(index, pose, (ax / 1000, ay / 1000, az / 1000))
