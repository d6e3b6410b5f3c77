"""Every decoder is in step again at the next whole frame, and makes no wrong sample out of damaged bytes."""

from __future__ import annotations

import random
import struct
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import bno08x_rvc, polar, witmotion
from firmware_bridge import packets as p
from firmware_bridge.bno08x_rvc import RvcDecoder
from firmware_bridge.decoding import Decoder
from firmware_bridge.detecting import DECODERS, Detector, make_decoder
from firmware_bridge.polar import PolarDecoder
from firmware_bridge.witmotion import WitMotionDecoder
from tests.firmware_bridge.frames import FRAMES, LEVEL, polar_frame, rvc_frame, wit_frame
from tests.parts import proof


def plain(packets: list[p.Packet]) -> list[p.Packet]:
    """Without the note of how many readings were lost before one."""
    return [replace(x, missing=0) if isinstance(x, p.ChipMotion) else x for x in packets]


def decoder(name: str) -> Decoder:
    return make_decoder(name.removesuffix("-ble"))


def test_a_header_inside_an_rvc_frame_costs_no_frame() -> None:
    tricky = bno08x_rvc.encode(0xAA, -0.86, 10, 20, (0.0, 0.0, 1.0))  # index AA, yaw AA FF: AA AA AA AA FF
    assert tricky[:4] == b"\xaa\xaa\xaa\xaa"
    stream = tricky[3:] + tricky + rvc_frame(1)
    assert len(RvcDecoder().feed(stream)) == 2
    for cut in (1, 2, 3):  # a header that is none, and not nineteen bytes of its own
        assert len(RvcDecoder().feed(tricky[cut:] + rvc_frame(1) + rvc_frame(2))) == 2


def test_a_lost_half_of_a_witmotion_reading_is_counted() -> None:
    first, second, third = wit_frame(1), wit_frame(2), wit_frame(3)
    packets = WitMotionDecoder().feed(first + second[11:] + third)
    assert [getattr(x, "missing", None) for x in packets] == [0, 1]


def test_readings_are_counted_as_lost_once_and_no_halves_of_two_make_one() -> None:
    one, two, three, four = (wit_frame(i) for i in range(1, 5))
    damaged = bytes((two[11], two[12], two[13] ^ 8)) + two[14:22]

    def missing(stream: bytes) -> list[int]:
        return [x.missing for x in WitMotionDecoder().feed(stream) if isinstance(x, p.ChipMotion)]

    assert missing(one + two[:11] + two[22:] + three + four) == [0, 1, 0]  # a rate was lost
    assert missing(one + two[11:] + three + four) == [0, 1, 0]  # an acceleration
    # a rate was damaged, and the next acceleration lost: the first one's rate is not the second one's
    assert missing(two[:11] + damaged + three[11:] + four) == [2]


def test_what_came_before_the_first_bluetooth_frame_was_no_reading() -> None:
    ear, frame = WitMotionDecoder(), FRAMES["witmotion-ble"]
    packets = ear.feed(bytes(45) + frame(1)) + ear.feed(bytes(21) + frame(2))
    assert [getattr(x, "missing", None) for x in packets] == [0, 2]


def test_out_of_step_a_bluetooth_frame_is_one_that_a_hand_could_give_or_that_another_follows() -> None:
    """It has no check sum."""
    likely, unlikely = (witmotion.encode_ble((0.0, 0.0, g), LEVEL, LEVEL) for g in (1.0, 9.0))
    assert len(WitMotionDecoder().feed(b"\x00" + likely)) == 1
    assert len(WitMotionDecoder().feed(unlikely)) == 1  # in step
    ear = WitMotionDecoder()
    assert ear.feed(b"\x00" + unlikely) == []
    assert len(ear.feed(likely)) == 2
    ear = WitMotionDecoder()
    assert ear.feed(b"\x00" + likely + b"\x55") == []  # it may go on as another's header, or not
    assert ear.feed(b"\x00") == []
    assert len(ear.feed(likely)) == 1


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
    short = stream[: 4 * len(FRAMES[name](1))]
    for at in range(len(short)):
        ear = decoder(name)
        assert ear.feed(short[:at]) + ear.feed(short[at:]) == whole[:4]
    ear = decoder(name)
    assert [packet for byte in stream for packet in ear.feed(bytes((byte,)))] == whole
    assert (ear.bad, ear.skipped) == (0, 0)


def test_a_frame_that_ends_as_headers_begin_leaves_the_next_one_whole() -> None:
    """A check sum of AA, and the piece ends with it."""
    tricky = next(f for f in map(rvc_frame, range(2000)) if f[-1] == 0xAA)
    ear = RvcDecoder()
    assert len(ear.feed(tricky) + ear.feed(rvc_frame(1)) + ear.feed(rvc_frame(2))) == 3
    assert (ear.frames, ear.bad, ear.skipped) == (3, 0, 0)


class Counting(WitMotionDecoder):
    """It also counts the frames of Bluetooth that it took."""

    ble = 0

    def _ble(self, at: int, out: list[p.Packet]) -> int:
        taken = super()._ble(at, out)
        self.ble += taken == 20
        return taken


@given(st.lists(st.one_of(st.binary(max_size=30), st.integers(0, 200)), max_size=20), st.randoms())
def test_every_byte_is_of_a_frame_or_skipped_or_waits(parts: list[bytes | int], dice: random.Random) -> None:
    """Whatever comes between frames, and in whatever pieces. Who listens for a protocol rests on it."""
    for ear, make, length in ((RvcDecoder(), rvc_frame, 19), (Counting(), wit_frame, 11)):
        stream = b"".join(part if isinstance(part, bytes) else make(part) for part in parts)
        at = 0
        while at < len(stream):
            size = dice.randint(1, 25)
            ear.feed(stream[at : at + size])
            at += size
        ble = getattr(ear, "ble", 0)
        assert len(stream) == length * (ear.frames - ble) + 20 * ble + ear.skipped + len(ear._buffer)


@pytest.mark.parametrize("more", [0, 1, 300, 4000])
def test_what_is_too_long_for_a_frame_is_one_bad_one_and_the_next_is_read(more: int) -> None:
    ear = PolarDecoder()
    stream = bytes([7]) * (polar.MAX_BODY + 2 + more)
    for at in range(0, len(stream), 40):
        assert ear.feed(stream[at : at + 40]) == []
        assert len(ear._rest) <= polar.MAX_BODY + 1 + 40
    assert len(ear.feed(polar_frame(1) + polar_frame(2))) == 2
    assert (ear.bad, ear.skipped) == (1, len(stream))


def test_the_longest_frame_may_come_in_two_pieces() -> None:
    longest = polar.frame(bytes((0x07, 1, 0, 0, 0, 0, 0, 0, 1)) + b"x" * (polar.MAX_BODY - 11))
    assert len(longest) == polar.MAX_BODY + 3
    for at in range(1, len(longest)):
        ear = PolarDecoder()
        assert len(ear.feed(longest[:at]) + ear.feed(longest[at:])) == 1


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
