"""Every decoder: byte-exact, in step again at the next whole frame, and never a wrong sample out of damaged bytes."""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import bno08x_rvc, polar, witmotion
from firmware_bridge import packets as p
from firmware_bridge.bno08x_rvc import RvcDecoder
from firmware_bridge.decoding import Decoder
from firmware_bridge.detecting import DECODERS, Detector, make_decoder
from firmware_bridge.errors import UnknownProtocol, WireError
from firmware_bridge.polar import PolarDecoder
from firmware_bridge.witmotion import WitMotionDecoder
from tests.parts import ROOT, proof

STAMP = p.Stamp(3, 65_535, 0xFFFF_FFFF)
LEVEL = (0.0, 0.0, 1.0)
UNIT = (1.0, 0.0, 0.0, 0.0)
PACKETS: list[p.PolarPacket] = [
    p.Hello(STAMP, "cube", "00112233445566aa", (1, 2, 3), 3700, 200, 2000, 16, True, UNIT, "Würfel A"),
    p.Motion(STAMP, 5000, ((1.0, -2.5, 2047.9375),) * 4, (LEVEL,) * 4),
    p.Pose(STAMP, UNIT, True),
    p.Burst(STAMP, 7, 1234, 3332.5, ((1.0, -2.0, 3.0),) * 39),
    p.Status(STAMP, 3391, -21.55, 100_000, 3, False, True),
    p.Button(STAMP, 1, True),
    p.Log(STAMP, 2, "cold solder joint?"),
    p.HelloRequest(STAMP),
    p.Configure(STAMP, 200, 4, True, True, False, 600),
    p.Light(STAMP, 255, 0, 7, 400),
    p.Identify(STAMP, 5),
]


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


def plain(packets: list[p.Packet]) -> list[p.Packet]:
    """Without the note of how many readings were lost before one."""
    return [replace(x, missing=0) if isinstance(x, p.ChipMotion) else x for x in packets]


def decoder(name: str) -> Decoder:
    return make_decoder(name.removesuffix("-ble"))


@pytest.mark.parametrize("packet", PACKETS, ids=lambda x: type(x).__name__)
def test_our_own_packets_go_there_and_back(packet: p.PolarPacket) -> None:
    data = polar.encode(packet)
    assert data[0] == data[-1] == 0
    assert 0 not in data[1:-1]
    assert PolarDecoder().feed(data) == [packet]


def test_the_published_vector_of_our_wire() -> None:
    """docs/wire.md prints this frame."""
    motion = p.Motion(p.Stamp(1, 2, 3_000_000), 5000, ((90.0, 0.0, -0.0625),), (LEVEL,))
    assert polar.encode(motion).hex() == "000402010204c0c62d058813a0050103ffff0101010104080eeb00"
    assert polar.crc16(b"123456789") == 0x29B1


def test_what_does_not_fit_is_refused_with_a_reason() -> None:
    with pytest.raises(WireError, match="samples in one frame"):
        polar.encode(p.Motion(STAMP, 5000, (LEVEL,) * 20, (LEVEL,) * 20))
    with pytest.raises(WireError, match="does not fit"):
        polar.encode(p.Light(STAMP, 300, 0, 0, 0))
    with pytest.raises(UnknownProtocol, match="use one of auto, polar"):
        make_decoder("morse")


def test_the_frame_of_the_bno08x_data_sheet() -> None:
    frame = bytes.fromhex("AAAADE01 0092FF25 088DFEEC FFD10300 0000E7".replace(" ", ""))
    (packet,) = RvcDecoder().feed(frame)
    assert isinstance(packet, p.ChipAngles)
    assert packet.index == 222
    assert packet.angles_deg == (0.01, -1.10, 20.85)
    assert packet.accel == (-0.371, -0.020, 0.977)
    assert bno08x_rvc.encode(222, 0.01, -1.10, 20.85, (-0.371, -0.020, 0.977)) == frame


def test_rvc_angles_are_intrinsic_yaw_pitch_roll() -> None:
    from scipy.spatial.transform import Rotation

    for angles in ((30, 40, 50), (-170, -80, 120), (10, 90, 0)):
        x, y, z, w = Rotation.from_euler("ZYX", angles, degrees=True).as_quat()
        ours = bno08x_rvc.quaternion(*angles)
        assert abs(sum(a * b for a, b in zip(ours, (w, x, y, z), strict=True))) == pytest.approx(1)


