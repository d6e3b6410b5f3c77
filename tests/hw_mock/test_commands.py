"""What a maker's own host says to simulated nodes over a real port, and nodes that nobody moves."""

from __future__ import annotations

import math
import re
import textwrap
import threading

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar
from firmware_bridge.clock import VirtualClock
from hw_mock.commands import Commands
from hw_mock.cubes import SimulatedTable
from hw_mock.dozing import Dozing
from hw_mock.igloo.node import IglooNode
from tests.parts import ROOT


def test_the_example_of_the_wire_document_commands_cubes() -> None:
    text = (ROOT / "docs" / "wire.md").read_text().split("## Host to node")[1].split("\n## ")[0]
    (example,) = re.findall(r"\n\n((?:    .*\n|\n)+)", text)
    table = SimulatedTable(VirtualClock(), wiring="dongle")
    ended = threading.Event()

    def speak() -> None:
        now = 0.0
        while not ended.wait(0.002):
            now += 0.02
            table.advance(now)
        table.advance(now + 0.02)

    nodes = threading.Thread(target=speak, daemon=True)
    nodes.start()
    try:
        exec(textwrap.dedent(example).replace("/dev/ttyACM0", table.ports[0]), {})
    finally:
        ended.set()
        nodes.join(10.0)
        table.close()
    assert [node.light for node in table.nodes.values()] == [(0, 0, 0), (0, 0, 0), (0, 80, 0), (0, 0, 0)]
    assert {(node.batch, node.commands.sleep_after_s) for node in table.nodes.values()} == {(8, 0)}


@pytest.mark.parametrize("wiring", ["dongle", "none"])
def test_only_cubes_on_the_air_fall_asleep_and_a_slow_tilt_wakes_them(wiring: str) -> None:
    table = SimulatedTable(VirtualClock(), wiring=wiring)
    ears = {slot: polar.PolarDecoder() for slot in table.nodes}
    for now in range(1, 610):
        table.advance(float(now))
    sleeps = wiring == "dongle"
    assert {node.commands.asleep for node in table.nodes.values()} == {sleeps}
    end = table.hands.plan_tilt("n", "S", temper="slow", at=612.0)
    said: dict[str, list[p.Packet]] = {slot: [] for slot in table.nodes}
    for now in np.arange(610.0, end + 4.0, 0.02):
        for slot, data in table.advance(float(now)).items():
            said[slot] += ears[slot].feed(data)
    awake = {slot for slot, node in table.nodes.items() if not node.commands.asleep}
    assert awake == ({"NW", "NE"} if sleeps else set(table.nodes))
    for slot in awake:
        assert any(isinstance(packet, p.Hello) for packet in said[slot])
    table.close()


def test_a_board_that_was_woken_takes_a_second_to_start() -> None:
    told = Commands(sleep_after_s=1)
    assert told.regular(2.0, True) == (1, "asleep until moved")
    lies, stands = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    felt = [(2.0 + i / 100, lies if i < 100 else stands) for i in range(300)]
    began = next(now for now, sample in felt if told.wakes(sample, now))
    assert began == pytest.approx(4.0, abs=0.1)


@pytest.mark.parametrize("strength", [0.2, 0.5])
def test_knocks_on_the_table_leave_sleeping_cubes_asleep(strength: float) -> None:
    table = SimulatedTable(VirtualClock(), wiring="none", seed=5)
    for node in table.nodes.values():
        node.commands.sleeps, node.commands.sleep_after_s = True, 2
    table.advance(4.0)
    for at in range(5, 30):
        table.hands.plan_knock(strength, at=float(at))
        table.advance(at + 0.7)
    table.advance(35.0)
    assert {node.commands.asleep for node in table.nodes.values()} == {True}


def test_a_tilt_too_slow_for_its_slope_is_told_by_the_side_that_looks_up() -> None:
    chip, angles = Dozing(), np.radians(np.linspace(0.0, 90.0, 20_000))  # 100 samples a second
    woken = next(
        math.degrees(angle)
        for i, angle in enumerate(angles)
        if chip.stirred((math.sin(angle), 0.0, math.cos(angle)), i / 100)
    )
    assert woken == pytest.approx(60.0, abs=0.5)


def test_what_a_cell_holds_is_looked_up_and_changes_nothing() -> None:
    node = SimulatedTable(VirtualClock(), wiring="none").nodes["NW"]
    node.battery_mv, node.battery_mv_per_hour = 3010, 3600
    assert [node.battery_at(t) for t in (0.0, 20.0)] == [3010, 2990]
    assert node.alive
    node.advance(9.0)
    assert node.alive
    node.advance(11.0)
    assert not node.alive
    asked = polar.encode(p.HelloRequest(p.Stamp(1, 1, 0)))
    assert node.advance(12.0, asked) == b""


def test_an_igloo_without_a_pin_that_wakes_it_stays_awake_and_says_so() -> None:
    node = IglooNode(17, 1600.0)
    node.commands.can_sleep = False
    asked = polar.encode(p.Configure(p.Stamp(17, 1, 0), 0, 4, True, True, True, 2))
    still = np.tile(np.float32([0, 0, 1]), (1600 * 3, 1))
    packets = polar.PolarDecoder().feed(node.feel(still, asked))
    assert [(log.level, log.text) for log in packets if isinstance(log, p.Log)] == [
        (2, "stays awake: no pin of this board could wake it")
    ]
    assert not node.commands.asleep


def test_a_command_may_come_in_pieces_and_among_what_is_for_others() -> None:
    told, light = Commands(), polar.encode(p.Light(p.Stamp(3, 1, 0), 1, 2, 3, 0))
    other = polar.encode(p.Configure(p.Stamp(4, 1, 0), 0, 4, True, True, True, 2))
    for piece in (other + light[:5], light[5:], other):
        assert told.hear(piece, 3, 0.0) == []
    assert (told.light, told.sleep_after_s) == ((1, 2, 3), 600)
