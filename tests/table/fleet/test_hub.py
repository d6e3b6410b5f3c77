"""The hub: what it takes, what it asks for, what its book remembers, and what its page says of tables."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paho.mqtt import publish

from firmware_bridge.clock import VirtualClock
from rules.ice_cult.position import PHASES as IN_CULT
from rules.igloo_igloo.state import PHASES as IN_IGLOO_IGLOO
from rules.igloo_pop.position import PHASES as IN_POP
from rules.looney.state import PHASES as IN_IGLOO
from table.fleet.address import Message
from table.fleet.errors import HubBook
from table.fleet.hub import SILENT_S, Hub, Line
from table.fleet.hub_book import Book
from table.fleet.messages import Event, Sentence, schema
from table.page.hub_page import card, summary
from table.page.hub_page import told as told_on_page
from table.page.sentences import sentences
from table.page.texts import Texts
from tests.mosquitto import mosquitto
from tests.parts import ROOT, needs
from tests.table.fleet.fleets import hub as hub_at
from tests.table.fleet.fleets import table, until
from tests.table.fleet.hub_messages import BOOK, OTHER, event, online, state, told

PHASES = {*IN_POP, *IN_CULT, *IN_IGLOO_IGLOO, *IN_IGLOO} - {"over"}


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


def test_a_table_that_was_ended_needs_nobody_even_where_it_was_ended_with_a_question() -> None:
    hub = Hub(Book(None), VirtualClock())
    asking = json.dumps(json.loads(state(0).payload) | {"asks": True}).encode()
    for message in (online(), Message("polartable/north/state", asking, False)):
        hub.take(message)
    texts = Texts("en")
    assert summary([*hub.tables.values()], texts) == "Tables: 1. Somebody is needed at 1: North"
    hub.take(online(on=False, closed=True))
    assert summary([*hub.tables.values()], texts) == "Tables: 1. All is well."
    hub.take(online(on=False))  # no: the plug was pulled
    assert summary([*hub.tables.values()], texts) == "Tables: 1. Somebody is needed at 1: North"


async def test_a_table_that_does_not_say_it_is_there_once_the_broker_is_back_is_away() -> None:
    """A broker that was killed tells no last will: the hub showed a dead table as there for ever."""
    clock = VirtualClock()
    hub = Hub(Book(None), clock)
    for message in (online(), state(0)):
        hub.take(message)
    assert hub.wishes() == []
    hub.doubt()
    [(topic, wish)] = hub.wishes()
    assert topic == "polartable/north/again"
    assert json.loads(wish) == {"v": 1, "table": "north", "book": BOOK, "from": 0}
    assert hub.wishes() == []
    await clock.advance(SILENT_S - 1)
    assert len(hub.wishes()) == 1  # asked again: it may have come later than the hub
    assert hub.overdue() == []
    await clock.advance(1)
    assert hub.overdue() == [{"event": "table", "table": "north", "online": False, "closed": False}]
    assert summary([*hub.tables.values()], Texts("en")) == "Tables: 1. Somebody is needed at 1: North"
    hub.take(online())
    hub.doubt()
    hub.take(online())  # it answers
    await clock.advance(SILENT_S)
    assert (hub.wishes(), hub.overdue()) == ([], [])
    assert hub.tables["north"].online


async def test_a_table_whose_events_come_is_there_though_it_was_not_heard_to_answer() -> None:
    """A broker may withhold the topic on which the hub asks."""
    clock = VirtualClock()
    hub = Hub(Book(None), clock)
    for message in (online(), state(0)):
        hub.take(message)
    hub.doubt()
    hub.take(event(1))
    await clock.advance(SILENT_S)
    assert hub.overdue() == []
    assert hub.tables["north"].online


async def test_what_a_broker_kept_of_a_table_is_believed_only_where_the_hub_may_not_ask() -> None:
    kept = Message("polartable/north/online", online().payload, True)
    for unasked, there in (((), False), (("polartable/north/again",), True)):
        clock = VirtualClock()
        hub = Hub(Book(None), clock)
        hub.take(kept)
        assert len(hub.wishes()) == 1
        await clock.advance(SILENT_S)
        assert bool(hub.overdue(unasked)) is not there
        assert hub.tables["north"].online is there
        assert hub.wishes() == []


def test_nothing_is_said_to_be_well_while_something_is_amiss_with_the_broker() -> None:
    hub = Hub(Book(None), VirtualClock())
    for message in (online(), state(0)):
        hub.take(message)
    amiss = "Tables: 1. Something is amiss with the broker."
    assert summary([*hub.tables.values()], Texts("en"), heard=False) == amiss
    hub.take(online(on=False))
    needed = f"{amiss} Somebody is needed at 1: North"
    assert summary([*hub.tables.values()], Texts("en"), heard=False) == needed


@needs("mosquitto")
async def test_tables_that_died_while_the_broker_was_away_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.fleet.hub.SILENT_S", 8.0)
    with mosquitto(tmp_path) as broker:
        async with table(broker, None, "south"), hub_at(broker) as (hub, _):
            said = online()
            publish.single(said.topic, said.payload, retain=True, hostname="127.0.0.1", port=broker.port)
            await until(lambda: len(hub.tables) == 2 and all(t.online for t in hub.tables.values()))
            broker.kill()
            broker.start()
            await until(lambda: hub.tables["south"].online and not hub.tables["north"].online)


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_the_page_speaks_one_language_phases_and_the_referees_sentences_too(language: str) -> None:
    hub, texts = Hub(Book(None), VirtualClock()), Texts(language)
    for message in (online(), state(0)):
        hub.take(message)
    north, text = hub.tables["north"], "Yellow begins"
    assert north.state is not None
    said = Sentence(event="begun", tone="told", rule=None, text=text)
    begun = Event.model_validate_json(event(1).payload).model_copy(update={"said": [said]})
    english = told_on_page([begun.model_dump_json()], Texts("en"))
    assert text in english
    listed = told_on_page([begun.model_dump_json()], texts)
    assert sentences(language)(text) in listed
    assert text not in listed
    for phase in PHASES:
        north.state = north.state.model_copy(update={"phase": phase, "said": said})
        words = card(north, texts, 0.0)
        assert sentences(language)(text) in words
        assert texts[f"hub.phase_{phase.replace('-', '_')}"] in words
    north.state = north.state.model_copy(update={"phase": "late-tea"})  # of a version to come
    assert "late tea" in card(north, texts, 0.0)


def test_a_table_whose_word_was_taken_off_the_broker_leaves_the_hub() -> None:
    hub = Hub(Book(None), VirtualClock())
    for message in (online(), state(0), event(1)):
        hub.take(message)
    emptied = Message("polartable/north/online", b"", False)
    hub.take(emptied)
    assert hub.tables["north"].online  # it is there, whoever emptied that
    hub.take(online(on=False, closed=True))
    before = hub.version
    hub.take(emptied)
    assert hub.tables == {}
    assert hub.version > before
    hub.take(online())
    assert told(hub.take(event(2))) == [2]  # its journal is not forgotten


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


@pytest.mark.parametrize("value", ["NaN", "-Infinity", "1e999"])
@pytest.mark.parametrize("over", ['{{"x": {}}}', '{{"scores": {{"red": [1, {}]}}}}'])
def test_what_is_no_json_is_not_handed_on(over: str, value: str) -> None:
    """Python's reader takes it; of whoever reads the hub's lines nobody else's does."""
    hub = Hub(Book(None), VirtualClock())
    hub.take(online())
    for message in (event(1), state(1)):
        payload = message.payload.replace(b'"over": null', f'"over": {over.format(value)}'.encode())
        lines = hub.take(Message(message.topic, payload, False))
        assert [line["event"] for line in lines] == ["odd"]
        assert "not finite" in str(lines[0]["text"])
        for line in lines:
            json.dumps(line, allow_nan=False)
    assert told(hub.take(event(1))) == [1]


def test_the_documented_schema_is_the_one_that_is_spoken() -> None:
    assert json.loads((ROOT / "docs" / "fleet.schema.json").read_text()) == schema()