def test_a_header_inside_an_rvc_frame_costs_no_frame() -> None:
    tricky = bno08x_rvc.encode(0xAA, -0.86, 10, 20, (0.0, 0.0, 1.0))  # index AA, yaw AA FF: AA AA AA AA FF
    assert tricky[:4] == b"\xaa\xaa\xaa\xaa"
    stream = tricky[3:] + tricky + rvc_frame(1)
    assert len(RvcDecoder().feed(stream)) == 2


def test_the_witmotion_frames_of_the_manual_and_of_a_real_capture() -> None:
    assert witmotion.encode_serial(0x53, (90.0, 0.0, -45.0)).hex() == "55530040000000e00000c8"
    real = bytes.fromhex("55612706bc0179065500e7fec4fa3e00eaff0000")
    at_rest = bytes.fromhex("5561eeff0000040800000000000000006500d430")
    one, two = WitMotionDecoder().feed(real + at_rest)
    assert isinstance(one, p.ChipMotion)
    assert isinstance(two, p.ChipMotion)
    assert one.accel == pytest.approx((0.769, 0.217, 0.809), abs=1e-3)
    assert one.rate == pytest.approx((5.188, -17.151, -81.787), abs=1e-3)
    assert two.rate == (0, 0, 0)
    assert two.accel[2] == pytest.approx(1.002, abs=1e-3)
    assert two.angles_deg == pytest.approx((0.0, 0.555, 68.665), abs=1e-3)
    for frame, packet in ((real, one), (at_rest, two)):
        assert packet.angles_deg is not None
        assert witmotion.encode_ble(packet.accel, packet.rate, packet.angles_deg) == frame


def test_a_witmotion_register_answer_is_no_reading() -> None:
    answer = b"\x55\x5f" + bytes(8)
    answer += bytes((sum(answer) & 0xFF,))
    assert len(WitMotionDecoder().feed(wit_frame(1) + answer + wit_frame(2))) == 2


def test_a_lost_half_of_a_witmotion_reading_is_counted() -> None:
    first, second, third = wit_frame(1), wit_frame(2), wit_frame(3)
    packets = WitMotionDecoder().feed(first + second[11:] + third)
    assert [getattr(x, "missing", None) for x in packets] == [0, 1]


@pytest.mark.parametrize("name", FRAMES)
def test_cut_at_every_byte_it_is_in_step_at_the_next_whole_frame(name: str) -> None:
    """Drop any number of bytes from the front of a conversation, and any from the middle."""
    frames = [FRAMES[name](i) for i in range(1, 7)]
    whole = decoder(name).feed(b"".join(frames))
    assert len(whole) == 6
    stream, length = b"".join(frames), len(frames[0])
    starts = [len(b"".join(frames[:i])) for i in range(7)]
    for cut in range(len(stream)):
        first_whole = next(i for i, s in enumerate(starts) if s >= cut)
        got = plain(decoder(name).feed(stream[cut:]))
        assert got[-1:] == whole[-1:] or first_whole == 6
        assert len(got) >= 6 - first_whole
        assert all(x in whole for x in got)
    for cut in range(2 * length):
        for gap in (1, 3, length):
            got = plain(decoder(name).feed(stream[:cut] + stream[cut + gap :]))
            assert got[-3:] == whole[-3:]


@pytest.mark.parametrize("name", FRAMES)
def test_the_pieces_in_which_bytes_come_do_not_matter(name: str) -> None:
    stream = b"".join(FRAMES[name](i) for i in range(1, 40))
    whole = decoder(name).feed(stream)
    dice = random.Random(4)
    slow, at, got = decoder(name), 0, []
    while at < len(stream):
        size = dice.randint(1, 30)
        got += slow.feed(stream[at : at + size])
        at += size
    assert got == whole


