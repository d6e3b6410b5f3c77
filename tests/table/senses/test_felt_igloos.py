"""Igloo nodes on a serial port at a table and in the wizard: a real pseudo-terminal, real pySerial, the real wire."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Literal

import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar
from firmware_bridge.clock import SystemClock, VirtualClock
from hw_mock.igloo.node import IglooNode
from sensors.ear.profiles import profile as profiles
from sensors.ear.shakes.shake import get_ready
from sensors.ear.sources.igloo_capture import SILENT_S
from sensors.ear.sources.igloo_port import IglooPort
from sensors.evidence import Heard
from table.config import Ear
from table.desk.said import spoken
from table.page.sentences import sentences
from table.senses.ear_wire import EarWire, ear_wires
from table.senses.live import LiveEar
from table.senses.watchdog import Change, Senses
from tests.dongle import PIECE, Dongle, Felt, without_x
from tests.table.commands.running import called
from tests.virtual_sound import polartable


async def test_a_seat_hears_the_igloos_of_its_port_and_does_not_tell_which(
    dongle: Dongle, felt: Felt
) -> None:
    heard: list[tuple[str, Heard]] = []
    came, live, senses = asyncio.Event(), LiveEar(), Senses(lambda change: None)

    def hears(seat: str, said: Heard) -> None:
        heard.append((seat, said))
        came.set()

    known = profiles.load_shipped("accelerometer")
    get_ready("accelerometer")  # what is shaken while the ear still compiles, nobody hears
    with IglooPort.at(dongle.name):
        wire = EarWire("red", dongle.name, known, hears, lambda seat: None, live, senses, SystemClock())
        listening = asyncio.create_task(wire.run())
        dongle.shake(felt, IglooNode(17, felt.rate))
        await asyncio.wait_for(came.wait(), 120)
        listening.cancel()
    ((seat, said),) = heard
    assert (seat, said.source) == ("red", dongle.name)
    assert said.verdict in ("sure", "unsure")
    assert (live.seat, live.shakes) == ("red", 1)
    assert senses.dogs["igloos of red"].state == "healthy"


async def test_a_port_that_comes_up_after_its_table_is_heard_as_a_port(tmp_path: Path, felt: Felt) -> None:
    """Such as the one of `polartable simulate igloos --link`, whose name is not there before."""
    port, away, back = tmp_path / "later", asyncio.Event(), asyncio.Event()

    def changed(change: Change) -> None:
        (back if change.state == "healthy" else away).set()

    (wire,) = ear_wires(
        Ear(sources={"red": str(port)}), False, lambda seat, said: None, lambda seat: None, LiveEar(),
        senses := Senses(changed), SystemClock(),
    )  # fmt: skip
    listening = asyncio.create_task(wire.run())
    await asyncio.wait_for(away.wait(), 60)
    dongle = Dongle(port)
    dongle.shake(felt, IglooNode(17, felt.rate))
    await asyncio.wait_for(back.wait(), 60)
    listening.cancel()
    assert list(senses.dogs) == ["igloos of red"]
    dongle.close()
    dongle.rest()


async def test_a_dead_axis_is_told_once_and_the_igloo_is_heard_all_the_same(
    dongle: Dongle, felt: Felt
) -> None:
    told: list[Change] = []
    heard: list[str] = []
    fourth = asyncio.Event()

    def hears(seat: str, said: Heard) -> None:
        heard.append(said.verdict)
        if len(heard) == 4:
            fourth.set()

    known = profiles.load_shipped("accelerometer")
    with IglooPort.at(dongle.name):
        senses = Senses(told.append)
        wire = EarWire("red", dongle.name, known, hears, lambda _: None, LiveEar(), senses, SystemClock())
        listening = asyncio.create_task(wire.run())
        dongle.shake(without_x(felt, 4), IglooNode(17, felt.rate))
        await asyncio.wait_for(fourth.wait(), 60)
        listening.cancel()
    ((source, state, why),) = [(c.source, c.state, c.why) for c in told]
    assert (source, state) == ("igloos of red (node 17)", "healthy")
    assert why == "this accelerometer's axis x (0) gives one value throughout, while the igloo moves"
    said = f"{source}: {why} – {told[0].mend}"
    assert all(sentences(language).known(said) for language in ("de", "fr", "it"))


async def test_what_is_wrong_with_a_node_is_told_at_the_table_and_what_is_well_is_not(
    dongle: Dongle, felt: Felt
) -> None:
    told: list[Change] = []
    last = asyncio.Event()

    def tells(change: Change) -> None:
        told.append(change)
        if "begins anew" in change.why:
            last.set()

    known = profiles.load_shipped("accelerometer")
    node = IglooNode(17, felt.rate)
    with IglooPort.at(dongle.name):
        hears = (lambda seat, said: None), (lambda seat: None), LiveEar(), Senses(tells), SystemClock()
        wire = EarWire("red", dongle.name, known, *hears)
        listening = asyncio.create_task(wire.run())
        dongle.write(node.feel(felt.samples[:PIECE]))
        for packet in (
            p.Log(node._stamp(), 1, "IMU answers again"),
            p.Status(node._stamp(), 3300, 21.0, 100, 0, False, True),
            p.Log(node._stamp(), 3, "begins anew: ENOMEM"),
        ):
            dongle.write(polar.encode(packet))
        await asyncio.wait_for(last.wait(), 30)
        listening.cancel()
    assert [(c.source, c.state, c.why, c.mend) for c in told] == [
        ("igloos of red", "healthy", "igloo 17: its battery is low (3.30 V)", "charge it"),
        ("igloos of red", "healthy", "igloo 17: begins anew: ENOMEM", "look at the node"),
    ]


async def test_an_igloo_that_sleeps_is_not_missed_when_the_dongle_was_plugged_in_again(
    dongle: Dongle, felt: Felt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.listening.live.RETRY_S", 0.02)
    told, clock = list[Change](), VirtualClock()
    came: dict[str, asyncio.Event] = defaultdict(asyncio.Event)

    def tells(change: Change) -> None:
        told.append(change)
        came[change.state if change.source == "igloos of red" else change.source].set()

    async def next_of(*names: str) -> None:
        for name in names:
            came[name].clear()
        for name in names:
            await asyncio.wait_for(came[name].wait(), 30)

    known = profiles.load_shipped("accelerometer")
    hears = (lambda seat, said: None), (lambda seat: None), LiveEar(), Senses(tells), clock
    wire = EarWire("red", dongle.name, known, *hears)
    block = wire._block

    def blocks(source: str, level_db: float) -> None:
        block(source, level_db)
        came[source].set()

    monkeypatch.setattr(wire, "_block", blocks)
    awake, sleeps = IglooNode(17, felt.rate), IglooNode(18, felt.rate)
    both = f"{dongle.name}#17", f"{dongle.name}#18"
    with IglooPort.at(dongle.name):
        listening = asyncio.create_task(wire.run())
        dongle.write(awake.feel(felt.samples[:PIECE]) + sleeps.feel(felt.samples[:PIECE]))
        await next_of(*both)
        dongle.write(polar.encode(p.Log(sleeps._stamp(), 1, "asleep until moved")))
        dongle.write(polar.encode(p.Log(awake._stamp(), 2, "slow bus")))
        await next_of("healthy")  # the last of it was told
        dongle.unplug()
        await next_of("alarmed")
        dongle.plug()
        dongle.shake(felt, awake)
        await next_of("healthy")
        await next_of(*both)
        clock.set(clock.now() + SILENT_S + 1)
        await next_of(*both)
        listening.cancel()
    assert [(c.source, c.state) for c in told] == [
        ("igloos of red", state) for state in ("healthy", "alarmed", "healthy")
    ]


def test_listen_takes_the_accelerometers_profile_by_itself(dongle: Dongle, felt: Felt) -> None:
    command = polartable("listen", dongle.name, "--json", "--seconds", "20")
    node = IglooNode(17, felt.rate)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            while not dongle.read():  # the host asks who is there when it has heard a whole frame
                dongle.write(node.feel(felt.samples[:PIECE]))
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(PIECE / felt.rate)  # as a node measures
                    raise AssertionError(process.stderr.read() if process.stderr else "")
            dongle.shake(felt, node)
            said = [json.loads(process.stdout.readline()) for _ in range(2)]
        finally:
            process.terminate()
    assert [line["event"] for line in said] == ["link", "shake"]
    assert {line["source"] for line in said} == {f"{dongle.name}#17"}
    assert said[0]["state"] == "open"
    assert sum(said[1]["probabilities"].values()) == pytest.approx(1.0, abs=1e-4)


def test_a_port_that_is_not_there_is_named(dongle: Dongle) -> None:
    done = called("listen", "/dev/ttyNONE")
    assert done.returncode == 2
    assert done.stderr.startswith("polartable: PT-202: there is no port /dev/ttyNONE – check the cable")


@pytest.mark.parametrize("kind", ["igloo", "seat"])
@pytest.mark.parametrize(
    "others", [{"cubes"}, {"seats"}, {"igloos"}, {"cubes", "seats"}, {"cubes", "dongles"}]
)
def test_what_speaks_at_a_port_instead_is_said_in_every_language(
    dongle: Dongle, others: set[str], kind: Literal["igloo", "seat"]
) -> None:
    port = IglooPort.at(dongle.name)
    port._others = others
    why = port.nothing(None, kind=kind)
    port.close()
    said = spoken(f"igloos of red: {why.cause} – {why.mend}")
    assert all(sentences(language).known(said) for language in ("de", "fr", "it"))
    assert "dongles" not in said
