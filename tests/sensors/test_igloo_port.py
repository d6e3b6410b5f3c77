"""Igloo nodes that are felt live: their bursts through a real pseudo-terminal and real pySerial, to a count."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from firmware_bridge import packets as p
from firmware_bridge import polar
from firmware_bridge.clock import SystemClock
from firmware_bridge.nodes import NodeBook
from firmware_bridge.samples import NodeSaid
from hw_mock.igloo.node import IglooNode
from hw_mock.ports import FaultyWire
from sensors.ear import profile as profiles
from sensors.ear.bursts import BurstStream
from sensors.ear.errors import CaptureLost, NoSuchInput, ProfileError
from sensors.ear.igloo_port import IglooCapture, IglooPort, is_port
from sensors.evidence import Heard
from table.ear_sources import hear_file
from table.igloo_sources import hear_igloos
from tests.dongle import PIECE, Dongle, Felt, one_shake


@pytest.fixture(scope="module")
def felt() -> Felt:
    return one_shake()


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Dongle]:
    """Open already, for pySerial throws away what waits when it opens a port."""
    pty = Dongle(tmp_path / "dongle")
    with IglooPort.at(pty.name):
        yield pty
        pty.close()
        pty.rest()


@pytest.fixture(scope="module")
def profile() -> profiles.Profile:
    return profiles.load_shipped("accelerometer")


class Ear:
    """`hear_igloos`, an event at a time."""

    def __init__(self, source: str, profile: profiles.Profile) -> None:
        never = threading.Event()
        self._events = hear_igloos(
            source, profile, False, SystemClock(), 30.0, lambda seconds: void(never.wait(0.02))
        )

    def close(self) -> None:
        self._events.close()  # type: ignore[attr-defined]

    def link(self) -> tuple[str, str]:
        said = self.next(lambda said: isinstance(said, dict) and said["event"] == "link")
        return said["source"], said["state"]

    def heard(self) -> Heard:
        found = self.next(lambda said: isinstance(said, Heard))
        assert isinstance(found, Heard)
        return found

    def next(self, wanted: Callable[[Any], bool]) -> Any:
        return next(said for said in self._events if wanted(said))


def void(_: object) -> None:
    return None


@pytest.fixture
def listening(port: Dongle, profile: profiles.Profile) -> Iterator[Ear]:
    ear = Ear(port.name, profile)
    yield ear
    ear.close()


def test_a_shake_through_the_wire_is_heard(listening: Ear, port: Dongle, felt: Felt) -> None:
    port.shake(felt, IglooNode(17, felt.rate))
    assert listening.link() == (f"{port.name}#17", "open")
    heard = listening.heard()
    assert heard.source == f"{port.name}#17"
    assert heard.verdict in ("sure", "unsure")
    assert sum(heard.probabilities.values()) == pytest.approx(1.0)
    assert heard.end_s - heard.start_s == pytest.approx(2.5, abs=0.3)


def test_it_counts_as_it_does_in_a_file_of_the_same_samples(
    tmp_path: Path, port: Dongle, felt: Felt, profile: profiles.Profile
) -> None:
    """What came by the wire has the chip's own samples in it, in order, to half a unit of the wire; put back unrounded
    and written as WAV they count the same."""
    port.shake(felt, IglooNode(17, felt.rate))
    blocks: list[np.ndarray] = []
    with IglooCapture(port.name) as capture:
        assert (capture.rate, capture.channels) == (felt.rate, 3)
        for block in capture.blocks():
            blocks.append(block)
            if sum(map(len, blocks)) > 4.6 * felt.rate:
                break
        assert capture.overflows == 0
    came = np.concatenate(blocks)
    assert came.dtype == np.float32
    shaken = felt.samples[round(1.5 * felt.rate) : round(3.5 * felt.rate)]
    (at,) = (
        i for i in range(len(came) - len(shaken)) if np.allclose(came[i : i + 50], shaken[:50], atol=3e-4)
    )
    assert np.allclose(came[at : at + len(shaken)], shaken, atol=3e-4)
    unrounded = came.copy()
    unrounded[at : at + len(shaken)] = shaken
    for name, samples in (("wire.wav", came), ("chip.wav", unrounded)):
        soundfile.write(tmp_path / name, samples, round(felt.rate), subtype="FLOAT")
    (wire,), (chip,) = (
        [said for said in hear_file(tmp_path / name, profile, name, False) if isinstance(said, Heard)]
        for name in ("wire.wav", "chip.wav")
    )
    assert wire.verdict == chip.verdict
    assert wire.probabilities == pytest.approx(chip.probabilities, abs=0.01)


def test_each_igloo_of_a_dongle_is_a_source(listening: Ear, port: Dongle, felt: Felt) -> None:
    port.shake(felt, IglooNode(17, felt.rate), IglooNode(28, felt.rate))
    assert {listening.heard().source, listening.heard().source} == {f"{port.name}#17", f"{port.name}#28"}


def test_the_recorder_takes_the_igloo_that_is_shaken(port: Dongle, felt: Felt) -> None:
    still, shaken = IglooNode(17, felt.rate), IglooNode(20, felt.rate)
    port.write(still.feel(felt.samples[:PIECE]))
    port.shake(felt, shaken)
    with IglooCapture(port.name, shaken=True) as capture:
        assert capture.device.number == 20


def test_the_recorder_finds_its_igloo_behind_another_that_was_moved(
    port: Dongle, felt: Felt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sensors.ear.igloo_port.SHAKEN_S", 10.0)
    port.shake(felt, IglooNode(5, felt.rate))
    port.shake(felt, IglooNode(17, felt.rate))
    with IglooCapture(port.name, 17, shaken=True) as capture:
        assert capture.device.number == 17


def test_a_pulled_cable_is_lost_and_comes_back(listening: Ear, port: Dongle, felt: Felt) -> None:
    node = IglooNode(17, felt.rate)
    port.shake(felt, node)
    source = f"{port.name}#17"
    assert listening.link() == (source, "open")
    listening.heard()
    port.rest()
    port.unplug()
    assert listening.link() == (source, "lost")
    port.plug()
    port.shake(felt, node)
    assert listening.link() == (source, "back")
    assert listening.heard().verdict in ("sure", "unsure")


class Virtual:
    """A node's bytes by way of a book, without a port: time is that of the samples."""

    def __init__(self, felt: Felt, wire: FaultyWire | None = None) -> None:
        self.node = IglooNode(17, felt.rate, wire or FaultyWire())
        self.stream = BurstStream(felt.rate, 0.0)
        self._decoder, self._book, self._now = polar.PolarDecoder(), NodeBook("a wire"), 0.0

    def feel(self, samples: np.ndarray) -> np.ndarray:
        """What comes out while it measures these."""
        out = []
        for start in range(0, len(samples), PIECE):
            self._now += PIECE / self.node.rate_hz
            for packet in self._decoder.feed(self.node.feel(samples[start : start + PIECE])):
                for said in self._book.receive(packet, self._now):
                    assert isinstance(said, NodeSaid)
                    if isinstance(packet, p.Burst):
                        self.stream.add(packet, said.t, self._now)
                    elif isinstance(packet, p.Hello):
                        self.stream.note(packet.stamp)
            self.stream.still(self._now)
            out.append(self.stream.take())
        return np.concatenate(out)


