"""Hubs that a real Mosquitto lets hear nothing, or ask for nothing."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from table.fleet.broker import Connection
from table.fleet.following import Following
from table.fleet.hub import Line
from tests.mosquitto import mosquitto
from tests.parts import needs
from tests.table.fleet.fleets import documented_rights, hasten, hub, outbox_of, table, told, until

pytestmark = [needs("mosquitto"), pytest.mark.usefixtures("impatient")]

TABLE = ["user north", *documented_rights("north-1", "north")]


def rights(file: Path, *hubs: str) -> str:
    """An access list: whoever gives no name is the hub."""
    file.write_text("\n".join([*hubs, *TABLE, ""]))
    return f"acl_file {file}"


def listen_to_wishes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where a hub has asked by now, whatever came of it."""
    asked: list[str] = []
    wish = Following._wish

    async def overheard(following: Following, link: Connection, where: str, what: bytes) -> None:
        await wish(following, link, where, what)
        asked.append(where)

    monkeypatch.setattr(Following, "_wish", overheard)
    return asked


def of_hub(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line["event"] == "hub"]


async def test_a_hub_that_may_hear_nothing_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker takes its subscription, and withholds what comes."""
    hasten(monkeypatch)
    file = tmp_path / "acl"
    with mosquitto(
        tmp_path, "allow_anonymous true", rights(file, "topic write polartable/+/again")
    ) as broker:
        async with hub(broker) as (_, lines):
            await until(lambda: bool(of_hub(lines)))
            assert of_hub(lines)[0]["state"] == "lost"
            assert "PT-722" in of_hub(lines)[0]["why"]
            assert "read" in of_hub(lines)[0]["why"]
            rights(file, *documented_rights("hub", "hub"))
            broker.look_anew()
            await until(lambda: of_hub(lines)[-1]["state"] == "open")


async def test_a_hub_that_the_access_list_does_not_know_is_not_content(tmp_path: Path) -> None:
    """It may do nothing: what it says to itself is refused, so that it never comes back tells nothing."""
    file = tmp_path / "acl"
    with mosquitto(tmp_path, "allow_anonymous true", rights(file)) as broker:
        async with table(broker, None, user="north") as room:
            await until(lambda: outbox_of(room).reached == 1)
            async with hub(broker) as (_, lines):
                await until(lambda: bool(of_hub(lines)))
                [first] = of_hub(lines)
                assert "PT-722" in first["why"]
                assert "heard nothing yet" in first["why"]
                assert "read polartable/# and write polartable/+/again" in first["why"]
                rights(file, "topic read polartable/#")
                broker.look_anew()
                assert room.desk.play("tilt n>S")
                await until(lambda: "heard nothing" not in of_hub(lines)[-1]["why"])
                assert "write polartable/+/again" in of_hub(lines)[-1]["why"]
                rights(file, *documented_rights("hub", "hub"))
                broker.look_anew()
                await until(lambda: told(lines) == [1, 2])
                await until(lambda: "why" not in of_hub(lines)[-1])


async def test_a_hub_that_may_not_ask_says_so_once_and_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = listen_to_wishes(monkeypatch)
    file, book = tmp_path / "acl", tmp_path / "hub.sqlite"
    with mosquitto(tmp_path, "allow_anonymous true", rights(file, "topic read polartable/#")) as broker:
        async with contextlib.AsyncExitStack() as evening:
            async with hub(broker, book) as (_, lines):
                await until(lambda: bool(of_hub(lines)))
                room = await evening.enter_async_context(table(broker, None, user="north"))
                await until(lambda: told(lines) == [1])
            async with hub(broker, book) as (_, lines):
                await until(lambda: bool(of_hub(lines)))
                assert room.desk.play("tilt n>S")
                await until(lambda: told(lines) == [2])
                # what is retained it asks about, and asks again, each time in vain
                already = asked.count("polartable/north/again")
                await until(lambda: asked.count("polartable/north/again") >= already + 2)
                [only] = of_hub(lines)
                assert only["state"] == "open"
                assert "PT-722" in only["why"]
                assert "polartable/+/again" in only["why"]
                rights(file, *documented_rights("hub", "hub"))
                broker.look_anew()
                del only["why"]
                await until(lambda: of_hub(lines)[1:] == [only])


async def test_a_hub_that_may_not_ask_says_each_time_that_the_broker_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "acl"
    with mosquitto(tmp_path, "allow_anonymous true", rights(file, "topic read polartable/#")) as broker:
        async with hub(broker) as (_, lines):

            def states() -> list[str]:
                return [line["state"] for line in of_hub(lines)]

            await until(lambda: states() == ["open"])
            broker.kill()
            await until(lambda: states() == ["open", "lost"])
            broker.start()
            await until(lambda: states() == ["open", "lost", "open"])
            broker.kill()
            await until(lambda: states() == ["open", "lost", "open", "lost"])


async def test_the_documented_rights_of_a_hub_suffice(tmp_path: Path) -> None:
    file = tmp_path / "acl"
    theirs = documented_rights("hub", "hub")
    assert len(theirs) == 2
    with mosquitto(tmp_path, "allow_anonymous true", rights(file, *theirs)) as broker:
        async with table(broker, None, user="north") as room:
            assert room.desk.play("tilt n>S")
            await until(lambda: outbox_of(room).reached == 2)
            async with hub(broker) as (_, lines):  # what it lacks it asks for
                await until(lambda: told(lines) == [1, 2])
                assert of_hub(lines) == [{"event": "hub", "state": "open", "broker": broker.url[7:]}]
