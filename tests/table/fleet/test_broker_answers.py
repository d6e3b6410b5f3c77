"""What answers at a broker's address, byte by byte: why we are not let in, and what mends it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from paho.mqtt.client import Client

from table.fleet.address import Address
from table.fleet.broker import connect
from table.fleet.errors import BrokerAway, BrokerRefused, BrokerStalls, FleetError
from tests.mosquitto import Mosquitto
from tests.parts import needs

SOON_S = 5.0  # half of what is waited for a broker that is silent


@contextlib.asynccontextmanager
async def answering(answer: bytes, scheme: str = "mqtt") -> AsyncIterator[str]:
    """A server that says this to whoever says something, and hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1000)
        writer.write(answer)
        with contextlib.suppress(ConnectionError):
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def asked(url: str, ca: Path | None = None) -> FleetError:
    """What it says to us."""
    with pytest.raises(FleetError) as told:
        async with connect(Address.read(url, None, ca), "test", lambda m: None, lambda: None, None):
            pass
    return told.value


@pytest.mark.parametrize(
    ("answer", "kind", "mend"),
    [
        (b"\x20\x02\x00\x01", BrokerRefused, "MQTT 5"),  # MQTT 3.1.1: unacceptable protocol version
        (b"\x20\x03\x00\x84\x00", BrokerRefused, "MQTT 5"),
        (b"\x20\x03\x00\x86\x00", BrokerRefused, "user and password"),
        (b"\x20\x03\x00\x87\x00", BrokerRefused, "user and password"),
        (b"\x20\x03\x00\x88\x00", BrokerStalls, "tried again"),
        (b"\x20\x03\x00\x89\x00", BrokerStalls, "raise the broker's limits"),
        (b"\x20\x03\x00\x97\x00", BrokerStalls, "raise the broker's limits"),
        (b"\x20\x03\x00\x9f\x00", BrokerStalls, "raise the broker's limits"),
        (b"\x20\x03\x00\x8a\x00", BrokerRefused, "the broker's log"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", BrokerAway, "mqtts://"),
        (b"", BrokerAway, "mqtts://"),
    ],
)
async def test_whoever_is_not_let_in_hears_what_mends_that(
    answer: bytes, kind: type[FleetError], mend: str
) -> None:
    async with answering(answer) as url:
        error = await asked(url)
    assert type(error) is kind
    assert mend in str(error)
    if mend != "user and password":
        assert "password" not in str(error)


@needs("mosquitto")
async def test_tls_where_there_is_none(broker: Mosquitto) -> None:
    error = await asked(broker.url.replace("mqtt:", "mqtts:"))
    assert "start it" not in error.mend
    assert "mqtt://" in error.mend
    async with answering(b"SSH-2.0-OpenSSH_9.2\r\n", "mqtts") as url:
        error = await asked(url)
    assert isinstance(error, BrokerRefused)
    assert "mqtt://" in error.mend


@pytest.mark.parametrize("text", [None, "", "no certificate"])
async def test_an_authority_without_a_certificate(tmp_path: Path, text: str | None) -> None:
    ca = tmp_path / "club.pem"
    if text is not None:
        ca.write_text(text)
    async with answering(b"", "mqtts") as url:
        error = await asked(url, ca)
    assert isinstance(error, BrokerRefused)
    assert str(ca) in error.cause
    assert "[fleet] ca" in error.mend


def test_whoever_ends_does_not_wait_for_a_broker_that_is_silent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = Address.read(f"mqtts://127.0.0.1:{silent.getsockname()[1]}")

        async def main() -> socket.socket:
            async def hold() -> None:
                async with connect(address, "test", lambda m: None, lambda: None, None):
                    pass

            held = asyncio.create_task(hold())
            theirs, _ = await asyncio.to_thread(silent.accept)
            held.cancel()
            await asyncio.gather(held, return_exceptions=True)
            return theirs

        began = time.monotonic()
        with asyncio.run(main()):
            assert time.monotonic() - began < SOON_S


async def test_a_connection_that_comes_about_after_we_left_is_hung_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    original = Client.connect

    def slow(*given: object, **more: object) -> object:
        begun.set()
        go_on.wait(SOON_S)
        return original(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Client, "connect", slow)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = Address.read(f"mqtt://127.0.0.1:{server.getsockname()[1]}")

        async def hold() -> None:
            async with connect(address, "test", lambda m: None, lambda: None, None):
                pass

        held = asyncio.create_task(hold())
        await asyncio.to_thread(begun.wait, SOON_S)
        held.cancel()
        await asyncio.wait({held}, timeout=SOON_S)
        go_on.set()
        theirs, _ = await asyncio.to_thread(server.accept)
        with theirs:
            theirs.settimeout(SOON_S)
            while await asyncio.to_thread(theirs.recv, 1000):
                pass  # it greeted, and then hung up: else this is a TimeoutError
