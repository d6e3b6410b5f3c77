"""What needs everybody's word: taking a move back, abandoning the game, opening what was hidden when it is over.

Somebody asks, everybody else agrees or one of them does not; what came of it stands in the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from table.desk.desk import Desk
from table.desk.ending import abandon, can_be_opened, open_hidden
from table.journal.fold import Sitting

Wish = Literal["undo", "abandon", "open"]
_ASKS: dict[str, str] = {
    "undo": "asks to take the last move back",
    "abandon": "asks to abandon the game",
    "open": "asks to open what was hidden",
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """What `by` asks for; `agreed`: those who said yes. It is about the game as it stood then, in `sitting`."""

    key: str
    what: Wish
    by: str
    sitting: Sitting = field(repr=False, compare=False)
    agreed: frozenset[str]

    def to_json(self, waiting: Iterable[str]) -> dict[str, Any]:
        return {
            "key": self.key,
            "what": self.what,
            "by": self.by,
            "agreed": sorted(self.agreed),
            "waiting": sorted(waiting),
        }


class Accord:
    """The proposals of one desk. `voters`: whose word is needed now (seats, and `host` for those without a phone)."""

    def __init__(self, desk: Desk, voters: Callable[[], set[str]]) -> None:
        self._desk, self._voters = desk, voters
        self._proposal: Proposal | None = None
        self._count = 0

    @property
    def proposal(self) -> Proposal | None:
        """What is being asked; it lapses as soon as the game goes on."""
        asked = self._proposal
        # every change gives another sitting, also one that leads to as many moves, or to the same ones
        if asked is not None and asked.sitting is not self._desk.sitting:
            self._proposal = None
        return self._proposal

    def waiting(self) -> set[str]:
        """Whose word is still missing."""
        return set() if self._proposal is None else self._voters() - self._proposal.agreed

    def possible(self) -> tuple[Wish, ...]:
        """What can be asked for now."""
        desk = self._desk
        if desk.sitting.closed is not None:
            return ()
        out: list[Wish] = ["undo"] if desk.sitting.steps else []
        if desk.sitting.over is None:
            out.append("abandon")
        elif can_be_opened(desk):
            out.append("open")
        return tuple(out)

    def propose(self, what: Wish, by: str) -> bool:
        """Ask for it; False where it cannot be, another thing is asked, or all agreed and nothing came of it."""
        if what not in self.possible() or by not in self._voters():
            return False
        if self.proposal is not None and self.waiting():
            return False  # one whose missing words all belong to people who left asks nobody
        self._count += 1
        self._proposal = Proposal(
            f"{self._desk.name}-{self._count}", what, by, self._desk.sitting, frozenset({by})
        )
        if self.waiting():
            self._desk.tell(f"{_named(by)} {_ASKS[what]}", "proposal", what=what, by=by)
        return self._settle()

    def agree(self, key: str, voter: str) -> bool:
        """Say yes; False where nothing of that key is asked, the word does not count, or nothing came of it."""
        asked = self.proposal
        if asked is None or asked.key != key or voter not in self.waiting():
            return False
        self._proposal = replace(asked, agreed=asked.agreed | {voter})
        says = partial(self._desk.tell, f"{_named(voter)} agrees", "agreed", voter=voter)
        if self.waiting():
            says()
            return True
        done = self._settle(says)
        if not done and self._desk.unwritten:  # it is still asked, and may be agreed to again
            self._proposal = asked
        return done

    def decline(self, key: str, voter: str) -> bool:
        """Say no (or think better of one's own proposal): everything stays as it is, also where that is not written."""
        asked = self.proposal
        if asked is None or asked.key != key or voter not in self._voters():
            return False
        self._proposal = None
        self._desk.note("declined", what=asked.what, by=asked.by, voter=voter)
        self._desk.tell(
            f"{_named(voter)} does not agree: it stays as it is", "declined", what=asked.what, voter=voter
        )
        return True

    def _settle(self, says: Callable[[], None] = lambda: None) -> bool:
        """Do what all have agreed to; False where the journal does not take it. `says`: what is told before it, once
        it is written."""
        asked = self._proposal
        if asked is None or self.waiting():
            return True
        self._proposal = None
        body = {"what": asked.what, "by": asked.by, "agreed": sorted(asked.agreed)}
        with self._desk.noting("agreed", says, **body):
            match asked.what:
                case "undo":
                    return self._desk.undo("agreement")
                case "abandon":
                    return abandon(self._desk, "agreement")
                case "open":
                    return open_hidden(self._desk, "agreement")


def _named(voter: str) -> str:
    return "the host" if voter == "host" else voter
