"""Seats over HTTP: who takes, leaves and frees one, and what hangs on it."""

from __future__ import annotations

import asyncio

import httpx

from table.room.table_room import TableRoom


async def test_a_seat_that_the_hosts_page_or_an_ice_giant_plays_is_taken_and_can_be_freed(
    table: TableRoom, client: httpx.AsyncClient
) -> None:
    table.new_game("igloo-pop", ["red", "blue", "green"], {})
    table.take("igloo-pop", "red", "the host's browser")
    table.seat_giant("blue", "sleepy")
    phone = {"authorization": f"Bearer {table.access.pair(table.access.code, '192.168.7.9')}"}
    for seat in ("red", "blue"):
        answer = await client.post("/api/sit", json={"seat": seat}, headers=phone)
        assert (answer.status_code, answer.json()["error"]["number"]) == (409, 717)
        assert (await client.post("/api/stand", json={"seat": seat}, headers=phone)).status_code == 403
    assert table.access.taken() == set()
    for seat in ("red", "blue"):
        assert (await client.post("/api/stand", json={"seat": seat})).json()["ok"]  # the host
    assert (table.by_hand, table.giants("igloo-pop")) == ({}, {})
    assert table._voters() == {"host"}
    for _ in range(2):  # also once more, by whoever sits there
        assert (await client.post("/api/sit", json={"seat": "blue"}, headers=phone)).json()["ok"]
    assert table._voters() == {"blue", "host"}


async def test_who_takes_another_seat_is_said_to_leave_his_own(
    table: TableRoom, client: httpx.AsyncClient
) -> None:
    table.new_game("ice-cult", ["yellow", "red"], {})
    phone = {"authorization": f"Bearer {table.access.pair(table.access.code, '192.168.7.9')}"}
    before = len(table.desk.said)
    for seat in ("yellow", "red", "red"):
        assert (await client.post("/api/sit", json={"seat": seat}, headers=phone)).json()["seat"] == seat
    assert [said.text for said in table.desk.said[before:]] == [
        "somebody plays yellow now",
        "nobody plays yellow now",
        "somebody plays red now",
    ]
    kept = [(note["seat"], note["what"]) for note in table.desk.noted("seat")]
    assert kept == [("yellow", "taken"), ("yellow", "left"), ("red", "taken")]


async def test_what_all_who_are_left_have_agreed_to_happens_when_the_last_one_leaves(
    table: TableRoom, client: httpx.AsyncClient
) -> None:
    """Else the page would wait for nobody, and offer no more than to withdraw what was asked."""
    table.new_game("ice-cult", ["yellow", "red"], {})
    phone = {"authorization": f"Bearer {table.access.pair(table.access.code, '192.168.7.9')}"}
    await client.post("/api/sit", json={"seat": "red"}, headers=phone)
    assert table.desk.play("tilt n>S")
    assert (await client.post("/api/propose", json={"what": "undo"})).json()["ok"]
    assert (await client.get("/api/table")).json()["proposal"]["waiting"] == ["red"]
    # its phone is empty, so the host frees it
    assert (await client.post("/api/stand", json={"seat": "red"})).json()["ok"]
    await asyncio.sleep(0)
    assert table.desk.sitting.steps == ()
    assert [said.event for said in table.desk.said[-2:]] == ["seat-freed", "undo"]
    assert (await client.get("/api/table")).json()["proposal"] is None


async def test_the_host_is_not_told_to_have_a_seat_that_he_has_not(
    table: TableRoom, client: httpx.AsyncClient
) -> None:
    """He acts for all of them, and takes none from anybody."""
    table.new_game("ice-cult", ["yellow", "red"], {})
    phone = {"authorization": f"Bearer {table.access.pair(table.access.code, '192.168.7.9')}"}
    assert (await client.post("/api/sit", json={"seat": "red"}, headers=phone)).json()["seat"] == "red"
    answer = await client.post("/api/sit", json={"seat": "red"})
    assert (answer.status_code, answer.json()["error"]["number"]) == (409, 717)
    assert table.played() == {"red"}
    answer = await client.post("/api/sit", json={"seat": "yellow"})
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "seat": None})
    assert (await client.get("/api/table")).json()["seat"] is None
    assert table.played() == {"red"}
