"""What the recording wizard asks, and where it shows how a take goes: a terminal, or a page (`desk.py`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from calibration.recordings.recorder import Meter
from sensors.gesture.coach import Advice

Deed = Literal["record", "skip", "stop", "keep", "retake", "keep_stop", "again", "give_up"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One of a question's answers: a letter to type (empty: Enter alone), and in words what it does."""

    letter: str
    words: str
    deed: Deed


RECORD = Answer("", "record", "record")
SKIP = Answer("s", "skip for now", "skip")
STOP = Answer("q", "stop", "stop")
KEEP = Answer("", "keep", "keep")
RETAKE = Answer("r", "throw out and retake", "retake")
KEEP_AND_STOP = Answer("q", "keep and stop", "keep_stop")
AGAIN = Answer("", "try again", "again")
GIVE_UP = Answer("q", "give this take up and stop", "give_up")
# in place of an answer: which igloo is next has changed meanwhile. Nobody can type it
CHANGED = "\n"


@dataclass(frozen=True, slots=True)
class Turn:
    """The igloo whose turn it is: its beads, the how manieth of its `sweep` it is, and what to do with it."""

    beads: int
    number: int
    of: int
    asks: str
    sweep: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question in words, with its answers. `turn`: the igloo that is asked for, if it is about one."""

    words: str
    answers: tuple[Answer, ...]
    turn: Turn | None = None

    def __str__(self) -> str:
        """As a terminal asks it."""
        answers = ", ".join(f"{answer.letter or 'Enter'}: {answer.words}" for answer in self.answers)
        return f"{self.words}. {answers}" if self.words else answers


def next_igloo(turn: Turn, beads: str) -> Question:
    """Whether that igloo, which holds so many `beads` in words, is to be recorded now."""
    words = (
        f"{turn.number} of {turn.of}, the igloo with {beads}: put the last one down, take this one up anew"
    )
    return Question(f"{words}, {turn.asks}", (RECORD, SKIP, STOP), turn)


Ask = Callable[[Question], str]  # the letter, or CHANGED; raises EOFError if nobody answers any more


class Screen(Protocol):
    """Where the wizard shows what happens. `again`: what to do to go on from where it was stopped; `who`: where people
    say who shakes; `fit`: the button that fits a profile, None where a command does."""

    again: str
    who: str
    fit: str | None

    def check(self) -> None:
        """Called while a take is awaited. Raises KeyboardInterrupt if somebody wants to stop."""

    def tell(self, text: str) -> None:
        """Say it in a sentence; an empty one ends the meter's line."""

    def write(self, line: str) -> None:
        """Write a line for other programs on standard output."""

    def draw(self, meter: Meter, band: tuple[float, float]) -> None:
        """Show the level and strength of what is heard. `band`: the strengths that can be counted."""

    def advise(self, advice: Advice) -> None:
        """Say what to do now at a seat."""
