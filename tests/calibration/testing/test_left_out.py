"""Why `fit` leaves nothing out by turns and prints no figure: each reason in a sentence, with what to do about it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from calibration.takes.features import Row
from calibration.testing import left_out
from calibration.testing.left_out import why_not

Rows = list[list[Row]]
COMMAND = "polartable calibrate igloos evaluate …"


def of(heard: Rows, **told: Any) -> Rows:
    return [[replace(row, recording=replace(row.recording, **told)) for row in of_one] for of_one in heard]


def test_sessions_of_sweeps_are_left_out(heard: Rows) -> None:
    assert why_not(heard, "session", COMMAND) is None


def test_what_is_alone_cannot_be_left_out(heard: Rows) -> None:
    one = of(heard[:12], session="evening")
    assert why_not(one, "device", COMMAND) == (
        "no accuracy is shown: all takes are of one set of igloos; record another set (--device NAME), then: "
        + COMMAND
    )
    assert why_not(one, "session", COMMAND) == (
        "no accuracy is shown: all takes are of one session, and takes of one sitting betray one another; record "
        f"another session on another day, then: {COMMAND}"
    )
    assert why_not(of(heard, session=None), "session", COMMAND) == (
        'no accuracy is shown: no line names its session, so all takes count as of one; give "session" in '
        f"recordings.jsonl, then: {COMMAND}"
    )


@pytest.mark.parametrize(
    ("unit", "what"), [("session", "what it was not fitted on"), ("device", "other sets")]
)
def test_what_takes_long_is_left_to_a_command(
    unit: Any, what: str, heard: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(left_out, "MOST_WORK", 3 * len(heard) - 1)
    sets = [of([of_one], device=of_one[0].recording.session)[0] for of_one in heard]
    assert why_not(sets, unit, COMMAND) == (
        f"how well it counts {what} takes longer than a fit may; it is told by: {COMMAND}"
    )
    monkeypatch.setattr(left_out, "MOST_WORK", 3 * len(heard))
    assert why_not(sets, unit, COMMAND) is None
