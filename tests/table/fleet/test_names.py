"""Two tables of one name on a real Mosquitto: rivals, copied cards, names left over by the dead."""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from table.fleet.address import Address
from table.fleet.broker import connect
from table.fleet.errors import BrokerAway
from table.fleet.messages import Online
from table.fleet.publisher import Publisher
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.mosquitto import Mosquitto
from tests.parts import needs
from tests.table.fleet.fleets import hub, outbox_of, overheard, play_some, table, until

pytestmark = [needs("mosquitto"), pytest.mark.usefixtures("impatient")]


def told_of(lines: list[dict[str, Any]]) -> set[tuple[str, int]]:
    """Book and number of every act that the hub has printed."""
    return {(line["book"], line["n"]) for line in lines if line["event"] == "told"}


async def test_a_second_table_of_that_name_waits_says_so_and_loses_nothing(
    broker: Mosquitto, tmp_path: Path
) -> None:
    async with hub(broker) as (follower, lines):
        evening = contextlib.AsyncExitStack()
        first = await evening.enter_async_context(table(broker, tmp_path / "one.sqlite"))
        await until(lambda: outbox_of(first).reached == 1)
        async with table(broker, tmp_path / "two.sqlite") as second:

            def said() -> list[str]:
                return [s.text for s in second.desk.said if s.event == "fleet"]

            await until(lambda: any("PT-724" in text for text in said()))
            play_some(second, 5, random.Random(2))
            play_some(first, 5, random.Random(3))
            await until(lambda: outbox_of(first).reached == outbox_of(first).newest)
            # What the broker has, the hub gets a moment later: only what it printed can be asked about.
            await until(lambda: (outbox_of(first).book, outbox_of(first).newest) in told_of(lines))
            await until(lambda: follower.tables["north"].online)
            assert outbox_of(second).reached == 0
            assert {book for book, _ in told_of(lines)} == {outbox_of(first).book}
            assert len(said()) == 1  # one sentence, however often it tries
            await evening.aclose()  # the other one has gone home: the name is free
            await until(lambda: outbox_of(second).reached == outbox_of(second).newest)
            await until(lambda: len(said()) == 2)
            assert said()[1] == "The broker has this table again."
            book, newest = outbox_of(second).book, outbox_of(second).newest
            await until(lambda: (book, newest) in told_of(lines))
            assert not follower.tables["north"].closed
        await until(lambda: follower.tables["north"].closed)


async def test_after_the_broker_was_away_the_elder_has_its_name_again_though_it_comes_back_last(
    broker: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late: set[str] = set()
    publishers: dict[str, Publisher] = {}

    def held_back(*given: Any) -> Any:
        publisher: Publisher = given[2].__self__
        publishers[publisher.outbox.book] = publisher
        if publisher.outbox.book in late:
            raise BrokerAway("the net is slow there", "wait")
        return connect(*given)

    monkeypatch.setattr("table.fleet.publisher.connect", held_back)
    async with table(broker, tmp_path / "one.sqlite") as elder:
        await until(lambda: outbox_of(elder).reached == 1)
        voice = publishers[outbox_of(elder).book]
        assert voice._claimed is not None
        voice._claimed -= 60.0  # a minute ago: less than CLAIM_S apart they count as having come together
        async with table(broker, tmp_path / "two.sqlite") as later:

            def said(room: TableRoom) -> list[str]:
                return [s.text for s in room.desk.said if s.event == "fleet"]

            await until(lambda: any("PT-724" in text for text in said(later)))
            late.add(outbox_of(elder).book)
            broker.kill()
            await until(lambda: any("PT-721" in text for text in said(elder)))
            broker.start()
            await until(lambda: said(later)[-1] == "The broker has this table again.")  # nobody else is there
            late.clear()
            await until(lambda: said(elder)[-1] == "The broker has this table again.")
            await until(lambda: "PT-724" in said(later)[-1])
            assert elder.desk.play("tilt n>S")
            await until(lambda: outbox_of(elder).reached == outbox_of(elder).newest)
            assert not any("PT-724" in text for text in said(elder))


async def test_a_name_left_over_by_a_dead_table_is_taken(broker: Mosquitto, tmp_path: Path) -> None:
    """A broker that persists may still say `online` for a table whose card was thrown away."""
    stale = {"v": 1, "table": "north", "book": "0" * 32, "online": True}
    async with overheard(broker, "nothing"):
        async with connect(Address.read(broker.url), "ghost", lambda m: None, lambda: None, None) as link:
            await link.publish("polartable/north/online", json.dumps(stale).encode(), retain=True)
        async with table(broker, None) as room:
            await until(lambda: outbox_of(room).reached == 1)


async def test_a_copied_card_is_one_sentence_and_both_tables_play(broker: Mosquitto, tmp_path: Path) -> None:
    with Journal(tmp_path / "one.sqlite") as journal:
        journal.open_outbox()
    (tmp_path / "two.sqlite").write_bytes((tmp_path / "one.sqlite").read_bytes())
    async with table(broker, tmp_path / "one.sqlite", "north") as first:
        await until(lambda: outbox_of(first).reached == 1)
        async with table(broker, tmp_path / "two.sqlite", "south") as second:
            await until(lambda: any("PT-725" in s.text for s in second.desk.said))
            assert first.desk.play("tilt n>S")
            assert second.desk.play("tilt n>S")
            await until(lambda: outbox_of(first).reached == 2)
            assert outbox_of(second).reached == 0
            assert [s.text for s in first.desk.said if s.event == "fleet"] == []


async def test_after_a_crash_the_same_table_is_no_rival_of_itself(broker: Mosquitto, tmp_path: Path) -> None:
    """The broker has not noticed yet that the first run is gone; its last will comes when the second one stands."""
    async with hub(broker) as (follower, _), table(broker, tmp_path / "book.sqlite") as first:
        await until(lambda: outbox_of(first).reached == 1)
        with_old_will = Online(table="north", book=outbox_of(first).book, online=False, run="the run before")
        async with connect(Address.read(broker.url), "ghost", lambda m: None, lambda: None, None) as ghost:
            await ghost.publish(
                "polartable/north/online", with_old_will.model_dump_json().encode(), retain=True
            )
        await until(lambda: "north" in follower.tables and follower.tables["north"].online)
        async with overheard(broker, "polartable/north/online") as heard:
            await until(lambda: bool(heard) and json.loads(heard[-1].payload)["online"])
