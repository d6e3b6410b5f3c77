"""The running ear: what it says of a stream, when, and that it does not matter how the stream is cut."""

from __future__ import annotations

import gc
import itertools
import tracemalloc

import numpy as np
import pytest

from sensors.ear.errors import ProfileError, SoundError
from sensors.ear.frames.finder import LONGEST_SHAKE_S, SILENCE_S
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard, Hearing
from tests.rattle import RATE, rattle, shaken_sensor
from tests.rattle_profile import rattle_profile
from tests.sensors.ear.listening import STILL, listen, quiet


def test_three_shakes_are_three_lines_at_their_times() -> None:
    pieces = [quiet(1), rattle(4, 11), quiet(0.5), rattle(8, 12), quiet(0.5), rattle(12, 13), quiet(1)]
    heard = [h for h in listen(np.concatenate(pieces)) if isinstance(h, Heard)]
    assert [h.verdict == "not-a-shake" for h in heard] == [False] * 3
    starts = [1.4, 1 + 3.2 + 0.5 + 0.4, 1 + 2 * 3.7 + 0.4]
    assert [h.start_s for h in heard] == pytest.approx(starts, abs=0.15)
    assert [h.best for h in heard] == sorted(h.best or 0 for h in heard)
    for h in heard:
        line = h.to_json()
        assert line["event"] == "shake"
        assert sum(line["probabilities"].values()) == pytest.approx(1)
        assert list(line["probabilities"]) == [str(n) for n in range(2, 14)]
        assert line["profile"].startswith("sha256:") or line["profile"] == ""
        assert (line["beads"] is None) == (line["verdict"] != "sure")


@pytest.mark.parametrize("block", [160, 1024, 44100, 10**7])
def test_the_size_of_the_blocks_changes_nothing(block: int) -> None:
    sound = np.concatenate([quiet(0.6), rattle(7, 5), quiet(1)])
    (reference,) = listen(sound, 4410)
    assert isinstance(reference, Heard)
    assert listen(sound, block) == [reference]  # to the last bit


def test_the_verdict_comes_within_the_stated_silence_and_a_little() -> None:
    sound = np.concatenate([quiet(0.6), rattle(7, 5)[: round(2.3 * RATE)], quiet(2)])
    ear = Listener(rattle_profile(), RATE, 1, "test")
    block = round(0.02 * RATE)
    for start in range(0, len(sound), block):
        for said in ear.push(sound[start : start + block, None]):
            assert isinstance(said, Heard)
            assert (start + block) / RATE - said.end_s <= SILENCE_S + 0.15
            return
    pytest.fail("nothing was heard")


def test_partial_answers_come_several_times_a_second_and_settle() -> None:
    said = listen(np.concatenate([quiet(0.6), rattle(9, 4, seconds=3.0), quiet(1)]), partial=True)
    hearing = [h for h in said if isinstance(h, Hearing)]
    assert len(hearing) >= 8
    assert all(b.now_s - a.now_s < 0.4 for a, b in itertools.pairwise(hearing))
    assert isinstance(said[-1], Heard)
    assert sum(hearing[-1].probabilities.values()) == pytest.approx(1)


@pytest.mark.parametrize("sensor", ["microphone", "accelerometer"])
def test_partial_answers_name_the_start_that_the_line_names(sensor: str) -> None:
    """… and not where the quiet begins that is looked at before the shake."""
    if sensor == "microphone":
        sound = np.concatenate([quiet(1.5), rattle(9, 4, seconds=3.0)[round(0.4 * RATE) :], quiet(1)])
        said = listen(sound, partial=True)
    else:
        shaken = shaken_sensor(8, 9, seconds=3.2)
        lain = np.tile(shaken[:480], (4, 1))
        said = listen(np.concatenate([lain, shaken, lain]), 160, partial=True, rate=1600)
    (line,) = (h for h in said if isinstance(h, Heard))
    starts = [h.start_s for h in said if isinstance(h, Hearing)]
    assert starts == pytest.approx([line.start_s] * len(starts), abs=0.1)


