"""Several igloo nodes on one port: the program that listens to it tells the igloos apart, in virtual time."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from firmware_bridge.packets import Burst, Hello
from firmware_bridge.polar import PolarDecoder
from hw_mock.igloo.device import Device
from hw_mock.igloo.nodes import FIRST, Shaken, ShakenNodes
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


@pytest.mark.parametrize("counts", ["", "3;7", "0,3", "3,21", "2-14", ",".join(["5"] * 13)])
def test_what_are_no_igloos(counts: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "igloos", "--counts", counts]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_counts_are_written_as_for_recordings(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "igloos", "--counts", "2-4,20,20", "--seconds", "0", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[0])
    assert told["nodes"] == {"17": 2, "18": 3, "19": 4, "20": 20, "21": 20}


def test_beads_that_never_fit_are_told_before_anybody_shakes() -> None:
    large = next(seed for seed in range(200) if Device.draw(seed).bead_diameter > 0.0088)
    with pytest.raises(ValueError, match=r"60 beads of \d\.\d mm do not fit this igloo"):
        ShakenNodes((3, 60), seed=large, shake_s=0.3)


def test_a_wire_of_faults(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each node has its own, which the command sets; a wrong number and a slow clock are in what it says."""
    seen = list[ShakenNodes]()

    def unshaken(self: ShakenNodes, *_: object) -> Iterator[Shaken]:
        seen.append(self)
        return iter(())

    monkeypatch.setattr(ShakenNodes, "run", unshaken)
    words = ["--fault", "drop=0.5", "--fault", "wrong_node=0.5", "--fault", "slow_clock=0.5"]
    assert run(["simulate", "igloos", "--counts", "3,3", *words]) == 0
    rough = np.random.default_rng(1).normal(size=(8000, 3)).astype(np.float32)
    said = [node.feel(rough) for node in seen[0].nodes]
    told = [[p for p in PolarDecoder().feed(one) if isinstance(p, Burst)] for one in said]
    assert [p.index for p in told[0]] != [p.index for p in told[1]]  # other frames are lost
    for node, packets in zip(seen[0].nodes, told, strict=True):
        assert len(packets) < 0.8 * 8000 / 38
        assert {p.stamp.node for p in packets} == {node.number, 200 + node.number}
        assert packets[0].rate_hz == pytest.approx(2 * node.rate_hz, abs=0.1)
        assert packets[-1].stamp.us / 1e6 < 0.5 * 8000 / node.rate_hz
    assert run(["simulate", "igloos", "--fault", "fire=1"]) == 2
    assert "'fire=1' is no fault" in capsys.readouterr().err


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
