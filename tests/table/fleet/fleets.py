"""A fleet for tests: tables of the service, a hub that follows them, and somebody who overhears the broker."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.clock import SystemClock
from table.config import Settings
from table.door.access import Access
from table.fleet.address import Address, Message
from table.fleet.broker import connect
from table.fleet.following import Following
from table.fleet.hub import Hub, Line
from table.fleet.hub_book import Book
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.mosquitto import Mosquitto
from tests.parts import ROOT

PATIENCE_S = 60.0


def hasten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits ten seconds for a broker that will not answer."""
    read = Address.read
    monkeypatch.setattr(Address, "read", lambda *given: replace(read(*given), answer_s=1.0))


def documented_rights(user: str, called: str) -> list[str]:
    """What docs/fleet.md lets that user do, lines of Mosquitto's access list."""
    page = (ROOT / "docs" / "fleet.md").read_text(encoding="utf-8")
    lines = [line.strip() for line in page.split(f"    user {user}\n")[1].splitlines()]
    rights = list(itertools.takewhile(lambda line: line.startswith("topic "), lines))
    return [line.replace(user, called) for line in rights]


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not true():
            await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def table(
    broker: Mosquitto,
    file: Path | None,
    name: str = "north",
    game: dict[str, Any] | None = None,
    user: str | None = None,
    **fleet: Any,
) -> AsyncIterator[TableRoom]:
    """A table of the service, as `polartable serve` makes it."""
    values: dict[str, Any] = {"fleet": {"broker": broker.url_of(user), "table": name} | fleet}
    settings = Settings.model_validate(values | ({} if game is None else {"game": game}))
    clock = SystemClock()
    room = TableRoom(settings, clock, Journal(file), Access(clock, lan=False))
    room.start()
    try:
        yield room
    finally:
        await room.stop()


@contextlib.asynccontextmanager
async def hub(broker: Mosquitto, file: Path | None = None) -> AsyncIterator[tuple[Hub, list[Line]]]:
    lines: list[Line] = []
    book = Book(file)
    following = Following(Hub(book, SystemClock()), Address.read(broker.url), "hub-test", lines.append)
    task = asyncio.create_task(following.run())
    try:
        yield following.hub, lines
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        book.close()


@contextlib.asynccontextmanager
async def overheard(broker: Mosquitto, topic: str = "#") -> AsyncIterator[list[Message]]:
    """Everything that anybody who listens at this broker receives."""
    heard: list[Message] = []
    async with connect(Address.read(broker.url), "ear", heard.append, lambda: None, None) as link:
        await link.subscribe(topic)
        yield heard


def play_some(room: TableRoom, moves: int, chance: random.Random) -> None:
    """Any legal moves, and now and then one that is not or that is taken back; a new game where one has ended."""
    game = room.desk.sitting.game
    for _ in range(moves):
        if room.desk.sitting.over is not None:
            room.new_game("ice-cult", ("yellow", "red"), {})
        legal = [m for m in game.moves(room.desk.sitting.state) if m != "abandon"]
        move = "tilt n>N" if chance.random() < 0.1 else chance.choice(legal or ["abandon"])
        room.desk.play(move)
        if chance.random() < 0.05:
            room.desk.undo()


def told(lines: list[Line]) -> list[int]:
    return [line["n"] for line in lines if line["event"] == "told"]


def outbox_of(room: TableRoom) -> Any:
    assert room.journal.outbox is not None
    return room.journal.outbox
