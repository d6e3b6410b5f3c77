"""Why `fit` leaves nothing out by turns and prints no figure: each reason in a sentence, with what to do about it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from calibration.scores import Told, summary
from calibration.takes.features import Row
from calibration.testing import left_out
from calibration.testing.left_out import leave_units_out, why_not

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


def test_a_shake_that_two_microphones_heard_is_one_shake(
    heard: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in `evaluate --leave-out`: else its intervals would promise twice as many tries as there were."""
    told: list[Told] = []

    def of_all(each: list[Told]) -> dict[str, Any]:
        told.extend(each)
        return summary(each)

    monkeypatch.setattr(left_out, "summary", of_all)
    both = [
        of([of_one], pair=str(i), more={"place": place})[0]
        for place in ("table", "shelf")
        for i, of_one in enumerate(heard)
    ]
    leave_units_out(both, None, "session", lambda rows: (None,))
    assert len(told) == len(both)
    assert sum(not one.again for one in told) == len(heard)
