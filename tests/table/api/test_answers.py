"""The HTTP interface without a page or a socket: what is answered where there is nothing to do, or nothing at all."""

from __future__ import annotations

import asyncio
import os
import signal

import httpx
import pytest

from rules import games
from table.api.events import MOST_UNREAD, stream
from table.room.table_room import TableRoom
from table.service.web import without_page
from table.service.web_service import listen, run
from tests.table.rooms import looked_for, told


async def test_an_answer_that_cannot_be_taken_has_a_sentence_of_its_own(
    table: TableRoom, client: httpx.AsyncClient
) -> None:
    key = looked_for(table)
    before = len(table.desk.said)
    for body, words in (
        ({"key": "no-such", "index": 5}, "that question is no longer open"),
        ({"key": key, "index": 99}, "that question has no such choice"),
    ):
        answer = await client.post("/api/answer", json=body)
        assert answer.status_code == 409
        (said,) = answer.json()["said"]
        assert said["text"].startswith(words)
    assert len(table.desk.said) == before  # nobody else hears of it
    assert (await client.post("/api/answer", json={"key": key, "index": 0})).json()["ok"]


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("undo", {}, "no move that could be taken back"),
        ("redo", {}, "no move was taken back"),
        ("propose", {"what": "undo"}, "cannot be asked for now"),
        ("consent", {"key": "no", "yes": True}, "nothing of that key is asked"),
    ],
)
async def test_where_there_is_nothing_to_do_that_is_said(
    client: httpx.AsyncClient, path: str, body: dict[str, object], words: str
) -> None:
    answer = await client.post(f"/api/{path}", json=body)
    assert (answer.status_code, answer.json()["ok"]) == (409, False)
    assert words in answer.json()["said"][0]["text"]


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        *(("correct", "at", value) for value in (True, False, "0", 0.5, None)),
        *(("answer", "index", value) for value in (True, "0", 0.5)),
        *(("consent", "yes", value) for value in (1, "true", "on", None)),
    ],
)
async def test_what_is_no_whole_number_or_no_yes_is_not_taken_for_one(
    table: TableRoom, client: httpx.AsyncClient, path: str, key: str, value: object
) -> None:
    asked = looked_for(table)
    before = list(table.desk.sitting.steps)
    body = {"move": "tilt e>E"} if path == "correct" else {"key": asked}
    answer = await client.post(f"/api/{path}", json=body | {key: value})
    assert answer.status_code == 422
    assert answer.json()["error"]["text"].startswith(f"{key}: Input should be a valid ")
    assert list(table.desk.sitting.steps) == before


async def test_a_step_that_there_is_not_is_told_with_those_that_there_are(
    table: TableRoom, client: httpx.AsyncClient
) -> None:
    table.new_game("ice-cult", ["red", "blue"], {})
    none = await client.post("/api/correct", json={"at": 0, "move": "tilt n>S"})
    assert none.status_code == 404
    assert none.json()["error"]["text"] == "no move stands in this game yet, so none can be put right"
    for move in ("tilt n>Q", "tilt n>S", "tilt w>E"):  # the first is refused, and is no step
        table.desk.play(move)
    error = (await client.post("/api/correct", json={"at": 2, "move": "tilt n>S"})).json()["error"]
    assert error["text"] == "`at` is 2, but counted from 0 this game's last move is 1"
    assert error["mend"] == "step 1 of the page and of `polartable journal show` is `at` 0"


@pytest.mark.parametrize(
    ("method", "path", "status", "words"),
    [
        ("GET", "/api/nonsense", 404, "nothing at that path"),
        ("POST", "/api", 404, "nothing at that path"),
        ("DELETE", "/api/play", 405, "takes POST alone"),
        ("GET", "/api/play", 405, "takes POST alone"),
        ("POST", "/health", 405, "takes GET alone"),
        ("POST", "/api/safe-mode/leave", 409, "not in safe mode"),
    ],
)
async def test_what_there_is_not_is_told_in_the_one_shape(
    client: httpx.AsyncClient, method: str, path: str, status: int, words: str
) -> None:
    answer = await client.request(method, path)
    assert answer.status_code == status
    error = answer.json()["error"]
    assert set(error) == {"number", "text", "mend"}
    assert words in error["text"]
    assert ("allow" in answer.headers) == (status == 405)


async def test_who_reads_events_too_slowly_is_told_and_let_go(table: TableRoom) -> None:
    events = stream(table, None, "127.0.0.1", asyncio.Event())
    assert await anext(events) == ": hello\n\n"
    first = asyncio.ensure_future(anext(events))
    await asyncio.sleep(0)
    for number in range(MOST_UNREAD + 500):
        table.desk.tell(f"sentence {number}")
    came = [await first] + [line async for line in events]
    assert len(came) == MOST_UNREAD + 1
    assert f"sentence {MOST_UNREAD - 1}" in came[-2].lower()
    assert came[-1].startswith("event: missed\ndata: {")
    assert table._listeners == []


