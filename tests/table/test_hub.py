"""`polartable hub` as somebody at a fair uses it: a page for people, lines for programs, a book that remembers."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.clock import VirtualClock
from table.fleet.address import Message
from table.fleet.errors import HubBook
from table.fleet.hub import Hub, Line
from table.fleet.hub_book import Book
from table.fleet.messages import schema
from tests.mosquitto import mosquitto
from tests.parts import ROOT, needs
from tests.table.pages import Watched, chromium, service

BOOK, OTHER = "a" * 32, "b" * 32


def standing(n: int, book: str = BOOK, **more: object) -> dict[str, object]:
    common = {
        "v": 1,
        "table": "north",
        "book": book,
        "n": n,
        "game": "game-1",
        "of": "ice-cult",
        "phase": "move",
    }
    return common | {"players": ["red"], "to_act": ["red"], "over": None} | more


def event(n: int, book: str = BOOK, at: str = "2026-11-21T00:00:00Z") -> Message:
    more = {
        "id": f"{book}-{n}",
        "seq": n,
        "kind": "play",
        "at": at,
        "move": "end",
        "said": [],
    }
    return Message("polartable/north/event", json.dumps(standing(n, book, **more)).encode(), False)


def state(n: int, oldest: int = 1, retained: bool = False, book: str = BOOK) -> Message:
    more = {"title": "North", "oldest": oldest, "said": None, "asks": False, "healthy": True, "faults": []}
    body = json.dumps(standing(n, book, **more, version="1"))
    return Message("polartable/north/state", body.encode(), retained)


def online(book: str = BOOK, on: bool = True) -> Message:
    body = {"v": 1, "table": "north", "book": book, "online": on}
    return Message("polartable/north/online", json.dumps(body).encode(), False)


def told(lines: list[Line]) -> list[int]:
    return [line["n"] for line in lines if line["event"] == "told"]


async def test_what_comes_too_early_is_asked_for_and_what_comes_twice_is_dropped() -> None:
    clock = VirtualClock()
    hub = Hub(Book(None), clock)
    lines: list[Line] = []
    for message in (state(0), event(1), event(2), event(2), event(1), event(5)):
        lines += hub.take(message)
    assert told(lines) == [1, 2]
    assert hub.wishes() == []
    await clock.advance(1.5)
    [(topic, wish)] = hub.wishes()
    assert topic == "polartable/north/again"
    assert json.loads(wish) == {"v": 1, "table": "north", "book": BOOK, "from": 3}
    assert hub.wishes() == []  # patience grows
    for n in (3, 4, 5):
        lines += hub.take(event(n))
    assert told(lines) == [1, 2, 3, 4, 5]
    await clock.advance(100)
    assert hub.wishes() == []


async def test_a_lost_last_event_is_noticed_by_the_tables_state() -> None:
    clock = VirtualClock()
    hub = Hub(Book(None), clock)
    for message in (state(0), event(1), state(3)):
        hub.take(message)
    hub.wishes()
    await clock.advance(1.5)
    assert len(hub.wishes()) == 1


def test_what_a_table_no_longer_keeps_is_counted_not_waited_for() -> None:
    hub = Hub(Book(None), VirtualClock())
    lines = [*hub.take(state(0)), *hub.take(event(1)), *hub.take(state(90, oldest=40)), *hub.take(event(40))]
    assert next(line for line in lines if line["event"] == "missed").items() >= {"from": 2, "to": 39}.items()
    assert told(lines) == [1, 40]
    assert hub.tables["north"].missed == 38


def test_a_journal_restored_from_a_copy_is_said_and_its_new_events_are_taken() -> None:
    hub = Hub(Book(None), VirtualClock())
    lines = [
        *hub.take(state(0)),
        *hub.take(event(1)),
        *hub.take(event(2)),
        *hub.take(state(1, retained=True)),
    ]
    assert not [line for line in lines if line["event"] == "odd"]  # an old retained state says nothing
    lines += [*hub.take(state(1)), *hub.take(event(2))]
    assert told(lines) == [1, 2, 2]
    assert [line["text"] for line in lines if line["event"] == "odd"] == [
        "its journal went back: it was restored from a copy"
    ]


class Restored:
    """A hub, and a table that had played twenty events, was restored from a copy of ten and plays again."""

    def __init__(self, path: Path | None = None, newest: int = 15) -> None:
        self.clock, self.path, self.newest = VirtualClock(), path, newest
        self.lines: list[Line] = []
        self.hub = Hub(Book(path), self.clock)
        self.take(online(), state(0), *map(event, range(1, 21)), state(20))
        self.lines.clear()

    def event(self, n: int) -> Message:
        return event(n, at="2026-11-28T00:00:00Z") if n > 10 else event(n)

    def take(self, *messages: Message) -> None:
        for message in messages:
            self.lines += self.hub.take(message)

    async def asked(self) -> int | None:
        """From where on the hub asks, if it asks; and the table sends what it has from there on."""
        self.hub.wishes()
        await self.clock.advance(100)
        wishes = self.hub.wishes()
        if not wishes:
            return None
        start: int = json.loads(wishes[0][1])["from"]
        self.take(*map(self.event, range(start, self.newest + 1)))
        return start

    async def settled(self) -> bool:
        """Whether the hub wants nothing more, and has of this journal what the table has, once."""
        for _ in range(4):
            await self.asked()
        kept = [json.loads(text) for text in self.hub.book.last(BOOK, 50)]
        new = [one["n"] for one in kept if one["at"].startswith("2026-11-28")]
        assert [one["n"] for one in kept] == list(range(1, self.newest + 1))
        assert new == told(self.lines) == list(range(11, self.newest + 1))
        assert [one["text"] for one in self.lines if one["event"] == "odd"] == [
            "its journal went back: it was restored from a copy"
        ]
        return await self.asked() is None


async def test_events_of_a_restored_journal_are_no_repetitions() -> None:
    """What waited while there was no broker comes first, the state after it."""
    table = Restored()
    table.take(*(table.event(n) for n in range(9, 16)), state(15))
    assert told(table.lines) == [11, 12, 13, 14, 15]
    assert await table.settled()


async def test_where_a_restored_journal_parts_is_asked_for() -> None:
    """Only the last of its new events came through."""
    table = Restored()
    table.take(table.event(14), table.event(15), state(15))
    assert told(table.lines) == []  # what is before it may be new as well
    assert await table.settled()


async def test_the_state_of_a_restored_journal_is_enough() -> None:
    table = Restored()
    table.take(state(15))
    assert await table.settled()


async def test_a_hub_that_was_away_notices_a_restored_journal(tmp_path: Path) -> None:
    for newest in (15, 20, 25):
        table = Restored(tmp_path / f"{newest}.sqlite", newest)
        table.hub = Hub(Book(table.path), table.clock)
        table.take(online(), state(newest, retained=True))
        assert await table.settled()


async def test_an_old_retained_state_costs_one_question() -> None:
    table = Restored(newest=20)
    table.event = event  # type: ignore[method-assign]  # nothing was restored
    table.take(state(12, retained=True))
    assert await table.asked() == 12
    assert await table.asked() is None
    assert not [line for line in table.lines if line["event"] != "table"]


@pytest.mark.parametrize("lost", [False, True])
async def test_one_event_of_a_copied_card_does_not_end_the_listening(lost: bool) -> None:
    """It is not of this journal: what was taken under its number comes again, unchanged."""
    table = Restored(newest=20)
    table.event = event  # type: ignore[method-assign]  # nothing was restored
    table.take(event(5, at="2026-11-20T09:00:00Z"))
    if lost:  # the answer broke off after its first event: that answers nothing
        table.take(event(1))
    assert await table.asked() == 1
    assert await table.asked() is None
    table.newest = 22
    table.take(event(21), event(22), state(22))
    assert told(table.lines) == [21, 22]
    assert await table.asked() is None
    assert [line["text"] for line in table.lines if line["event"] == "odd"] == [
        "event 5 came that is not of its journal: does another table run on a copy of its card?"
    ]


def test_the_book_remembers_over_a_restart_and_only_what_was_written(tmp_path: Path) -> None:
    book = Book(tmp_path / "hub.sqlite")
    hub = Hub(book, VirtualClock())
    with book.together():
        hub.take(state(0))
        hub.take(event(1))
    with contextlib.suppress(InterruptedError), book.together():
        hub.take(event(2))
        raise InterruptedError  # the plug is pulled
    book.close()
    again = Hub(Book(tmp_path / "hub.sqlite"), VirtualClock())
    assert told([*again.take(event(1)), *again.take(event(2)), *again.take(event(3))]) == [2, 3]
    (tmp_path / "no.sqlite").write_text("this is a letter, not a database, and quite long enough to tell")
    with pytest.raises(HubBook, match="PT-727"):
        Book(tmp_path / "no.sqlite")


def test_a_table_with_a_new_card_goes_on_and_the_old_ones_will_is_not_its_own() -> None:
    hub = Hub(Book(None), VirtualClock())
    for message in (online(BOOK, True), state(0), event(1), online(BOOK, False), online(OTHER, True)):
        hub.take(message)
    assert told([*hub.take(state(0, book=OTHER)), *hub.take(event(1, OTHER))]) == [1]
    hub.take(online(BOOK, False))
    assert hub.tables["north"].online
    assert hub.tables["north"].odd is None


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("north")
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner)
)
KEYS = sorted(json.loads(event(1).payload) | json.loads(state(1).payload) | {"online": True})


@given(
    st.sampled_from(["online", "state", "event", "again", ""]),
    st.dictionaries(st.sampled_from(KEYS), ANYTHING),
)
def test_no_message_takes_the_hub_down(what: str, changes: dict[str, object]) -> None:
    """Messages as a table sends them, with anything at all in place of some values."""
    hub = Hub(Book(None), VirtualClock())
    hub.take(state(0))
    base = {"event": event(1), "state": state(1), "online": event(1)}.get(what, state(2))
    payload = json.dumps(json.loads(base.payload) | {"online": True} | changes).encode()
    for topic in (f"polartable/north/{what}", f"polartable//{what}", f"polartable/{what}", what):
        hub.take(Message(topic, payload, False))
        hub.take(Message(topic, payload[: len(payload) // 2], True))
    hub.wishes()


def test_the_documented_schema_is_the_one_that_is_spoken() -> None:
    assert json.loads((ROOT / "docs" / "fleet.schema.json").read_text()) == schema()


@needs("mosquitto", "chromium", "playwright")
def test_the_page_shows_a_table_and_that_it_needs_somebody(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        names = {"BROKER": broker.url, "TABLE": "north", "TITLE": "<i>North</i>"}
        fleet = os.environ | {f"POLARTABLE_FLEET__{key}": value for key, value in names.items()}
        with (
            service("hub", "--port", "0", "--broker", broker.url, data=tmp_path / "h") as (lines, ready),
            service("serve", "--port", "0", data=tmp_path / "n", environment=fleet) as (north, one),
            chromium() as browser,
        ):
            watched = Watched(browser, 1200, 700)
            page = watched.page
            page.goto(ready["address"])
            page.get_by_text("Tables: 1. All is well.").wait_for()
            assert httpx.post(one["address"] + "api/play", json={"move": "tilt n>S"}, timeout=20).json()["ok"]
            page.get_by_text("Yellow tilts the north pair to the south").wait_for()
            page.get_by_role("button", name="North").click()
            page.get_by_text("Yellow begins.").wait_for()
            page.get_by_role("button", name="Close").click()
            north.kill()  # without a word: its last will speaks
            page.get_by_text("Somebody is needed at 1: <i>North</i>").wait_for()
            broker.kill()
            page.get_by_text("PT-721").wait_for()
            assert watched.complaints == []
            assert watched.outside(ready["address"]) == []
            assert (
                httpx.get(ready["address"], headers={"host": "evil.example"}, timeout=20).status_code == 403
            )
            lines.terminate()
            said = [json.loads(line) for line in lines.stdout or ()]
    assert [line["move"] for line in said if line["event"] == "told"] == [None, "tilt n>S"]


def test_a_hub_without_a_broker_is_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from table.cli import main; main()", "hub"]
    environment = os.environ | {"POLARTABLE_DATA": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, env=environment)
    assert done.returncode == 2
    assert done.stderr.startswith("polartable: PT-101: there is no broker to follow – give --broker")
    odd = subprocess.run(
        [*command, "--broker", "http://x"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env=environment,
    )
    assert odd.returncode == 2
    assert odd.stderr.startswith("polartable: PT-726: ")
    none = [*command, "--broker", "mqtt://127.0.0.1:1", "--no-page", "--json", "--seconds", "1"]
    away = subprocess.run(none, capture_output=True, text=True, cwd=ROOT, check=False, env=environment)
    assert away.returncode == 0
    assert "PT-721" in json.loads(away.stdout.splitlines()[0])["why"]
