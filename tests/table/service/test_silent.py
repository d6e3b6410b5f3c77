"""Guests who begin to say something, and the end of the service."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import MutableMapping
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI

from table.door.guard import Guard, Receive, Scope, Send
from table.room.table_room import TableRoom
from table.service import silent, web_service
from table.service.web import without_page
from table.service.web_service import listen, run

HALF_A_MOVE = (
    b"POST /api/play HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n"
    b'Expect: 100-continue\r\n\r\n{"mo'
)
POSTED = {
    "type": "http",
    "method": "POST",
    "path": "/",
    "headers": [(b"host", b"127.0.0.1"), (b"content-length", b"5")],
}
HALF_A_HEAD = b"GET /api/ta"


class Guest:
    """A socket on which somebody says what he likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def at(cls, port: int) -> Guest:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def says(self, words: bytes) -> None:
        self._writer.write(words)
        await self._writer.drain()

    async def hears(self, words: bytes) -> None:
        await self._reader.readuntil(words)

    async def the_rest(self) -> bytes:
        """What still comes, until the connection is closed."""
        with contextlib.suppress(ConnectionError):
            return await self._reader.read()
        return b""


def end() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


async def test_an_end_waits_for_nobody_who_is_still_saying_something(
    table: TableRoom, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broken off after two seconds, a request that was half sent left sixty lines of Python on the screen."""
    monkeypatch.setattr(web_service, "GRACE_S", 60)  # so that whoever is waited for is waited for plainly
    app = without_page(table, table.access, ("127.0.0.1",))
    sock, guests = listen("127.0.0.1", 0), list[Guest]()
    before, ended = table.desk.sitting, 0.0

    async def ready() -> None:
        nonlocal ended
        for words in (HALF_A_MOVE, HALF_A_HEAD, b""):
            guests.append(await Guest.at(sock.getsockname()[1]))
            await guests[-1].says(words)
        await guests[0].hears(b"100 Continue")  # it is being read
        ended = asyncio.get_running_loop().time()
        end()

    assert await run(app, sock, ready, app.state.leaving.set)
    assert asyncio.get_running_loop().time() - ended < web_service.GRACE_S / 2
    for guest in guests:
        assert b"200 OK" not in await guest.the_rest()
    assert table.desk.sitting == before
    assert capsys.readouterr().err == ""


async def test_what_is_broken_off_at_the_end_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An answer that takes longer than anybody waits at an end."""
    monkeypatch.setattr(web_service, "GRACE_S", 0.1)
    app, begun = FastAPI(), asyncio.Event()
    sock = listen("127.0.0.1", 0)

    @app.get("/slow")
    async def slow() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(20):  # whoever cleans up may need a while
                await asyncio.sleep(0)

    async def ready() -> None:
        guest = await Guest.at(sock.getsockname()[1])
        await guest.says(b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await begun.wait()
        end()

    assert await run(app, sock, ready)
    assert capsys.readouterr().err == ""


async def test_an_error_of_ours_is_told_at_the_end_as_ever(capsys: pytest.CaptureFixture[str]) -> None:
    app, begun, leaving = FastAPI(), asyncio.Event(), asyncio.Event()
    sock = listen("127.0.0.1", 0)

    @app.get("/broken")
    async def broken() -> None:
        begun.set()
        await leaving.wait()
        raise ValueError("ours")

    async def ready() -> None:
        guest = await Guest.at(sock.getsockname()[1])
        await guest.says(b"GET /broken HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await begun.wait()
        end()

    assert await run(app, sock, ready, leaving.set)
    assert "ValueError: ours" in capsys.readouterr().err


async def test_what_is_half_said_reaches_nobody() -> None:
    """Polling took what had come of it for a whole message."""
    came = [
        {"type": "http.request", "body": b"42[", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> dict[str, Any]:
        return came.pop(0)

    async def send(message: MutableMapping[str, Any]) -> None:
        raise AssertionError("nobody is there to hear it")

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("half a sentence is none")

    await Guard(app, ("127.0.0.1",))(POSTED, receive, send)
    assert came == []


async def test_what_comes_in_parts_is_read_whole_and_then_what_follows() -> None:
    came = [
        {"type": "http.request", "body": b"42[", "more_body": True},
        {"type": "http.request", "body": b"1]"},
        {"type": "http.disconnect"},
    ]
    read = list[MutableMapping[str, Any]]()

    async def receive() -> dict[str, Any]:
        return came.pop(0)

    async def send(message: MutableMapping[str, Any]) -> None:
        return

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        read.extend([await receive(), await receive()])

    await Guard(app, ("127.0.0.1",))(POSTED, receive, send)
    assert read == [
        {"type": "http.request", "body": b"42[1]", "more_body": False},
        {"type": "http.disconnect"},
    ]


async def test_who_says_nothing_or_half_of_it_is_not_waited_for(
    table: TableRoom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(silent, "PATIENCE_S", 0.5)
    monkeypatch.setattr(silent, "LOOK_S", 0.01)
    app = without_page(table, table.access, ("127.0.0.1",))
    sock = listen("127.0.0.1", 0)
    health = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    async def ready() -> None:
        port = sock.getsockname()[1]
        events = await Guest.at(port)
        await events.says(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await events.hears(b": hello")
        for words in (b"", HALF_A_HEAD, HALF_A_MOVE, health + HALF_A_HEAD):
            guest = await Guest.at(port)
            await guest.says(words)
            async with asyncio.timeout(10):
                assert (b"200 OK" in await guest.the_rest()) is words.startswith(health)
        table.desk.tell("Who only listens is waited for.")
        await events.hears(b"is waited for")
        end()

    assert await run(app, sock, ready, app.state.leaving.set)
    assert capsys.readouterr().err == ""


class Connection:
    """As much of uvicorn's as is looked at."""

    def __init__(self) -> None:
        self.cycle: SimpleNamespace | None = None
        self.closed = False
        self.transport = SimpleNamespace(close=lambda: setattr(self, "closed", True))

    def asks(self) -> None:
        self.cycle = SimpleNamespace(more_body=False, response_complete=True)


def test_whoever_asks_again_and_again_is_never_silent_for_long() -> None:
    busy, idle = Connection(), Connection()
    silence = silent.Silence([busy, idle])
    for now in range(0, 60, 2):
        busy.asks()
        silence.look(float(now))
        assert idle.closed is (now >= silent.PATIENCE_S)
    assert not busy.closed


async def test_a_crowd_that_says_nothing_keeps_nobody_out(
    table: TableRoom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those who listen stay, too; where all listen, one more is not let in."""
    monkeypatch.setattr(silent, "MOST", 5)
    app = without_page(table, table.access, ("127.0.0.1",))
    sock = listen("127.0.0.1", 0)

    async def ready() -> None:
        port = sock.getsockname()[1]

        async def listener() -> Guest:
            events = await Guest.at(port)
            await events.says(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            await events.hears(b": hello")
            return events

        listeners = [await listener()]
        crowd = await asyncio.gather(*(Guest.at(port) for _ in range(20)))
        guest = await Guest.at(port)
        await guest.says(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert b"200 OK" in await guest.the_rest()
        gone = asyncio.as_completed([silent.the_rest() for silent in crowd], timeout=60)
        assert [await rest for rest in islice(gone, 16)] == [b""] * 16
        listeners += [await listener() for _ in range(4)]
        assert await (await Guest.at(port)).the_rest() == b""
        table.desk.tell("Who listens stays.")
        for events in listeners:
            await events.hears(b"Who listens stays")
        end()

    assert await run(app, sock, ready, app.state.leaving.set)
    assert capsys.readouterr().err == ""
