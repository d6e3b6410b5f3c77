"""A simulated seat on a port: its node says all that its ring feels, and what was weighed is told."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from firmware_bridge.packets import Burst, Hello
from firmware_bridge.polar import PolarDecoder
from hw_mock.igloo import tapped
from sensors.gesture.collect import collect
from table.cli import run


class AtOnce:
    """Simulates while nothing else goes on: a virtual clock would run far ahead meanwhile."""

    def __init__(self, *_: object) -> None: ...

    def __enter__(self) -> AtOnce:
        return self

    def __exit__(self, *_: object) -> None: ...

    def submit(self, what: Callable[[], Any]) -> Future[Any]:
        future = Future[Any]()
        future.set_result(what())
        return future


def test_all_that_the_ring_feels_is_said_and_each_igloo_is_weighed_three_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, said = VirtualClock(), bytearray()

    monkeypatch.setattr(tapped, "ThreadPoolExecutor", AtOnce)
    seat = tapped.TappedSeat((3, 12), seed=3)
    evening = seat.run(clock.now, lambda s: clock.set(clock.now() + s), said.extend, lambda: False)
    weighed = list(itertools.islice(evening, 2))
    packets = PolarDecoder().feed(bytes(said))
    (hello,) = {(one.kind, one.stamp.node) for one in packets if isinstance(one, Hello)}
    assert hello == ("seat", 33)
    bursts = [one for one in packets if isinstance(one, Burst)]
    assert all(after.index == before.index + 38 for before, after in pairwise(bursts))
    felt = np.array([accel for one in bursts for accel in one.accels], np.float32)
    rate = bursts[0].rate_hz
    for one in weighed:
        assert one.beads in (3, 12)
        part = felt[round(one.start_s * rate) : round(one.end_s * rate)]
        (gesture,) = collect("accelerometer", rate, part)
        assert gesture.placings == 3


def test_the_command_makes_a_port_and_takes_it_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "seat"
    assert run(["simulate", "seat", "--counts", "5", "--link", str(link), "--seconds", "0.1", "--json"]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first == {"event": "port", "port": str(link), "device": "D01"}
    assert not link.exists()


@pytest.mark.parametrize("words", [["--counts", "0,3"], ["--counts", "21"], ["--fault", "fire=1"]])
def test_what_no_seat_can_weigh(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "seat", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_wire_of_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[tapped.TappedSeat]()

    def unweighed(self: tapped.TappedSeat, *_: object) -> Iterator[tapped.Weighed]:
        seen.append(self)
        return iter(())

    monkeypatch.setattr(tapped.TappedSeat, "run", unweighed)
    words = ["--fault", "drop=0.5", "--fault", "wrong_node=0.5", "--fault", "slow_clock=0.5"]
    assert run(["simulate", "seat", "--counts", "3", *words]) == 0
    node = seen[0].node
    packets = PolarDecoder().feed(node.feel(np.zeros((8000, 3), np.float32)))
    bursts = [one for one in packets if isinstance(one, Burst)]
    assert len(bursts) < 0.8 * 8000 / 38
    assert {one.stamp.node for one in bursts} == {33, 233}
    assert bursts[0].rate_hz == pytest.approx(min(2 * node.rate_hz, 6553.0), abs=0.1)
