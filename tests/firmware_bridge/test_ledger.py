"""Numbers of frames: what was lost, what was here before, and nodes that began anew."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import packets as p
from firmware_bridge.ledger import SequenceLedger, StampedLedger
from firmware_bridge.nodes import NodeBook
from firmware_bridge.samples import FusedPose, MotionBatch, NodeSaid


def test_the_ledger_tells_lost_late_and_repeated_apart() -> None:
    ledger = SequenceLedger()
    said = [ledger.add(n) for n in (65_534, 65_535, 1, 1, 0, 0, 5, 5, 65_535)]
    assert said == ["new", "new", "new", "repeated", "late", "repeated", "new", "repeated", "repeated"]
    assert (ledger.lost, ledger.repeated, ledger.reordered) == (3, 4, 1)
    assert ledger.add(40_000) == "restart"
    assert ledger.lost == 3


@given(st.lists(st.booleans(), min_size=1, max_size=300), st.integers(0, 65_535))
def test_lost_is_what_did_not_come(came: list[bool], start: int) -> None:
    ledger = SequenceLedger()
    ledger.add((start - 1) % 65_536)
    for i, here in enumerate(came):
        if here:
            assert ledger.add((start + i) % 65_536) == "new"
    last = max((i for i, here in enumerate(came) if here), default=-1)
    assert ledger.lost == came[: last + 1].count(False)


def motion(seq: int, us: int) -> p.Motion:
    return p.Motion(p.Stamp(1, seq, us), 5000, ((0.0, 0.0, 0.0),) * 4, ((0.0, 0.0, 1.0),) * 4)


def run_on(book: NodeBook, seq: int, us: int, host: float) -> None:
    """Three hundred frames up to this one."""
    for i in range(-299, 1):
        book.receive(motion((seq + i) & 0xFFFF, (us + i * 20_000) & 0xFFFFFFFF), host + i * 0.02)


@pytest.mark.parametrize("last", [20, 500, 30_000, 64_000, 65_417, 65_535])
@pytest.mark.parametrize("up_s", [1_000, 2_000, 2_200, 3_600, 4_200])
def test_a_battery_change_is_seen_whatever_the_last_number_was(last: int, up_s: int) -> None:
    book = NodeBook("port")
    run_on(book, last, up_s * 1_000_000, 100.0)
    said = book.receive(p.Pose(p.Stamp(1, 1, 200_000), (1.0, 0.0, 0.0, 0.0), True), 108.0)
    batches = book.receive(motion(2, 220_000), 108.02)
    assert [e.anew for e in said + batches if isinstance(e, FusedPose | MotionBatch)] == [True, True]
    assert book.lost == 0


def test_a_node_that_comes_back_after_an_hour_is_one_that_began_anew() -> None:
    """Its clock has nearly gone round: where it ran on and where not looks alike."""
    book = NodeBook("port")
    run_on(book, 500, 10_000_000, 100.0)
    (batch,) = book.receive(motion(600, 3_610_000_000), 3700.0)
    assert isinstance(batch, MotionBatch)
    assert batch.anew


@pytest.mark.parametrize("away_s", [2, 10, 40, 60, 600, 1000])
def test_a_radio_that_was_away_has_lost_its_frames_and_the_node_ran_on(away_s: int) -> None:
    """Numbers and clock (2 % fast, and wrapping meanwhile) are where they would be."""
    book = NodeBook("port")
    run_on(book, 65_000, 4_290_000_000, 100.0)
    seq, us = 65_000 + 50 * away_s, 4_290_000_000 + round(away_s * 1.02e6)
    (batch,) = book.receive(motion(seq & 0xFFFF, us & 0xFFFFFFFF), 100.0 + away_s)
    assert isinstance(batch, MotionBatch)
    assert not batch.anew
    assert book.lost == 50 * away_s - 1


def test_frames_that_are_missing_in_a_recording_that_is_poured_in_are_lost() -> None:
    """Ten seconds of it, of which nothing came; the host's clock hardly moves."""
    book = NodeBook("port")
    out = [
        e for i in range(2000) if not 500 <= i < 1000 for e in book.receive(motion(i, i * 20_000), i * 1e-5)
    ]
    assert not any(e.anew for e in out if isinstance(e, MotionBatch))
    assert book.lost == 500


