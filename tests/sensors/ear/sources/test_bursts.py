"""From a node's bursts to a stream that goes on between them (`sources.bursts`); time is that of the samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar
from firmware_bridge.nodes import NodeBook
from firmware_bridge.samples import NodeSaid
from hw_mock.igloo.node import IglooNode
from hw_mock.ports import FaultyWire
from sensors.ear.sources.at_rest import fault_of
from sensors.ear.sources.bursts import LAG_S, BurstStream
from tests.dongle import PIECE, Felt
from tests.sensors.ear.sources.sent import frames


class Virtual:
    """A node's bytes by way of a book, without a port: time is that of the samples."""

    def __init__(self, felt: Felt, wire: FaultyWire | None = None) -> None:
        self.node = IglooNode(17, felt.rate, wire or FaultyWire())
        self.stream = BurstStream(felt.rate, 0.0)
        self._decoder, self._book, self._now = polar.PolarDecoder(), NodeBook("a wire"), 0.0

    def feel(self, samples: np.ndarray) -> np.ndarray:
        """What comes out while it measures these."""
        out = []
        for start in range(0, len(samples), PIECE):
            self._now += PIECE / self.node.rate_hz
            for packet in self._decoder.feed(self.node.feel(samples[start : start + PIECE])):
                for said in self._book.receive(packet, self._now):
                    assert isinstance(said, NodeSaid)
                    if isinstance(packet, p.Burst):
                        self.stream.add(packet, said.t, self._now)
                    elif isinstance(packet, p.Hello):
                        self.stream.note(packet.stamp)
            self.stream.still(self._now)
            out.append(self.stream.take())
        return np.concatenate(out)


def test_lost_frames_are_bridged_and_counted_and_nothing_is_shifted(felt: Felt) -> None:
    whole = Virtual(felt).feel(felt.samples)
    wire = FaultyWire(seed=6)  # the first and the last frame come: one that nothing follows is not missed
    wire.set(drop=0.05)
    igloo = Virtual(felt, wire)
    holes = igloo.feel(felt.samples)
    assert wire.damaged >= 3
    assert igloo.stream.overflows == wire.damaged
    assert len(holes) == pytest.approx(len(whole), abs=PIECE)
    shift = len(whole) - len(holes)
    same = np.isclose(whole, holes[-shift:] if shift < 0 else holes[: len(whole)], atol=1e-6).all(axis=1)
    during = slice(round(1.5 * felt.rate), round(3.2 * felt.rate))
    assert np.mean(same[during]) > 0.85


@pytest.mark.parametrize("lost", [(), (20,), (20, 21, 30), range(10, 40), (0, 1, 2, 40)])
def test_where_frames_were_lost_is_told(felt: Felt, lost: Sequence[int]) -> None:
    stream, out, holes = BurstStream(felt.rate, 0.0), list[np.ndarray](), list[tuple[int, int]]()
    sent = frames(felt)
    assert len(sent[20].accels) == PIECE
    earlier = replace(sent[0], stamp=replace(sent[0].stamp, seq=9999, us=0), burst=99)
    stream.add(earlier, 0.0, 0.0)
    samples = {}
    for k, burst in enumerate(sent):
        t = burst.stamp.us * 1e-6 + 5.0
        stream.still(t)
        if k not in lost:
            stream.add(burst, t, t)
            holes += stream.holes()
        out.append(stream.take())
        samples[k] = sum(map(len, out))  # where it ends, if it came
    told = sum(end - start for start, end in holes)
    assert told == len(lost) * PIECE
    for k in lost:
        after = next(samples[j] for j in range(k + 1, len(sent)) if j not in lost)
        at = after - PIECE * (next(j for j in range(k + 1, len(sent)) if j not in lost) - k + 1)
        assert any(start <= at and at + PIECE <= end for start, end in holes)
    assert not stream.holes()  # each is told once


def test_a_node_that_begins_anew_is_heard_on(felt: Felt) -> None:
    """Its numbers begin again, among those that were here a moment ago: nothing is taken for late or repeated."""
    igloo = Virtual(felt)
    igloo.feel(np.repeat(felt.samples[:1], round(4.0 * felt.rate), axis=0))
    igloo.feel(felt.samples[: round(2.5 * felt.rate)])
    igloo.node.begin_anew()
    came = igloo.feel(felt.samples)
    shaken = felt.samples[round(1.5 * felt.rate) : round(3.5 * felt.rate)]
    assert any(
        np.allclose(came[i : i + len(shaken)], shaken, atol=3e-4) for i in range(len(came) - len(shaken))
    )
    assert igloo.stream.overflows == 1  # the first shake broke off


def test_between_bursts_it_lies_still_as_it_lay(felt: Felt) -> None:
    igloo = Virtual(felt)
    came, stream = igloo.feel(felt.samples), igloo.stream
    # at the end it is late by 0.3 s
    assert len(came) == pytest.approx(len(felt.samples), abs=0.45 * felt.rate)
    for now in range(10, 61, 5):
        stream.still(now)
    rest = stream.take()
    assert len(rest) > 50 * felt.rate
    assert rest.mean(axis=0) == pytest.approx(felt.samples[-1000:].mean(axis=0), abs=0.002)
    assert rest.std(axis=0) == pytest.approx([0.003] * 3, rel=0.4)
    assert stream.overflows == 0


