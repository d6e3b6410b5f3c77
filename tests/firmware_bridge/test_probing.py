"""What `devices` finds out of a port: at every speed before it says that none is ours, and who of its nodes are two."""

from __future__ import annotations

import contextlib
import itertools
import random
import termios
import threading
from collections.abc import Callable, Iterator

import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar, witmotion
from firmware_bridge.clock import SystemClock
from firmware_bridge.finding import PortFacts
from firmware_bridge.probing import probe
from hw_mock.ports import PtyPort
from tests.firmware_bridge.cables import LEVEL, motion

Talk = Callable[[int, int], bytes]  # what is sent as the n-th, while the host listens at a speed (of termios)


@contextlib.contextmanager
def talking(port: PtyPort, talk: Talk, told: list[p.Packet] | None = None) -> Iterator[list[p.Packet]]:
    """Something at the other end, a hundred times a second; what it was told, by and by."""
    stop, ear = threading.Event(), polar.PolarDecoder()
    told = [] if told is None else told

    def run() -> None:
        for n in itertools.count():
            if stop.wait(0.01):
                return
            port.write(talk(n, int(termios.tcgetattr(port._slave)[5])))
            told.extend(ear.feed(port.read()))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield told
        stop.wait(0.05)
    finally:
        stop.set()
        thread.join()


def wit_at(speed: int) -> Talk:
    dice = random.Random(3)

    def talk(n: int, set_to: int) -> bytes:
        good = witmotion.encode_serial(0x51, LEVEL) + witmotion.encode_serial(0x52, (0.0, 0.0, 0.0))
        return good if set_to == speed else dice.randbytes(22)

    return talk


def cubes(*boards: tuple[int, str], version: int = 1) -> Talk:
    """Boards behind one dongle: (node number, uid)."""

    def talk(n: int, set_to: int) -> bytes:
        number, uid = boards[n % len(boards)]
        if n % 50 >= len(boards):
            return motion(number, n)
        return hello(number, "cube", uid, n, version)

    return talk


def hello(number: int, kind: p.Kind, uid: str, n: int, version: int = 1) -> bytes:
    """At rest, as the n-th word of somebody who speaks a hundred times a second."""
    return polar.encode(
        p.Hello(p.Stamp(number, n, n), kind, uid, (0, 1, 0), 4000, 200, 2000, 16, True, (1.0, 0.0, 0.0, 0.0),
                "", version)
    )  # fmt: skip


def facts(port: PtyPort) -> PortFacts:
    return PortFacts(port.name, "a pseudo-terminal")


@pytest.mark.parametrize("speed", [termios.B230400, termios.B19200])
def test_all_usual_speeds_are_tried_while_bytes_come(port: PtyPort, speed: int) -> None:
    with talking(port, wit_at(speed)):
        found = probe(facts(port), SystemClock())
    assert (found.ours, found.protocol) == (True, "witmotion")


def test_a_witmotion_that_sends_no_readings_is_told_of(port: PtyPort) -> None:
    with talking(port, lambda n, set_to: witmotion.encode_serial(0x53, LEVEL)):
        found = probe(facts(port), SystemClock(), 0.5)
    assert (found.ours, found.protocol) == (True, "witmotion")
    assert found.why.startswith("it speaks witmotion, but sends no readings – ")


def test_a_stranger_was_heard_at_every_speed_before_it_is_called_one(port: PtyPort) -> None:
    seen: set[int] = set()
    dice = random.Random(4)

    def stranger(n: int, set_to: int) -> bytes:
        seen.add(set_to)
        return dice.randbytes(60)

    with talking(port, stranger):
        found = probe(facts(port), SystemClock())
    assert found.ours is False
    assert found.why.endswith("bytes came, in none of our protocols at any usual speed")
    assert len(seen) == 8


def test_who_listens_for_a_short_time_is_told_what_was_tried(port: PtyPort) -> None:
    with talking(port, wit_at(termios.B19200)):
        found = probe(facts(port), SystemClock(), 0.8)
    assert found.ours is None
    assert "in none of our protocols at 115200" in found.why
    assert found.why.endswith("longer --seconds tries the other speeds")


def test_two_boards_with_one_number_are_told(port: PtyPort) -> None:
    with talking(port, cubes((1, "aa" * 8), (2, "cc" * 8), (1, "bb" * 8))):
        found = probe(facts(port), SystemClock())
    assert found.nodes == (f"cube 1 ({'aa' * 8})", f"cube 1 ({'bb' * 8})", f"cube 2 ({'cc' * 8})")
    assert found.why == "it speaks polar, but two boards call themselves node 1: give each its own NUMBER"


def test_a_node_of_another_version_of_the_wire_is_told(port: PtyPort) -> None:
    with talking(port, cubes((1, "aa" * 8), version=2)):
        found = probe(facts(port), SystemClock(), 1.0)
    assert found.nodes == (f"cube 1 ({'aa' * 8}, version 2 of the wire, which we do not read)",)


def test_a_node_shines_when_asked_and_nobody_is_written_to_otherwise(port: PtyPort) -> None:
    with talking(port, cubes((1, "aa" * 8))) as told:
        probe(facts(port), SystemClock(), 0.6)
    assert told == []
    with talking(port, cubes((1, "aa" * 8))) as told:
        found = probe(facts(port), SystemClock(), 0.6, shine=1)
    assert found.why == "it speaks polar; node 1 was told to shine"
    assert [(x.stamp.node, x.seconds) for x in told if isinstance(x, p.Identify)] == [(1, 5)]
    assert found.shines
    with talking(port, cubes((1, "aa" * 8))) as told:
        found = probe(facts(port), SystemClock(), 0.6, shine=2)
    assert (found.why, found.shines) == ("it speaks polar", False)
    assert {x.stamp.node for x in told if isinstance(x, p.HelloRequest)} == {2}
    assert not any(isinstance(x, p.Identify) for x in told)
    with talking(port, cubes((1, "aa" * 8))) as told:
        found = probe(facts(port), SystemClock(), 0.6, shine=255)
    assert (found.shines, len(told)) == (True, 1)
    with talking(port, wit_at(termios.B115200)):
        probe(facts(port), SystemClock(), 0.6, shine=1)
    assert port.read() == b""  # only ours are written to


@pytest.mark.parametrize("lost", [0, 1])
def test_a_node_at_rest_is_asked_before_it_is_said_that_it_is_not_there(port: PtyPort, lost: int) -> None:
    """It says hello every two seconds: none came while we listened, and one in twenty is lost on the air."""
    streams, heard = cubes((1, "aa" * 8)), list[p.Packet]()

    def igloo(n: int, set_to: int) -> bytes:
        asked = sum(isinstance(x, p.HelloRequest) and x.stamp.node == 18 for x in heard)
        answered = asked > lost and not any(isinstance(x, p.Identify) for x in heard)
        return streams(n, set_to) + (hello(18, "igloo", "bb" * 8, n) if answered else b"")

    with talking(port, igloo, heard):
        found = probe(facts(port), SystemClock(), 0.5, shine=18)
    assert found.shines
    assert found.nodes == (f"cube 1 ({'aa' * 8})", f"igloo 18 ({'bb' * 8})")
    assert [x.stamp.node for x in heard if isinstance(x, p.Identify)] == [18]
