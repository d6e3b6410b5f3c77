"""The polar wire protocol (docs/wire.md) for MicroPython; CPython runs it too, in the host's tests.

It is written independently of the host's firmware_bridge/polar.py on purpose: each checks the other.
"""

import struct

HELLO, MOTION, POSE, BURST, STATUS, BUTTON, LOG = 1, 2, 3, 4, 5, 6, 7
HELLO_REQUEST, CONFIGURE, LIGHT, IDENTIFY = 0x81, 0x82, 0x83, 0x84
CUBE, IGLOO, DONGLE, SEAT = 0, 1, 2, 3
BROADCAST = 0xFF
MAX_BODY = 250

# CRC-16/IBM-3740, four bits at a time: a table of 16 words fits every board
_CRC = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)


def crc16(data):
    crc = 0xFFFF
    for byte in data:
        crc = ((crc << 4) & 0xFFFF) ^ _CRC[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ _CRC[(crc >> 12) ^ (byte & 15)]
    return crc


def stuff(body):
    """COBS encoding (Cheshire and Baker 1999) of at most 253 bytes."""
    out = bytearray(1)
    code_at = 0
    code = 1
    for byte in body:
        if byte:
            out.append(byte)
            code += 1
        else:
            out[code_at] = code
            code_at = len(out)
            out.append(0)
            code = 1
    out[code_at] = code
    return out


def unstuff(chunk):
    """The decoded body, or None if the chunk is not valid COBS."""
    out = bytearray()
    at = 0
    size = len(chunk)
    while at < size:
        code = chunk[at]
        if code == 0 or at + code > size:
            return None
        out += chunk[at + 1 : at + code]
        at += code
        if code < 255 and at < size:
            out.append(0)
    return out


def frame(kind, node, seq, us, payload=b""):
    """The bytes of one frame, with a delimiter on either side."""
    body = struct.pack("<BBHI", kind, node, seq & 0xFFFF, us & 0xFFFFFFFF) + payload
    if len(body) > MAX_BODY - 2:
        raise ValueError("frame too long")
    return b"\x00" + bytes(stuff(body + struct.pack("<H", crc16(body)))) + b"\x00"


def parse(chunk):
    """(kind, node, seq, us, payload) of the bytes between two delimiters, or None."""
    if not 11 <= len(chunk) <= MAX_BODY + 1:
        return None
    body = unstuff(chunk)
    if body is None or len(body) < 10 or crc16(body[:-2]) != body[-2] | body[-1] << 8:
        return None
    kind, node, seq, us = struct.unpack("<BBHI", body[:8])
    return kind, node, seq, us, bytes(body[8:-2])


class Reader:
    """Bytes in, parsed frames out; resynchronizes at the next delimiter."""

    def __init__(self):
        self._rest = b""
        self._overlong = False

    def feed(self, data):
        chunks = (self._rest + data).split(b"\x00")
        self._rest = chunks.pop()
        out = []
        for chunk in chunks:
            if self._overlong:
                self._overlong = False
            elif chunk:
                found = parse(chunk)
                if found:
                    out.append(found)
        if len(self._rest) > MAX_BODY + 1:
            self._rest = b""
            self._overlong = True
        return out


def _i16(value):
    value = int(value + 0.5) if value >= 0 else -int(0.5 - value)
    return -32768 if value < -32768 else 32767 if value > 32767 else value


def hello(kind, uid, firmware, battery_mv, rate_hz, gyro_range, accel_range, resting, pose, name):
    """uid: 8 bytes; pose: (w, x, y, z)."""
    q = [_i16(v * 32767) for v in pose]
    return (
        struct.pack("<BB", 1, kind)
        + uid
        + struct.pack(
            "<BBBHHHBB4h", firmware[0], firmware[1], firmware[2], battery_mv, rate_hz, gyro_range, accel_range,
            1 if resting else 0, q[0], q[1], q[2], q[3],
        )
        + name.encode()[:32]
    )


def motion(period_us, samples):
    """samples: (gx, gy, gz, ax, ay, az) in °/s and g, at most 19."""
    out = bytearray(struct.pack("<H", period_us))
    for s in samples:
        out += struct.pack(
            "<6h", _i16(s[0] * 16), _i16(s[1] * 16), _i16(s[2] * 16),
            _i16(s[3] * 2048), _i16(s[4] * 2048), _i16(s[5] * 2048),
        )
    return bytes(out)


def pose(quaternion, resting):
    q = [_i16(v * 32767) for v in quaternion]
    return struct.pack("<4hB", q[0], q[1], q[2], q[3], 1 if resting else 0)


def burst(number, index, rate_hz, samples):
    """samples: (x, y, z) in g, at most 39."""
    out = bytearray(struct.pack("<HHH", number & 0xFFFF, index, int(rate_hz * 10 + 0.5)))
    for s in samples:
        out += struct.pack("<3h", _i16(s[0] * 2048), _i16(s[1] * 2048), _i16(s[2] * 2048))
    return bytes(out)


def status(battery_mv, temperature_c, uptime_s, dropped, charging, low):
    flags = (1 if charging else 0) | (2 if low else 0)
    return struct.pack("<HhIHB", battery_mv, _i16(temperature_c * 100), uptime_s, dropped & 0xFFFF, flags)


def button(number, pressed):
    return bytes((number, 1 if pressed else 0))


def log(level, text):
    return bytes((level,)) + text.encode()[:200]


def configure(payload):
    """(rate_hz, batch, motion, pose, burst, sleep_after_s) of a CONFIGURE frame."""
    rate, batch, flags, sleep = struct.unpack("<HBBH", payload)
    return rate, batch, bool(flags & 1), bool(flags & 2), bool(flags & 4), sleep


def light(payload):
    """(red, green, blue, duration_ms) of a LIGHT frame."""
    return struct.unpack("<BBBH", payload)
