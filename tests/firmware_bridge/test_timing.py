"""Clocks: wraps, drift, late arrivals, restarts, replays."""

from __future__ import annotations

import random

import pytest

from firmware_bridge import packets as p
from firmware_bridge.arrivals import ArrivalClock
from firmware_bridge.nodes import MAX_NODES, NodeBook
from firmware_bridge.samples import FusedPose, MotionBatch
from firmware_bridge.timing import WRAP_US, ClockFit

LEVEL = (0.0, 0.0, 1.0)


def test_a_slow_clock_is_fitted_through_jitter_and_over_its_wrap() -> None:
    """A crystal 200 ppm slow, an RC clock 2 % slow, frames late by 0 to 30 ms, over more than one wrap."""
    for rate in (0.9998, 0.98):
        fit, dice = ClockFit(), random.Random(1)
        for i in range(50_000):
            true = i * 0.1
            us = int((true * rate + 4200) * 1e6) % (1 << 32)
            host = true + dice.random() * 0.03
            got = fit.add(us, host)
            assert got <= host  # nothing was measured after it came
            if i > 600:
                assert abs(got - true) <= 0.012
        assert fit.rate == pytest.approx(1 / rate, abs=2e-3)


def test_a_late_frame_is_not_a_whole_turn_of_the_clock_ahead_and_a_silence_may_be_several() -> None:
    fit = ClockFit()
    assert fit.device_seconds(5_000_000, 10.0) == pytest.approx(5.0)
    assert fit.device_seconds(4_990_000, 10.02) == pytest.approx(4.99)
    assert fit.device_seconds(5_010_000, 10.03) == pytest.approx(5.01)
    later = 3 * 3600  # two and a half turns
    assert fit.device_seconds((5_010_000 + later * 1_000_000) % WRAP_US, 10.03 + later) == pytest.approx(
        5.01 + later
    )


def test_a_clock_that_runs_as_no_crystal_does_is_believed() -> None:
    fit = ClockFit()
    for i in range(600):
        fit.add(i * 70_000, i * 0.1)
    assert fit.rate == 1.0


@pytest.mark.parametrize("quicker", [1.2, 3.0])
def test_a_backlog_that_comes_down_slowly_keeps_its_time(quicker: float) -> None:
    """Two seconds were held back; for many seconds all comes late, but quicker than it was made."""
    fit, host = ClockFit(), -1.0
    for i in range(2000):
        made = i * 0.02
        host = max(made, host + 0.02 / quicker, 12.0 if i == 500 else 0.0)
        assert fit.add(i * 20_000, host) == pytest.approx(made, abs=0.1)


def test_a_node_that_was_reset_is_believed_anew() -> None:
    fit = ClockFit()
    for i in range(100):
        fit.add(900_000_000 + i * 20_000, 50 + i * 0.02)
    for i in range(10):
        assert fit.add(1_000 + i * 20_000, 60 + i * 0.02) == pytest.approx(60 + i * 0.02, abs=0.01)


def test_a_recording_poured_in_at_once_keeps_its_own_time() -> None:
    fit = ClockFit()
    times = [fit.add(i * 10_000, 5.0 + i * 1e-5) for i in range(2000)]
    assert times[-1] - times[0] == pytest.approx(20.0, abs=0.5)


@pytest.mark.parametrize("rate", [50, 100, 200])
def test_samples_without_a_time_are_counted_into_one(rate: int) -> None:
    """Arrivals in pieces of forty milliseconds; the chip 1 % fast."""
    clock = ArrivalClock()
    times: list[float] = []
    for i in range(rate * 20):
        true = i / (rate * 1.01)
        arrives = (int(true / 0.04) + 1) * 0.04
        times += clock.add(arrives)
    assert len(times) == rate * 20
    assert clock.period == pytest.approx(1 / (rate * 1.01), rel=0.004)
    steps = [b - a for a, b in zip(times[rate * 10 :], times[rate * 10 + 1 :], strict=False)]
    assert max(steps) < 2.5 / rate
    assert min(steps) >= -1e-9


