"""A running source without treble is told by the shake that is heard in it, as of a file; a whole one is not."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np
import pytest

from sensors.ear.sources.treble import no_treble
from sensors.ear.sources.treble_watch import TrebleWatch, heard_narrow
from sensors.why import Why
from tests.narrow import through
from tests.rattle import Sound, rattle

RATE = 48000
SHAKE_S = (0.4, 2.4)  # in a rattle


def told(sound: Sound, span: tuple[float, float] = SHAKE_S, rate: int = RATE, block: int = 960) -> str | None:
    watch = TrebleWatch(rate)
    for start in range(0, len(sound), block):
        watch.push(sound[start : start + block].reshape(len(sound[start : start + block]), -1))
    end = watch.ends_at(*span)
    return None if end is None else heard_narrow(end).cause


@pytest.mark.parametrize("codec", [8000, 16000])
@pytest.mark.parametrize("block", [700, 960, 48000])
def test_where_it_ends_is_told_as_of_a_file(codec: int, block: int) -> None:
    sound = through(codec, rattle(7, 1, rate=RATE), RATE)
    of_file = no_treble([sound[:, None]], RATE)
    assert of_file is not None
    assert told(sound, block=block) == of_file.cause


def test_the_reason_says_what_to_do_where_nothing_is_recorded() -> None:
    watch = TrebleWatch(RATE)
    watch.push(through(16000, rattle(7, 1, rate=RATE), RATE)[:, None])
    end = watch.ends_at(*SHAKE_S)
    assert end is not None
    fault = heard_narrow(end)
    assert fault.reason is not None
    assert fault.reason.why is Why.NARROW
    assert str(fault.reason) == f"{fault.cause}: {fault.mend}"
    assert "keep it" not in fault.mend


def test_a_whole_microphone_is_not_blamed_nor_one_channel_of_two() -> None:
    whole = rattle(7, 1, rate=RATE)
    narrow = through(16000, whole, RATE)
    for sound in (whole, np.zeros(2 * RATE, np.float32), np.column_stack([narrow, whole])):
        assert told(sound) is None


def test_each_shake_is_judged_by_what_was_around_it() -> None:
    """A sound server gives a stream to another microphone when a headset is unplugged."""
    whole = rattle(7, 1, rate=RATE)
    narrow = through(16000, rattle(8, 2, rate=RATE), RATE)
    later = len(whole) / RATE
    both, other = np.concatenate([narrow, whole]), np.concatenate([whole, narrow])
    assert told(both) is not None
    assert told(both, (later + 1.2, later + 2.4)) is None
    assert told(other, (later + 1.2, later + 2.4)) is not None


def test_what_is_forgotten_or_still_to_come_is_no_sound_to_judge_by() -> None:
    watch = TrebleWatch(RATE)
    assert watch.ends_at(0.0, 1.0) is None
    watch.push(through(16000, rattle(7, 1, rate=RATE), RATE)[:, None])
    for _ in range(60):
        watch.push(np.zeros((RATE, 1), np.float32))
    assert watch.ends_at(*SHAKE_S) is None


def test_an_hour_takes_no_more_memory_and_little_time() -> None:
    """Of a second of sound no more than .03 s of a laptop's time; on a Pi it is a few times as much."""
    watch, block = TrebleWatch(RATE), rattle(7, 1, rate=RATE)[:960, None]
    for _ in range(2000):
        watch.push(block)
    tracemalloc.start()
    begun = time.process_time()
    for _ in range(3000):  # a minute
        watch.push(block)
    took, (grown, _) = time.process_time() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert took / 60 < 0.03
    assert grown < 2e6
