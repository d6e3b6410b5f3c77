"""Finding shakes in rooms that are not quiet: fans, mains, talk, and noises that come and go."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.frames.finder import BLOCK_S, SILENCE_S, Finder, Found
from sensors.ear.shakes import moves
from tests.sensors.ear.frames.strokes import found, levels


def test_a_fan_that_starts_becomes_the_floor_and_shakes_are_found_above_it() -> None:
    out = found(levels((1, -70, 0), (6, -45, 0), (2, -20, 12), (1.5, -45, 0)))
    assert [f.kind for f in out] == ["begin", "dropped", "begin", "end"]
    assert abs(out[2].block - 700) < 8


def test_a_source_that_begins_in_noise_hears_shakes_above_it() -> None:
    assert found(levels((5, -40, 0))) == []
    assert [f.kind for f in found(levels((1, -40, 0), (2, -20, 9), (1, -40, 0)))] == ["begin", "end"]


@pytest.mark.parametrize("room", [-83.0, -79.0])
def test_zeros_before_the_room_is_heard_are_not_the_room(room: float) -> None:
    """A device that gives nothing at first, and then its room: nobody shakes yet."""
    begin, end = found(levels((0.1, -150, 0), (1.7, room, 0), (2, -30, 12), (1, room, 0)))
    assert (begin.kind, end.kind) == ("begin", "end")
    assert 170 < begin.block < 190


@pytest.mark.parametrize("before", [(0.1, -150, 0), (1, -70, 0)])
def test_a_room_that_is_new_when_the_first_stroke_comes_is_no_shake(
    before: tuple[float, float, float],
) -> None:
    """A device gives zeros and then a loud room, or a fan starts, and a second later somebody shakes."""
    first_stroke = [-20.0, -22, -24, -38, -44, -44, -44, -44]
    sequence = [*levels(before, (1.2, -50, 0)), *first_stroke, *levels((2, -32, 12), (1, -50, 0))]
    *others, begin, end = found(sequence)
    assert [f.kind for f in others] in ([], ["begin", "dropped"])
    assert (begin.kind, end.kind) == ("begin", "end")
    assert abs(begin.block - (len(sequence) - 308)) < 12
    assert abs(begin.floor_db + 50) < 2


def test_what_stood_out_of_a_room_that_is_new_is_told_all_the_same() -> None:
    begin, end = found(levels((1, -70, 0), (0.4, -30, 8), (1.5, -50, 0), (1, -70, 0)))
    assert (begin.kind, end.kind) == ("begin", "end")
    assert abs(end.block - 140) < 12


def test_a_shake_is_over_when_a_noise_begins_that_stays() -> None:
    """A hair dryer, half a second after the shake: what was shaken before it is not thrown away with it."""
    for pause in (0.2, 0.45):
        begin, end, *_ = found(levels((1, -70, 0), (2, -30, 12), (pause, -70, 0), (4, -20, 0), (2, -70, 0)))
        assert (begin.kind, end.kind) == ("begin", "end")
        assert 288 < end.block < 312 + 100 * pause
        assert end.floor_db < -60  # the room as it was


@pytest.mark.parametrize("seconds", [0.9, 1.2, 1.6, 1.95])
def test_a_noise_that_goes_on_when_the_source_ends_is_no_shake(seconds: float) -> None:
    """As it is none where it stops: a phone's gain control lifts the room when the shake is over, and then it ends."""
    shaken = (1, -70, 0), (2, -30, 12), (1, -70, 0)
    for after in ([], levels((1, -70, 0))):
        out = found([*levels(*shaken, (seconds, -45, 0)), *after])
        assert [one.kind for one in out] == ["begin", "end", "begin", "dropped"]


def test_a_noise_that_ends_leaves_no_deaf_ear() -> None:
    *_, begin, end = found(levels((1, -70, 0), (5, -20, 0), (0.6, -70, 0), (2, -30, 12), (1, -70, 0)))
    assert (begin.kind, end.kind) == ("begin", "end")
    assert abs(begin.block - 660) < 12


