"""A table without any wire, in memory, and somebody who asks it over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from firmware_bridge.clock import VirtualClock
from table.config import Settings
from table.door.access import Access
from table.journal.store import Journal
from table.room.table_room import TableRoom
from table.service.web import without_page
from tests.table.shakes import CARDS


def room() -> TableRoom:
    clock = VirtualClock()
    return TableRoom(Settings.read(None), clock, Journal(None), Access(clock, lan=False))


@asynccontextmanager
async def http_client(table: TableRoom) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody on this machine, without a socket."""
    app = without_page(table, table.access, ("testserver",))
    transport = httpx.ASGITransport(app=app, client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        yield client


def looked_for(table: TableRoom) -> str:
    """The key of the question to look underneath an igloo."""
    table.new_game("igloo-pop", ["red", "blue"], {})
    moves = [f"deal {slot} {card}" for slot, card in enumerate(CARDS, 1)]
    for move in [*moves, "count", "grab red A", "place red 3", "pass red", "pass blue"]:
        assert table.desk.play(move)
    table._settle()
    assert table.desk.question is not None
    return table.desk.question.key


async def told(client: httpx.AsyncClient, path: str, **body: object) -> str:
    """The one sentence of an act that is refused."""
    answer = await client.post(f"/api/{path}", json=body)
    assert (answer.status_code, answer.json()["ok"]) == (409, False)
    (said,) = answer.json()["said"]
    return str(said["text"])


def legal(table: TableRoom) -> str:
    """A move that may be made now."""
    return next(move for move in table.desk.sitting.game.moves(table.desk.sitting.state))
