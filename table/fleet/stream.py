"""One journal as a hub follows it: how far it was taken, what is missing, and where it diverges from what was taken.

A journal that was restored from a copy reuses numbers: an event then differs from the one taken under its number. The
hub finds where they begin to differ by asking for earlier events. A journal only grows, so if one event is the same,
all before it are.
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
    oldest: int = 1  # the oldest event that the table still keeps for us
    same: int | None = None  # the newest event, if it came just now and is as it was taken
    doubt: int | None = None  # an event to be sent again: is it still the one that was taken?
    parted: int | None = None  # an event that differed: nothing is taken until it is known where that began
    since: float | None = None  # when it was last found incomplete, on the hub's clock
    wait: float = FIRST_WAIT_S

    def asks(self, there: bool, now: float) -> int | None:
        """The event from which to ask now, or None; with exponential backoff. `there`: its table is online with it."""
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
        """Take the next event."""
        kept.take(said.book, said.n, said.model_dump_json())
        self.reach(kept, said.n)
        self.same = said.n
        self.since, self.wait = now if self.known > said.n else None, FIRST_WAIT_S

    def as_taken(self, n: int) -> int | None:
        """Event `n` came again unchanged, and so are all before it.

        That includes one that had seemed to differ: that one was not of this journal, and nothing diverged there.
        Returns its number.
        """
        stray = self.parted
        if stray is not None and n < stray:
            return None  # the answer is incomplete: what is missing is asked for again
        self.parted = None
        if self.doubt is not None and self.doubt <= n:
            self.doubt = None
        return stray

    def parts(self, kept: Book, n: int, history: int) -> int | None:
        """Event `n` differs from the one taken. Returns the last event they share; None: earlier ones must be asked
        for."""
        oldest = max(1, self.oldest, kept.oldest(self.book) or 1)
        if self.same == n - 1:
            return n - 1
        if n <= oldest:  # nothing older can be compared: treat it as a journal never met before
            return max(0, self.oldest - 1, n - 1 - history)
        start, self.parted = max(oldest, n - history), max(n, self.parted or 0)
        self.doubt = start if self.doubt is None else min(start, self.doubt)
        return None

    def ask_again(self, kept: Book, n: int) -> None:
        """Ask for that event once more, if there is anything to compare it with."""
        if n >= self.oldest and kept.event(self.book, n) is not None:
            self.doubt = n if self.doubt is None else min(n, self.doubt)

    def go_back(self, kept: Book, n: int) -> None:
        """Forget what was taken after `n`: it is no longer in the journal."""
        kept.forget(self.book, n)
        self.reach(kept, n)
        self.doubt, self.parted, self.known = None, None, n

    def _lacking(self, there: bool) -> int | None:
        """The event from which to send again; None if nothing is missing."""
        if self.doubt is not None and there:
            return self.doubt
        return self.high + 1 if self.high is not None and self.known > self.high else None


def is_taken(kept: Book, said: Event) -> bool:
    """Whether this is the event that was taken under its number, as far as it is kept."""
    taken = kept.event(said.book, said.n)
    if taken is None:
        return True
    had = Event.model_validate_json(taken)
    return (had.seq, had.at, had.kind) == (said.seq, said.at, said.kind)
