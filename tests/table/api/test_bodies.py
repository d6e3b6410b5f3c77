"""The HTTP interface without a page or a socket: bodies that are too long, too deep, no JSON or not called so."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import httpx
import pytest

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    "nested", ["[" * 900 + "]" * 900, '{"a":' * 450 + "1" + "}" * 450, "[" * 60 + "]" * 60]
)
async def test_options_that_are_nested_beyond_sense_are_refused(
    client: httpx.AsyncClient, nested: str
) -> None:
    body = '{"game": "ice-cult", "players": ["yellow", "red"], "options": {"cubes": ' + nested + "}}"
    answer = await client.post("/api/new", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["number"]) == (422, 714)
    assert "options: " in answer.json()["error"]["text"]


async def test_a_body_that_is_too_long_or_of_no_told_length_is_told_how_to_come_in(
    client: httpx.AsyncClient,
) -> None:
    async def in_chunks() -> AsyncIterator[bytes]:
        yield b'{"move": "tilt n>S"}'

    chunked = await client.post("/api/play", content=in_chunks())
    assert (chunked.status_code, chunked.json()["error"]["number"]) == (411, 718)
    assert chunked.json()["error"]["mend"] == "send it with a Content-Length, not in chunks"
    long = await client.post("/api/play", content=b" " * (1 << 20) + b"{}")
    assert (long.status_code, long.json()["error"]["number"]) == (413, 718)
    assert long.json()["error"]["mend"] == "send less"
    strange = (await client.post("/api/undo", headers={"host": "evil.example"})).json()["error"]
    assert (strange["number"], strange["mend"]) == (713, "open the address that the table shows")


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", None])
async def test_a_body_that_is_not_called_json_is_told_so(client: httpx.AsyncClient, kind: str | None) -> None:
    """As `curl -d` sends it."""
    headers = {} if kind is None else {"content-type": kind}
    answer = await client.post("/api/play", content=b'{"move": "tilt n>S"}', headers=headers)
    assert answer.status_code == 422
    assert answer.json()["error"] == {
        "number": 714,
        "text": "the body is not said to be JSON",
        "mend": "send it with Content-Type: application/json",
    }
    for content in (b"", b"[]", b"5"):  # what is said to be JSON, or nothing at all
        said = (await client.post("/api/play", content=content, headers=JSON)).json()["error"]
        assert said["mend"] == "see the description at /openapi.json"


@pytest.mark.parametrize(
    ("content", "sign"),
    [(b"{", 2), (b"lol", 1), (b'{"move": tilt}', 10), (b"\xff\xfe{\x00", 2), (b'{"move": "tilt n>S"} }', 22)],
)
async def test_where_a_body_is_no_json_is_said_and_no_key_is_named(
    client: httpx.AsyncClient, content: bytes, sign: int
) -> None:
    answer = await client.post("/api/play", content=content, headers=JSON)
    assert answer.status_code == 422
    assert answer.json()["error"] == {
        "number": 714,
        "text": f"the body is no JSON (at its sign {sign})",
        "mend": "send a JSON object",
    }


async def test_a_whole_number_may_be_written_with_a_point(client: httpx.AsyncClient) -> None:
    """To JSON 6.0 is the number 6, and some languages write every number so."""
    game = {"game": "ice-cult", "players": ["yellow", "red"], "options": {"length": 6.0, "mode": "digital"}}
    assert (await client.post("/api/new", json=game)).status_code == 200
    assert (await client.get("/api/table")).json()["view"]["length"] == 6
    await client.post("/api/play", json={"move": "tilt n>S"})
    put_right = await client.post("/api/correct", json={"at": 0.0, "move": "tilt s>N"})
    assert put_right.status_code == 200
    answer = await client.post("/api/answer", json={"key": "none", "index": 0.0})
    assert answer.status_code == 409
    for wrong in (0.5, True, "0", 1e400):
        refused = await client.post(
            "/api/correct", content=json.dumps({"at": wrong, "move": "tilt s>N"}), headers=JSON
        )
        assert (refused.status_code, refused.json()["error"]["number"]) == (422, 714)
