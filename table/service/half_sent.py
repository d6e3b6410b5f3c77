"""Guests who have begun to say something and do not end: what they were about to ask for is never done."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any


def let_go(connections: Iterable[Any]) -> None:
    """Close those of uvicorn's connections over which a request is half here: nobody waits for the rest any more.

    One whose head is not whole has not begun for uvicorn, which closes it itself.
    """
    for connection in tuple(connections):
        if _is_half_here(connection):
            connection.transport.close()


def _is_half_here(connection: Any) -> bool:
    cycle = getattr(connection, "cycle", None)  # a WebSocket has none
    return cycle is not None and cycle.more_body and not cycle.response_complete


def no_error(record: logging.LogRecord) -> bool:
    """For uvicorn's log at the end: an answer that is broken off because its time is over is no error of anybody's.

    It may have had no end of its own, as those that a browser without WebSockets waits for.
    """
    if record.exc_info is not None:
        return not isinstance(record.exc_info[1], asyncio.CancelledError)
    return not record.msg.startswith("Cancel %s running task(s)")
