"""One journal as a hub follows it: how far it was taken, what of it is lacking, and where it parts from what was taken.

A journal that was restored from a copy gives numbers anew that it gave before: an event that is not the one that was
taken under its number. Where the two begin to differ is found by asking for what is before it. A journal only grows, so
where one event is the same, all before it are.
"""

from __future__ import annotations

from dataclasses import dataclass

from table.fleet.hub_book import Book
from table.fleet.messages import Event

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0  # before a table is asked again


@dataclass(slots=True)
class Stream:
    """One journal: taken up to `high`, known to reach to `known`. `kept` is always the hub's book."""

    book: str
    name: str
    high: int | None = None
    known: int = 0
    oldest: int = 1  # that the table still keeps for us
    same: int | None = None  # the newest event, if it came just now and is as it was taken
    doubt: int | None = None  # an event that is to be sent again: is it still the one that was taken?
    parted: int | None = None  # one that was not: nothing is taken until it is known where that began
    since: float | None = None  # when it was last found lacking, on the hub's clock
    wait: float = FIRST_WAIT_S

    def asks(self, there: bool, now: float) -> int | None:
        """From where on it is to be asked for now, or None; patience grows. `there`: its table is, with it."""
        start = self._lacking(there)
        if start is None:
            self.since, self.wait = None, FIRST_WAIT_S
        elif self.since is None:
            self.since = now
        elif now - self.since >= self.wait:
            self.since, self.wait = now, min(2 * self.wait, LONGEST_WAIT_S)
            return start
        return None

    def reach(self, kept: Book, n: int) -> None:
        self.high = n
        kept.reach(self.book, self.name, n)

    def take(self, kept: Book, said: Event, now: float) -> None:
        """The next event."""
        kept.take(said.book, said.n, said.model_dump_json())
        self.reach(kept, said.n)
        self.same = said.n
        self.since, self.wait = now if self.known > said.n else None, FIRST_WAIT_S

    def as_taken(self, n: int) -> int | None:
        """Event `n` came again unchanged. So are all before it, also one that had seemed to be another: that one is not
        of this journal, and nothing parted there. It is returned."""
        stray = self.parted
        if stray is not None and n < stray:
            return None  # the answer is not complete: where it breaks off, it is asked for again
        self.parted = None
        if self.doubt is not None and self.doubt <= n:
            self.doubt = None
        return stray

    def parts(self, kept: Book, n: int, history: int) -> int | None:
        """Event `n` is not the one that was taken: after which one they part, or None; then what is before is asked."""
        oldest = max(1, self.oldest, kept.oldest(self.book) or 1)
        if self.same == n - 1:
            return n - 1
        if n <= oldest:  # nothing older can be compared: as with a journal never met before
            return max(0, self.oldest - 1, n - 1 - history)
        start, self.parted = max(oldest, n - history), max(n, self.parted or 0)
        self.doubt = start if self.doubt is None else min(start, self.doubt)
        return None

    def ask_again(self, kept: Book, n: int) -> None:
        """Ask for that event once more, where there is anything to compare it with."""
        if n >= self.oldest and kept.event(self.book, n) is not None:
            self.doubt = n if self.doubt is None else min(n, self.doubt)

    def go_back(self, kept: Book, n: int) -> None:
        """What was taken after `n` is no longer in it."""
        kept.forget(self.book, n)
        self.reach(kept, n)
        self.doubt, self.parted, self.known = None, None, n

    def _lacking(self, there: bool) -> int | None:
        """From where on it is to be sent again; None where nothing is wanted."""
        if self.doubt is not None and there:
            return self.doubt
        return self.high + 1 if self.high is not None and self.known > self.high else None


def is_taken(kept: Book, said: Event) -> bool:
    """Whether that is the event that was taken under its number, as far as it is kept."""
    taken = kept.event(said.book, said.n)
    if taken is None:
        return True
    had = Event.model_validate_json(taken)
    return (had.seq, had.at, had.kind) == (said.seq, said.at, said.kind)