def test_lost_frames_are_bridged_and_counted_and_nothing_is_shifted(felt: Felt) -> None:
    whole = Virtual(felt).feel(felt.samples)
    wire = FaultyWire(seed=6)  # the first and the last frame come: one that nothing follows is not missed
    wire.set(drop=0.05)
    igloo = Virtual(felt, wire)
    holes = igloo.feel(felt.samples)
    assert wire.damaged >= 3
    assert igloo.stream.overflows == wire.damaged
    assert len(holes) == pytest.approx(len(whole), abs=PIECE)
    shift = len(whole) - len(holes)
    same = np.isclose(whole, holes[-shift:] if shift < 0 else holes[: len(whole)], atol=1e-6).all(axis=1)
    during = slice(round(1.5 * felt.rate), round(3.2 * felt.rate))
    assert np.mean(same[during]) > 0.85


def test_a_node_that_begins_anew_is_heard_on(felt: Felt) -> None:
    """Its numbers begin again, among those that were here a moment ago: nothing is taken for late or repeated."""
    igloo = Virtual(felt)
    igloo.feel(np.repeat(felt.samples[:1], round(4.0 * felt.rate), axis=0))
    igloo.feel(felt.samples[: round(2.5 * felt.rate)])
    igloo.node.begin_anew()
    came = igloo.feel(felt.samples)
    shaken = felt.samples[round(1.5 * felt.rate) : round(3.5 * felt.rate)]
    assert any(
        np.allclose(came[i : i + len(shaken)], shaken, atol=3e-4) for i in range(len(came) - len(shaken))
    )
    assert igloo.stream.overflows == 1  # the first shake broke off


@pytest.mark.parametrize("asleep", [False, True])
def test_a_node_that_falls_silent_is_lost_but_not_one_that_sleeps(
    port: Dongle, felt: Felt, monkeypatch: pytest.MonkeyPatch, asleep: bool
) -> None:
    monkeypatch.setattr("sensors.ear.igloo_port.SILENT_S", 0.2)
    port.write(IglooNode(17, felt.rate).feel(felt.samples[:PIECE]))
    if asleep:
        port.write(polar.encode(p.Log(p.Stamp(17, 2, 50_000), 1, "asleep until moved")))
    felt_s = 0.0
    with IglooCapture(port.name) as capture, pytest.raises(CaptureLost) if not asleep else nullcontext():
        for block in capture.blocks():
            felt_s += len(block) / capture.rate
            if felt_s > 0.5:
                break
    assert (felt_s > 0.5) is asleep


