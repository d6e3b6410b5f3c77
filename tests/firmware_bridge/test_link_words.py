"""What a link asks of nodes, which speeds it tries, and what it says where nothing can be understood."""

from __future__ import annotations

import itertools
import random
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar, witmotion
from firmware_bridge.samples import LinkChange, MotionBatch
from hw_mock.ports import PtyPort
from tests.firmware_bridge.cables import LEVEL, Listener, hello, motion


def speed_of(port: PtyPort) -> int:
    """The speed at which the host has the port open, as a number of termios."""
    return int(termios.tcgetattr(port._slave)[5])


def asked(port: PtyPort, ear: polar.PolarDecoder) -> int:
    return sum(isinstance(x, p.HelloRequest) for x in ear.feed(port.read()))


@pytest.fixture
def noise() -> Iterator[bytes]:
    dice = random.Random(5)
    return (dice.randbytes(60) for _ in itertools.count())


def test_a_node_that_does_not_answer_is_asked_again_until_it_does(port: PtyPort) -> None:
    ear, heard = Listener(port.name), polar.PolarDecoder()
    ear.link.open()
    seq = itertools.count(1)
    times: list[float] = []
    deaf = [True]

    def speaks() -> None:
        port.write(motion(1, next(seq)) + (b"" if deaf[0] else hello(2, next(seq))) + motion(2, next(seq)))
        if asked(port, heard):
            times.append(ear.clock.now())
            if len(times) == 2:  # at the second time one of the two has understood
                deaf[0] = False

    def three() -> bool:
        speaks()
        return len(times) == 4

    ear.until(three)
    assert all(b - a > 0.4 for a, b in itertools.pairwise(times))

    def silent() -> bool:
        port.write(hello(1, next(seq)))
        speaks()
        return ear.clock.now() > times[3] + 1.2

    ear.until(silent)
    assert len(times) == 4  # both have said who they are
    ear.link.close()


def test_a_node_that_never_answers_is_not_asked_for_ever(port: PtyPort) -> None:
    ear, heard = Listener(port.name), polar.PolarDecoder()
    ear.link.open()
    seq = itertools.count(1)
    count = [0]

    def long_enough() -> bool:
        port.write(motion(1, next(seq)))
        count[0] += asked(port, heard)
        return ear.clock.now() > 5.5

    ear.until(long_enough, 7.0)
    assert count == [8]
    ear.link.close()


def test_a_witmotion_is_found_at_its_speed_also_when_its_protocol_was_named(
    port: PtyPort, noise: Iterator[bytes]
) -> None:
    ear = Listener(port.name, "witmotion")
    ear.link.open()

    def understood() -> bool:
        frames = witmotion.encode_serial(0x51, LEVEL) + witmotion.encode_serial(0x52, (0.0, 0.0, 0.0))
        port.write(frames if speed_of(port) == termios.B460800 else next(noise))
        return any(isinstance(e, MotionBatch) for e in ear.events)

    ear.until(understood, 8.0)
    assert [e.why for e in ear.events if isinstance(e, LinkChange)] == ["as asked for"]
    assert ear.link.protocol == "witmotion"
    ear.link.close()


@pytest.mark.parametrize("protocol", ["polar", "bno08x-rvc", "witmotion"])
def test_garbage_is_told_in_words_whatever_was_asked_for(
    port: PtyPort, noise: Iterator[bytes], protocol: str
) -> None:
    ear = Listener(port.name, protocol)
    ear.link.open()

    def told() -> bool:
        port.write(next(noise))
        return ear.states == ["open", "open"]

    assert 2.0 < ear.until(told) < 4.0
    said = [e.why for e in ear.events if isinstance(e, LinkChange)]
    assert said[0] == "as asked for"
    assert said[1].endswith(f"bytes came, but nothing of {protocol}: wrong device, protocol or speed")
    ear.link.close()


@pytest.mark.parametrize("protocol", ["auto", "witmotion"])
@pytest.mark.parametrize("sent", [(0x53,), (0x51, 0x53), (0x52, 0x53)])
def test_a_witmotion_that_sends_no_readings_is_told_of(
    port: PtyPort, protocol: str, sent: tuple[int, ...]
) -> None:
    """What it sends is the owner's choice; of angles alone, or with one of the two, nothing can be followed."""
    ear = Listener(port.name, protocol)
    ear.link.open()

    def links() -> list[LinkChange]:
        return [event for event in ear.events if isinstance(event, LinkChange)]

    def told() -> bool:
        port.write(b"".join(witmotion.encode_serial(number, LEVEL) for number in sent))
        return bool(links()) and links()[-1].deaf

    assert 2.0 < ear.until(told) < 4.0
    assert links()[-1].why.startswith("it speaks witmotion, but sends no readings – have it send both")
    assert ear.link.count().frames > 0
    assert ear.link.count().packets == 0

    def mended() -> bool:
        port.write(b"".join(witmotion.encode_serial(number, LEVEL) for number in (0x51, 0x52)))
        return any(isinstance(event, MotionBatch) for event in ear.events)

    ear.until(mended)
    assert (links()[-1].why, links()[-1].deaf) == ("recognised by listening", False)
    assert ear.link.count().packets > 0
    ear.link.close()


@pytest.mark.parametrize("protocol", ["auto", "polar"])
def test_silence_is_told_and_so_is_its_end(port: PtyPort, protocol: str) -> None:
    ear = Listener(port.name, protocol)
    ear.link.open()
    ear.until(lambda: bool(ear.events) and ear.events[-1].why == "nothing came", 4.0)  # type: ignore[union-attr]
    seq = itertools.count(1)

    def understood() -> bool:
        port.write(motion(1, next(seq)))
        return ear.events[-1].__class__ is MotionBatch

    ear.until(understood)
    said = [e.why for e in ear.events if isinstance(e, LinkChange)]
    assert said[-1] == "recognised by listening"
    assert ear.link.protocol == "polar"
    ear.link.close()


def test_a_port_that_came_back_without_its_cube_says_why_it_is_not_back(tmp_path: Path) -> None:
    ear = Listener(str(tmp_path / "cube"), "polar")
    ear.link.lose("there is no port")
    port = PtyPort(link=tmp_path / "cube")
    ear.until(lambda: ear.states == ["lost", "lost"], 5.0)
    assert [e.why for e in ear.events if isinstance(e, LinkChange)] == ["there is no port", "nothing came"]
    ear.link.close()
    port.close()
