"""Rate-limits the loss reports of `polartable listen` in words: a line per lost packet would hide the shakes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from firmware_bridge.clock import Clock
from sensors.evidence import Heard, Hearing
from table.commands.listen_words import Said
from table.listening.files import Event

EVERY_S = 10.0  # interval for one source


def gathered(events: Iterator[Said], clock: Clock) -> Iterator[Said]:
    """The same events, with losses of a source reported at most this often, and before its next shake.

    What comes on leaving reports them all.
    """
    waiting: dict[str, Event] = {}
    said_at: dict[str, float] = {}
    for said in events:
        source = said["source"] if isinstance(said, dict) else said.source
        if isinstance(said, dict) and said["event"] == "overflow":
            if clock.now() - said_at.get(source, -math.inf) < EVERY_S:
                waiting[source] = said
                continue
            waiting.pop(source, None)
            said_at[source] = clock.now()
        elif source in waiting and not isinstance(said, Hearing):
            late = waiting.pop(source)
            if isinstance(said, Heard) or said["event"] != "count":
                said_at[source] = clock.now()
                yield late
        yield said
