"""What nodes want a person to know: their log, a low battery, two with one number, a wire that we do not read."""

from __future__ import annotations

import pytest

from firmware_bridge import packets as p
from firmware_bridge.node_words import NodeTold, NodeWords
from firmware_bridge.nodes import NodeBook
from firmware_bridge.samples import NodeSaid

LEVEL = (0.0, 0.0, 1.0)
NO_TURN = (1.0, 0.0, 0.0, 0.0)


class Wire:
    """What is said on one port, at times in seconds."""

    def __init__(self) -> None:
        self.words = NodeWords()

    def said(self, packet: p.PolarPacket, t: float = 0.0) -> list[NodeTold]:
        return self.words.heard(NodeSaid("dongle", packet.stamp.node, t, packet))

    def hello(self, uid: str, t: float, node: int = 1, version: int = 1) -> list[NodeTold]:
        return self.said(hello(uid, node, version), t)

    def log(self, level: int, text: str, t: float = 0.0) -> list[NodeTold]:
        return self.said(p.Log(p.Stamp(1, 0, 0), level, text), t)

    def battery(self, millivolts: int, t: float, charging: bool = False) -> list[NodeTold]:
        return self.said(p.Status(p.Stamp(1, 0, 0), millivolts, 20.0, 5, 0, charging, millivolts < 3400), t)


def hello(uid: str, node: int = 1, version: int = 1) -> p.Hello:
    stamp = p.Stamp(node, 0, 0)
    return p.Hello(stamp, "cube", uid * 8, (0, 1, 0), 4000, 200, 2000, 16, True, NO_TURN, "", version)


def test_what_a_node_logs_is_passed_on_by_its_level() -> None:
    wire = Wire()
    wire.hello("aa", 0.0)
    (error,) = wire.log(3, "IMU does not answer", 1.0)
    assert (error.port, error.node, error.t, error.level) == ("dongle", 1, 1.0, "error")
    assert error.sentence == "cube 1: IMU does not answer – look at the node"
    assert [e.level for e in wire.log(2, "slow bus", 2.0) + wire.log(1, "awake", 2.0)] == ["warning", "info"]
    assert wire.log(0, "tick", 2.0) == []
    assert [e.sentence for e in wire.log(2, "slower", 3.0)] == ["cube 1: slower"]  # nothing is to be mended


def test_a_node_that_says_the_same_again_and_again_is_told_now_and_then() -> None:
    wire = Wire()
    told = [e.t for t in range(100) for e in wire.log(3, "IMU does not answer", float(t))]
    assert told == [0.0, 30.0, 60.0, 90.0]


def test_what_a_node_logs_moves_no_cursor() -> None:
    (told,) = Wire().log(3, "\x1b[2Jgone\n")
    assert told.text == "node 1: \ufffd[2Jgone\ufffd"


def test_a_low_battery_is_told_once_and_again_after_it_was_charged() -> None:
    wire = Wire()
    wire.hello("aa", 0.0)
    assert wire.battery(3700, 0.0) == []
    (low,) = wire.battery(3391, 10.0)
    assert (low.level, low.text, low.mend) == ("warning", "cube 1: its battery is low (3.39 V)", "charge it")
    assert [
        e for t in range(20, 200, 10) for e in wire.battery(3390 + t % 20, float(t))
    ] == []  # on the brink
    assert wire.battery(3500, 200.0, charging=True) == []
    assert len(wire.battery(3380, 900.0)) == 1


def test_a_battery_that_is_low_while_it_is_charged_is_nothing_to_mend() -> None:
    wire = Wire()
    assert wire.battery(3300, 0.0, charging=True) == []
    assert len(wire.battery(3300, 10.0)) == 1


def test_a_battery_that_was_changed_is_as_good_as_a_charged_one() -> None:
    wire = Wire()
    assert len(wire.battery(3300, 0.0)) == 1
    assert wire.battery(3600, 10.0) == []
    assert len(wire.battery(3300, 20.0)) == 1


