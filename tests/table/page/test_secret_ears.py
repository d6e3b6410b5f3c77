"""What the ear heard is nobody's before the cards are checked: two evenings with other igloos look the same."""

from __future__ import annotations

import json

import httpx
from fastapi import FastAPI

from firmware_bridge.clock import VirtualClock
from sensors.evidence import Heard
from table.config import Settings
from table.door.access import Access
from table.journal.store import Journal
from table.room.table_room import TableRoom
from table.service.web import without_page


async def test_what_the_ear_heard_changes_nothing_that_anybody_receives_before_the_check() -> None:
    """Two evenings that differ in nothing but what the igloo sounded like: all answers are the same, byte for byte."""
    told = [await _evening(beads) for beads in (3, 12)]
    assert told[0] == told[1]
    assert len(told[0]) > 5000


async def _evening(beads: int) -> str:
    clock = VirtualClock()
    access = Access(clock, lan=True)
    book = Journal(None, today=lambda: "2026-11-21T20:00:00.000+00:00")
    room = TableRoom(Settings(game={"name": "igloo-pop", "players": ("red", "blue")}), clock, book, access)
    heard_by: list[str] = []
    room.listen(lambda said: heard_by.append(json.dumps(said.to_json())))
    app: FastAPI = without_page(room, access, ("table",))
    tokens = [access.pair(access.code, "a") for _ in range(3)] + [access.pair(access.host_code, "h")]
    access.sit(tokens[0], "red")
    access.sit(tokens[1], "blue")
    cards = ["5", "7-8", "9-10-11", "2", "3-4", "6", "12-13", "4-5-6", "11-12-13"]
    sure = {n: 0.97 if n == beads else 0.03 / 11 for n in range(2, 14)}
    out = []
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://table") as client:

        async def look() -> None:
            for token in tokens:
                for path in ("/api/table", "/api/moves", "/health"):
                    answer = await client.get(path, headers={"authorization": f"Bearer {token}"})
                    out.append(answer.text)

        for move in [*(f"deal {i} {c}" for i, c in enumerate(cards, 1)), "count", "grab red A"]:
            assert room.desk.play(move)
        await look()
        room._heard("red", Heard("mic", 1.0, 3.0, "sure", sure, 24.0, False, "p"))
        await look()
        assert room.desk.play("place red 2")
        await look()
        assert room.desk.undo()
        await look()
    out += heard_by
    room.journal.close()
    return "\n".join(out)
