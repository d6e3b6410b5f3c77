"""What the tests of the table share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware_bridge.clock import VirtualClock
from hw_mock.ports import PtyPort
from table.desk.ear_watch import EarWatch
from table.room.table_room import TableRoom
from tests.mosquitto import Mosquitto, mosquitto
from tests.table.rooms import http_client, room
from tests.table.shakes import counted_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def watch(clock: VirtualClock) -> EarWatch:
    """The ears' watch of a game of Igloo Pop: red and blue, nine cards laid out, the round counted in."""
    return counted_in(clock, "red", "blue")


@pytest.fixture
def table() -> TableRoom:
    """Without any wire, in memory."""
    return room()


@pytest.fixture
async def client(table: TableRoom) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody on this machine who asks that table over HTTP."""
    async with http_client(table) as client:
        yield client


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A file's own: while Playwright runs, no other loop can in its thread."""
    from tests.table.pages import (
        chromium,  # where Playwright is missing the tests without a page run all the same
    )

    with chromium() as browser:
        yield browser


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    """A Raspberry Pi's, as gpiozero mocks them."""
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


@pytest.fixture(autouse=True)
def pages_closed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests of one file share a browser, not its pages: one left open goes on drawing and takes the next one's time."""
    if "browser" not in request.fixturenames:
        yield
        return
    browser = request.getfixturevalue("browser")
    before = browser.contexts
    yield
    for context in browser.contexts:
        if context not in before:
            context.close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as running:
        yield running


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits that people do not notice, made shorter: a test should not sit through them."""
    monkeypatch.setattr("table.fleet.publisher.FIRST_WAIT_S", 0.05)
    monkeypatch.setattr("table.fleet.publisher.LONGEST_WAIT_S", 0.2)
    monkeypatch.setattr("table.fleet.publisher.GRACE_S", 0.0)
    monkeypatch.setattr("table.fleet.publisher.CLAIM_S", 0.5)
    monkeypatch.setattr("table.fleet.publisher.AGAIN_S", 0.05)
    monkeypatch.setattr("table.fleet.following.WAIT_S", 0.1)
    monkeypatch.setattr("table.fleet.following.TICK_S", 0.05)
    monkeypatch.setattr("table.fleet.stream.FIRST_WAIT_S", 0.2)


@pytest.fixture
def port() -> Iterator[PtyPort]:
    """A serial port at which a test writes and reads the other end."""
    pty = PtyPort()
    yield pty
    pty.close()
