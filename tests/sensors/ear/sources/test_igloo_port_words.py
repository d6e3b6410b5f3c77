"""What igloo nodes say of themselves, through a real pseudo-terminal: told in words, and no count is believed by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar
from hw_mock.commands import HELLO_S
from hw_mock.igloo.node import IglooNode
from sensors.ear.errors import CaptureLost
from sensors.ear.profiles import profile as profiles
from sensors.ear.sources.igloo_capture import IglooCapture
from sensors.ear.sources.igloo_port import IglooPort
from sensors.ear.sources.igloo_words import DAMAGED_MEND
from sensors.ear.verdicts.lost_sound import TWO_BOARDS
from tests.dongle import Dongle, Felt, held_dongle
from tests.sensors.ear.sources.igloo_ear import Ear, hello


class Twin(IglooNode):
    """Another board with the number of one that is there; its frames are counted from elsewhere."""

    @property
    def uid(self) -> str:
        return f"ffff{self.number:012x}"


def twins(rate: float) -> tuple[IglooNode, Twin]:
    one, two = IglooNode(17, rate), Twin(17, rate)
    two.stamps.seq = 7000
    return one, two


def rests(node: IglooNode, felt: Felt) -> bytes:
    """What it says while it lies, before it is shaken, for as long as it takes to say hello once more."""
    return node.feel(np.tile(felt.samples[0], (round(1.01 * HELLO_S * node.rate_hz), 1)))


def is_word(said: Any) -> bool:
    return isinstance(said, dict) and said["event"] == "node"


def status(stamp: p.Stamp) -> bytes:
    """Its battery is low."""
    return polar.encode(p.Status(stamp, 3300, 21.0, 100, 0, False, True))


def log(stamp: p.Stamp, level: int, text: str) -> bytes:
    return polar.encode(p.Log(stamp, level, text))


def test_two_boards_of_one_number_are_told_and_no_count_of_theirs_is_believed(
    listening: Ear, port: Dongle, felt: Felt
) -> None:
    one, two = twins(felt.rate)
    for node in (one, two, one, two):
        port.write(rests(node, felt))
    told = listening.next(is_word)
    assert (told["source"], told["level"]) == (f"{port.name}#17", "error")
    assert told["why"] == f"two boards call themselves node 17 ({one.uid} and {two.uid})"
    assert told["mend"] == "give each its own NUMBER, and each table in the room its own CHANNEL"
    port.shake(felt, one)
    heard = listening.heard()
    assert (heard.verdict, heard.doubt, heard.reason) == ("unsure", "sensor", TWO_BOARDS)


def test_a_spare_board_in_the_place_of_another_is_one_igloo(port: Dongle, felt: Felt) -> None:
    one, two = twins(felt.rate)
    port.write(rests(one, felt))
    with IglooCapture(port.name, 17) as capture, IglooPort.at(port.name) as shared:
        for node in (one, two, two):
            port.write(rests(node, felt))
        port.write(status(two._stamp()))
        told = list[str]()
        assert shared.until(lambda: bool(told.extend(one.text for one in shared.told()) or told), 10.0)
        assert told == ["igloo 17: its battery is low (3.30 V)"]
        assert not capture.two_boards


def test_an_igloo_of_another_version_of_the_wire_is_told_and_has_no_ear(
    listening: Ear, port: Dongle, felt: Felt
) -> None:
    port.write(hello(18, 1660, version=2))
    port.shake(felt, IglooNode(17, felt.rate))
    said: list[Any] = []
    assert listening.next(lambda one: said.append(one) or is_word(one))["source"] == f"{port.name}#18"
    assert (said[-1]["level"], said[-1]["mend"]) == ("error", "load the firmware of this release")
    assert said[-1]["why"] == "igloo 18 speaks version 2 of the wire, and we read version 1"
    listening.next(lambda one: said.append(one) or not isinstance(one, dict))
    links = [one["source"] for one in said if isinstance(one, dict) and one["event"] == "link"]
    assert links == [f"{port.name}#17"]


@pytest.mark.parametrize(("number", "who"), [("", "any igloo"), ("#18", "igloo 18")])
def test_a_port_that_speaks_another_version_alone_says_so_with_its_mend(
    port: Dongle, profile: profiles.Profile, monkeypatch: pytest.MonkeyPatch, number: str, who: str
) -> None:
    monkeypatch.setattr("table.listening.igloo_nodes.FIRST_S", 0.3)
    port.write(hello(18, 1660, version=2))
    ear = Ear(port.name + number, profile)
    assert ear.next(is_word)["source"] == f"{port.name}#18"
    with pytest.raises(CaptureLost, match=f"nothing was heard of {who} at .* speaks version 2") as raised:
        ear.next(lambda _: False)
    assert raised.value.mend == "load the firmware of this release"


def test_what_a_node_logs_and_a_low_battery_are_told_once_and_the_igloo_is_heard_all_the_same(
    listening: Ear, port: Dongle, felt: Felt
) -> None:
    node = IglooNode(17, felt.rate)
    port.write(rests(node, felt))
    for _ in range(2):
        port.write(status(node._stamp()))
        port.write(log(node._stamp(), 3, "IMU does not answer: ENODEV"))
        port.write(log(node._stamp(), 1, "IMU answers again"))
    port.shake(felt, node)
    said: list[Any] = []
    heard = listening.next(lambda one: said.append(one) or not isinstance(one, dict))
    assert heard.reason != TWO_BOARDS
    assert [(one["level"], one["why"], one["mend"]) for one in said if is_word(one)] == [
        ("warning", "igloo 17: its battery is low (3.30 V)", "charge it"),
        ("error", "igloo 17: IMU does not answer: ENODEV", "look at the node"),
        ("info", "igloo 17: IMU answers again", ""),
    ]


def test_who_asked_for_one_igloo_is_told_of_it_and_of_the_dongle(
    port: Dongle, profile: profiles.Profile
) -> None:
    for node in (17, 18):
        port.write(hello(node, 1660) + status(p.Stamp(node, 2, 50_000)))
    port.write(hello(0, 0, "dongle") + log(p.Stamp(0, 2, 50_000), 3, "begins anew: ENOMEM"))
    ears = [Ear(f"{port.name}#{node}", profile) for node in (17, 18)]
    told = [ear.next(is_word)["why"] for ear in (ears[0], ears[0], ears[1])]
    for ear in ears:
        ear.close()
    assert told == [
        "igloo 17: its battery is low (3.30 V)",
        "dongle 0: begins anew: ENOMEM",
        "igloo 18: its battery is low (3.30 V)",
    ]


def test_two_dongles_that_hear_one_igloo_are_told(port: Dongle, felt: Felt, tmp_path: Path) -> None:
    node, folder = IglooNode(17, felt.rate), tmp_path / "other"
    folder.mkdir()
    with held_dongle(folder) as other, IglooPort.at(port.name) as one, IglooPort.at(other.name) as two:
        told = list[str]()
        for _ in range(3):
            said = rests(node, felt)
            for pty, shared in ((port, one), (other, two)):
                pty.write(said)
                shared.until(lambda shared=shared: shared.waits(17), 5.0)
                shared.forget()
                told += [word.sentence for word in shared.told()]
    assert told == [
        f"igloo 17 is heard on two ports, {port.name} and {other.name} – "
        "one dongle for a table is enough; that of another table needs a CHANNEL of its own"
    ]


@pytest.mark.parametrize(("came", "sentence"), [
    (b"\xf8\x00\x80\xe0\x00" * 200, "nothing of polar"),
    (b"$GPGGA,123519,4807.038,N\r\n" * 40, "nothing of polar"),
    (b"\x05\x02", "0 whole frames came"),
])  # fmt: skip
def test_a_port_where_nothing_can_be_read_is_told_from_igloos_that_sleep(
    port: Dongle, profile: profiles.Profile, monkeypatch: pytest.MonkeyPatch, came: bytes, sentence: str
) -> None:
    """At another speed, or from another device; nobody need lift or charge an igloo then."""
    monkeypatch.setattr("table.listening.igloo_nodes.FIRST_S", 0.3)
    port.write(came)
    with pytest.raises(CaptureLost, match=f"nothing was heard of any igloo at .*{sentence}") as raised:
        Ear(port.name, profile).next(lambda _: False)
    assert ("115200" in raised.value.mend) is (sentence == "nothing of polar")
    assert ("charge it" in raised.value.mend) is (sentence != "nothing of polar")


def test_a_line_that_damages_much_of_what_it_carries_is_told_once(
    listening: Ear, port: Dongle, felt: Felt
) -> None:
    """As where a dongle prints bytes as text; no igloo that is brought nearer helps then."""
    node = IglooNode(17, felt.rate)
    for _ in range(2):
        port.write(rests(node, felt))
        shaken = node.feel(felt.samples)
        port.say([piece + b"\0" for piece in shaken.replace(b"\n", b"\r\n").split(b"\0") if piece])
        port.rest()
    said: list[Any] = []
    for _ in range(2):
        listening.next(lambda one: said.append(one) or not isinstance(one, dict))
    assert [(one["source"], one["level"], one["why"], one["mend"]) for one in said if is_word(one)] == [
        (
            f"{port.name}#0",
            "warning",
            f"much of what comes at {port.name} is damaged",
            "look at its cable and plug; what passes it on must send bytes as they are, not as text",
        )
    ]


def test_a_port_that_damages_what_its_igloos_send_is_told_from_igloos_that_sleep(
    port: Dongle, profile: profiles.Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dongle's own hello may come whole all the same."""
    monkeypatch.setattr("table.listening.igloo_nodes.FIRST_S", 0.3)
    port.write(hello(0, 0, "dongle") + 3 * hello(17, 1660).replace(b"\x11", b"\x11\x11"))
    with pytest.raises(CaptureLost, match="most of what comes there is damaged") as raised:
        Ear(port.name, profile).next(lambda _: False)
    assert raised.value.mend == DAMAGED_MEND
