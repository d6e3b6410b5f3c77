"""Igloo nodes that are felt live: their bursts through a real pseudo-terminal and real pySerial, to a count."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from firmware_bridge import packets as p
from firmware_bridge import polar
from firmware_bridge.clock import SystemClock
from hw_mock.igloo.node import IglooNode
from hw_mock.ports import FaultyWire
from sensors.ear.errors import CaptureLost, NoSuchInput, ProfileError
from sensors.ear.profiles import profile as profiles
from sensors.ear.sources.igloo_capture import IglooCapture
from sensors.ear.sources.igloo_port import is_port
from sensors.ear.verdicts.lost_sound import FELL_SILENT, PACKETS_LOST
from sensors.evidence import Heard
from table.listening.files import hear_file
from table.listening.igloo_nodes import hear_igloos
from table.listening.live import hear_live
from tests.dongle import PIECE, Dongle, Felt
from tests.sensors.ear.sources.igloo_ear import Ear, hello


def test_a_shake_through_the_wire_is_heard(listening: Ear, port: Dongle, felt: Felt) -> None:
    port.shake(felt, IglooNode(17, felt.rate))
    assert listening.link() == (f"{port.name}#17", "open")
    heard = listening.heard()
    assert heard.source == f"{port.name}#17"
    assert heard.verdict in ("sure", "unsure")
    assert sum(heard.probabilities.values()) == pytest.approx(1.0)
    # how long a last throw rattles on is the machine's: beads are chaotic
    assert 1.9 < heard.end_s - heard.start_s < 3.3


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
    monkeypatch.setattr("sensors.ear.sources.igloo_capture.SHAKEN_S", 10.0)
    port.shake(felt, IglooNode(5, felt.rate))
    port.shake(felt, IglooNode(17, felt.rate))
    with IglooCapture(port.name, 17, shaken=True) as capture:
        assert capture.device.number == 17


@pytest.mark.parametrize("asked", [None, 18])
def test_who_waits_for_whichever_is_shaken_is_told_that_another_one_is(
    asked: int | None, port: Dongle, felt: Felt
) -> None:
    """What came first may have been the end of an igloo's being put down."""
    waits: list[bool] = []

    def begin() -> None:  # what came before it waited is forgotten
        if not waits:
            port.shake(Felt(felt.samples[: round(1.5 * felt.rate)], felt.rate), IglooNode(18, felt.rate))
        waits.append(True)

    with IglooCapture(port.name, asked, shaken=True, check=begin) as capture:
        assert (capture.device.number, capture.whichever) == (18, asked is None)
        assert not capture.another_shaken
        port.rest()
        port.shake(felt, IglooNode(17, felt.rate))
        clock = SystemClock()
        for _ in capture.blocks():
            if capture.another_shaken or clock.now() > 2.0:
                break
        assert capture.another_shaken == (asked is None)


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


def test_an_igloo_that_sleeps_is_back_with_its_port_and_heard_when_it_is_shaken(
    listening: Ear, port: Dongle, felt: Felt
) -> None:
    awake, sleeps = IglooNode(17, felt.rate), IglooNode(18, felt.rate)
    port.write(awake.feel(felt.samples[:PIECE]) + sleeps.feel(felt.samples[:PIECE]))
    both = {f"{port.name}#17", f"{port.name}#18"}
    assert {listening.link(), listening.link()} == {(source, "open") for source in both}
    port.write(polar.encode(p.Log(sleeps._stamp(), 1, "asleep until moved")))
    listening.next(lambda said: isinstance(said, dict) and said.get("why") == "igloo 18: asleep until moved")
    port.unplug()
    assert {listening.link(), listening.link()} == {(source, "lost") for source in both}
    port.plug()
    port.shake(felt, awake)
    assert {listening.link(), listening.link()} == {(source, "back") for source in both}
    port.rest()
    port.shake(felt, sleeps)
    listening.next(lambda said: isinstance(said, Heard) and said.source == f"{port.name}#18")


