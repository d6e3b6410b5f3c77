"""Proposals that need everybody's consent: take a move back, abandon the game, reveal what was hidden once it is over.

Somebody proposes; then everybody else agrees, or one person declines. The outcome is written into the journal.
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
    """What `by` proposes. `agreed`: who has said yes. It refers to the game as it stood then, in `sitting`."""

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
    """The proposals of one desk. `voters`: whose consent is needed now (seats; `host` for people without a phone)."""

    def __init__(self, desk: Desk, voters: Callable[[], set[str]]) -> None:
        self._desk, self._voters = desk, voters
        self._proposal: Proposal | None = None
        self._count = 0

    @property
    def proposal(self) -> Proposal | None:
        """The open proposal; it lapses as soon as the game goes on."""
        asked = self._proposal
        # every change creates a new sitting, even one that leads to the same number of moves or to the same moves
        if asked is not None and asked.sitting is not self._desk.sitting:
            self._proposal = None
        return self._proposal

    def waiting(self) -> set[str]:
        """Who has not answered yet."""
        return set() if self._proposal is None else self._voters() - self._proposal.agreed

    def possible(self) -> tuple[Wish, ...]:
        """What can be proposed now."""
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
        """Open a proposal. False if it is impossible now, another one is open, or all agreed but it failed."""
        if what not in self.possible() or by not in self._voters():
            return False
        if self.proposal is not None and self.waiting():
            return False  # if every missing voter has left, the open proposal waits for nobody
        self._count += 1
        self._proposal = Proposal(
            f"{self._desk.name}-{self._count}", what, by, self._desk.sitting, frozenset({by})
        )
        if self.waiting():
            self._desk.tell(f"{_named(by)} {_ASKS[what]}", "proposal", what=what, by=by)
        return self._settle()

    def agree(self, key: str, voter: str) -> bool:
        """Say yes. False if no proposal of that key is open, the voter does not count, or all agreed but it failed."""
        asked = self.proposal
        if asked is None or asked.key != key or voter not in self.waiting():
            return False
        self._proposal = replace(asked, agreed=asked.agreed | {voter})
        says = partial(self._desk.tell, f"{_named(voter)} agrees", "agreed", voter=voter)
        if self.waiting():
            says()
            return True
        done = self._settle(says)
        if not done and self._desk.unwritten:  # the proposal stays open, and can be agreed to again
            self._proposal = asked
        return done

    def decline(self, key: str, voter: str) -> bool:
        """Say no, or withdraw one's own proposal. Nothing changes, even if the journal cannot record the refusal."""
        asked = self.proposal
        if asked is None or asked.key != key or voter not in self._voters():
            return False
        self._proposal = None
        self._desk.note("declined", what=asked.what, by=asked.by, voter=voter)
        self._desk.tell(
            f"{_named(voter)} does not agree: it stays as it is", "declined", what=asked.what, voter=voter
        )
        return True

    def reconsider(self) -> None:
        """Somebody came or left: do what all who are left have agreed to. If the journal does not take it, it stays."""
        asked = self.proposal
        if asked is not None and not self.waiting() and not self._settle() and self._desk.unwritten:
            self._proposal = asked

    def _settle(self, says: Callable[[], None] = lambda: None) -> bool:
        """Do what all have agreed to. False if the journal does not take it. `says`: called before it, once it is
        written."""
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
