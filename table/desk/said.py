"""What the desk says, to whom, and what it asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.core.game import Event

Tone = Literal["told", "refused", "asks", "over", "notice", "fault"]


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of the referee. `to` None: for everybody; `t`: seconds on the table's clock."""

    t: float
    tone: Tone
    event: str
    text: str
    rule: str | None = None
    to: tuple[str, ...] | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "t": round(self.t, 3),
            "tone": self.tone,
            "event": self.event,
            "rule": self.rule,
        }
        out |= {"to": None if self.to is None else list(self.to), "text": self.text}
        return out | ({"data": dict(self.data)} if self.data else {})

    def for_seat(self, seat: str | None) -> bool:
        return self.to is None or (seat is not None and seat in self.to)


def from_event(t: float, event: Event) -> Said:
    """A sentence that comes from the rules."""
    tone: Tone = "over" if event.event == "over" else "told"
    return Said(t, tone, event.event, event.text, event.rule, event.to, event.data or {})


ARROWS = {"N": "↑", "E": "→", "S": "↓", "W": "←"}


def spoken(text: str) -> str:
    """A sentence as people see it: a capital (unless it begins with a file), a full stop, `red>N` as an arrow."""
    text = re.sub(r"\b(red|yellow|green|blue)>([NESW])\b", lambda m: f"{m[1]} {ARROWS[m[2]]}", text)
    if "/" not in text.split(" ", 1)[0]:
        text = text[:1].upper() + text[1:]
    return text if text[-1:] in ".?!…" else text + "."


NAMED = 6  # how many of the moves that a correction undid are named; the journal has all of them


def corrected(at: int, now: str, was: str, gone: Sequence[str]) -> str:
    """The sentence for a correction at step `at` (counted from 0) that left the moves `gone` to be made again."""
    if now == was:
        text = f"Step {at + 1} was right: “{now}”."
    else:
        text = f"Corrected: step {at + 1} is “{now}”, not “{was}”."
    named = ", ".join(gone[:NAMED]) + (", …" if len(gone) > NAMED else "")
    if len(gone) == 1:
        return f"{text} This later move no longer fits and is to be made again: {named}."
    if gone:
        return f"{text} These later moves no longer fit and are to be made again: {named}."
    return text


@dataclass(frozen=True, slots=True)
class Choice:
    """One possible answer: the moves it stands for, in order, and its odds (0..1; None if nothing was heard).

    `instead_of`: the step (counted from 0) that its one move corrects; None: the moves are made now. `then` is called
    for whoever asked, only once the moves are made: it says what the answer means for a sensor.
    """

    text: str
    moves: tuple[str, ...]
    odds: float | None = None
    instead_of: int | None = None
    then: Callable[[], None] | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Question:
    """What the desk cannot decide by itself. `to` None: anybody at the table may answer, not only whoever is to act."""

    key: str
    text: str
    choices: tuple[Choice, ...]
    to: tuple[str, ...] | None = None

    def is_for(self, seat: str | None) -> bool:
        return self.to is None or (seat is not None and seat in self.to)

    def to_json(self) -> dict[str, Any]:
        choices = [
            {"text": c.text, "moves": list(c.moves), "odds": c.odds}
            | ({} if c.instead_of is None else {"instead_of": c.instead_of})
            for c in self.choices
        ]
        return {
            "key": self.key,
            "text": self.text,
            "choices": choices,
            "to": None if self.to is None else list(self.to),
        }
