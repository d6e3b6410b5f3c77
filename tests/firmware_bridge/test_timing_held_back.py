"""Frames that were held back on the way, all at once after a silence; and silences that really lost some."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_bridge import packets as p
from firmware_bridge.nodes import NodeBook
from firmware_bridge.samples import FusedPose, MotionBatch
from firmware_bridge.timing import ClockFit

LEVEL = (0.0, 0.0, 1.0)
FLAT = (1.0, 0.0, 0.0, 0.0)

Make = Callable[[int], p.Packet]


def rvc(i: int) -> p.Packet:
    """A BNO08x's frame number i, a hundred a second."""
    return p.ChipAngles(i & 0xFF, FLAT, LEVEL)


def wit(i: int) -> p.Packet:
    """A WitMotion's, as many."""
    return p.ChipMotion((0.0, 0.0, 0.0), LEVEL)


def ours(i: int) -> p.Packet:
    """A node's, of one sample; its crystal is 50 ppm fast."""
    stamp = p.Stamp(1, i & 0xFFFF, round(i * 10_000.5) & 0xFFFFFFFF)
    return p.Motion(stamp, 10_000, ((0.0, 0.0, 0.0),), (LEVEL,))


def heard(
    make: Make, seconds: float, held: tuple[float, float] = (0.0, 0.0), away: tuple[float, float] = (0.0, 0.0)
) -> tuple[NodeBook, list[tuple[float, float]]]:
    """When samples were taken, and when we say they were. Held back, or lost, from and up to so many seconds."""
    book, out, taken = NodeBook("p"), [], []
    for i in range(round(seconds * 100)):
        true = i * 0.01
        if away[0] <= true < away[1]:
            continue
        taken.append(true)
        arrives = held[1] if held[0] <= true < held[1] else true
        for event in book.receive(make(i), arrives + 0.001):
            assert isinstance(event, FusedPose | MotionBatch)
            out.append(event.t)
    return book, list(zip(taken, out, strict=False))


def off(times: list[tuple[float, float]], by: float) -> list[tuple[float, float]]:
    """Those that are said to have been taken at another time, by more than so many seconds."""
    return [(taken, said) for taken, said in times if not abs(said - taken) <= by]


@pytest.mark.parametrize("make", [rvc, wit, ours])
@pytest.mark.parametrize("at", [10.0, 40.0], ids=["early", "late"])
@pytest.mark.parametrize("stall", [0.4, 0.8, 1.5, 2.6, 3.0, 6.0])
def test_what_was_held_back_keeps_its_time_and_all_the_rest_does(make: Make, at: float, stall: float) -> None:
    book, times = heard(make, at + stall + 40, held=(at, at + stall))
    assert len(times) == round((at + stall + 40) * 100)
    assert off(times[200:], by=0.04) == []
    assert book.lost == 0


@pytest.mark.parametrize("make", [rvc, wit, ours])
@pytest.mark.parametrize("late", [0.2, 0.35, 0.6, 1.0, 3.0])
def test_a_stream_that_is_read_late_comes_down_to_the_present(make: Make, late: float) -> None:
    _, times = heard(make, 60, held=(0.0, late))
    assert off([each for each in times if each[0] > late + 8], by=0.02) == []


@pytest.mark.parametrize("make", [rvc, wit, ours])
@pytest.mark.parametrize("gone", [0.5, 1.3, 2.0, 2.56, 4.0, 20.0])
def test_what_was_lost_in_a_silence_is_a_gap(make: Make, gone: float) -> None:
    book, times = heard(make, 20 + gone, away=(10.0, 10.0 + gone))
    assert len(times) == 2000
    assert off(times[200:], by=0.03) == []
    if make is not wit:
        assert book.lost == round(gone * 100)


@pytest.mark.parametrize("gone", [0.5, 1.0, 2.0, 2.6, 10.0])
def test_a_chip_that_began_anew_is_not_taken_for_lost_frames(gone: float) -> None:
    """Its numbers begin at 0: not where they would be if it had gone on."""
    book = NodeBook("p")
    for i in range(630):
        book.receive(rvc(i), i * 0.01)
    back = 6.3 + gone
    poses = [e for i in range(500) for e in book.receive(rvc(i), back + i * 0.01)]
    assert len(poses) == 500
    for i, pose in enumerate(poses):
        assert isinstance(pose, FusedPose)
        assert pose.t == pytest.approx(back + i * 0.01, abs=0.02)
    assert book.lost == 0


def test_a_recording_that_is_poured_in_piece_by_piece_keeps_its_own_time() -> None:
    """Ten seconds of it every three: each pause is ours, not the recording's."""
    fit = ClockFit()
    times = [fit.add(i * 10_000, 5.0 + i // 1000 * 3.0 + i % 1000 * 1e-4) for i in range(5000)]
    assert times[-1] - times[0] == pytest.approx(50.0, abs=0.5)


def test_a_clock_that_was_late_for_long_gets_a_new_line() -> None:
    """What slept without counting is four seconds behind itself from then on."""
    fit = ClockFit()
    for i in range(2000):
        fit.add(i * 10_000, 5.0 + i * 0.01)
    said = [fit.add(i * 10_000, 9.0 + i * 0.01) for i in range(2000, 4000)]
    assert said[500:] == pytest.approx([9.0 + i * 0.01 for i in range(2500, 4000)], abs=0.02)
    assert fit.rate == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("make", [rvc, wit])
@pytest.mark.parametrize("piece", [1, 3, 9])
@pytest.mark.parametrize(("first", "second"), [(0.3, 0.4), (0.4, 1.4), (1.0, 0.3), (2.0, 3.0)])
def test_two_silences_with_a_few_samples_between_are_two_gaps(
    make: Make, piece: int, first: float, second: float
) -> None:
    book, times, lost = NodeBook("p"), [], 0
    for i in range(2000):
        true = i * 0.01
        since = i - round((10.0 + first) * 100)
        if (true >= 10.0 and since < 0) or piece <= since < piece + round(second * 100):
            lost += 1
            continue
        for event in book.receive(make(i), true + 0.001):
            assert isinstance(event, FusedPose | MotionBatch)
            times.append(event.t)
    assert len(times) == 2000 - lost
    heard_at = [i * 0.01 for i in range(1000)]
    back = round((10.0 + first) * 100)
    heard_at += [
        i * 0.01 for i in (*range(back, back + piece), *range(back + piece + round(second * 100), 2000))
    ]
    assert times[200:] == pytest.approx(heard_at[200:], abs=0.03)
    if make is not wit:
        assert book.lost == lost


@pytest.mark.parametrize(("stall", "gone"), [(1.0, 20), (2.0, 50), (1.0, 0)])
def test_what_was_lost_as_a_stall_began_is_counted_when_the_rest_is_poured_in(
    stall: float, gone: int
) -> None:
    book, back = NodeBook("p"), 5.0 + stall
    for i in range(1500):
        if not 500 <= i < 500 + gone:
            book.receive(rvc(i), max(i * 0.01, back) if i >= 500 else i * 0.01)
    assert book.lost == gone
