"""Answers to the recording wizard's desk, as its pages give them."""

from __future__ import annotations

from collections.abc import Callable

from table.recording.asking import Deed
from table.recording.desk import RecordingDesk

PATIENCE_S = 60.0


def until(desk: RecordingDesk, what: Callable[[], object]) -> None:
    with desk.changed:
        assert desk.changed.wait_for(what, PATIENCE_S), (desk.phase, desk.question, desk.said)


def answer(desk: RecordingDesk, deed: Deed) -> None:
    """Answer the question that has that answer, when it comes."""

    def asked() -> bool:
        return desk.question is not None and deed in [one.deed for one in desk.question.answers]

    until(desk, asked)
    assert desk.question is not None
    desk.answer(desk.question, deed)
