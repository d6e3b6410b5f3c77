"""Sentences about one recording, about several, and on a page."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from calibration.words import beads_of, many, on_page, ranges
from sensors.ear.errors import a_sensor


def test_one_and_several() -> None:
    assert many(1, "session") == "1 session"
    assert many(2, "session") == "2 sessions"
    assert many(1, "person", "people") == "1 person"
    assert many(0, "person", "people") == "0 people"
    assert [a_sensor(s) for s in ("microphone", "accelerometer")] == ["a microphone", "an accelerometer"]


def test_one_bead_is_one() -> None:
    assert beads_of([1]) == "1 bead"
    assert beads_of([2]) == "2 beads"
    assert beads_of([1, 2, 3, 9]) == "1–3 or 9 beads"


def test_on_a_page_a_sentence_stands_by_itself() -> None:
    assert on_page("loudness tells: record sweeps") == "Loudness tells: record sweeps."
    assert on_page("Done.") == "Done."
    assert on_page("recordings.jsonl names a.wav twice") == "recordings.jsonl names a.wav twice."


def test_numbers_are_named_in_ranges() -> None:
    assert ranges([7]) == "7"
    assert ranges([2, 3]) == "2 or 3"
    assert ranges([2, 5, 6, 7, 9]) == "2, 5–7 or 9"


@given(st.sets(st.integers(0, 40), min_size=1))
def test_ranges_name_each_number_once_and_no_other(numbers: set[int]) -> None:
    named = [
        n
        for first, last in re.findall(r"(\d+)(?:–(\d+))?", ranges(sorted(numbers)))
        for n in range(int(first), int(last or first) + 1)
    ]
    assert named == sorted(numbers)