def test_before_the_first_burst_it_lay_as_the_burst_found_it(felt: Felt) -> None:
    """On its side, say: an ear that was told otherwise would feel it fall over."""
    first = frames(felt)[0]
    x, y, z = first.accels[0]
    lay = replace(first, accels=len(first.accels) * ((z, x, y),))
    stream = BurstStream(felt.rate, 0.0)
    stream.add(lay, 0.1, 0.1)
    came = stream.take()
    before = came[: len(came) - len(lay.accels)]
    assert len(before) == pytest.approx(0.5 * felt.rate, abs=1)
    assert before.mean(axis=0) == pytest.approx(lay.accels[0], abs=0.01)


def first_heard(felt: Felt, burst: p.Burst, now: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """What a stream gives before the first frame that it hears, and the frame."""
    stream = BurstStream(felt.rate, 0.0)
    stream.add(burst, now, now)
    came = stream.take()
    return came[: -len(burst.accels)], came[-len(burst.accels) :]


@pytest.mark.parametrize("waited_s", [0.1, 0.7, 2.5])
def test_a_burst_first_heard_in_the_midst_of_a_stroke_followed_no_rest_of_another_size_than_one_g(
    felt: Felt, waited_s: float
) -> None:
    """A sound chip was blamed for a wrong range: what a stroke felt, held, looks like gravity."""
    for burst in frames(felt)[1:]:
        before, came = first_heard(felt, burst, waited_s)
        assert (came == np.array(burst.accels, np.float32)).all()
        assert len(before) == pytest.approx(max(0.5, waited_s - PIECE / felt.rate) * felt.rate, abs=1)
        assert fault_of(before, felt.rate) is None
        rest = before[: round(-0.1 * felt.rate)].mean(axis=0)
        assert np.linalg.norm(rest) == pytest.approx(1.0, abs=0.01)
        assert rest @ came[0] == pytest.approx(np.linalg.norm(came[0]), rel=0.01)  # it lay that way
        # and no knock on the way from there
        steps = np.abs(np.diff(np.vstack([before, came[:1]])[round(-0.1 * felt.rate) - 2 :], axis=0))
        assert steps.max() < 0.02 + np.pi / 2 * np.abs(came[0] - rest).max() / (0.1 * felt.rate)


def test_a_burst_that_is_heard_from_its_beginning_lay_as_heavy_as_it_was_felt(felt: Felt) -> None:
    """A chip whose range is set otherwise feels two g at rest: that is for others to tell."""
    first = frames(felt)[0]
    x, y, z = first.accels[0]
    heavy = replace(first, accels=len(first.accels) * ((2 * x, 2 * y, 2 * z),))
    before, _ = first_heard(felt, heavy)
    assert before.mean(axis=0) == pytest.approx(heavy.accels[0], abs=0.01)


def test_nothing_felt_at_all_in_the_midst_of_a_burst_has_no_direction(felt: Felt) -> None:
    burst = frames(felt)[9]
    before, _ = first_heard(felt, replace(burst, accels=((0.0, 0.0, 0.0), *burst.accels[1:])))
    assert before[: len(before) // 2].mean(axis=0) == pytest.approx((0, 0, 1), abs=0.01)


def test_a_clock_that_jumped_does_not_fill_the_memory(felt: Felt) -> None:
    """Ctrl-Z, and an hour later fg."""
    igloo = Virtual(felt)
    igloo.feel(felt.samples)
    igloo.stream.still(igloo._now + 3600)
    assert 0 < len(igloo.stream.take()) <= 12 * felt.rate
    igloo.stream.still(igloo._now + 3601)
    assert len(igloo.stream.take()) == pytest.approx(felt.rate, abs=1)


def lying(felt: Felt, way: Sequence[float], nth: int = 0, noise: float = 0.0, long: int = PIECE) -> p.Burst:
    """The nth frame of a burst in which it lies this way, g."""
    first, dice = frames(felt)[0], np.random.default_rng(nth)
    samples = np.array(way) + noise * dice.standard_normal((long, 3))
    stamp = replace(
        first.stamp, seq=first.stamp.seq + nth, us=first.stamp.us + round(1e6 * nth * PIECE / felt.rate)
    )
    return replace(first, stamp=stamp, index=nth * PIECE, accels=tuple(map(tuple, samples)))


def test_frames_that_come_when_stillness_has_their_place_are_lost_once(felt: Felt) -> None:
    stream, at = BurstStream(felt.rate, 0.0), PIECE / felt.rate
    for nth in range(3):
        stream.add(lying(felt, (0, 0, 1), nth), 5.0 + nth * at, 5.0 + nth * at)
    stream.still(6.0)
    assert stream.overflows == 0
    for nth in (3, 4):
        stream.add(lying(felt, (0, 0, 1), nth), 5.0 + nth * at, 6.0)
    assert stream.overflows == 1


def test_to_a_burst_that_lies_otherwise_the_way_is_no_knock(felt: Felt) -> None:
    stream = BurstStream(felt.rate, 0.0)
    stream.add(lying(felt, (0, 0, 1)), 5.0, 5.0)
    stream.still(6.0)
    stream.take()
    turned = replace(lying(felt, (1, 0, 0), 1), index=0)
    stream.add(replace(turned, burst=turned.burst + 1), 5.7, 6.0)  # stillness was given up to there
    way = stream.take()[: -len(turned.accels)]
    assert len(way) == pytest.approx(0.1 * felt.rate, abs=1)
    assert np.abs(np.diff(way, axis=0)).max() < 0.06


@pytest.mark.parametrize(("noise", "held"), [(0.002, 0.002), (0.02, 0.01)])
def test_stillness_hisses_as_the_frame_did_but_never_like_a_shake(
    felt: Felt, noise: float, held: float
) -> None:
    stream = BurstStream(felt.rate, 0.0)
    stream.add(lying(felt, (0, 0, 1), noise=noise), 5.0, 5.0)
    stream.take()
    stream.still(9.0)
    assert stream.take().std(axis=0) == pytest.approx([held] * 3, rel=0.4)


def test_a_frame_of_a_few_samples_tells_where_it_lies_and_not_how_it_hisses(felt: Felt) -> None:
    stream = BurstStream(felt.rate, 0.0)
    few = lying(felt, (0, 0, 1), long=4)
    stream.add(replace(few, accels=(*few.accels[:-1], (0.0, 0.1, 1.0))), 5.0, 5.0)
    stream.take()
    stream.still(9.0)
    rest = stream.take()
    assert rest.mean(axis=0) == pytest.approx((0, 0.1, 1), abs=0.002)
    assert rest.std(axis=0) == pytest.approx([0.003] * 3, rel=0.2)  # as data sheets have it


def test_a_burst_s_first_frame_is_as_late_as_those_that_waited_with_it(felt: Felt) -> None:
    """Three frames leave together, and the first is stamped as the others are (firmware/igloo_node.py)."""
    shaken = IglooNode(17, felt.rate).feel(felt.samples)
    burst = next(x for x in polar.PolarDecoder().feed(shaken) if isinstance(x, p.Burst))

    def bridged(index: int) -> int:
        stream = BurstStream(felt.rate, 0.0)
        first = replace(burst, index=0)
        stream.add(first, 1.0, 1.0)
        stream.take()
        again = replace(
            first, stamp=replace(first.stamp, seq=first.stamp.seq + 1), burst=first.burst + 1, index=index
        )
        stream.add(again, 3.0, 3.0)
        return len(stream.take())

    assert bridged(PIECE) - bridged(0) == pytest.approx(2 * len(burst.accels), abs=2)


def test_frames_that_are_late_in_the_midst_of_a_shake_find_no_stillness_in_their_place(felt: Felt) -> None:
    """A host that is busy for a second; but a node that went away lies still in the end."""
    igloo = Virtual(felt)
    igloo.feel(felt.samples[: round(1.8 * felt.rate)])
    for start in range(round(1.8 * felt.rate), round(2.6 * felt.rate), PIECE):
        if igloo.stream._shaken:  # its last frame ended in the midst of a stroke
            break
        igloo.feel(felt.samples[start : start + PIECE])
    now = igloo._now
    igloo.stream.still(now + 1.0)
    assert not len(igloo.stream.take())
    igloo.stream.still(now + 10.0)
    assert len(igloo.stream.take()) > 8 * felt.rate


def test_stillness_in_the_place_of_frames_that_waited_makes_no_later_shake_late(felt: Felt) -> None:
    """A program that was stopped for four seconds reads then what waited: a shake of three seconds."""
    stream, first = BurstStream(felt.rate, 0.0), lying(felt, (0, 0, 1))

    def later(nth: int, t: float, now: float) -> None:
        stream.add(replace(lying(felt, (0, 0, 1), nth), index=0, burst=first.burst + nth), t, now)

    def after(now: float) -> float:
        """Seconds of the stream when all is quiet at that time."""
        stream.still(now)
        nonlocal given
        given += len(stream.take())
        return given / felt.rate

    given = 0
    later(0, 1.0, 1.0)
    lead = after(5.0) - (5.0 - LAG_S)
    for nth in range(round(3.0 * felt.rate) // PIECE):
        t = 1.5 + nth * PIECE / felt.rate
        stream.add(replace(lying(felt, (0, 0, 1), 1 + nth), index=nth * PIECE, burst=first.burst + 1), t, 5.0)
    stopped = after(5.0)
    assert stopped > 7.4 + lead
    assert after(6.0) - stopped == pytest.approx(1.0 - LAG_S, abs=0.01)  # it ends as soon as ever
    after(13.0)
    assert after(20.0) == pytest.approx(20.0 - LAG_S + lead, abs=0.2)
    later(200, 30.0, 30.0)
    assert after(30.0) == pytest.approx(30.0 + lead, abs=0.2)