@pytest.mark.parametrize("name", [*FRAMES, "auto"])
def test_a_million_random_bytes_neither_stop_nor_fool_it(name: str) -> None:
    """Random bytes: no exception, a bounded rest, and hardly ever a packet (an 8-bit sum passes one in 256)."""
    dice = random.Random(9)
    ear: Decoder = Detector() if name == "auto" else decoder(name)
    total, packets = proof(60_000, 1_000_000), 0
    for _ in range(total // 1000):
        noise = dice.randbytes(1000)
        if dice.random() < 0.5:  # half of it is likelier trouble: headers and delimiters
            noise = bytes(
                dice.choice(b"\x00\xaa\x55\x61\x51\x52\xff\x01") if dice.random() < 0.3 else b for b in noise
            )
        packets += len(ear.feed(noise))
    rest = getattr(ear, "_rest", None) or getattr(ear, "_buffer", b"")
    assert len(rest) < 300
    allowed = {"polar": 2e-6, "bno08x-rvc": 3e-4, "witmotion": 3e-4, "witmotion-ble": 3e-4, "auto": 1e-4}
    assert packets <= 2 + total * allowed[name]
    good = b"".join((FRAMES["polar"] if name == "auto" else FRAMES[name])(i) for i in range(60))
    assert len(ear.feed(b"\x00" + good + good)) > 50 or name == "auto"


@given(st.lists(st.binary(max_size=80), max_size=20))
def test_no_bytes_whatever_raise(pieces: list[bytes]) -> None:
    for make in (*DECODERS.values(), Detector):
        ear = make()
        for piece in pieces:
            ear.feed(piece)


@given(st.binary(min_size=1, max_size=60), st.integers(1, 1000))
def test_whatever_came_before_a_whole_frame_of_ours_is_read(garbage: bytes, i: int) -> None:
    assert PolarDecoder().feed(garbage + polar_frame(i))[-1:] == PolarDecoder().feed(polar_frame(i))


def _damaged(frames: list[bytes], dice: random.Random) -> tuple[bytes, int]:
    """5 % of frames cut, 5 % with a bit flipped, 5 % with garbage before; and how many are whole."""
    out, whole = bytearray(), 0
    for frame in frames:
        if dice.random() < 0.05:
            out += dice.randbytes(dice.randint(1, 40))
        chance = dice.random()
        if chance < 0.05:
            cut = dice.randrange(len(frame))
            out += frame[:cut] + frame[cut + dice.randint(1, len(frame)) :]
        elif chance < 0.10:
            bit = dice.randrange(len(frame) * 8)
            out += frame[: bit // 8] + bytes((frame[bit // 8] ^ 1 << bit % 8,)) + frame[bit // 8 + 1 :]
        else:
            out += frame
            whole += 1
    return bytes(out), whole


def one_byte_forward(data: bytes, length: int = 64) -> int:
    """The plainest reader that gets back into step: header, length, CRC, one byte forward when wrong."""
    at = found = 0
    while True:
        at = data.find(b"\xa5\x5a", at)
        if at < 0 or at + length > len(data):
            return found
        if struct.unpack_from("<H", data, at + length - 2)[0] == polar.crc16(data[at + 2 : at + length - 2]):
            found += 1
            at += length
        else:
            at += 1


def test_at_least_as_many_whole_frames_survive_as_with_one_byte_forward() -> None:
    count = proof(1500, 5000)
    ours = [
        polar.encode(p.Motion(p.Stamp(1, i, i), 5000, ((1.0, i % 50, 3.0),) * 4, (LEVEL,) * 4))
        for i in range(count)
    ]
    bodies = [random.Random(i).randbytes(60) for i in range(count)]
    theirs = [b"\xa5\x5a" + b + struct.pack("<H", polar.crc16(b)) for b in bodies]
    stream, whole = _damaged(ours, random.Random(5))
    recovered = len(PolarDecoder().feed(stream))
    assert recovered >= whole
    other, their_whole = _damaged(theirs, random.Random(5))
    assert recovered / whole >= one_byte_forward(other) / their_whole


@pytest.mark.parametrize("name", FRAMES)
def test_the_protocol_is_recognised_in_the_middle_of_a_stream(name: str) -> None:
    stream = b"".join(FRAMES[name](i) for i in range(1, 60))
    ear = Detector()
    got = ear.feed(stream[17:])
    assert ear.name == name.removesuffix("-ble")
    assert len(got) >= 50


@pytest.mark.parametrize(
    "stranger",
    [
        b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n",
        b"ready\r\n> ",
        bytes(64),
        b"\xaa" * 50,
        b"U" * 50,
    ],
    ids=["gps", "prompt", "zeros", "aa", "55"],
)
def test_a_stranger_is_not_taken_for_one_of_ours(stranger: bytes) -> None:
    ear = Detector()
    for _ in range(200):
        assert ear.feed(stranger) == []
    assert ear.chosen is None
    assert ear.wrong_speed(0.0)


def test_the_vectors_of_the_wire_document_are_what_we_write() -> None:
    """Every frame printed in docs/wire.md is read, and written again to the same bytes."""
    text = (ROOT / "docs" / "wire.md").read_text().split("## Vectors")[1].split("##")[0]
    frames = [bytes.fromhex(found) for found in re.findall(r"`(00[0-9a-f]+00)`", text)]
    assert len(frames) == 6
    for data in frames:
        (packet,) = PolarDecoder().feed(data)
        assert not isinstance(packet, p.ChipAngles | p.ChipMotion)
        assert polar.encode(packet) == data
