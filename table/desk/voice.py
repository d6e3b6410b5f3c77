"""What a desk says, who listens to it, and how much of it is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_bridge.clock import Clock
from table.desk.said import Said
from table.journal.errors import JournalError

Listener = Callable[[Said], None]
KEPT = 400  # sentences kept for a page that is opened later


class Voice:
    """The sentences of one game. It knows no rules and writes nothing down."""

    def __init__(self, clock: Clock) -> None:
        self.said: list[Said] = []
        self.version = 0  # grows with every change that a page has to redraw
        self._clock = clock
        self._listeners: list[Listener] = []

    @property
    def now(self) -> float:
        """Seconds on the table's clock."""
        return self._clock.now()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every sentence; the returned function unsubscribes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def say(self, said: Said) -> None:
        self.version += 1
        self.said.append(said)
        del self.said[:-KEPT]
        for listener in tuple(self._listeners):
            listener(said)

    def tell(self, text: str, event: str = "notice", **data: Any) -> None:
        """Say a sentence of the desk's own, to everybody."""
        self.say(Said(self._clock.now(), "notice", event, text, data=data))

    def fault(self, error: JournalError) -> None:
        """Tell everybody that the journal could not be written."""
        data = {"number": error.number, "text": error.cause, "mend": error.mend}
        self.say(Said(self._clock.now(), "fault", "journal", str(error), data=data))

    @property
    def unwritten(self) -> bool:
        """Whether the last thing said was that the journal could not be written."""
        return bool(self.said) and (self.said[-1].tone, self.said[-1].event) == ("fault", "journal")
