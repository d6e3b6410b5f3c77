"""Finding shakes in a stream of levels, one level a hundredth of a second."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.frames.finder import BLOCK_S, LONGEST_SHAKE_S, SILENCE_S, Finder
from tests.sensors.ear.frames.strokes import found, levels


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


def test_a_knock_before_the_first_stroke_is_forgotten_while_they_go_on() -> None:
    """Strokes 20 dB below it are quiet beside it at first; but not for as long as ends a shake."""
    knock = [-10.0, -12, -14, -16, -18, -20]
    begin, end = found([*levels((1, -70, 0)), *knock, *levels((3, -36, 6), (1, -70, 0))])
    assert (begin.kind, end.kind) == ("begin", "end")
    assert abs(end.block - 406) < 12


def test_gentler_strokes_after_a_knock_are_no_quiet() -> None:
    """Strokes alone tell how loud strokes are, not the knock among them."""
    knocked = levels((1, -70, 0), (1.5, -40, 6), (1.5, -46, 5), (1, -70, 0))
    knocked[250] = -8.0
    begin, end = found(knocked)
    assert (begin.kind, end.kind) == ("begin", "end")
    assert abs(end.block - 400) < 12


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
