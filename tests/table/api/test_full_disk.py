"""What is answered over HTTP where the journal cannot be written: it was not done, and may be asked for again."""

from __future__ import annotations

import os

import httpx
import pytest

from table.desk.said import Choice, Question
from table.room.table_room import TableRoom
from tests.table.full_disk import full_disk
from tests.table.rooms import looked_for, told

NO_ROOM = {"error": {"number": 601, "text": "the journal could not be written", "mend": "make room"}}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("play", {"move": "tilt w>E"}),
        ("undo", {}),
        ("correct", {"at": 0, "move": "tilt s>N"}),
        ("propose", {"what": "undo"}),
        ("new", {"game": "ice-cult", "players": ["yellow", "red"]}),
    ],
)
async def test_what_the_journal_cannot_write_is_no_rules_and_nobodys_fault(
    table: TableRoom,
    client: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    body: dict[str, object],
) -> None:
    """The same may be asked again; after a 409 or a 400 that would be senseless."""
    table.new_game("ice-cult", ["yellow", "red"], {"mode": "digital"})
    assert table.desk.play("tilt n>S")

    with full_disk(monkeypatch):
        answer = await client.post(f"/api/{path}", json=body)
    assert (answer.status_code, answer.json()) == (503, NO_ROOM)
    assert "503" in (await client.get("/openapi.json")).json()["paths"][f"/api/{path}"]["post"]["responses"]
    assert (await client.post(f"/api/{path}", json=body)).status_code == 200


async def test_an_answer_that_could_not_be_written_may_be_given_again(
    table: TableRoom, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"key": looked_for(table), "index": 0}
    with full_disk(monkeypatch):
        answer = await client.post("/api/answer", json=body)
    assert (answer.status_code, answer.json()) == (503, NO_ROOM)
    assert table.desk.question is not None
    assert (await client.post("/api/answer", json=body)).status_code == 200
    assert table.desk.sitting.steps[-1].move.startswith("found ")


async def test_an_answer_of_several_moves_is_done_whole_or_not_at_all(
    table: TableRoom, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.new_game("ice-cult", ["yellow", "red"], {})
    moves = "tilt n>S", "tilt w>E"
    table.desk.ask(Question("cubes-1", "What was it?", (Choice("both", moves), Choice("neither", ()))))
    body = {"key": "cubes-1", "index": 0}
    with full_disk(monkeypatch, room_for=1):
        answer = await client.post("/api/answer", json=body)
    assert (answer.status_code, answer.json()) == (503, NO_ROOM)
    assert table.desk.sitting.steps == ()
    assert (await client.post("/api/answer", json=body)).status_code == 200
    assert tuple(step.move for step in table.desk.sitting.steps) == moves


async def test_what_could_not_be_written_before_says_nothing_of_what_comes_after(
    table: TableRoom, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.new_game("ice-cult", ["yellow", "red"], {"mode": "digital"})
    with full_disk(monkeypatch):
        assert (await client.post("/api/play", json={"move": "tilt n>S"})).status_code == 503
        assert table.desk.unwritten
        for path, body, words in (
            ("answer", {"key": "no-such", "index": 0}, "that question is no longer open"),
            ("undo", {}, "no move that could be taken back"),
        ):
            assert words in await told(client, path, **body)


async def test_what_all_agreed_to_and_could_not_be_written_is_still_asked(
    table: TableRoom, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.new_game("ice-cult", ["yellow", "red"], {"mode": "digital"})
    assert table.desk.play("tilt n>S")
    phone = {"authorization": f"Bearer {table.access.pair(table.access.code, '192.168.7.9')}"}
    assert (await client.post("/api/sit", json={"seat": "red"}, headers=phone)).status_code == 200
    assert (await client.post("/api/propose", json={"what": "undo"}, headers=phone)).status_code == 200
    accord = table.accord("ice-cult")
    assert accord is not None
    assert accord.proposal is not None
    body = {"key": accord.proposal.key, "yes": True}
    with full_disk(monkeypatch):
        answer = await client.post("/api/consent", json=body)
    assert (answer.status_code, answer.json()) == (503, NO_ROOM)
    assert (await client.post("/api/consent", json=body)).status_code == 200
    assert table.desk.sitting.steps == ()


async def test_a_full_disk_keeps_nobody_in_a_seat_and_holds_nobody_to_a_wish(
    table: TableRoom, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.new_game("ice-cult", ["yellow", "red"], {"mode": "digital"})
    assert table.desk.play("tilt n>S")
    phone = {"authorization": f"Bearer {table.access.pair(table.access.code, '192.168.7.9')}"}
    paths = (await client.get("/openapi.json")).json()["paths"]
    with full_disk(monkeypatch):
        assert (await client.post("/api/sit", json={"seat": "red"}, headers=phone)).status_code == 200
        assert table.played() == {"red"}
        assert (await client.post("/api/propose", json={"what": "undo"}, headers=phone)).status_code == 200
        accord = table.accord("ice-cult")
        assert accord is not None
        assert accord.proposal is not None
        answer = await client.post("/api/consent", json={"key": accord.proposal.key, "yes": False})
        assert (answer.status_code, accord.proposal) == (200, None)
        assert (await client.post("/api/stand", json={"seat": "red"}, headers=phone)).status_code == 200
        assert table.played() == set()
    for path in ("sit", "stand"):
        assert "503" not in paths[f"/api/{path}"]["post"]["responses"]
    assert [said.event for said in table.desk.said].count("journal") == 3  # that it is not written is said
    assert not any(entry.kind == "note" for entry in table.journal.entries(table.desk.name))


async def test_a_folder_whose_name_is_no_utf_8_is_named_all_the_same(
    table: TableRoom, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/health` broke as well, so that the service manager's watchdog found no life in a table that played on."""
    table.new_game("ice-cult", ["yellow", "red"], {"mode": "digital"})
    book = os.fsdecode(b"/d\xff x/journal.sqlite")
    why = f"the journal {book} could not be written"
    with full_disk(monkeypatch, text=why, mend=f"make room beside {book}"):
        answer = await client.post("/api/play", json={"move": "tilt n>S"})
        assert (answer.status_code, answer.json()["error"]["number"]) == (503, 601)
        assert answer.json()["error"]["text"] == r"the journal /d\udcff x/journal.sqlite could not be written"
        assert "/d" in (await client.get("/health")).json()["journal"]
        assert "/d" in (await client.get("/api/table")).json()["said"][-1]["text"]
