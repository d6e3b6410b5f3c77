"""Several igloo nodes on one port: the program that listens to it tells the igloos apart, in virtual time."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from firmware_bridge.clock import VirtualClock
from firmware_bridge.packets import Burst, Hello
from firmware_bridge.polar import PolarDecoder
from hw_mock.igloo.nodes import FIRST, ShakenNodes
from table.cli import run


def test_one_after_the_other_is_shaken_and_only_that_one_speaks_of_it() -> None:
    clock, said = VirtualClock(), bytearray()
    nodes = ShakenNodes((3, 12), seed=3, shake_s=1.0)
    shaken = list(
        itertools.islice(
            nodes.run(clock.now, lambda s: clock.set(clock.now() + s), said.extend, lambda: False), 3
        )
    )
    assert nodes.numbers == {FIRST: 3, FIRST + 1: 12}
    assert all(shake.beads == nodes.numbers[shake.node] for shake in shaken)
    assert shaken[-1].end_s < clock.now() < shaken[-1].end_s + 4.0
    assert all(shake.end_s - shake.start_s == pytest.approx(1.0) for shake in shaken)
    packets = [packet for packet in PolarDecoder().feed(bytes(said)) if isinstance(packet, Burst | Hello)]
    assert {packet.stamp.node for packet in packets if isinstance(packet, Hello)} == set(nodes.numbers)
    bursts = [packet.stamp for packet in packets if isinstance(packet, Burst)]
    for stamp in bursts:
        t = stamp.us / 1e6
        assert any(
            shake.node == stamp.node and shake.start_s - 2.0 < t < shake.end_s + 3.5 for shake in shaken
        ), (stamp, shaken)


@pytest.mark.parametrize("counts", ["", "3;7", "0,3", "3,17", ",".join(["5"] * 13)])
def test_what_are_no_igloos(counts: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "igloos", "--counts", counts]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_command_makes_a_port_and_takes_it_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "igloos"
    assert (
        run(["simulate", "igloos", "--counts", "5", "--link", str(link), "--seconds", "0.1", "--json"]) == 0
    )
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first == {"event": "port", "port": str(link), "nodes": {"17": 5}}
    assert not link.exists()
    mine = tmp_path / "mine"
    mine.write_text("mine")
    link.symlink_to(mine)
    for there in (mine, link):
        assert run(["simulate", "igloos", "--link", str(there)]) == 2
    assert link.read_text() == "mine"
