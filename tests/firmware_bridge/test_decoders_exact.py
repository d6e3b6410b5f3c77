"""Every decoder reads the frames of documents, data sheets and real captures to the byte."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from cobs import cobs

from firmware_bridge import bno08x_rvc, polar, witmotion
from firmware_bridge import packets as p
from firmware_bridge.bno08x_rvc import RvcDecoder
from firmware_bridge.detecting import make_decoder
from firmware_bridge.errors import UnknownProtocol, WireError
from firmware_bridge.polar import PolarDecoder
from firmware_bridge.witmotion import WitMotionDecoder
from tests.firmware_bridge.frames import LEVEL, wit_frame
from tests.parts import ROOT

STAMP = p.Stamp(3, 65_535, 0xFFFF_FFFF)
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
    for none in (math.inf, -math.inf, math.nan):
        for packet in (
            p.Motion(STAMP, 5000, ((none, 0.0, 0.0),), (LEVEL,)),
            p.Pose(STAMP, (none, 0.0, 0.0, 0.0), True),
            p.Burst(STAMP, 7, 0, 3332.5, ((0.0, none, 0.0),)),
            p.Burst(STAMP, 7, 0, none, (LEVEL,)),
            p.Status(STAMP, 3391, none, 1, 0, False, False),
        ):
            with pytest.raises(WireError, match=f"{type(packet).__name__} does not fit"):
                polar.encode(packet)
    with pytest.raises(UnknownProtocol, match="use one of auto, polar"):
        make_decoder("morse")


def test_the_frame_of_the_bno08x_data_sheet() -> None:
    frame = bytes.fromhex("AAAADE01 0092FF25 088DFEEC FFD10300 0000E7".replace(" ", ""))
    (packet,) = RvcDecoder().feed(frame)
    assert isinstance(packet, p.ChipAngles)
    assert packet.index == 222
    assert packet.pose == bno08x_rvc.quaternion(0.01, -1.10, 20.85)
    assert packet.accel == (-0.371, -0.020, 0.977)
    assert bno08x_rvc.encode(222, 0.01, -1.10, 20.85, (-0.371, -0.020, 0.977)) == frame


def test_rvc_angles_beyond_their_range_are_never_the_chips() -> None:
    """An eight-bit sum lets one damaged frame in 256 through."""
    for angles in ((180, 90, 180), (-180, -90, -180)):
        assert len(RvcDecoder().feed(bno08x_rvc.encode(1, *angles, LEVEL))) == 1
    for angles in ((180.01, 0, 0), (0, 90.01, 0), (0, -90.01, 0), (0, 0, -180.01)):
        decoder = RvcDecoder()
        assert decoder.feed(bno08x_rvc.encode(1, *angles, LEVEL)) == []
        assert decoder.bad == 1


def test_values_out_of_range_saturate() -> None:
    (far,) = RvcDecoder().feed(bno08x_rvc.encode(1, 0, 0, 0, (40.0, -40.0, 1.0)))
    assert isinstance(far, p.ChipAngles)
    assert far.accel == (32.767, -32.768, 1.0)
    for size in (3e3, -3e3):
        (motion,) = PolarDecoder().feed(polar.encode(p.Motion(STAMP, 5000, ((size, 0.0, 0.0),), (LEVEL,))))
        assert isinstance(motion, p.Motion)
        assert motion.rates[0][0] == (2047.9375 if size > 0 else -2048.0)


def test_numbers_and_clocks_wrap_and_long_texts_are_cut() -> None:
    stamp = p.Stamp(3, 65_536 + 7, (1 << 32) + 9)
    (told,) = PolarDecoder().feed(polar.encode(p.Log(stamp, 1, "ä" * 101 + "x" * 200)))
    assert told == p.Log(p.Stamp(3, 7, 9), 1, "ä" * 100)
    (hello,) = PolarDecoder().feed(polar.encode(replace(PACKETS[0], name="n" * 300)))
    assert isinstance(hello, p.Hello)
    assert hello.name == "n" * 32
    (half,) = PolarDecoder().feed(polar.encode(replace(PACKETS[0], name="n" * 31 + "ü")))
    assert isinstance(half, p.Hello)
    assert half.name == "n" * 31 + "\ufffd"  # cut within a letter: read all the same


def _spoilt(packet: p.PolarPacket, at: int, data: bytes) -> bytes:
    """The packet's frame with other content at a place of its payload, and a sum that is right."""
    body = bytearray(cobs.decode(polar.encode(packet)[1:-1])[:-2])
    body[8 + at : 8 + at + len(data)] = data
    return polar.frame(bytes(body))