@pytest.mark.parametrize("asleep", [False, True])
def test_a_node_that_falls_silent_is_lost_but_not_one_that_sleeps(
    port: Dongle, felt: Felt, monkeypatch: pytest.MonkeyPatch, asleep: bool
) -> None:
    monkeypatch.setattr("sensors.ear.sources.igloo_capture.SILENT_S", 0.2)
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


def test_a_shake_that_lost_packets_by_the_wire_asks_for_the_igloo_to_be_nearer(
    listening: Ear, port: Dongle, felt: Felt
) -> None:
    wire = FaultyWire(seed=3)
    wire.set(drop=0.3)
    port.shake(felt, IglooNode(17, felt.rate, wire))
    heard = listening.heard()
    assert (heard.verdict, heard.doubt, heard.reason) == ("unsure", "sensor", PACKETS_LOST)


@pytest.mark.parametrize("died_s", [2.03, 2.1, 2.36])
def test_a_node_that_dies_in_the_midst_of_a_shake_is_told_of_and_heard_when_it_is_back(
    listening: Ear, port: Dongle, felt: Felt, died_s: float
) -> None:
    """Between two strokes or in one; its port stays open, and nothing comes. Later its numbers begin anew."""
    node = IglooNode(17, felt.rate)
    port.shake(Felt(felt.samples[: round(died_s * felt.rate)], felt.rate), node)
    assert listening.link() == (f"{port.name}#17", "open")
    lost = listening.next(lambda said: isinstance(said, Heard) or said["event"] == "overflow")
    assert not isinstance(lost, Heard)  # the loss is told first
    heard = listening.heard()
    assert heard.reason == FELL_SILENT
    assert heard.verdict != "sure"
    node.begin_anew()
    port.shake(felt, node)
    again = listening.heard()
    assert again.verdict in ("sure", "unsure")
    assert again.reason != FELL_SILENT


def test_an_igloo_that_the_profile_does_not_know_is_told_and_the_others_are_heard(
    listening: Ear, port: Dongle, felt: Felt
) -> None:
    port.write(hello(18, 416))
    lost = listening.next(lambda said: isinstance(said, dict) and said.get("state") == "lost")
    assert lost["source"] == f"{port.name}#18"
    assert lost["why"].endswith("at least 750 Hz, and this source has 416 Hz – record at 750 Hz or more")
    port.shake(felt, IglooNode(17, felt.rate))
    assert listening.heard().source == f"{port.name}#17"
    port.shake(felt, IglooNode(18, felt.rate))  # it was begun anew, at a rate that fits
    assert listening.heard().source == f"{port.name}#18"


def test_an_unfit_igloo_that_was_asked_for_is_an_error(port: Dongle, profile: profiles.Profile) -> None:
    port.write(hello(18, 416))
    with pytest.raises(ProfileError, match="416 Hz"):
        Ear(f"{port.name}#18", profile).heard()


def test_a_defect_that_one_igloo_meets_is_told_written_down_and_overcome(
    listening: Ear,
    port: Dongle,
    felt: Felt,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    met: list[str] = []

    def breaks_once(source: str, *rest: Any, **more: Any) -> Iterator[Any]:
        if source.endswith("#18") and not met:
            met.append(source)
            raise ValueError("a defect")
        return hear_live(source, *rest, **more)

    monkeypatch.setattr("table.listening.igloo_nodes.hear_live", breaks_once)
    monkeypatch.setattr("table.listening.igloo_nodes.RETRY_S", 0.0)
    port.write(hello(18, round(felt.rate)))
    lost = listening.next(lambda said: isinstance(said, dict) and said.get("state") == "lost")
    assert lost["source"] == f"{port.name}#18"
    assert "a defect of ours in breaks_once (ValueError: a defect) – report it" in lost["why"]
    assert any(record.exc_info for record in caplog.records)
    port.shake(felt, IglooNode(17, felt.rate), IglooNode(18, felt.rate))
    assert {listening.heard().source, listening.heard().source} == {f"{port.name}#17", f"{port.name}#18"}


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