def ended_beside_a_fan(fan_db: float, silence_s: float) -> tuple[float, Found]:
    """A fan was switched on while somebody shook: so long after the last stroke the shake was over, in s; and it."""
    finder = Finder(-84.0, silence_s)
    for level in levels((1, -70, 0), (2, -20, 6)):
        finder.push(level)
    for waited, level in enumerate(levels((4, fan_db, 0)), 1):
        if found_now := finder.push(level):
            return waited * BLOCK_S, found_now
    raise AssertionError("the fan was taken for strokes")


def test_a_fan_that_started_meanwhile_is_the_room_when_strokes_have_ended() -> None:
    """What is steady for 0.8 s, 6 dB below the loud blocks, is no stroke; blows of a gesture lie farther apart."""
    waited_s, end = ended_beside_a_fan(-28.0, SILENCE_S)
    assert 0.6 < waited_s < 0.9  # a few blocks may be otherwise
    assert (end.kind, end.floor_db) == ("end", pytest.approx(-28, abs=1))
    assert 280 < end.block < 312
    assert ended_beside_a_fan(-28.0, moves.MOVE_SILENCE_S)[0] > moves.MOVE_SILENCE_S


def test_who_holds_still_for_half_a_second_beside_a_fan_shakes_on() -> None:
    sequence = levels((1, -70, 0), (1.5, -20, 6), (0.5, -28, 0), (1.5, -20, 6), (1, -70, 0))
    assert [f.kind for f in found(sequence)] == ["begin", "end"]


def test_somebody_who_talks_most_of_the_time_is_not_the_room() -> None:
    """The quieter quarter is: else soft shakes would not rise above talk that has stopped."""
    talk = levels(*[(0.6, -65, 0), (0.3, -70, 0)] * 5)
    begin, _ = found([*levels((0.5, -70, 0)), *talk, *levels((1, -52, 3), (1, -70, 0))])
    assert begin.floor_db == pytest.approx(-70, abs=1)


def test_a_room_that_comes_and_goes_a_little_holds_no_verdict_up() -> None:
    """The shake is hardly louder than the room, so the room's floor alone tells when it is over."""
    finder = Finder(-84.0)
    for level in levels((2, -70, 0), (2, -60, 8)):
        finder.push(level)
    assert finder.shaking
    room = round((SILENCE_S + 0.1) / BLOCK_S / 2) * [-70.0, -66.5]
    assert [f.kind for level in room if (f := finder.push(level)) is not None] == ["end"]


def buzzing(sequence: list[float], mains_hz: float, pulse_db: float) -> list[float]:
    """The levels with a buzz in them, as of a dimmer: one short pulse in each period of the mains."""
    pulses = np.diff(np.floor(np.arange(len(sequence) + 1) * BLOCK_S * mains_hz + 1e-6))
    energy = 10 ** (np.array(sequence) / 10) + pulses * 10 ** (pulse_db / 10)
    return list(10 * np.log10(energy))


@pytest.mark.parametrize("mains_hz", [50.0, 60.0, 100.0, 120.0])
def test_mains_that_buzz_are_the_room_whether_a_block_holds_a_pulse_or_none(mains_hz: float) -> None:
    shakes = levels((2, -80, 0), (2, -20, 8), (1.5, -80, 0), (2, -20, 8), (2, -80, 0))
    events = found(buzzing(shakes, mains_hz, -50.0))
    assert [f.kind for f in events] == ["begin", "end"] * 2
    assert [f.block for f in events] == pytest.approx([200, 400, 550, 750], abs=12)
    assert found(buzzing(levels((20, -80, 0)), mains_hz, -50.0)) == []
    late = found([*levels((1, -80, 0)), *buzzing(levels((19, -80, 0)), mains_hz, -50.0)])
    assert [f.kind for f in late] == ["begin", "dropped"]  # somebody switches it on


def test_a_swell_is_not_the_room() -> None:
    begin, end = found(levels((4, -70, 0), (0.6, -65, 0), (2, -58, 5), (1, -70, 0)))
    assert (begin.kind, end.kind) == ("begin", "end")
    assert begin.floor_db < -69