def told(book: NodeBook, frames: list[tuple[int, int, float]]) -> list[MotionBatch]:
    """What is passed on of frames: number, stamp, arrival."""
    out = [e for seq, us, host in frames for e in book.receive(motion(seq & 0xFFFF, us), host)]
    return [e for e in out if isinstance(e, MotionBatch)]


def test_a_stall_of_which_the_end_was_lost_is_no_restart() -> None:
    """Eight seconds nobody read; the buffers held the first three."""
    book = NodeBook("port")
    run_on(book, 400, 20_000_000, 100.0)
    held = [(400 + i, 20_000_000 + i * 20_000, 108.0) for i in range(1, 151)]
    live = [(400 + i, 20_000_000 + i * 20_000, 100.0 + i * 0.02) for i in range(401, 450)]
    assert not any(e.anew for e in told(book, held + live))
    assert book.lost == 250


def test_frames_that_come_twice_do_not_shift_what_a_clock_leads_by() -> None:
    ledger = StampedLedger()
    for i in range(6000):
        assert ledger.add_stamped(i, i * 20_000, i * 0.02) == "new"
        assert ledger.add_stamped(i, i * 20_000, i * 0.02 + 0.008) == "repeated"
    assert ledger.add_stamped(6000, 125_000_000, 120.0) == "restart"  # five seconds ahead of what can be live


@pytest.mark.parametrize(("away_s", "up_s"), [(70.0, 65.0), (120.0, 70.0), (1000.0, 61.0)])
def test_a_node_that_began_anew_unheard_is_seen_also_where_its_clock_has_passed_the_old_stamp(
    away_s: float, up_s: float
) -> None:
    """Number and stamp are those of a node that has run for `up_s`; the old one had run for a minute."""
    book = NodeBook("port")
    run_on(book, 3000, 60_000_000, 100.0)
    up = round(up_s * 50)
    first, *later = told(book, [(up + i, (up + i) * 20_000, 100.0 + away_s + i * 0.02) for i in range(100)])
    assert first.anew
    assert not any(e.anew for e in later)
    assert first.t == pytest.approx(100.0 + away_s, abs=0.1)
    assert book.lost == 0


def test_a_stall_before_which_a_frame_was_lost_is_no_restart() -> None:
    book = NodeBook("port")
    run_on(book, 400, 20_000_000, 100.0)
    held = [(400 + i, 20_000_000 + i * 20_000, 108.0) for i in range(3, 401)]
    assert not any(e.anew for e in told(book, held))
    assert book.lost == 2


@pytest.mark.parametrize("kind", ["pose", "hello"])
def test_a_pose_that_comes_after_a_younger_one_is_none(kind: str) -> None:
    """The cube would jump back to how it lay before; whatever else a late hello says is passed on."""
    book = NodeBook("port")

    def frame(seq: int) -> p.Packet:
        stamp, lies = p.Stamp(1, seq, seq * 20_000), (1.0, 0.0, 0.0, seq * 1e-3)
        if kind == "pose":
            return p.Pose(stamp, lies, resting=False)
        return p.Hello(stamp, "cube", "c0be", (0, 1, 0), 4000, 200, 2000, 16, True, lies, "")

    events = [e for seq in (1, 2, 4, 3) for e in book.receive(frame(seq), seq * 0.02)]
    poses = [e for e in events if isinstance(e, FusedPose)]
    assert [round(1e3 * e.pose[3]) for e in poses] == [1, 2, 4]
    assert len([e for e in events if isinstance(e, NodeSaid)]) == (4 if kind == "hello" else 0)
    assert book.reordered == 1


@pytest.mark.parametrize("ran", [15, 30, 50])
@pytest.mark.parametrize("off_s", [0.5, 2.5, 6.0])
def test_a_reset_within_a_nodes_first_second_is_seen(ran: int, off_s: float) -> None:
    book = NodeBook("port")
    told(book, [(1 + i, i * 20_000, 10.0 + i * 0.02) for i in range(ran)])
    back = 10.0 + ran * 0.02 + off_s
    batches = told(book, [(1 + i, i * 20_000, back + i * 0.02) for i in range(100)])
    assert [e.anew for e in batches] == [True] + [False] * 99
    assert (book.lost, book.repeated) == (0, 0)
