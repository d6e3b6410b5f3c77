"""Closes idle connections: guests who say nothing, or never finish a request, must not keep others out.

Uvicorn waits for ever for the rest of a request. A single machine can open a thousand silent connections in a second;
they would use up the process's file descriptors, and the table could answer nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any

PATIENCE_S = 20.0  # for a whole request; the longest legitimate one takes one second
LOOK_S = 2.0
# connections at a time; forty open pages need fewer, and Linux gives a process a thousand file descriptors
MOST = 300
AT_ONCE = 50  # accepted in each turn of the loop, before their number is known


def let_go(connections: Iterable[Any]) -> None:
    """Close those of uvicorn's connections over which a request is incomplete: nobody waits for the rest any more.

    If not even the head is complete, no request exists for uvicorn, which then closes the connection itself.
    """
    for connection in tuple(connections):
        if _owes(connection) and not _is_idle(connection):
            connection.transport.close()


def few() -> type[asyncio.Protocol]:
    """Uvicorn's protocol with at most `MOST` connections: another one closes the one that is idle for longest."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    class Few(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self.since = asyncio.get_running_loop().time()
            # several arrive in one turn, and a connection that was closed before disappears only after it
            here = [other for other in self.connections if not other.transport.is_closing()]
            if len(here) > MOST:
                silent = [other for other in here if _owes(other)]
                min(silent, key=lambda other: other.since, default=self).transport.abort()

    return Few


class Silence:
    """How long each of uvicorn's `connections` has been silent."""

    def __init__(self, connections: Iterable[Any]) -> None:
        self._connections = connections
        self._since: dict[Any, tuple[Any, float]] = {}

    def look(self, now: float) -> None:
        """Close those that have owed a first request, or the rest of one, for `PATIENCE_S`."""
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
        """Run for ever."""
        while True:
            self.look(asyncio.get_running_loop().time())
            await asyncio.sleep(LOOK_S)


def _owes(connection: Any) -> bool:
    """Whether we wait for the guest, and not he for us. A WebSocket has no cycle, and may be silent for an evening."""
    return hasattr(connection, "cycle") and (_is_idle(connection) or connection.cycle.more_body)


def _is_idle(connection: Any) -> bool:
    """Whether there is no request, except perhaps the beginning of a head."""
    return connection.cycle is None or bool(connection.cycle.response_complete)


def no_error(record: logging.LogRecord) -> bool:
    """Log filter for uvicorn's shutdown: an answer cut off because its time is up is nobody's error.

    It may never have ended by itself, like the responses that a browser without WebSockets waits for.
    """
    if record.exc_info is not None:
        return not isinstance(record.exc_info[1], asyncio.CancelledError)
    return not record.msg.startswith("Cancel %s running task(s)")
