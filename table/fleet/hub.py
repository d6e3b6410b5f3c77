"""The hub: takes every event of every table once and in order, and asks for what it lacks. No I/O but its book.

An event is taken when it is the next of its journal. One that was taken before is a repetition; one that comes too
early shows that something was lost on the way (a broker that was killed keeps nothing), and the table is asked to go
back. A table's retained state tells how far its journal is, so that a lost last event is noticed as well.

A journal that was restored from a copy gives numbers anew that it gave before: an event that is not the one that was
taken under its number. Where the two begin to differ is found by asking for what is before it; from there on what was
taken is forgotten, and the journal's new events are taken. A journal only grows, so where one event is the same, all
before it are.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from firmware_bridge.clock import Clock
from table.fleet.address import Message
from table.fleet.hub_book import Book
from table.fleet.messages import Event, Online, State, topic
from table.fleet.packing import wish
from table.fleet.reading import KINDS, read
from table.fleet.shown import Table

HISTORY = 200  # events that are asked for of a journal never met before
MOST_TABLES = 2000
ODD_S = 600.0  # how long an oddity is shown
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0  # before a table is asked again
THERE_S = 5.0  # between two questions whether a table is there
SILENT_S = 60.0  # then it is not: tables look for a broker every 30 s, and may wait 10 s for its answer

Line = dict[str, Any]


@dataclass(slots=True)
class Stream:
    """One journal: taken up to `high`, known to reach to `known`."""

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


@dataclass(slots=True)
class Hub:
    """All tables under one prefix."""

    book: Book
    clock: Clock
    prefix: str = "polartable"
    history: int = HISTORY
    tables: dict[str, Table] = field(default_factory=dict)
    streams: dict[str, Stream] = field(default_factory=dict)
    version: int = 0

    def __post_init__(self) -> None:
        self.reload()

    def reload(self) -> None:
        """Forget what is not in the book."""
        self.streams = {b: Stream(b, name, high) for b, (name, high) in self.book.journals().items()}

    def subscriptions(self) -> tuple[str, ...]:
        return tuple(topic(self.prefix, "+", what) for what in ("online", "state", "event"))

    def take(self, message: Message) -> list[Line]:
        """What a message brings, a line each. Raises `HubBook`; inside `book.together()`."""
        name, _, what = message.topic.removeprefix(f"{self.prefix}/").partition("/")
        kind = KINDS.get(what)
        if kind is Online and not message.payload:
            return self._taken_off(name)
        if kind is None or not message.payload:
            return []
        try:
            said = read(kind, message.payload, name)
        except ValueError as error:
            return self._odd(name, f"a message on {message.topic[:80]!r} cannot be read: {error}")
        table = self._table(name)
        if table is None:
            return []
        if not (isinstance(said, Online) or message.retained) and said.book == table.book:
            table.unsure = None  # it speaks, so it is there
        match said:
            case Online():
                return self._online(table, said, message.retained)
            case State():
                return self._state(table, said, message.retained)
            case _:
                return list(self._event(table, said))

    def doubt(self) -> None:
        """We are connected anew. A broker that was killed tells no last will, so each table has to say it is there."""
        for table in self.tables.values():
            if table.online:
                table.unsure, table.kept, table.asked = self.clock.now(), False, None

    def overdue(self, unasked: Container[str] = ()) -> list[Line]:
        """The tables that did not say it, a line each. `unasked`: topics on which we may ask nothing; what the broker
        has kept of these tables is believed."""
        lines = []
        for table in self.tables.values():
            if table.unsure is None or self.clock.now() - table.unsure < SILENT_S:
                continue
            table.unsure = None
            if not (table.kept and topic(self.prefix, table.name, "again") in unasked):
                table.online = False
                self._changed(table)
                lines.append(_stands(table))
        return lines

    def wishes(self) -> list[tuple[str, bytes]]:
        """What to publish so that tables send what is lacking; call it about once a second."""
        now, out = self.clock.now(), []
        for table in self.tables.values():
            due = table.unsure is not None and (table.asked is None or now - table.asked >= THERE_S)
            if due and table.book is not None:
                table.asked = now
                out.append((topic(self.prefix, table.name, "again"), wish(table.name, table.book)))
            if table.odd is not None and now - table.odd_at > ODD_S:
                table.odd = None
                self._changed(table)
        for stream in self.streams.values():
            start = self._lacking(stream)
            if start is None:
                stream.since, stream.wait = None, FIRST_WAIT_S
            elif stream.since is None:
                stream.since = now
            elif now - stream.since >= stream.wait:
                stream.since, stream.wait = now, min(2 * stream.wait, LONGEST_WAIT_S)
                where = topic(self.prefix, stream.name, "again")
                out.append((where, wish(stream.name, stream.book, start)))
        return out

    # inside

    def _lacking(self, stream: Stream) -> int | None:
        """From where on that journal is to be sent again; None where nothing is wanted."""
        table = self.tables.get(stream.name)
        if stream.doubt is not None and table is not None and table.online and table.book == stream.book:
            return stream.doubt
        return stream.high + 1 if stream.high is not None and stream.known > stream.high else None

    def _table(self, name: str) -> Table | None:
        if name not in self.tables and len(self.tables) < MOST_TABLES:
            self.tables[name] = Table(name)
        return self.tables.get(name)

    def _changed(self, table: Table) -> None:
        table.version += 1
        self.version += 1

    def _odd(self, name: str, text: str) -> list[Line]:
        """Something that no table of ours says; each table's words once."""
        table = self.tables.get(name)
        if table is None or table.odd == text:
            return []
        table.odd, table.odd_at = text, self.clock.now()
        self._changed(table)
        return [{"event": "odd", "table": name, "text": text}]

    def _taken_off(self, name: str) -> list[Line]:
        """Somebody emptied what the broker kept of a table that is not there; its journal's numbers stay."""
        if name in self.tables and not self.tables[name].online:
            del self.tables[name]
            self.version += 1
        return []

    def _online(self, table: Table, said: Online, retained: bool) -> list[Line]:
        if table.book not in (None, said.book):
            if not said.online:
                return []  # the last will of another table that had this name
            lines = (
                self._odd(table.name, "two tables have this name: give one of them another, [fleet] table")
                if table.online
                else []
            )
            table.state = None
        else:
            lines = []
        if not (said.online and retained):
            table.unsure = None
        elif table.unsure is None:  # said some time, to whom we do not know
            table.unsure, table.kept, table.asked = self.clock.now(), True, None
        else:
            table.kept = True
        if (table.book, table.online, table.closed) != (said.book, said.online, said.closed):
            table.book, table.online, table.closed = said.book, said.online, said.closed
            self._changed(table)
            lines.append(_stands(table))
        self._stream(table, said.book)
        return lines

    def _state(self, table: Table, said: State, retained: bool) -> list[Line]:
        lines: list[Line] = []
        stream = self._stream(table, said.book)
        if table.book is None:
            table.book = said.book
        if stream.high is None:
            self._reach(stream, max(0, said.oldest - 1, said.n - self.history))
        assert stream.high is not None
        stream.oldest = said.oldest
        if said.n < stream.high and not retained:
            lines += self._went_back(stream, said.n)
            self._doubt(stream, said.n)
        elif retained:  # we were away meanwhile, or this is an old one
            self._doubt(stream, min(said.n, stream.high))
        if said.oldest - 1 > stream.high:
            first, last = stream.high + 1, said.oldest - 1
            table.missed += last - first + 1
            lines.append(
                {"event": "missed", "table": table.name, "book": said.book, "from": first, "to": last}
            )
            self._reach(stream, last)
        stream.known = max(stream.known, said.n) if said.n >= (stream.high or 0) else (stream.high or 0)
        if said.book == table.book and said != table.state:
            table.state = said
            self._changed(table)
            lines.append(_stands(table) | _plain(said))
        return lines

    def _event(self, table: Table, said: Event) -> Iterator[Line]:
        stream = self._stream(table, said.book)
        if stream.high is None:
            self._reach(stream, max(0, said.n - 1 - self.history))
        assert stream.high is not None
        if said.n <= stream.high:
            if self._is_taken(said):
                table.repeated += 1
                stream.same = said.n
                yield from self._as_taken(stream, said.n)
                return
            yield from self._differs(stream, said)
        stream.known = max(stream.known, said.n)
        if said.n > stream.high + 1 or stream.parted is not None:
            return  # asked for again, with what is before it
        self.book.take(said.book, said.n, said.model_dump_json())
        self._reach(stream, said.n)
        stream.same = said.n
        stream.since, stream.wait = self.clock.now() if stream.known > said.n else None, FIRST_WAIT_S
        table.taken += 1
        table.last, table.heard = said, self.clock.now()
        self._changed(table)
        yield {"event": "told"} | _plain(said)

    def _is_taken(self, said: Event) -> bool:
        """Whether that is the event that was taken under its number, as far as it is kept."""
        kept = self.book.event(said.book, said.n)
        if kept is None:
            return True
        had = Event.model_validate_json(kept)
        return (had.seq, had.at, had.kind) == (said.seq, said.at, said.kind)

    def _as_taken(self, stream: Stream, n: int) -> list[Line]:
        """Event `n` came again unchanged. So are all before it, also one that had seemed to be another: that one is not
        of this journal, and nothing parted there."""
        stray = stream.parted
        if stray is not None and n < stray:
            return []  # the answer is not complete: where it breaks off, it is asked for again
        stream.parted = None
        if stream.doubt is not None and stream.doubt <= n:
            stream.doubt = None
        if stray is None:
            return []
        text = f"event {stray} came that is not of its journal: does another table run on a copy of its card?"
        return self._odd(stream.name, text)

    def _differs(self, stream: Stream, said: Event) -> list[Line]:
        """An event is not the one that was taken: go back to where they part, or ask for what is before it."""
        oldest = max(1, stream.oldest, self.book.oldest(stream.book) or 1)
        if stream.same == said.n - 1:
            return self._went_back(stream, said.n - 1)
        if said.n <= oldest:  # nothing older can be compared: as with a journal never met before
            return self._went_back(stream, max(0, stream.oldest - 1, said.n - 1 - self.history))
        start, stream.parted = max(oldest, said.n - self.history), max(said.n, stream.parted or 0)
        stream.doubt = start if stream.doubt is None else min(start, stream.doubt)
        return []

    def _doubt(self, stream: Stream, n: int) -> None:
        """Ask for that event once more, where there is anything to compare it with."""
        if n >= stream.oldest and self.book.event(stream.book, n) is not None:
            stream.doubt = n if stream.doubt is None else min(n, stream.doubt)

    def _went_back(self, stream: Stream, n: int) -> list[Line]:
        """What was taken after `n` is no longer in that journal."""
        self.book.forget(stream.book, n)
        self._reach(stream, n)
        stream.doubt, stream.parted, stream.known = None, None, n
        return self._odd(stream.name, "its journal went back: it was restored from a copy")

    def _stream(self, table: Table, book: str) -> Stream:
        stream = self.streams.setdefault(book, Stream(book, table.name))
        stream.name = table.name  # a table may have got another name
        return stream

    def _reach(self, stream: Stream, n: int) -> None:
        stream.high = n
        self.book.reach(stream.book, stream.name, n)


def _stands(table: Table) -> Line:
    return {"event": "table", "table": table.name, "online": table.online, "closed": table.closed}


def _plain(said: BaseModel) -> Line:
    return said.model_dump(mode="json", exclude={"v"})
