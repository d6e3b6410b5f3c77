"""What stands in large letters: a question until it is answered, and below it what was refused since it was asked."""

from __future__ import annotations

from table.desk.said import Choice, Question, Said
from table.page.says import foremost

QUESTION = Question("look-A-1", "How many beads?", (Choice("7", ("found 1 7 red",)),), to=("red",))
ASKED = Said(2.0, "asks", "question", QUESTION.text, to=QUESTION.to)


def said(tone: str, text: str) -> Said:
    return Said(1.0, tone, "any", text)  # type: ignore[arg-type]


def texts(heard: list[Said], question: Question | None = QUESTION, seat: str | None = "red") -> list[str]:
    return [one.text for one in foremost(heard, question, seat)]


def test_what_was_refused_before_a_question_does_not_stand_below_it() -> None:
    before, since = said("refused", "that was no move"), said("fault", "the disk is full")
    assert texts([before, ASKED]) == [QUESTION.text]
    assert texts([before, ASKED, said("told", "red takes igloo A")]) == [QUESTION.text]
    assert texts([before, ASKED, since]) == [QUESTION.text, since.text]
    assert texts([ASKED, before, since]) == [QUESTION.text, since.text]  # the last one


def test_whoever_is_not_asked_sees_the_last_sentence() -> None:
    last = said("told", "red takes igloo A")
    for seat in ("blue", None):
        assert texts([ASKED, last], seat=seat) == [last.text]
    assert texts([ASKED, last], question=None) == [last.text]
    assert texts([], question=None) == []
