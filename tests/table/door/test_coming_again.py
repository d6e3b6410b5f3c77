"""Who comes to the table by a code once more: the same phone stays who it was, and leaves no seat to nobody."""

from __future__ import annotations

import httpx
import pytest

from firmware_bridge.clock import VirtualClock
from table.door.access import HOST, SPECTATOR, Access, Who, WrongCode
from table.room.table_room import TableRoom


@pytest.fixture
def access() -> Access:
    return Access(VirtualClock(), lan=True)


def test_who_scans_the_invitation_again_keeps_the_seat(access: Access) -> None:
    """A new token looked on, and the seat belonged to one that no phone had any more."""
    phone = access.pair(access.code, "10.0.0.3")
    assert access.pair(access.code, "10.0.0.3", phone) == phone
    access.sit(phone, "red")
    with pytest.raises(WrongCode):
        access.pair("nonsense", "10.0.0.3", phone)
    assert access.pair(access.code, "10.0.0.9", phone) == phone  # on another network
    assert access.who(phone, "") == Who("player", "red")


def test_the_hosts_phone_that_scans_what_guests_scan_stays_the_hosts(access: Access) -> None:
    host = access.pair(access.host_code, "10.0.0.1")
    assert access.pair(access.code, "10.0.0.1", host) == host
    assert access.pair(access.host_code, "10.0.0.1", host) == host
    assert access.who(host, "") == HOST


def test_who_becomes_the_host_or_gets_another_seat_gives_the_old_one_back(access: Access) -> None:
    red, blue = (access.pair(access.code, "10.0.0.3") for _ in range(2))
    access.sit(red, "red")
    access.sit(blue, "blue")
    took = access.pair(access.hand_on(red), "10.0.0.4", blue)
    assert (access.who(took, ""), access.taken()) == (Who("player", "red"), {"red"})
    host = access.pair(access.host_code, "10.0.0.4", took)
    assert (access.who(host, ""), access.taken()) == (HOST, set())
    assert access.who(access.pair(access.code, "10.0.0.4", "left of another evening"), "") == SPECTATOR


def test_who_takes_back_the_seat_that_he_handed_on_sits_there(access: Access) -> None:
    phone = access.pair(access.code, "10.0.0.3")
    access.sit(phone, "red")
    again = access.pair(access.hand_on(phone), "10.0.0.3", phone)
    assert (access.who(again, ""), access.taken()) == (Who("player", "red"), {"red"})


async def test_a_browser_comes_with_what_it_has(table: TableRoom, client: httpx.AsyncClient) -> None:
    """And nobody is told of a seat that stays where it was; of one that is left, all are."""
    assert table.access.code is not None

    async def pair(code: str) -> str:
        return str((await client.post("/api/pair", json={"code": code})).json()["token"])

    phone = await pair(table.access.code)
    assert (await client.post("/api/sit", json={"seat": "yellow"})).json()["ok"]
    told = len(table.desk.said)
    assert await pair(table.access.code) == phone
    assert len(table.desk.said) == told
    await pair(table.access.host_code)
    assert [said.event for said in table.desk.said[told:]] == ["seat-left"]
    assert table.access.taken() == set()
    for_another = {
        "authorization": f"Bearer {phone}"
    }  # a script that lets others in keeps its own token itself
    client.cookies.clear()
    answer = await client.post("/api/pair", json={"code": table.access.code}, headers=for_another)
    assert answer.json()["token"] != phone