def test_between_bursts_it_lies_still_as_it_lay(felt: Felt) -> None:
    igloo = Virtual(felt)
    came, stream = igloo.feel(felt.samples), igloo.stream
    assert len(came) == pytest.approx(
        len(felt.samples), abs=0.45 * felt.rate
    )  # at the end it is late by 0.3 s
    for now in range(10, 61, 5):
        stream.still(now)
    rest = stream.take()
    assert len(rest) > 50 * felt.rate
    assert rest.mean(axis=0) == pytest.approx(felt.samples[-1000:].mean(axis=0), abs=0.002)
    assert rest.std(axis=0) == pytest.approx([0.003] * 3, rel=0.4)
    assert stream.overflows == 0


def test_a_clock_that_jumped_does_not_fill_the_memory(felt: Felt) -> None:
    """Ctrl-Z, and an hour later fg."""
    igloo = Virtual(felt)
    igloo.feel(felt.samples)
    igloo.stream.still(igloo._now + 3600)
    assert 0 < len(igloo.stream.take()) <= 12 * felt.rate
    igloo.stream.still(igloo._now + 3601)
    assert len(igloo.stream.take()) == pytest.approx(felt.rate, abs=1)


def test_a_burst_s_first_frame_is_as_late_as_those_that_waited_with_it(felt: Felt) -> None:
    """Three frames leave together, and the first is stamped as the others are (firmware/igloo_node.py)."""
    shaken = IglooNode(17, felt.rate).feel(felt.samples)
    burst = next(x for x in polar.PolarDecoder().feed(shaken) if isinstance(x, p.Burst))

    def bridged(index: int) -> int:
        stream = BurstStream(felt.rate, 0.0)
        first = replace(burst, index=0)
        stream.add(first, 1.0, 1.0)
        stream.take()
        again = replace(
            first, stamp=replace(first.stamp, seq=first.stamp.seq + 1), burst=first.burst + 1, index=index
        )
        stream.add(again, 3.0, 3.0)
        return len(stream.take())

    assert bridged(PIECE) - bridged(0) == pytest.approx(2 * len(burst.accels), abs=2)


def test_a_chip_that_changes_its_rate_is_begun_with_anew(port: Dongle, felt: Felt) -> None:
    node = IglooNode(17, felt.rate)
    port.write(node.feel(felt.samples[:PIECE]))
    with IglooCapture(port.name) as capture:
        port.shake(felt, IglooNode(17, 1.05 * felt.rate))
        with pytest.raises(CaptureLost, match="Hz"):
            for _ in capture.blocks():
                pass


def test_frames_that_are_late_in_the_midst_of_a_shake_find_no_stillness_in_their_place(felt: Felt) -> None:
    """A host that is busy for a second; but a node that went away lies still in the end."""
    igloo = Virtual(felt)
    igloo.feel(felt.samples[: round(2.3 * felt.rate)])
    now = igloo._now
    igloo.stream.still(now + 1.0)
    assert not len(igloo.stream.take())
    igloo.stream.still(now + 10.0)
    assert len(igloo.stream.take()) > 8 * felt.rate


def test_a_port_where_no_igloo_speaks_is_told_in_one_sentence(
    port: Dongle, profile: profiles.Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.igloo_sources.FIRST_S", 0.3)
    cube = p.Hello(
        p.Stamp(1, 1, 0), "cube", "c0be" + 12 * "0", (0, 1, 0), 4000, 200, 2000, 16, True, (1, 0, 0, 0), ""
    )
    port.write(polar.encode(cube))
    with pytest.raises(
        CaptureLost, match=r"nothing was heard of any igloo at .*dongle \(what speaks there are cubes\)"
    ):
        Ear(port.name, profile).link()


def test_whoever_leaves_before_an_igloo_spoke_is_told_no_fault(
    port: Dongle, profile: profiles.Profile
) -> None:
    clock = SystemClock()
    assert not list(hear_igloos(port.name, profile, False, clock, None, lambda _: None, stopped=lambda: True))


def test_a_port_that_does_not_exist_is_named(profile: profiles.Profile) -> None:
    with pytest.raises(NoSuchInput, match="there is no port /dev/ttyNONE"):
        Ear("/dev/ttyNONE", profile).link()


def test_a_profile_of_a_microphone_is_refused(port: Dongle) -> None:
    with pytest.raises(
        ProfileError, match="is an accelerometer's, and the profile was made for a microphone"
    ):
        Ear(port.name, profiles.load_shipped("microphone")).link()


@pytest.mark.parametrize(
    ("source", "so"),
    [("/dev/ttyACM0", True), ("/dev/ttyACM0#17", True), ("socket://box:7000", True), ("take#3.wav", False),
     ("default", False), ("3", False), ("mine/shake.wav", False)],
)  # fmt: skip
def test_what_is_a_port(source: str, so: bool) -> None:
    assert is_port(source) is so
