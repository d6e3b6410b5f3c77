"""What a seat may not know never reaches its browser: every byte that three browsers receive is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, WebSocket

from tests.parts import needs
from tests.table.pages import chromium, service

pytestmark = needs("chromium", "playwright")

# IGLOO: each side commits a real colour in secret; it must not be told before the reveal.
SETTINGS = '[game]\nname = "igloo"\nplayers = ["A", "B"]\n'


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    data = tmp_path_factory.mktemp("data")
    file = data / "table.toml"
    file.write_text(SETTINGS)
    with service("serve", "--port", "0", "--lan", "--config", str(file), data=data) as (_, ready):
        port = ready["address"].rstrip("/").rsplit(":", 1)[1]
        yield ready | {"address": f"http://127.0.0.1:{port}"}


class Overheard:
    """A browser of its own at the table, and all that it was ever sent."""

    def __init__(self, browser: Browser, address: str, code: str, seat: str | None) -> None:
        self.context = browser.new_context()
        answer = self.context.request.post(
            f"{address}/api/pair", data=json.dumps({"code": code}), headers=JSON
        )
        assert answer.ok
        if seat is not None:
            assert self.context.request.post(
                f"{address}/api/sit", data=json.dumps({"seat": seat}), headers=JSON
            ).ok
        self.page: Page = self.context.new_page()
        self.bytes: list[str] = []
        self.page.on("websocket", self._listen)
        self.page.on("response", lambda r: self.bytes.append(r.text()) if r.url == f"{address}/" else None)
        self.page.goto(address)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.bytes.append(str(frame)))

    def api(self, address: str, what: str) -> str:
        return self.context.request.get(f"{address}/api/{what}").text()


JSON = {"content-type": "application/json"}


def test_a_secret_colour_reaches_only_those_who_chose_it(club: dict[str, Any]) -> None:
    address = club["address"]
    with chromium() as browser:
        mine = Overheard(browser, address, club["code"], "A")
        theirs = Overheard(browser, address, club["code"], "B")
        nobodys = Overheard(browser, address, club["code"], None)
        hosts = Overheard(browser, address, club["host_code"], None)
        mine.page.get_by_role("button", name="commit A yellow").click()
        mine.page.wait_for_timeout(1500)

        assert json.loads(mine.api(address, "table"))["view"]["real"]["A"] == "yellow"
        whispered = {s["text"] for s in json.loads(mine.api(address, "table"))["said"] if s["to"] == ["A"]}
        hosts.page.get_by_text("Moves").click()
        hosts.page.wait_for_timeout(800)
        for other in (theirs, nobodys, hosts):
            shown = json.loads(other.api(address, "table"))
            assert shown["view"]["real"]["A"] is None
            received = "\n".join(other.bytes)
            assert len(received) > 2000  # it was really listened to
            assert "commit A yellow" not in received
            assert "commit A" not in received
            assert not any(text in received or text.capitalize() in received for text in whispered)
        with httpx.Client(base_url=address, cookies={}) as stranger:
            assert stranger.get("/api/table").status_code == 401


def test_the_journal_file_is_not_served(club: dict[str, Any]) -> None:
    for path in ("journal.sqlite", "tokens.json", "../journal.sqlite", "static/../journal.sqlite"):
        assert httpx.get(f"{club['address']}/{path}", timeout=20).status_code in (404, 403)
