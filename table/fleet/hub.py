"""The hub: takes every event of every table once and in order, and asks for missing ones. No I/O except its book.

An event is taken when it is the next of its journal. One that was taken before is a repetition. One that comes too
early shows that something was lost on the way (a broker that was killed keeps nothing); the table is then asked to send
again. A table's retained state tells how long its journal is, so that the loss of the last event is noticed, too.

A journal that was restored from a copy reuses numbers (`stream.py`). The hub forgets what it took from the point where
the two diverge, and takes the journal's new events.
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
from table.fleet.stream import Stream, is_taken

HISTORY = 200  # number of past events requested from a journal never met before
MOST_TABLES = 2000
ODD_S = 600.0  # how long an oddity is shown
THERE_S = 5.0  # between two questions to a table whether it is there
# silence after which a table counts as gone: tables look for a broker every 30 s, and may wait 10 s for its answer
SILENT_S = 60.0

Line = dict[str, Any]


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
        """Forget everything that is not in the book."""
        self.streams = {b: Stream(b, name, high) for b, (name, high) in self.book.journals().items()}

    def subscriptions(self) -> tuple[str, ...]:
        return tuple(topic(self.prefix, "+", what) for what in ("online", "state", "event"))

    def take(self, message: Message) -> list[Line]:
        """Process one message; returns a line for each thing it reports. Raises `HubBook`; call it in
        `book.together()`."""
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
            table.unsure = None  # it publishes, so it is there
        match said:
            case Online():
                return self._online(table, said, message.retained)
            case State():
                return self._state(table, said, message.retained)
            case _:
                return list(self._event(table, said))

    def doubt(self) -> None:
        """We have reconnected. A broker that was killed sends no last wills, so each table has to confirm its
        presence."""
        for table in self.tables.values():
            if table.online:
                table.unsure, table.kept, table.asked = self.clock.now(), False, None

    def overdue(self, unasked: Container[str] = ()) -> list[Line]:
        """The tables that did not confirm in time, a line each.

        `unasked`: topics on which we may not ask; for these tables the retained message at the broker is believed.
        """
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
        """The messages to publish so that tables send what is missing; call it about once a second."""
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
            its = self.tables.get(stream.name)
            start = stream.asks(its is not None and its.online and its.book == stream.book, now)
            if start is not None:
                where = topic(self.prefix, stream.name, "again")
                out.append((where, wish(stream.name, stream.book, start)))
        return out

    # inside

    def _table(self, name: str) -> Table | None:
        if name not in self.tables and len(self.tables) < MOST_TABLES:
            self.tables[name] = Table(name)
        return self.tables.get(name)

    def _changed(self, table: Table) -> None:
        table.version += 1
        self.version += 1

    def _odd(self, name: str, text: str) -> list[Line]:
        """Report something odd about a table; the same text only once."""
        table = self.tables.get(name)
        if table is None or table.odd == text:
            return []
        table.odd, table.odd_at = text, self.clock.now()
        self._changed(table)
        return [{"event": "odd", "table": name, "text": text}]

    def _taken_off(self, name: str) -> list[Line]:
        """Somebody cleared the retained message of a table that is gone; its journal's numbers stay."""
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
        elif table.unsure is None:  # a retained message: nobody knows how old it is
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
            stream.reach(self.book, max(0, said.oldest - 1, said.n - self.history))
        assert stream.high is not None
        stream.oldest = said.oldest
        if said.n < stream.high and not retained:
            lines += self._went_back(stream, said.n)
            stream.ask_again(self.book, said.n)
        elif retained:  # we were away in the meantime, or this state is old
            stream.ask_again(self.book, min(said.n, stream.high))
        if said.oldest - 1 > stream.high:
            first, last = stream.high + 1, said.oldest - 1
            table.missed += last - first + 1
            lines.append(
                {"event": "missed", "table": table.name, "book": said.book, "from": first, "to": last}
            )
            stream.reach(self.book, last)
        stream.known = max(stream.known, said.n) if said.n >= (stream.high or 0) else (stream.high or 0)
        if said.book == table.book and said != table.state:
            table.state = said
            self._changed(table)
            lines.append(_stands(table) | _plain(said))
        return lines

    def _event(self, table: Table, said: Event) -> Iterator[Line]:
        stream = self._stream(table, said.book)
        if stream.high is None:
            stream.reach(self.book, max(0, said.n - 1 - self.history))
        assert stream.high is not None
        if said.n <= stream.high:
            if is_taken(self.book, said):
                table.repeated += 1
                stream.same = said.n
                yield from self._as_taken(stream, said.n)
                return
            yield from self._differs(stream, said)
        stream.known = max(stream.known, said.n)
        if said.n > stream.high + 1 or stream.parted is not None:
            return  # it is asked for again, together with what comes before it
        stream.take(self.book, said, self.clock.now())
        table.taken += 1
        table.last, table.heard = said, self.clock.now()
        self._changed(table)
        yield {"event": "told"} | _plain(said)

    def _as_taken(self, stream: Stream, n: int) -> list[Line]:
        stray = stream.as_taken(n)
        if stray is None:
            return []
        text = f"event {stray} came that is not of its journal: does another table run on a copy of its card?"
        return self._odd(stream.name, text)

    def _differs(self, stream: Stream, said: Event) -> list[Line]:
        """The event differs from the one that was taken: go back to where they diverge, or ask for earlier ones."""
        last = stream.parts(self.book, said.n, self.history)
        return [] if last is None else self._went_back(stream, last)

    def _went_back(self, stream: Stream, n: int) -> list[Line]:
        """What was taken after `n` is no longer in that journal."""
        stream.go_back(self.book, n)
        return self._odd(stream.name, "its journal went back: it was restored from a copy")

    def _stream(self, table: Table, book: str) -> Stream:
        stream = self.streams.setdefault(book, Stream(book, table.name))
        stream.name = table.name  # a table may have been renamed
        return stream


def _stands(table: Table) -> Line:
    return {"event": "table", "table": table.name, "online": table.online, "closed": table.closed}


def _plain(said: BaseModel) -> Line:
    return said.model_dump(mode="json", exclude={"v"})
