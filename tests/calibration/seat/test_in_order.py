"""What igloos tell of their day while recordings of it are tested: in the order in which they were made, as in play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from calibration.recordings.folder import Recording
from calibration.seat.in_order import evaluate_taps
from calibration.seat.taps import Answered, Tapped
from sensors.gesture.collect import collect
from tests.sensors.gesture.seat_table import RATE, SMALL, TWINS, Table, twins_of_some_day, weighed

OTHERS = 3, 5, 10, 12


def made_at(beads: int, taken: str | None, session: str = "s1", file: str | None = None) -> Tapped:
    """A gesture on a day as that of weighing: the 7 is one of the `twins`, told from the 8 by what is loose alone."""
    if beads == 7:
        (gesture,) = collect(
            "accelerometer", RATE, Table(5, SMALL, TWINS).quiet(0.3).tap().tap().placed(7, 7, 7).take()
        )
    else:
        gesture = weighed(beads, SMALL, TWINS).gesture
    name = file or f"{session}/{beads}.wav"
    return Tapped(Recording(Path(), name, "accelerometer", beads, session=session, taken=taken), gesture)


def answers(tapped: Sequence[Tapped]) -> list[Answered]:
    return evaluate_taps(twins_of_some_day(), tapped, pytest.fail)


def of_the_seven(*tapped: Tapped) -> str:
    """sure, or until more is known of its day."""
    (seven,) = (a for a in answers(tapped) if a.tapped.recording.beads == 7)
    return seven.heard.why.name if seven.heard.reason else f"{seven.heard.verdict}: {seven.heard.best}"


def at(minute: int, hour: int = 18) -> str:
    return f"2026-11-20T{hour}:{minute:02d}:00Z"


def others(*taken: str | None, session: str = "s1") -> list[Tapped]:
    return [made_at(n, when, session) for n, when in zip(OTHERS, taken, strict=True)]


EARLY = [at(minute) for minute in range(4)]


def test_an_igloo_is_told_by_what_those_before_it_told_of_the_day() -> None:
    assert of_the_seven(made_at(7, None)) == "DAY_UNKNOWN"
    assert of_the_seven(*others(*[None] * 4), made_at(7, None)) == "sure: 7"
    assert of_the_seven(made_at(7, None), *others(*[None] * 4)) == "DAY_UNKNOWN"


def test_times_say_what_came_before_whatever_the_list_does() -> None:
    assert of_the_seven(made_at(7, at(30)), *others(*EARLY)) == "sure: 7"
    assert of_the_seven(*others(*EARLY), made_at(7, at(59, hour=17))) == "DAY_UNKNOWN"


def test_where_one_tells_no_time_they_are_taken_as_they_are_listed() -> None:
    assert of_the_seven(*others(*EARLY[:3], None), made_at(7, at(59, hour=17))) == "sure: 7"
    assert of_the_seven(*others(None, *EARLY[1:]), made_at(7, at(30))) == "sure: 7"
    assert of_the_seven(made_at(7, at(30)), *others(*EARLY[:3], None)) == "DAY_UNKNOWN"


@pytest.mark.parametrize("last", [EARLY[3], None])
def test_hours_later_nothing_is_known_of_the_day_though_the_session_is_called_the_same(
    last: str | None,
) -> None:
    assert of_the_seven(*others(*EARLY[:3], last), made_at(7, at(30, hour=23))) == "DAY_UNKNOWN"
    assert of_the_seven(*others(*EARLY[:3], last), made_at(7, at(30, hour=19))) == "sure: 7"


def test_another_session_is_another_day() -> None:
    assert of_the_seven(*others(*EARLY, session="s2"), made_at(7, at(30))) == "DAY_UNKNOWN"


def test_a_file_that_is_listed_twice_tells_of_the_day_once() -> None:
    def after(times: int) -> dict[int, float]:
        *_, last = answers([*[made_at(5, None), made_at(10, None)] * times, made_at(7, None)])
        return dict(last.heard.probabilities)

    assert after(4) == after(1)
    assert after(1) != after(0)


def test_answers_come_as_the_recordings_are_listed() -> None:
    listed = [made_at(7, at(30)), *others(*EARLY)]
    assert [a.tapped.recording.beads for a in answers(listed)] == [7, *OTHERS]
