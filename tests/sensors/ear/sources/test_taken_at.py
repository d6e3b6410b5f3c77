"""When what is heard in a stream was taken: by blocks that come late, stall, drift and get lost, and by stamps."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar
from firmware_bridge.clock import VirtualClock
from hw_mock.igloo.node import IglooNode
from sensors.ear.sources import capture as captures
from sensors.ear.sources.bursts import LAG_S, BurstStream
from sensors.ear.sources.igloo_capture import IglooCapture
from sensors.ear.sources.taken_at import ByArrival, ByStamps
from tests.cards import stand_in
from tests.dongle import Felt

BLOCK_S = 0.02


def listened(
    late: dict[tuple[float, float], float],
    *,
    until: float,
    fast: float = 1.0,
    lost: dict[float, float] | None = None,
    told: bool = True,
) -> ByArrival:
    """A stream that began at 100 s, up to its second `until`. `late`: blocks of which seconds of the stream came how
    much later; `fast`: the device's clock beside the host's; `lost`: at which second so many were lost, `told` or not.
    """
    stream = ByArrival()
    gone = 0.0
    for k in range(1, round(until / BLOCK_S) + 1):
        end_s = k * BLOCK_S
        for at_s, lost_s in (lost or {}).items():
            if abs(end_s - BLOCK_S - at_s) < 1e-9:
                gone += lost_s
                if told:
                    stream.lost(at_s)
        waits = next((more for (a, b), more in late.items() if a < end_s <= b), 0.0)
        stream.came(end_s, 100.0 + end_s / fast + gone + waits)
    return stream


def test_a_moment_is_told_by_the_promptest_blocks() -> None:
    rough = {(k * 0.1, k * 0.1 + 0.06): 0.3 for k in range(60)}
    assert listened(rough, until=6.0).at(5.0) == pytest.approx(105.0)
    assert ByArrival().at(1.0) is None


def test_a_stall_that_goes_on_until_the_line_is_there_does_not_count() -> None:
    """All that came since the end of the shake came two seconds late."""
    assert listened({(4.5, 6.0): 2.0}, until=6.0).at(5.0) == pytest.approx(105.0)
    # as where a device hangs in a shake, and gives what it kept at once
    at_once = {(4.5 + k * BLOCK_S, 4.52 + k * BLOCK_S): 1.9 - k * BLOCK_S for k in range(75)}
    assert listened(at_once, until=6.0).at(5.0) == pytest.approx(105.0)


@pytest.mark.parametrize("told", [True, False])
def test_what_was_lost_before_a_moment_makes_it_no_earlier(told: bool) -> None:
    stream = listened({}, until=10.0, lost={2.0: 1.5}, told=told)
    assert stream.at(1.0) == pytest.approx(101.0)
    assert stream.at(9.0) == pytest.approx(110.5)
    if told:  # then of what came just after as well
        assert stream.at(2.5) == pytest.approx(104.0)


def test_what_was_lost_after_a_moment_makes_it_no_later() -> None:
    assert listened({(4.5, 5.2): 2.0}, until=6.0, lost={5.2: 1.0}).at(5.0) == pytest.approx(105.0)


def test_of_what_was_lost_all_evening_only_the_last_is_kept() -> None:
    stream = listened({}, until=120.0, lost={float(k): 0.01 for k in range(1, 120)})
    assert len(stream._lost) <= 16
    assert len(stream._came) <= 15 / BLOCK_S + 2


@pytest.mark.parametrize("fast", [0.999, 1.001])
def test_clocks_that_drift_apart_all_evening_do_not_add_up(fast: float) -> None:
    evening = 1800.0  # by then they are almost two seconds apart
    stream = listened({}, until=evening, fast=fast)
    assert stream.at(evening - 1.0) == pytest.approx(100.0 + (evening - 1.0) / fast, abs=0.01)
    assert len(stream._came) < 1000


def test_a_block_is_as_old_as_it_waited_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy ear is seconds behind; the sound system says how long it keeps sound to itself."""
    now = [7.0]
    monkeypatch.setattr(captures, "monotonic", lambda: now[0])
    cards = stand_in(monkeypatch)
    opened = cards.InputStream
    cards.blocks = 1
    with captures.Capture(captures.find_input("USB")) as device:
        now[0] = 9.0
        device._callback(np.zeros((960, 1), np.float32), 960, None, False)
        now[0] = 10.0
        ages = [device.age_s for _, _ in zip(range(2), device.blocks(), strict=False)]
        assert ages == pytest.approx([3.0, 1.0])

    def lagging(**asked: Any) -> Any:
        stream = opened(**asked)
        stream.latency = 0.12  # of the first sample of a block
        return stream

    monkeypatch.setattr(cards, "InputStream", lagging)
    with captures.Capture(captures.find_input("USB")) as device:
        next(device.blocks())
        assert device.age_s == pytest.approx(0.1)


