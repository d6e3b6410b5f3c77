"""The HTTP interface against its own description: Schemathesis, on the real service, in all four roles."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.parts import proof
from tests.table.pages import service

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A table on the network: its address as seen from here, and a token for each role."""
    with service("serve", "--port", "0", "--lan", data=tmp_path_factory.mktemp("data")) as (_, ready):
        address = f"http://127.0.0.1:{urlsplit(ready['address']).port}"
        tokens = {"nobody": "made up"}
        for role in ("host", "player", "spectator"):
            code = ready["host_code"] if role == "host" else ready["code"]
            tokens[role] = httpx.post(f"{address}/api/pair", json={"code": code}).json()["token"]
        yield {"address": address, "tokens": tokens}


def ask(club: dict[str, Any], role: str, path: str, **body: Any) -> httpx.Response:
    headers = {"authorization": f"Bearer {club['tokens'][role]}"}
    return httpx.post(f"{club['address']}{path}", json=body, headers=headers, timeout=30)


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_answer_is_one_that_the_description_names(club: dict[str, Any], mode: GenerationMode) -> None:
    """Bodies as the description asks for them, and bodies that break it, sent by everybody."""
    ask(club, "player", "/api/sit", seat="yellow")
    schema = schemathesis.openapi.from_url(f"{club['address']}/openapi.json").exclude(path="/api/events")
    tried = set()
    for found in schema.get_all_operations():
        operation = found.ok()
        tried.add(operation.path)
        asked = (operation.body, operation.query, operation.path_parameters)
        if mode is GenerationMode.NEGATIVE and not any(map(list, asked)):
            continue  # where nothing is asked for nothing breaks it

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=proof(3, 300),
            derandomize=True,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        def holds(case: schemathesis.Case) -> None:
            for token in club["tokens"].values():
                response = case.call(headers={"authorization": f"Bearer {token}"})
                case.validate_response(response, checks=CHECKS)

        holds()
    assert {"/health", "/api/play", "/api/new", "/api/stand"} <= tried


@pytest.mark.parametrize(
    "body",
    [
        b'{"code": "\\ud800"}',
        b'{"code": NaN}',
        b'{"code": 1e999}',
        b'{"code": "' + b"x" * 40 + b'"}',
        b"[" * 50_000,
        b"\xff\xfe",
        b'{"code": ' + b"9" * 6000 + b"}",
        b'{"code": "1", "\\ud800": 1}',
        b'{"move": "tilt \\ud800"}',
    ],
)
@pytest.mark.parametrize("path", ["/api/pair", "/api/play", "/api/new"])
def test_what_can_hardly_be_read_is_refused_in_the_one_shape(
    club: dict[str, Any], path: str, body: bytes
) -> None:
    headers = JSON | {"authorization": f"Bearer {club['tokens']['host']}"}
    answer = httpx.post(f"{club['address']}{path}", content=body, headers=headers, timeout=30)
    assert 400 <= answer.status_code < 500
    assert set(answer.json()["error"]) == {"number", "text", "mend"}


def test_any_text_at_all_may_be_a_move(club: dict[str, Any]) -> None:
    chance = random.Random(5)
    for _ in range(20):
        text = "".join(chr(chance.choice([*range(32, 127), 0, 10, 0xE9, 0x1F9CA, 0xD7FF])) for _ in range(12))
        answer = ask(club, "host", "/api/play", move=text)
        assert (answer.status_code, answer.json()["ok"]) == (409, False)


def status_of(club: dict[str, Any], *lines: str) -> int:
    """The status that a request written by hand gets: clients would not let such headers out."""
    where = urlsplit(club["address"])
    with socket.create_connection((where.hostname, where.port), timeout=20) as wire:
        wire.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
        return int(wire.makefile("rb").readline().split()[1])


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["Host: ["], 403),
        (["Host: evil.example"], 403),
        (["Host: {own}", "Origin: http://["], 403),
        (["Host: {own}", "Origin: null"], 403),
        (["Host: {own}", "Origin: http://evil.example"], 403),
        (["Host: {own}", "Content-Length: 9999999999"], 413),
        (["Host: {own}", "Content-Length: 0000000000009999999"], 413),
        (["Host: {own}", "Transfer-Encoding: chunked"], 411),
        (["Host: {own}", "Cookie: polartable=\xff\xfe"], 401),
        (["Host: {own}"], 401),
    ],
)
def test_what_may_not_come_in_does_not(club: dict[str, Any], lines: list[str], status: int) -> None:
    own = urlsplit(club["address"]).netloc
    given = [line.format(own=own) for line in lines]
    assert status_of(club, "POST /api/undo HTTP/1.1", *given) == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://evil.example", 403),
        ("null", 403),
        ("http://[", 403),
        ("http://{own}1", 403),
        ("http://{own}", 101),
    ],
)
def test_web_sockets_of_other_sites_are_shut_out(club: dict[str, Any], origin: str, status: int) -> None:
    own = urlsplit(club["address"]).netloc
    shake = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    lines = [f"Host: {own}", f"Origin: {origin.format(own=own)}", f"Sec-WebSocket-Key: {'A' * 22}==", *shake]
    assert status_of(club, f"GET {path} HTTP/1.1", *lines) == status


def test_who_sits_at_another_game_looks_on(club: dict[str, Any]) -> None:
    """Last: it puts another game on the table. IGLOO has the seats A and B, and no yellow."""
    assert ask(club, "host", "/api/new", game="igloo", players=["A", "B"]).status_code == 200
    headers = {"authorization": f"Bearer {club['tokens']['player']}"}
    seen = httpx.get(f"{club['address']}/api/table", headers=headers).json()
    assert (seen["role"], seen["seat"]) == ("spectator", None)
