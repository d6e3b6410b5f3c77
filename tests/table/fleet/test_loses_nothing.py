"""A fleet on a real Mosquitto: whatever happens in between, a hub is told everything once."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from table.fleet.address import Address
from table.fleet.broker import connect
from table.fleet.hub import Line
from tests.mosquitto import Mosquitto
from tests.parts import needs
from tests.table.fleet.fleets import hub, outbox_of, play_some, table, told, until

pytestmark = [needs("mosquitto"), pytest.mark.usefixtures("impatient")]


async def test_broker_killed_and_restarted_in_mid_stream_hub_too_and_everything_comes_once(
    broker: Mosquitto, tmp_path: Path
) -> None:
    chance = random.Random(7)
    got: list[Line] = []
    async with table(broker, tmp_path / "book.sqlite") as room:
        for _ in range(3):
            async with hub(broker, tmp_path / "hub.sqlite") as (_, lines):
                for _ in range(2):
                    for _ in range(15):
                        play_some(room, 4, chance)
                        await asyncio.sleep(0)
                    broker.kill()
                    play_some(room, 20, chance)  # the table is playable, and knows nothing of brokers
                    broker.start()
                    play_some(room, 20, chance)
                    await until(lambda: bool(told(lines)))
                got += lines
            play_some(room, 10, chance)  # nobody follows
        async with hub(broker, tmp_path / "hub.sqlite") as (_, lines):
            await until(lambda: max(told(got) + told(lines)) == outbox_of(room).newest)
            got += lines
        assert told(got) == list(range(1, outbox_of(room).newest + 1))
        assert not [line for line in got if line["event"] == "missed"]
        room.journal.verify()
        entries = {entry.seq: entry for entry in room.journal.entries()}
        for line in got:
            if line["event"] == "told":
                assert entries[line["seq"]].kind == line["kind"]
                assert entries[line["seq"]].at == line["at"]


async def test_an_hour_without_a_broker_and_a_restart_of_the_table_lose_nothing(
    broker: Mosquitto, tmp_path: Path
) -> None:
    broker.kill()
    async with table(broker, tmp_path / "book.sqlite") as room:
        await until(lambda: any(s.event == "fleet" for s in room.desk.said))
        assert "PT-721" in next(s.text for s in room.desk.said if s.event == "fleet")
        play_some(room, 300, random.Random(1))
    broker.start()
    async with hub(broker) as (_, lines):
        await until(lambda: bool(lines))
        async with table(broker, tmp_path / "book.sqlite") as room:
            newest = outbox_of(room).newest
            assert newest > 250
            await until(lambda: told(lines)[-1:] == [newest] and outbox_of(room).reached == newest)
    assert told(lines) == list(range(1, newest + 1))


async def test_nonsense_from_strangers_hurts_neither_table_nor_hub(broker: Mosquitto) -> None:
    async with hub(broker) as (follower, lines), table(broker, None) as room:
        await until(lambda: told(lines) == [1])
        book = outbox_of(room).book
        odd: list[tuple[str, bytes]] = [
            ("event", b""),
            ("event", b"{"),
            ("event", b"\xff\xfe"),
            ("event", b"[" * 100_000),
            ("state", b"null"),
            ("state", b"x" * 300_000),
            ("online", b'{"v":2,"table":"north","book":"0","online":true}'),
            ("again", b'{"v":1,"table":"north","book":"%s","from":-5}' % book.encode()),
            ("again", b'{"v":1,"table":"north","book":"%s","from":1}' % book.encode()),
            ("elsewhere/event", b"{}"),
        ]
        address = Address.read(broker.url)
        async with connect(address, "stranger", lambda m: None, lambda: None, None) as link:
            for where, payload in odd:
                await link.publish(f"polartable/north/{where}", payload)
                await link.publish(f"polartable/UPPER {where}", payload)
        play_some(room, 10, random.Random(5))
        await until(lambda: told(lines)[-1] == outbox_of(room).newest)
        assert told(lines) == list(range(1, outbox_of(room).newest + 1))
        assert follower.tables["north"].odd is not None
        assert len(follower.tables) == 1