class Node:
    """What an igloo sent of one shake, and when it was felt: `before_s` after the stream began."""

    def __init__(self, felt: Felt, before_s: float) -> None:
        came = polar.PolarDecoder().feed(IglooNode(17, felt.rate).feel(felt.samples))
        self.rate, self.sent = felt.rate, [one for one in came if isinstance(one, p.Burst)]
        self._before_s = before_s

    def t(self, burst: p.Burst) -> float:
        return burst.stamp.us * 1e-6 + self._before_s


def heard_of(node: Node, sent: list[p.Burst], stalled: tuple[float, float]) -> tuple[np.ndarray, ByStamps]:
    """The stream for 12 s, and when it was taken. What was sent between two times comes at the second of them."""
    stream, times = BurstStream(node.rate, 0.0), ByStamps()
    out: list[np.ndarray] = []
    first, last = stalled
    waiting = [(last if first <= node.t(one) < last else node.t(one), one) for one in sent]
    for now in np.arange(0.0, 12.0, 0.02):
        while waiting and waiting[0][0] <= now:
            stream.add(waiting[0][1], node.t(waiting[0][1]), float(now))
            waiting.pop(0)
        stream.still(float(now))
        out.append(stream.take())
        for given, at in stream.stamps():
            times.stamp(given / node.rate, at)
    return np.concatenate(out), times


@pytest.mark.parametrize("stall_s", [0.0, 1.0, 2.5])
@pytest.mark.parametrize("end_lost", [False, True])
def test_an_igloo_s_shake_ended_when_it_did_whenever_its_packets_came(
    felt: Felt, stall_s: float, end_lost: bool
) -> None:
    node = Node(felt, 2.0)
    loud = [one for one in node.sent if np.abs(np.diff(np.array(one.accels), axis=0)).sum(axis=1).max() > 1.0]
    middle = node.sent.index(loud[len(loud) // 2])
    sent = node.sent[: middle + 1] if end_lost else node.sent
    ended = node.t(sent[-1] if end_lost else loud[-1])
    whole, times = heard_of(node, sent, (ended - stall_s, ended + stall_s))
    moved = np.abs(np.diff(whole, axis=0)).sum(axis=1) > 1.0
    end_s = (int(np.flatnonzero(moved)[-1]) + 2) / node.rate
    told = times.at(end_s)
    assert told is not None
    assert told == pytest.approx(ended, abs=0.06)
    # and what lies still after it goes on from there, however late it is given
    later = times.at(end_s + 1.0)
    assert later is not None
    assert later == pytest.approx(told + 1.0, abs=0.06)


def test_stamps_tell_where_a_node_was_silent(felt: Felt) -> None:
    node = Node(felt, 2.0)
    stream, times = BurstStream(node.rate, 0.0), ByStamps()
    stream.add(node.sent[0], 5.0, 5.0)
    again = replace(node.sent[0], burst=99, stamp=replace(node.sent[0].stamp, seq=9))
    stream.add(again, 9.0, 9.4)
    stamps = stream.stamps()
    assert stream.stamps() == []
    for given, at in stamps:
        times.stamp(given / node.rate, at)
    assert times.at(stamps[-1][0] / node.rate - 2.0) == pytest.approx(stamps[-1][1] - 2.0)
    assert ByStamps().at(0.0) is None


def test_what_was_held_before_late_packets_has_the_time_in_which_it_was_held(felt: Felt) -> None:
    node = Node(felt, 2.0)
    stream, times = BurstStream(node.rate, 0.0), ByStamps()
    stream.add(node.sent[0], 5.0, 5.0)
    stream.still(8.0)
    held = len(stream.take())
    later = replace(node.sent[0], burst=99, stamp=replace(node.sent[0].stamp, seq=9))
    stream.add(later, 6.0, 8.1)
    for given, at in stream.stamps():
        times.stamp(given / node.rate, at)
    assert times.at(held / node.rate) == pytest.approx(8.0 - LAG_S, abs=0.01)


def test_nothing_was_taken_after_it_came() -> None:
    """Where the first words of a node waited in the wire, its clock seems seconds ahead until prompter ones came."""
    clock = VirtualClock()
    clock.set(10.0)
    igloo = IglooCapture.__new__(IglooCapture)
    igloo._port = SimpleNamespace(clock=clock)  # type: ignore[assignment]
    igloo._stream = SimpleNamespace(stamps=lambda: [(100, 12.0), (200, 9.0)])  # type: ignore[assignment]
    assert igloo.stamps() == [(100, 0.0), (200, 1.0)]