@pytest.mark.parametrize("rate", [1600.0, 1662.4, 1713.0, 3332.0])
def test_partial_answers_come_three_times_a_second_at_any_rate(rate: float) -> None:
    """Steps are whole samples: four of them may last a hair less than .32 s, or more."""
    sound = np.concatenate([STILL, shaken_sensor(8, 9, seconds=3.2 * rate / 1600), STILL])
    hearing = [h for h in listen(sound, 160, partial=True, rate=rate) if isinstance(h, Hearing)]
    apart = [b.now_s - a.now_s for a, b in itertools.pairwise(hearing)]
    assert apart == pytest.approx([0.32] * len(apart), abs=0.003)
    assert len(apart) > 8


@pytest.mark.parametrize("sensor", ["microphone", "accelerometer"])
def test_the_parts_of_a_long_shake_do_not_overlap(sensor: str) -> None:
    if sensor == "microphone":
        said = listen(np.concatenate([quiet(0.6), rattle(6, 3, seconds=26.0), quiet(1)]), partial=True)
    else:
        shaken = np.concatenate([STILL, shaken_sensor(8, 9, seconds=26.0), STILL])
        said = listen(shaken, 160, partial=True, rate=1600)
    parts = [h for h in said if isinstance(h, Heard)]
    assert len(parts) == 3
    assert all(b.start_s >= a.end_s for a, b in itertools.pairwise(parts))
    assert parts[-1].end_s - parts[0].start_s == pytest.approx(26.0, abs=0.5)
    for a, b in itertools.pairwise(said):
        if isinstance(a, Heard) and isinstance(b, Hearing):
            assert b.start_s >= a.end_s


@pytest.mark.parametrize("beyond_s", [0.1, 0.3, 0.5, 0.7])
def test_the_last_moment_of_a_long_shake_is_not_called_too_short(beyond_s: float) -> None:
    """A shake that ends just after it was cut was told already: its rest is no shake of its own, nor a knock."""
    shaken = rattle(6, 3, seconds=26.0)
    (begin,) = (h.start_s for h in listen(np.concatenate([quiet(0.6), shaken[: 3 * RATE], quiet(1)])))
    whole = shaken[: round((begin - 0.6 + LONGEST_SHAKE_S + beyond_s) * RATE)]
    heard = listen(np.concatenate([quiet(0.6), whole, quiet(1), rattle(8, 12), quiet(1)]))
    assert [h.verdict == "not-a-shake" for h in heard if isinstance(h, Heard)] == [False, False]
    starts = [begin, begin + LONGEST_SHAKE_S + beyond_s + 1 + 0.4]
    assert [h.start_s for h in heard] == pytest.approx(starts, abs=0.15)


def test_an_hour_takes_no_more_memory_than_a_minute() -> None:
    """Nor does a shake that never ends, with partial answers and two front ends at once."""
    ear = Listener(load_shipped("contact"), RATE, 1, "test", partial=True)
    assert ear._others
    shaken, noise = rattle(7, 5)[: round(2.2 * RATE), None], quiet(10)[:, None]

    def held() -> int:
        """Bytes of all that Python and NumPy got for it and did not give back."""
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    def longer() -> list[Heard | Hearing]:
        return [said for part in [noise, *[shaken] * 7] for said in ear.push(part)]

    longer()
    tracemalloc.start()
    try:
        before, said = held(), [*longer(), *longer()]
        assert held() - before < 2e6  # as much sound takes 9 MB
    finally:
        tracemalloc.stop()
    assert {type(s) for s in said} == {Heard, Hearing}


def test_an_accelerometer_on_the_shell() -> None:
    said = listen(np.concatenate([STILL, shaken_sensor(8, 9), STILL]), 160, rate=1600)
    assert [s.verdict for s in said if isinstance(s, Heard)] != ["not-a-shake"]
    assert len(said) == 1


def test_a_profile_of_another_sensor_is_refused() -> None:
    with pytest.raises(ProfileError, match="made for a microphone, and this is a"):
        rattle_profile().head_for("accelerometer", 1600)
    with pytest.raises(ProfileError, match="needs at least 31000 Hz"):
        Listener(rattle_profile(), 8000, 1, "slow")


@pytest.mark.parametrize("shape", [(4800, 2), (4800,)])
def test_a_block_of_other_channels_than_were_announced_is_refused_in_words(shape: tuple[int, ...]) -> None:
    ear = Listener(rattle_profile(), RATE, 1, "ear")
    with pytest.raises(SoundError, match=r"came from a source of 1 channel – give blocks \[samples, 1\]"):
        list(ear.push(np.zeros(shape, np.float32)))