def test_content_of_another_version_is_no_packet_though_its_sum_is_right() -> None:
    short = (1000).to_bytes(2, "little") + bytes(6)
    for data in (
        _spoilt(p.Pose(STAMP, UNIT, True), 0, short),  # no orientation is so short
        _spoilt(p.HelloRequest(STAMP), 0, b"\x01"),
        _spoilt(p.Button(STAMP, 1, True), 2, b"\x01"),
    ):
        decoder = PolarDecoder()
        assert decoder.feed(data) == []
        assert (decoder.frames, decoder.bad) == (0, 1)


def test_rvc_angles_are_intrinsic_yaw_pitch_roll() -> None:
    from scipy.spatial.transform import Rotation

    for angles in ((30, 40, 50), (-170, -80, 120), (10, 90, 0)):
        x, y, z, w = Rotation.from_euler("ZYX", angles, degrees=True).as_quat()
        ours = bno08x_rvc.quaternion(*angles)
        assert abs(sum(a * b for a, b in zip(ours, (w, x, y, z), strict=True))) == pytest.approx(1)


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
    for frame, packet, angles in ((real, one, (0.341, -0.121, 0.0)), (at_rest, two, (0.0, 0.555, 68.665))):
        assert witmotion.encode_ble(packet.accel, packet.rate, angles) == frame


def test_a_witmotion_register_answer_is_no_reading() -> None:
    answer = b"\x55\x5f" + bytes(8)
    answer += bytes((sum(answer) & 0xFF,))
    decoder = WitMotionDecoder()
    assert len(decoder.feed(wit_frame(1) + answer + wit_frame(2))) == 2
    assert (decoder.frames, decoder.bad, decoder.skipped) == (7, 0, 0)


@pytest.mark.parametrize("period_us", [0, 1, 199])
def test_samples_quicker_than_any_chip_are_refused(period_us: int) -> None:
    """A quarter of a second of them, to be filled in, would be a quarter of a million."""
    samples = ((0.0, 0.0, 0.0),), ((0.0, 0.0, 1.0),)
    body = bytearray(cobs.decode(polar.encode(p.Motion(p.Stamp(1, 2, 3), 200, *samples))[1:-1])[:-2])
    body[8:10] = period_us.to_bytes(2, "little")
    decoder = PolarDecoder()
    assert decoder.feed(polar.frame(bytes(body))) == []
    assert decoder.bad == 1
    with pytest.raises(WireError, match="a sample every"):
        polar.encode(p.Motion(p.Stamp(1, 2, 3), period_us, *samples))


def test_the_vectors_of_the_wire_document_are_what_we_write() -> None:
    """Every frame printed in docs/wire.md is read, and written again to the same bytes."""
    text = (ROOT / "docs" / "wire.md").read_text().split("## Vectors")[1].split("##")[0]
    frames = [bytes.fromhex(found) for found in re.findall(r"`(00[0-9a-f]+00)`", text)]
    assert len(frames) == 6
    for data in frames:
        (packet,) = PolarDecoder().feed(data)
        assert not isinstance(packet, p.ChipAngles | p.ChipMotion)
        assert polar.encode(packet) == data
