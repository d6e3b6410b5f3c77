"""Sentences about one recording, about several, and on a page."""

from __future__ import annotations

from calibration.words import many, on_page
from sensors.ear.errors import a_sensor


def test_one_and_several() -> None:
    assert many(1, "session") == "1 session"
    assert many(2, "session") == "2 sessions"
    assert many(1, "person", "people") == "1 person"
    assert many(0, "person", "people") == "0 people"
    assert [a_sensor(s) for s in ("microphone", "accelerometer")] == ["a microphone", "an accelerometer"]


def test_on_a_page_a_sentence_stands_by_itself() -> None:
    assert on_page("loudness tells: record sweeps") == "Loudness tells: record sweeps."
    assert on_page("Done.") == "Done."
