"""Guests who come in and say nothing, or begin to and do not end: they keep nobody else out.

Uvicorn waits for the rest of a request for ever. A thousand connections without a word, which a single machine opens in
a second, would take every file that a process may have open, and the table would answer nobody any more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any

PATIENCE_S = 20.0  # for the whole of a request; the longest that anybody sends is there in one
LOOK_S = 2.0
MOST = 300  # connections at a time; forty open pages need less, and Linux gives a process a thousand files
AT_ONCE = 50  # are let in at each turn, before it is known how many there are


def let_go(connections: Iterable[Any]) -> None:
    """Close those of uvicorn's connections over which a request is half here: nobody waits for the rest any more.

    One whose head is not whole has not begun for uvicorn, which closes it itself.
    """
    for connection in tuple(connections):
        if _owes(connection) and not _is_idle(connection):
            connection.transport.close()


def few() -> type[asyncio.Protocol]:
    """Uvicorn's protocol, of which there are `MOST` at a time: where one more comes, who has long said nothing goes."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    class Few(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self.since = asyncio.get_running_loop().time()
            # several come at one turn, and who was sent away before is gone only after it
            here = [other for other in self.connections if not other.transport.is_closing()]
            if len(here) > MOST:
                silent = [other for other in here if _owes(other)]
                min(silent, key=lambda other: other.since, default=self).transport.abort()

    return Few


class Silence:
    """Who has said nothing for how long, of uvicorn's `connections`."""

    def __init__(self, connections: Iterable[Any]) -> None:
        self._connections = connections
        self._since: dict[Any, tuple[Any, float]] = {}

    def look(self, now: float) -> None:
        """Close those who have owed the rest of a request, or a first one, for `PATIENCE_S`."""
        before, self._since = self._since, {}
        for connection in tuple(self._connections):
            if not _owes(connection):
                continue
            cycle, since = before.get(connection, (None, now))
            if cycle is not connection.cycle:  # another request than at the last look
                since = now
            self._since[connection] = connection.cycle, since
            if now - since >= PATIENCE_S:
                connection.transport.close()

    async def watch(self) -> None:
        """For ever."""
        while True:
            self.look(asyncio.get_running_loop().time())
            await asyncio.sleep(LOOK_S)


def _owes(connection: Any) -> bool:
    """Whether we wait for a guest, and not he for us. A WebSocket, which has no cycle, may be silent for an evening."""
    return hasattr(connection, "cycle") and (_is_idle(connection) or connection.cycle.more_body)


def _is_idle(connection: Any) -> bool:
    """No request is there but perhaps the beginning of a head."""
    return connection.cycle is None or bool(connection.cycle.response_complete)


def no_error(record: logging.LogRecord) -> bool:
    """For uvicorn's log at the end: an answer that is broken off because its time is over is no error of anybody's.

    It may have had no end of its own, as those that a browser without WebSockets waits for.
    """
    if record.exc_info is not None:
        return not isinstance(record.exc_info[1], asyncio.CancelledError)
    return not record.msg.startswith("Cancel %s running task(s)")
