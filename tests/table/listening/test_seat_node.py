"""A counting seat's accelerometer with a node on its cable: a real pseudo-terminal, real pySerial, the real wire."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.recorder import TakeHeard
from firmware_bridge.clock import SystemClock
from hw_mock.igloo.node import IglooNode
from hw_mock.igloo.seat_node import SeatNode
from sensors.ear.errors import CaptureLost
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard
from sensors.gesture.profile import GestureProfile
from table.commands.record_source import opener
from table.commands.record_way import of_node, taken, way_of
from table.config import Settings
from table.doctor import sound
from table.listening import counting_seat, live
from table.listening.igloo_nodes import hear_igloos
from table.senses.tap_wire import LiveTaps, TapWire
from table.senses.watchdog import Senses
from tests.dongle import PIECE, Dongle, Felt, held_dongle, one_shake
from tests.sensors.gesture.seat_table import RATE, SMALL, Table, fitted
from tests.table.waiting import until


@pytest.fixture(scope="module")
def profile() -> GestureProfile:
    return fitted(SMALL)


@pytest.fixture
def dongle(tmp_path: Path) -> Iterator[Dongle]:
    with held_dongle(tmp_path) as held:
        yield held


def weighed(*igloos: int, seed: int = 1) -> Felt:
    """What the ring feels while igloos are weighed rightly, one after the other. It is poured in: what was felt until
    its port was open is of before."""
    table = Table(seed, SMALL).quiet(8.0)
    for beads in igloos:
        table.tap().tap().placed(beads, beads, beads).quiet(1.5)
    return Felt(table.quiet(2.0).take().astype(np.float32), RATE)


def listened(profile: GestureProfile, port: str) -> Iterator[Heard]:
    said = counting_seat.events(
        port, profile, False, 60.0, SystemClock(), lambda seconds: None, print, lambda file: None
    )
    return (one for one in said if isinstance(one, Heard))


@pytest.mark.parametrize("igloos", [(5, 9), (12, 3)])
def test_igloos_are_counted_at_a_port(
    dongle: Dongle, profile: GestureProfile, igloos: tuple[int, ...]
) -> None:
    dongle.shake(weighed(*igloos), SeatNode(RATE))
    heard = list(islice(listened(profile, dongle.name), len(igloos)))
    assert [(one.best, one.verdict, one.source) for one in heard] == [
        (beads, "sure", dongle.name) for beads in igloos
    ]


def test_an_igloo_is_no_seat_and_a_seat_is_no_igloo(dongle: Dongle, profile: GestureProfile) -> None:
    dongle.shake(weighed(5), SeatNode(RATE))
    with pytest.raises(CaptureLost, match="what speaks there are seats") as told:
        list(
            hear_igloos(
                dongle.name, load_shipped("accelerometer"), False, SystemClock(), 9.0, lambda seconds: None
            )
        )
    assert "a counting seat wants its own profile (--profile)" in told.value.mend


def test_a_seat_s_profile_is_for_no_igloo(dongle: Dongle, profile: GestureProfile) -> None:
    felt = one_shake()
    dongle.shake(felt, IglooNode(17, felt.rate))
    with pytest.raises(
        CaptureLost, match=r"nothing was heard of any seat at .*what speaks there are igloos"
    ) as told:
        next(listened(profile, dongle.name))
    assert "main_seat.py" in told.value.mend


def test_the_wizard_leads_through_a_gesture_at_a_port(
    dongle: Dongle, profile: GestureProfile, capsys: pytest.CaptureFixture[str]
) -> None:
    way = way_of(None, dongle.name, "seat-tap", 2.0)
    assert way.sensor == "accelerometer"
    opened = opener(dongle.name, 2.0, str(way.more["gesture"]))
    dongle.shake(weighed(7), SeatNode(RATE))
    with opened(7) as stream:
        take, _ = taken(stream, way, dongle.name)
    assert isinstance(take, TakeHeard)
    assert take.problem is None
    assert of_node(take, stream).node is None  # it feels all igloos
    assert take.samples.shape[1] == 3
    assert "3 of 3: Done" in capsys.readouterr().err


async def test_a_table_coaches_at_a_seat_s_port_and_tells_the_igloo(
    dongle: Dongle, profile: GestureProfile
) -> None:
    live, senses = LiveTaps(), Senses(lambda change: None)
    wire = TapWire(dongle.name, profile, live, senses, SystemClock())
    listening = asyncio.create_task(wire.run())
    dongle.shake(weighed(11), SeatNode(RATE))
    await until(lambda: live.heard is not None, "the igloo was told")
    listening.cancel()
    assert live.heard is not None
    assert (live.heard.best, live.heard.verdict) == (11, "sure")
    assert senses.dogs["sensor of the counting seat"].state == "healthy"


def test_the_doctor_listens_to_the_seat_too(dongle: Dongle, tmp_path: Path) -> None:
    (tmp_path / "seat.profile").touch()
    settings = Settings.model_validate(
        {"taps": {"source": dongle.name, "profile": tmp_path / "seat.profile"}}
    )
    dongle.shake(weighed(4), SeatNode(RATE))
    finding = sound.microphones(settings)
    assert (finding.state, finding.what) == (
        "good",
        f"{dongle.name} (of the counting seat): a seat speaks, at 833 Hz",
    )


def test_a_seat_that_is_plugged_in_where_igloos_spoke_is_named_once_until_it_is_pulled_too(
    dongle: Dongle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sensors.ear.sources.igloo_capture.FIRST_S", 1.0)
    monkeypatch.setattr(live, "RETRY_S", 0.1)
    felt = one_shake()
    lost = list[str]()
    dongle.write(b"".join(IglooNode(node, felt.rate).feel(felt.samples[:PIECE]) for node in (17, 18)))
    there = hear_igloos(
        dongle.name, load_shipped("accelerometer"), False, SystemClock(), 15.0, lambda seconds: None
    )
    for said in there:
        if not isinstance(said, dict) or said["event"] != "link":
            continue
        if said["state"] == "open" and said["source"].endswith("#17"):
            dongle.unplug()
            dongle.plug()
            dongle.shake(weighed(*[5] * 4), SeatNode(RATE))
        elif said["state"] == "lost" and said["source"].endswith("#17"):
            lost.append(said["why"])
            if "seats" in lost[-1]:
                dongle.unplug()
            elif len(lost) > 2:
                break
    there.close()
    away, seat, again = lost
    assert "is away" in away
    assert "what speaks there are seats" in seat
    assert "(--profile)" in seat
    assert "is away" in again
