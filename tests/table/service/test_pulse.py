"""The table's pulse under a service manager: word when the page is up, beats while page and table live."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from firmware_bridge.clock import SystemClock
from table.service.pulse import Manager, Pulse, answers
from tests.table.pages import service


@pytest.fixture
def manager(tmp_path: Path) -> socket.socket:
    """What systemd holds: a socket for datagrams."""
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    sock.bind(str(tmp_path / "notify"))
    sock.settimeout(150)
    return sock


def test_a_real_service_is_ready_beats_and_says_when_it_stops(manager: socket.socket, tmp_path: Path) -> None:
    environment = os.environ | {
        "NOTIFY_SOCKET": manager.getsockname(),
        "WATCHDOG_USEC": "300000",
        "POLARTABLE_DATA": str(tmp_path),
    }
    with service("serve", "--port", "0", environment=environment):
        first = manager.recv(4096).decode().splitlines()
        assert first[:2] == ["READY=1", "WATCHDOG=1"]
        assert first[2] == "STATUS=ice-cult, 0 moves; all senses awake"
        assert manager.recv(4096).decode().startswith("WATCHDOG=1\n")
    last = ""
    while last != "STOPPING=1":  # beats that were sent before it was asked to end come first
        last = manager.recv(4096).decode()
    manager.close()


@asynccontextmanager
async def page(reply: bytes | None) -> AsyncIterator[int]:
    """A page that says `reply`, or hangs."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        if reply is not None:
            writer.write(reply)
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@pytest.mark.parametrize(
    ("reply", "alive"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n", True),
        (
            b"HTTP/1.1 503 Service Unavailable\r\n\r\n",
            True,
        ),  # a missing microphone is no reason for a restart
        (b"HTTP/1.1 500 Internal Server Error\r\n\r\n", False),
        (b"", False),
        (b"\xff" * 100_000, False),
        (None, False),
    ],
)
async def test_only_an_answer_of_the_page_is_a_sign_of_life(reply: bytes | None, alive: bool) -> None:
    async with page(reply) as port:
        assert await answers("0.0.0.0", port, 0.2 if reply is None else 30.0) is alive
    assert await answers("127.0.0.1", port, 0.2) is False  # nobody is there any more


async def test_a_table_that_stands_still_gets_no_beat_though_its_page_answers(manager: socket.socket) -> None:
    manager.setblocking(False)
    clock, ticked, finished = SystemClock(), [-60.0], list[str]()
    told = Manager({"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "60000"})
    looked = asyncio.Semaphore(0)

    def last_tick() -> float:
        looked.release()
        return ticked[0]

    async with page(b"HTTP/1.1 200 OK\r\n\r\n") as port, asyncio.timeout(60):
        pulse = Pulse(told, clock, "127.0.0.1", port, last_tick)
        beating = asyncio.create_task(
            pulse.run(lambda: True, lambda: finished.append("once"), lambda: "fine")
        )
        for _ in range(4):  # the fourth look comes after three beats that were left out
            await looked.acquire()
        with pytest.raises(BlockingIOError):
            manager.recv(4096)
        assert finished == []
        ticked[0] = clock.now() + 60.0
        # a busy machine's page may answer too late for one beat or another
        first = await asyncio.get_running_loop().sock_recv(manager, 4096)
        assert first.startswith(b"READY=1\nWATCHDOG=1\nSTATUS=fine")
        assert finished == ["once"]
        beating.cancel()
    manager.close()


def test_without_a_manager_nothing_is_told_and_a_foreign_watchdog_is_not_ours() -> None:
    alone = Manager({})
    alone.tell("READY=1")
    assert (alone.waits, alone.watchdog_s) == (False, None)
    assert Manager({"WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"}).watchdog_s is None
    assert Manager({"WATCHDOG_USEC": "nonsense"}).watchdog_s is None
    Manager({"NOTIFY_SOCKET": "/nowhere/at/all"}).tell("READY=1")
