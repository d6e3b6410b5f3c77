"""The service as others meet it: acts over HTTP, roles, events, a kill and what stands afterwards."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import expect

from tests.parts import needs
from tests.table.pages import Watched, chromium, service


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A table on loopback, whose only guest is the host."""
    with (
        service("serve", "--port", "0", data=tmp_path_factory.mktemp("data")) as (_, ready),
        httpx.Client(base_url=ready["address"], timeout=20) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A table on the network: its address as seen from here, and its two codes."""
    with service("serve", "--port", "0", "--lan", data=tmp_path_factory.mktemp("data")) as (_, ready):
        port = ready["address"].rstrip("/").rsplit(":", 1)[1]
        yield ready | {"address": f"http://127.0.0.1:{port}"}


def play(client: httpx.Client, move: str, **more: Any) -> httpx.Response:
    return client.post("/api/play", json={"move": move, **more})


def test_moves_are_made_refused_taken_back_and_put_right_over_http(table: httpx.Client) -> None:
    assert table.get("/health").json()["healthy"] is True
    assert play(table, "tilt n>S").json()["ok"] is True
    refused = play(table, "tilt n>N")
    assert refused.status_code == 409
    assert refused.json()["said"][0]["rule"] == "IC-5"
    assert refused.json()["said"][0]["data"]["nearest"]
    assert table.post("/api/undo").status_code == 200
    assert table.post("/api/redo").status_code == 200
    assert table.post("/api/correct", json={"at": 0, "move": "tilt s>N"}).json()["ok"] is True
    shown = table.get("/api/table").json()
    assert shown["view"]["first_tilt"] == "s>N"
    assert "chance" not in shown["view"]
    assert table.post("/api/correct", json={"at": 99, "move": "tilt s>N"}).status_code == 404


def test_another_game_can_be_begun_and_the_old_one_is_kept(table: httpx.Client) -> None:
    before = table.get("/api/table").json()["name"]
    assert table.post("/api/new", json={"game": "chess", "players": []}).status_code == 404
    assert table.post("/api/new", json={"game": "igloo-pop", "players": ["red"]}).status_code == 400
    assert table.get("/api/table").json()["name"] == before
    begun = table.post(
        "/api/new", json={"game": "ice-cult", "players": ["red", "blue"], "options": {"length": 4}}
    )
    assert begun.json()["ok"] is True
    shown = table.get("/api/table").json()
    assert shown["name"] == begun.json()["name"] != before
    assert shown["view"]["length"] == 4


def test_every_sentence_comes_as_an_event(table: httpx.Client) -> None:
    with table.stream("GET", "/api/events") as events:
        lines = events.iter_lines()
        assert next(lines) == ": hello"
        move = table.get("/api/moves").json()["moves"][0]
        assert play(table, move).json()["ok"]
        said = next(json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: "))
    assert said["event"] in ("tilted", "moved", "turn-ended")


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"host": "evil.example"}, 403), ({"origin": "http://evil.example"}, 403), ({"origin": "null"}, 403)],
)
def test_other_sites_cannot_act(table: httpx.Client, headers: dict[str, str], status: int) -> None:
    assert table.post("/api/undo", headers=headers).status_code == status


def test_no_request_takes_the_table_down(table: httpx.Client) -> None:
    """Anything at all, to every route that the description names: an answer, and never a 500."""
    chance = random.Random(1)
    spec = table.get("/openapi.json").json()
    values: list[Any] = [None, "", "x" * 5000, 0, -1, 10**30, 1.5, [], {}, "tilt n>S", "\x00", "🧊", True]
    tried = 0
    for path, methods in spec["paths"].items():
        if path == "/api/events":
            continue
        for method in methods:
            for _ in range(12):
                body = {
                    k: chance.choice(values)
                    for k in chance.sample(["move", "seat", "key", "index", "at", "code"], 3)
                }
                answer = table.request(method.upper(), path, json=body if method == "post" else None)
                assert answer.status_code < 500, (path, body, answer.text)
                tried += 1
    assert tried > 80
    assert table.get("/health").status_code == 200


def test_after_a_kill_the_table_stands_as_it_last_said(tmp_path: Path) -> None:
    with service("serve", "--port", "0", data=tmp_path) as (process, ready):
        with httpx.Client(base_url=ready["address"], timeout=20) as client:
            for _ in range(7):
                assert play(client, client.get("/api/moves").json()["moves"][0]).json()["ok"]
            before = client.get("/api/table").json()
        process.kill()
        process.wait()
    with service("serve", "--port", "0", data=tmp_path) as (_, ready):
        after = httpx.get(ready["address"] + "api/table", timeout=20).json()
    assert after["view"] == before["view"]
    assert after["name"] == before["name"]
    assert after["said"][-1]["event"] == "resumed"


def test_on_the_network_a_code_opens_and_a_role_decides(club: dict[str, Any]) -> None:
    def guest(code: str) -> httpx.Client:
        client = httpx.Client(base_url=club["address"], timeout=20)
        assert client.post("/api/pair", json={"code": code}).status_code == 200
        return client

    stranger = httpx.Client(base_url=club["address"], timeout=20)
    assert stranger.get("/api/table").status_code == 401
    assert play(stranger, "tilt n>S").status_code == 401
    assert stranger.get("/").headers["location"] == "/pair"
    assert stranger.get("/pair").status_code == 200
    assert stranger.get("/health").status_code == 200

    host, yellow, looker = guest(club["host_code"]), guest(club["code"]), guest(club["code"])
    assert play(yellow, "tilt n>S").status_code == 403  # not seated yet
    assert yellow.post("/api/sit", json={"seat": "yellow"}).json()["seat"] == "yellow"
    assert play(yellow, "tilt n>S", seat="red").status_code == 403
    assert play(yellow, "tilt n>S").json()["ok"]
    assert play(looker, "tilt s>N").status_code == 403
    assert looker.get("/api/moves").json()["moves"] == []
    assert yellow.post("/api/undo").status_code == 403
    assert host.post("/api/undo").json()["ok"]
    assert yellow.post("/api/sit", json={"seat": "purple"}).status_code == 404


@needs("chromium", "playwright")
def test_a_phone_comes_in_by_the_qr_code_and_nothing_of_it_is_logged(club: dict[str, Any]) -> None:
    """What the picture says is read back by decoding it: the host's page draws it, a phone opens it and is in."""
    import segno

    port = club["address"].rsplit(":", 1)[1]
    with chromium() as browser:
        host = Watched(browser).page
        host.goto(f"{club['address']}/pair#{club['host_code']}")
        host.get_by_role("button", name="Invite").click()
        picture = host.locator(".invite svg")
        expect(picture).to_be_visible()
        words = host.locator(".invite").inner_text()
        assert club["code"] in words
        address = re.search(r"http://\S+/pair", words)
        assert address is not None
        assert urlsplit(address[0]).port == int(port)
        drawn = picture.locator("path").last.get_attribute("d")
        path = segno.make(f"{address[0]}#{club['code']}", error="m", micro=False).svg_inline(border=4)
        assert drawn is not None
        assert drawn in path  # it holds exactly that address
        phone = Watched(browser, 390, 844)
        phone.page.goto(f"{club['address']}/pair#{club['code']}")
        expect(phone.page.get_by_role("heading", name="Polartable")).to_be_visible()
        expect(phone.page.locator(".board")).to_be_visible()
        assert phone.page.url == f"{club['address']}/"
        assert not any(club["code"] in url for url in phone.requests if "#" not in url)
        assert phone.page.get_by_role("button", name="Invite").count() == 0  # the host's alone


def test_a_full_hand_of_wrong_codes_is_stopped(club: dict[str, Any]) -> None:
    with httpx.Client(base_url=club["address"], timeout=20) as client:
        answers = [client.post("/api/pair", json={"code": "nonsens"}).status_code for _ in range(7)]
    assert answers == [403] * 5 + [429] * 2


def test_a_setting_with_a_typing_error_is_one_sentence(tmp_path: Path) -> None:
    import subprocess
    import sys

    from tests.parts import ROOT

    file = tmp_path / "table.toml"
    file.write_text("[serve]\nprot = 80\n")
    command = [sys.executable, "-c", "from table.cli import main; main()", "serve", "--config", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr.strip().splitlines() == [
        f"polartable: PT-102: there is no setting 'serve.prot' in {file}, line 2 – did you mean 'port'?"
    ]
