"""A table's sentences as server-sent events; each reader gets what he may hear."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from table.desk.said import Said

if TYPE_CHECKING:
    from table.room.table_room import TableRoom

KEEP_ALIVE_S = 15.0
MOST_UNREAD = 1000  # backpressure: sentences waiting for a slow reader


async def stream(
    room: TableRoom, token: str | None, address: str, leaving: asyncio.Event
) -> AsyncIterator[str]:
    """Stream the sentences for whoever holds the token *when they are said*: a seat may be handed on in the meantime.

    A reader who leaves a thousand unread gets these, is told that he missed the rest, and is disconnected. The stream
    ends when the table ends: otherwise the shutdown would wait for it, and then break it off.
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
    end.add_done_callback(lambda _: queue.put_nowait(None))  # wakes a reader who waits for a sentence
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