def test_a_silence_is_a_gap_and_not_a_slower_chip() -> None:
    clock = ArrivalClock()
    for i in range(300):
        clock.add(i * 0.01)
    after = [t for i in range(50) for t in clock.add(5.0 + i * 0.01)]
    assert after == pytest.approx([5.0 + i * 0.01 for i in range(50)], abs=0.05)
    assert clock.period == pytest.approx(0.01, rel=0.02)


def motion(seq: int, us: int, node: int = 1) -> p.Motion:
    return p.Motion(p.Stamp(node, seq, us), 5000, ((0.0, 0.0, 0.0),) * 4, (LEVEL,) * 4)


def test_missing_samples_are_counted_by_the_nodes_own_clock() -> None:
    book = NodeBook("port")
    out = [book.receive(motion(n, n * 20_000), n * 0.02) for n in (1, 2, 4, 5, 5)]
    batches = [e for piece in out for e in piece if isinstance(e, MotionBatch)]
    assert [b.missing for b in batches] == [0, 0, 4, 0]
    assert (book.lost, book.repeated, book.reordered) == (1, 1, 0)
    assert batches[-1].period_s == pytest.approx(0.005)


def test_noise_that_passes_for_nodes_is_bounded() -> None:
    book = NodeBook("port")
    for node in range(256):
        book.receive(motion(1, 0, node), 0.0)
    assert sum(len(book.receive(motion(2, 20_000, node), 0.02)) for node in range(256)) == MAX_NODES


def test_rvc_frames_are_numbered_to_255_and_repeated_ones_dropped() -> None:
    book = NodeBook("port")
    poses = []
    for i in (254, 255, 0, 0, 3):
        packet = p.ChipAngles(i, (1.0, 0.0, 0.0, 0.0), LEVEL)
        poses += book.receive(packet, (i + 2) % 256 * 0.01)
    assert len(poses) == 4
    assert all(isinstance(x, FusedPose) and not x.bridging for x in poses)
    assert (book.lost, book.repeated) == (2, 1)
    assert poses[-1].t - poses[0].t == pytest.approx(0.05, abs=0.001)


def test_a_rate_learned_from_a_backlog_is_learned_again() -> None:
    """The program started late: two seconds of samples poured in, in pieces, while the rate was learned."""
    clock = ArrivalClock()
    for i in range(200):
        clock.add(0.001 * (i // 50))
    for i in range(1000):
        clock.add(0.01 * i)
    assert clock.period == pytest.approx(0.01, rel=0.02)


@pytest.mark.parametrize("rate", [10, 100, 200])
@pytest.mark.parametrize("at_s", [0.05, 0.3, 0.75])
@pytest.mark.parametrize("stall_s", [0.2, 0.5, 1.5, 4.0])
def test_a_stall_while_the_rate_is_learned_is_no_slower_chip(rate: int, at_s: float, stall_s: float) -> None:
    """The computer is busy while the program starts: for a while nothing is read, then all of it at once."""
    clock = ArrivalClock()
    times: list[float] = []
    for i in range(rate * 8):
        held_up = at_s <= i / rate < at_s + stall_s
        times += clock.add(at_s + stall_s if held_up else i / rate)
    assert clock.period == pytest.approx(1 / rate, rel=0.02)
    assert times == pytest.approx([i / rate for i in range(rate * 8)], abs=0.15)


def test_a_stall_that_loses_samples_while_the_rate_is_learned_is_no_slower_chip() -> None:
    """What the system keeps for us while we are busy is little: the rest is lost."""
    clock = ArrivalClock()
    for i in range(800):
        if not 0.3 <= i / 100 < 1.3:
            clock.add(1.8 if 1.3 <= i / 100 < 1.8 else i / 100)
    assert clock.period == pytest.approx(0.01, rel=0.02)


def test_the_steps_of_a_slow_chip_are_no_stalls() -> None:
    clock = ArrivalClock()
    times = [t for i in range(12) for t in clock.add(i * 0.5)]
    assert clock.period == pytest.approx(0.5)
    assert times == pytest.approx([i * 0.5 for i in range(12)])