def test_noise_that_looks_like_ever_new_boards_and_texts_fills_no_memory() -> None:
    wire = Wire()
    for k in range(1000):
        wire.hello(f"{k:02x}", float(k))
        wire.log(1, f"{k} ticks", float(k))
    assert all(len(kept) <= 201 for kept in (wire.words._ports, wire.words._logged))
    assert all(len(uids) <= 4 for uids in wire.words._hellos.values())


def test_two_boards_with_one_number_are_an_error() -> None:
    wire = Wire()
    told = [e for t in range(8) for e in wire.hello("aa" if t % 2 == 0 else "bb", float(t))]
    assert [(e.t, e.level, e.node) for e in told] == [(2.0, "error", 1)]
    assert told[0].text == f"two boards call themselves node 1 ({'aa' * 8} and {'bb' * 8})"
    assert told[0].mend == "give each its own NUMBER, and each table in the room its own CHANNEL"


def test_two_boards_are_two_for_as_long_as_both_speak() -> None:
    wire = Wire()
    both = []
    for t in range(30):
        if t < 10:
            wire.hello("aa", float(t))
        if t > 4:
            wire.hello("bb", t + 0.5)
        both.append(wire.words.two_boards("dongle", 1, t + 0.7))
    assert [t for t, so in enumerate(both) if so] == list(range(6, 19))
    assert not wire.words.two_boards("another", 1, 9.0)


def test_a_spare_board_under_the_number_of_a_broken_one_is_none() -> None:
    wire = Wire()
    told = [e for t in range(60) for e in wire.hello("aa" if t < 20 or t > 40 else "bb", float(t))]
    assert told == []


def test_a_node_that_speaks_another_version_of_the_wire_is_refused_in_words() -> None:
    wire = Wire()
    (told,) = wire.hello("aa", 0.0, version=2)
    assert (told.level, told.text) == ("error", "cube 1 speaks version 2 of the wire, and we read version 1")
    assert told.mend == "load the firmware of this release"
    assert wire.hello("aa", 2.0, version=2) == []


def test_samples_of_another_version_are_not_guessed_at() -> None:
    book, still = NodeBook("dongle"), ((0.0, 0.0, 0.0),)

    def motion(seq: int) -> p.Motion:
        return p.Motion(p.Stamp(1, seq, seq * 5000), 5000, still, (LEVEL,))

    def said(seq: int, version: int) -> p.Hello:
        return p.Hello(
            p.Stamp(1, seq, seq * 5000), "cube", "aa" * 8, (0, 1, 0), 4000, 200, 2000, 16, True, NO_TURN, "", version
        )  # fmt: skip

    assert [type(e) for e in book.receive(said(1, 2), 0.0)] == [NodeSaid]  # so that it can be told
    assert book.receive(motion(2), 0.01) == []
    assert book.receive(p.Pose(p.Stamp(1, 3, 15_000), NO_TURN, True), 0.02) == []
    assert len(book.receive(said(4, 1), 0.03)) == 2  # other firmware was loaded
    assert len(book.receive(motion(5), 0.04)) == 1


@pytest.mark.parametrize(
    "packet", [p.Button(p.Stamp(1, 0, 0), 1, True), p.Pose(p.Stamp(1, 0, 0), NO_TURN, True)]
)
def test_nothing_else_is_a_word(packet: p.PolarPacket) -> None:
    assert Wire().said(packet) == []


def test_a_board_that_two_ports_hear_is_told_once() -> None:
    words = NodeWords()
    told = [
        e
        for i in range(40)
        for port in ("one", "two")
        for node in (1, 2)
        for e in words.heard(NodeSaid(port, node, i * 2.0 + (port == "two"), hello("ab"[node - 1] * 2, node)))
    ]
    assert [(e.level, e.text) for e in told] == [("warning", "cube 1 is heard on two ports, one and two")]
    assert "CHANNEL" in told[0].mend


def test_a_board_that_was_plugged_in_elsewhere_is_not_heard_on_two_ports() -> None:
    words = NodeWords()
    heard = [("one", 0.0), ("one", 2.0), ("two", 7.0), ("two", 9.0), ("one", 15.0), ("one", 17.0)]
    assert [e for port, t in heard for e in words.heard(NodeSaid(port, 1, t, hello("aa")))] == []
