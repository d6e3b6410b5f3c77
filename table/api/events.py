"""The sentences of a table as server-sent events, to each what he may hear."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from table.desk.said import Said

if TYPE_CHECKING:
    from table.room.table_room import TableRoom

KEEP_ALIVE_S = 15.0
MOST_UNREAD = 1000  # sentences that wait for somebody who reads events


async def stream(
    room: TableRoom, token: str | None, address: str, leaving: asyncio.Event
) -> AsyncIterator[str]:
    """The sentences for whoever holds the token *when they are said*: a seat may be handed on meanwhile.

    Who leaves a thousand of them unread gets these, is told that he missed the rest, and is let go. Ends at once where
    the table ends: it would be waited for, and then broken off.
    """
    queue: asyncio.Queue[Said | None] = asyncio.Queue()

    def hear(said: Said) -> None:
        found = room.access.who(token, address)
        if found is not None and said.for_seat(found.seat):
            queue.put_nowait(said if queue.qsize() < MOST_UNREAD else None)
            if queue.qsize() > MOST_UNREAD:
                leave()

    leave = room.listen(hear)
    end = asyncio.create_task(leaving.wait())
    end.add_done_callback(lambda _: queue.put_nowait(None))  # wakes whoever waits for a sentence
    try:
        yield ": hello\n\n"
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE_S):
                    said = await queue.get()
            except TimeoutError:
                yield ": still here\n\n"
                continue
            if leaving.is_set():
                return
            if said is None:
                yield f"event: missed\ndata: {json.dumps({'mend': 'see GET /api/table, and listen anew'})}\n\n"
                return
            yield f"event: {said.event}\ndata: {json.dumps(said.to_json(), ensure_ascii=False)}\n\n"
    finally:
        leave()
        end.cancel()
