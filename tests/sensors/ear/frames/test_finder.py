"""Finding shakes in a stream of levels, one level a hundredth of a second."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.frames.finder import BLOCK_S, LONGEST_SHAKE_S, SILENCE_S, Finder, Found
from sensors.ear.shakes import moves
from tests.sensors.ear.frames.strokes import levels


def found(sequence: list[float]) -> list[Found]:
    finder = Finder(-84.0)
    out = [f for level in sequence if (f := finder.push(level)) is not None]
    last = finder.finish()
    return [*out, last] if last else out


def test_a_shake_in_a_quiet_room() -> None:
    begin, end = found(levels((1, -70, 0), (2, -30, 12), (1, -70, 0)))
    assert (begin.kind, end.kind) == ("begin", "end")
    assert abs(begin.block - 100) < 8
    assert abs(end.block - 300) < 12


def test_the_verdict_can_come_when_the_stated_silence_is_over() -> None:
    finder = Finder(-84.0)
    for level in levels((1, -70, 0), (2, -30, 12)):
        finder.push(level)
    waited = 0
    for level in levels((2, -70, 0)):
        waited += 1
        if finder.push(level):
            break
    assert waited * BLOCK_S <= SILENCE_S + 0.05


def test_two_shakes_with_a_pause_are_two() -> None:
    kinds = [
        f.kind for f in found(levels((1, -70, 0), (1, -30, 12), (0.9, -70, 0), (1, -30, 12), (1, -70, 0)))
    ]
    assert kinds == ["begin", "end", "begin", "end"]


def test_strokes_after_a_knock_are_not_taken_for_the_room() -> None:
    """An igloo hits the table as it is taken up, 26 dB above its strokes."""
    knock = [-10.0, -14, -19, -23, -27, -31]
    first, second, third, last = found([*levels((1, -70, 0)), *knock, *levels((2, -48, 12), (1, -70, 0))])
    assert [f.kind for f in (first, second, third, last)] == ["begin", "end", "begin", "end"]
    assert abs(first.block - 100) < 3
    assert third.block - second.block < 55
    assert third.floor_db < -65
    assert abs(last.block - 306) < 12


def test_a_fan_that_starts_becomes_the_floor_and_shakes_are_found_above_it() -> None:
    out = found(levels((1, -70, 0), (6, -45, 0), (2, -20, 12), (1.5, -45, 0)))
    assert [f.kind for f in out] == ["begin", "dropped", "begin", "end"]
    assert abs(out[2].block - 700) < 8


def test_a_source_that_begins_in_noise_hears_shakes_above_it() -> None:
    assert found(levels((5, -40, 0))) == []
    assert [f.kind for f in found(levels((1, -40, 0), (2, -20, 9), (1, -40, 0)))] == ["begin", "end"]


def test_a_file_that_begins_with_the_shake_itself() -> None:
    begin, end = found(levels((2, -30, 12), (1, -70, 0)))
    assert begin.block < 15
    assert abs(end.block - 200) < 12


def test_a_shake_without_end_is_cut() -> None:
    out = found(levels((1, -70, 0), (30, -30, 12)))
    assert [f.kind for f in out[:2]] == ["begin", "end"]
    assert out[1].block - out[0].block <= LONGEST_SHAKE_S / BLOCK_S + 1


def test_the_end_of_the_source_ends_the_shake() -> None:
    assert [f.kind for f in found(levels((1, -70, 0), (1, -30, 12)))] == ["begin", "end"]


def test_levels_that_are_no_numbers_are_silence() -> None:
    assert found([float("nan"), float("-inf")] * 200) == []


def test_a_shake_is_found_whole_however_softly_it_was_recorded() -> None:
    loud = levels((1, -70, 0), (2, -30, 12), (1, -70, 0))
    soft = [level - 45.0 for level in loud]  # its gaps lie below what is silence on any device
    assert [(f.kind, f.block) for f in found(soft)][1] == [(f.kind, f.block) for f in found(loud)][1]


def test_a_soft_file_that_begins_in_the_midst_of_a_shake_keeps_its_beginning() -> None:
    begin, end = found(levels((2, -84, 8), (1, -110, 0)))
    assert (begin.kind, end.kind) == ("begin", "end")
    assert begin.block < 10


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


def test_a_noise_that_ends_leaves_no_deaf_ear() -> None:
    *_, begin, end = found(levels((1, -70, 0), (5, -20, 0), (0.6, -70, 0), (2, -30, 12), (1, -70, 0)))
    assert (begin.kind, end.kind) == ("begin", "end")
    assert abs(begin.block - 660) < 12


def test_a_shake_shorter_than_the_longest_is_one() -> None:
    assert [f.kind for f in found(levels((1, -70, 0), (11, -30, 12), (1, -70, 0)))] == ["begin", "end"]


def test_a_shake_that_grows_gentle_is_one() -> None:
    """Strokes a quarter as loud as those before them are no quiet."""
    begin, end = found(levels((1, -70, 0), (1.5, -30, 6), (1.5, -42, 6), (1, -70, 0)))
    assert (begin.kind, end.kind) == ("begin", "end")
    assert abs(end.block - 400) < 12


def test_a_knock_is_forgotten_within_seconds() -> None:
    """Strokes go on 15 dB below it, and grow gentler later."""
    strokes = levels((1, -70, 0), (3, -26, 6), (2, -34, 6), (1, -70, 0))
    strokes[150] = -5.0
    begin, end = found(strokes)
    assert (begin.kind, end.kind) == ("begin", "end")
    assert abs(end.block - 600) < 12


@pytest.mark.parametrize("at", [200, 230, 260])
@pytest.mark.parametrize("louder_db", [12.0, 18.0, 26.0])
def test_a_knock_in_the_midst_of_a_shake_does_not_cut_it_in_two(at: int, louder_db: float) -> None:
    """Beside it the strokes are quiet; but they were loud enough before it."""
    knocked = levels((1, -70, 0), (3, -40, 6), (1, -70, 0))
    for k, below in enumerate((0.0, 3, 7, 11, 15, 19)):
        knocked[at + k] = max(knocked[at + k], -33 + louder_db - below)
    begin, end = found(knocked)
    assert (begin.kind, end.kind) == ("begin", "end")
    assert abs(begin.block - 100) < 8
    assert abs(end.block - 400) < 12


def test_uneven_strokes_are_strokes_too() -> None:
    """A few beads on the shell: the first stroke is harder than the others, and each lasts a moment."""
    stroke, rest = [-40.0, -41.2, -41.9], 17 * [-65.0]
    shake = [*[-30.0, -39, -41], *rest, *9 * [*stroke, *rest]]
    shake[70:73] = [-8.0, -12, -20]
    begin, end = found([*levels((1, -70, 0)), *shake, *levels((1, -70, 0))])
    assert (begin.kind, end.kind) == ("begin", "end")
    assert abs(end.block - 285) < 12


def test_after_a_shake_with_a_knock_in_it_the_room_is_known_again() -> None:
    """Else the floor stays, and a fan that was switched on meanwhile would be a shake."""
    knocked = levels((1, -70, 0), (2, -30, 6), (1.5, -52, 0), (2, -30, 6), (1, -52, 0))
    knocked[250] = -5.0
    events = found(knocked)
    assert [f.kind for f in events] == ["begin", "end"] * 2
    assert events[2].floor_db == pytest.approx(-52, abs=1)


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


def test_how_soon_a_shake_may_be_over_is_known_while_it_is_quiet() -> None:
    """So a listener looks more often then, and the verdict is no step late."""
    finder = Finder(-84.0)
    assert finder.ends_in_s == np.inf
    for level in levels((1, -70, 0), (2, -30, 12)):
        finder.push(level)
    quiet = 0
    while finder.shaking:
        left = finder.ends_in_s
        finder.push(-70.0)
        quiet += 1
    assert left == pytest.approx(BLOCK_S)
    assert quiet * BLOCK_S == pytest.approx(SILENCE_S, abs=0.02)


def test_what_is_softer_than_silence_on_any_device_is_no_shake() -> None:
    """Digital silence, and the last bit of a converter that comes and goes in it."""
    assert found(levels((1, -150, 0), (2, -96, 6), (1, -150, 0))) == []
    assert found(levels((2, -100, 12), (1, -150, 0))) == []  # also where a source begins with it


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


def test_what_is_under_way_is_cut_where_somebody_knows_better_than_its_level() -> None:
    finder = Finder(-84.0)
    before = [f for level in levels((1.0, -60, 0.0), (3.0, -20, 6.0)) if (f := finder.push(level))]
    assert [f.kind for f in before] == ["begin"]
    cut = finder.cut(250)
    assert [(f.kind, f.block) for f in cut] == [("end", 250), ("begin", 250)]
    after = [f for level in levels((1.0, -20, 6.0), (1.0, -60, 0.0)) if (f := finder.push(level))]
    assert [f.kind for f in after] == ["end"]
    assert after[0].block == pytest.approx(500, abs=2)


@pytest.mark.parametrize("block", [0, 100, 400, 1000])
def test_nothing_is_cut_where_nothing_is_under_way(block: int) -> None:
    """Not before it began, nor at or after what was heard last."""
    finder = Finder(-84.0)
    for level in levels((1.0, -60, 0.0), (3.0, -20, 6.0)):
        finder.push(level)
    assert finder.cut(block) == ()
    for level in levels((1.0, -60, 0.0)):
        finder.push(level)
    assert finder.cut(250) == ()


def test_what_follows_a_cut_is_as_loud_as_itself() -> None:
    """Beside a loud shake before it a gentle one would be taken for quiet."""
    finder = Finder(-84.0)
    for level in levels((1.0, -70, 0.0), (2.0, -10, 6.0), (0.4, -34, 3.0)):
        finder.push(level)
    assert len(finder.cut(300)) == 2
    assert [finder.push(level) for level in levels((1.0, -34, 3.0))] == [None] * 100


def test_a_click_with_which_a_source_begins_is_no_shake_without_length() -> None:
    """It was told as a knock from 0 to 0 seconds."""
    assert [f.kind for f in found([-27.0, -44, -44, -44, -44, *([-38.0] * 200)])] == ["begin", "dropped"]
