"""A burst of which nothing more comes: it ended, or its node is gone (`sources.bursts`)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sensors.ear.sources.bursts import BurstStream
from tests.dongle import PIECE, Felt
from tests.sensors.ear.sources.sent import frames


def test_a_burst_that_breaks_off_in_the_midst_of_a_shake_is_a_hole_however_long(felt: Felt) -> None:
    stream = BurstStream(felt.rate, 0.0)
    for burst in frames(felt):
        stream.add(burst, burst.stamp.us * 1e-6, burst.stamp.us * 1e-6)
        if stream._shaken and burst.index > 30 * PIECE:
            break
    given, now = len(stream.take()), burst.stamp.us * 1e-6
    stream.still(now + 1.0)
    assert not stream.holes()  # they may still come
    assert stream.overflows == 0
    stream.still(now + 3.0)
    assert stream.holes() == [(given, given)]
    assert stream.overflows == 1  # whether or not anything follows: its node may be gone
    stream.still(now + 4.0)
    assert not stream.holes()
    assert stream.overflows == 1


def test_a_node_that_dies_between_two_strokes_breaks_a_burst_off_wherever_that_is(felt: Felt) -> None:
    """For a moment nothing moves, as at the end of a burst; but a burst ends after 0.4 s of that."""
    sent = frames(felt)
    steps = [np.abs(np.diff(np.array(burst.accels), axis=0)).sum(axis=1).max() for burst in sent]
    still = [k for k, step in enumerate(steps) if 20 < k < len(sent) - 25 and step < 0.15]
    assert still  # between strokes
    for last in (*still, len(sent) - 15):
        stream = BurstStream(felt.rate, 0.0)
        for burst in sent[: last + 1]:
            stream.add(burst, burst.stamp.us * 1e-6, burst.stamp.us * 1e-6)
        stream.holes()  # of a hello, which is not noted here
        lost, given, now = stream.overflows, len(stream.take()), burst.stamp.us * 1e-6
        stream.still(now + 1.0)
        assert not len(stream.take())  # the rest may still come
        stream.still(now + 3.0)
        assert stream.holes() == [(given, given)]
        assert stream.overflows == lost + 1


def test_a_burst_that_ended_is_whole_though_its_last_frame_was_lost(felt: Felt) -> None:
    stream = BurstStream(felt.rate, 0.0)
    for burst in frames(felt)[:-2]:
        stream.add(burst, burst.stamp.us * 1e-6, burst.stamp.us * 1e-6)
    lost = stream.overflows  # hellos, which are not noted here
    stream.still(burst.stamp.us * 1e-6 + 3.0)
    assert not stream.holes()
    assert stream.overflows == lost


@pytest.mark.parametrize("next_burst", [0, 1])
def test_what_follows_a_burst_that_broke_off_does_not_count_it_again(felt: Felt, next_burst: int) -> None:
    """Another burst, or the rest of it, which nobody waited for any more."""
    stream, sent = BurstStream(felt.rate, 0.0), iter(frames(felt))
    for burst in sent:
        stream.add(burst, burst.stamp.us * 1e-6, burst.stamp.us * 1e-6)
        if stream._shaken and burst.index > 30 * PIECE:
            break
    after = replace(next(sent), burst=burst.burst + next_burst)
    came = after.stamp.us * 1e-6 + 3.0
    stream.still(came)
    stream.add(after, after.stamp.us * 1e-6 + 3.0 * next_burst, came)
    assert stream.overflows == 1


def test_while_nobody_reads_the_port_no_node_falls_silent(felt: Felt) -> None:
    """The program was stopped for five seconds in the midst of a shake, and reads then what waited."""
    stream, stopped_s = BurstStream(felt.rate, 0.0), 0.0
    for burst in frames(felt):
        t = burst.stamp.us * 1e-6
        if not stopped_s and stream._shaken and burst.index > 30 * PIECE:
            stopped_s = 5.0
            stream.nobody_looked(stopped_s)
            stream.still(t + stopped_s)
        stream.add(burst, t, t + stopped_s)
    assert stopped_s
    whole = BurstStream(felt.rate, 0.0)
    for burst in frames(felt):
        whole.add(burst, burst.stamp.us * 1e-6, burst.stamp.us * 1e-6)
    assert len(stream.take()) == len(whole.take())
    assert stream.overflows == whole.overflows
    # nothing at all comes: then it fell silent, as soon as ever
    stream.nobody_looked(5.0)
    stream.still(t + stopped_s + 5.0 + 3.0)
    assert len(stream.take()) > felt.rate