async def test_a_table_that_ends_ends_what_its_guests_listen_to(table: TableRoom) -> None:
    """It waits for nobody's stream, and breaks none off in the middle of an answer."""
    app = without_page(table, table.access, ("127.0.0.1",))
    sock, listened = listen("127.0.0.1", 0), list[str]()

    async def read(begun: asyncio.Event) -> None:
        address = f"http://127.0.0.1:{sock.getsockname()[1]}/api/events"
        async with httpx.AsyncClient(timeout=20) as client, client.stream("GET", address) as events:
            async for line in events.aiter_lines():
                listened.append(line)
                begun.set()

    guests = list[asyncio.Task[None]]()

    async def ready() -> None:
        for begun in (asyncio.Event(), asyncio.Event()):
            guests.append(asyncio.create_task(read(begun)))
            await begun.wait()
        os.kill(os.getpid(), signal.SIGTERM)

    assert await run(app, sock, ready, app.state.leaving.set)
    await asyncio.gather(*guests)  # an answer that was broken off would raise here
    assert sorted(listened) == ["", "", ": hello", ": hello"]
    assert table._listeners == []


async def test_moves_that_are_a_secret_are_not_all_there_are(
    table: TableRoom, client: httpx.AsyncClient
) -> None:
    table.new_game("igloo", ["A", "B"], {})
    assert (await client.get("/api/moves")).json() == {"moves": [], "complete": False}
    assert (await client.post("/api/play", json={"move": "commit A red"})).json()["ok"]


async def test_a_placing_put_right_is_asked_about_anew(table: TableRoom, client: httpx.AsyncClient) -> None:
    key = looked_for(table)
    answer = await client.post("/api/answer", json={"key": key, "index": 0})
    assert answer.json()["ok"]
    placed = next(i for i, step in enumerate(table.desk.sitting.steps) if step.move == "place red 3")
    assert (await client.post("/api/correct", json={"at": placed, "move": "place red 5"})).json()["ok"]
    question = (await client.get("/api/table")).json()["question"]
    assert question["text"].startswith("Look underneath igloo A of red on card 5")


async def test_a_game_without_a_place_on_the_page_is_not_begun(
    table: TableRoom, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was written into the journal, and from then on nobody could open the page."""
    monkeypatch.setitem(games._MODULES, "nim", "rules.ice_cult.game")
    monkeypatch.setattr(games, "NAMES", tuple(games._MODULES))
    before = table.desk
    answer = await client.post("/api/new", json={"game": "nim", "players": ["yellow", "red"]})
    assert answer.status_code == 404
    assert "there is no game 'nim'" in answer.text
    assert table.desk is before


@pytest.mark.parametrize(
    ("game", "players", "good", "secret", "why"),
    [
        ("igloo-igloo", ["red", "blue"], "place", "melt c4", "the tribes are being placed"),
        ("igloo", ["A", "B"], "commit A red", "commit A blue", "B cannot choose for A"),
    ],
)
async def test_no_refusal_is_without_a_sentence_and_a_secret_one_says_whose_it_is(
    table: TableRoom,
    client: httpx.AsyncClient,
    game: str,
    players: list[str],
    good: str,
    secret: str,
    why: str,
) -> None:
    """Nobody sits, and no seat is named: then nobody would hear anything."""
    table.new_game(game, players, {"mode": "digital"})
    sitting = table.desk.sitting
    assert table.desk.play(next(m for m in sitting.game.moves(sitting.state) if m.startswith(good)))
    (first,) = {step.seat for step in table.desk.sitting.steps}
    (seat,) = sitting.game.to_act(table.desk.sitting.state)
    whose = f"that was refused, and only {seat} may hear why: "
    assert await told(client, "play", move=secret) == f'{whose}send it with "seat": "{seat}"'
    assert await told(client, "play", move=secret, seat=seat) == why
    corrected = await told(client, "correct", at=0, move=secret.replace("A", "B"))
    assert corrected.startswith(f"that was refused, and only {first} may hear why: take moves back")
    before = len(table.desk.said)
    for path, more in (("play", {}), ("correct", {"at": 0})):  # what is no move in any position is no secret
        assert "'dance' is no move" in await told(client, path, move="dance", **more)
    assert all(said.to for said in table.desk.said[before:])  # nobody else hears of it


async def test_a_move_that_could_mean_several_is_answered_with_them(
    table: TableRoom, client: httpx.AsyncClient
) -> None:
    table.new_game("ice-cult", ["yellow", "red"], {"mode": "digital"})
    (said,) = (await client.post("/api/play", json={"move": "tilt w"})).json()["said"]
    assert said["text"] == "'tilt w' fits 2 legal moves: say which"
    assert said["data"]["candidates"] == ["tilt w>E", "tilt w>W"]


async def test_a_move_for_a_seat_that_there_is_not_is_told_so_and_never_that_its_turn_comes_later(
    table: TableRoom, client: httpx.AsyncClient
) -> None:
    table.new_game("ice-cult", ["yellow", "red"], {"mode": "digital"})
    before = len(table.desk.said)
    answer = await client.post("/api/play", json={"move": "tilt n>S", "seat": "green"})
    error = {"number": 716, "text": "there is no seat 'green'", "mend": "there are yellow, red"}
    assert (answer.status_code, answer.json()) == (404, {"error": error})
    assert len(table.desk.said) == before
