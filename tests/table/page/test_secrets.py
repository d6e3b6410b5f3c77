"""What a seat may not know never reaches its browser: every byte that four browsers receive is read.

Frames of the page's WebSocket, the page itself, the HTTP interface and its event stream; also after a reload, after
the line was cut, while moves are taken back and made again, in the history, and when a seat goes to somebody else.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from table.games import GAMES
from table.journal.store import Journal
from tests.parts import needs
from tests.table.pages import service

browsers = needs("chromium", "playwright")
PATIENT = 30_000
JSON = {"content-type": "application/json"}
RED = ("harpoon", "thaw", "animals", "stamina")  # the kinds with a red border: kept in the hand


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    data = tmp_path_factory.mktemp("data")
    file = data / "table.toml"
    file.write_text('[game]\nname = "igloo"\nplayers = ["A", "B"]\n')
    with service("serve", "--port", "0", "--lan", "--config", str(file), data=data) as (_, ready):
        port = ready["address"].rstrip("/").rsplit(":", 1)[1]
        yield ready | {"address": f"http://127.0.0.1:{port}", "journal": data / "journal.sqlite"}


def told(kind: str, received: str) -> list[str]:
    """Where a tile's kind is named (`thawed`, a place of the position, is none)."""
    found = re.finditer(rf"\b{kind}\b", received)
    return [received[max(0, one.start() - 60) : one.end() + 60] for one in found]


class Overheard:
    """A browser of its own at the table, and all that it was ever sent."""

    def __init__(self, browser: Browser, address: str, code: str) -> None:
        self.address = address
        self.context = browser.new_context()
        answer = self.context.request.post(
            f"{address}/api/pair", data=json.dumps({"code": code}), headers=JSON
        )
        self.token = answer.json()["token"]
        self.bytes: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("websocket", self._listen)
        self.page.on("response", lambda r: self.bytes.append(r.text()) if r.url == f"{address}/" else None)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._events, daemon=True)
        self._thread.start()
        self.page.goto(address)
        expect(self.page.locator("[data-part=says]")).to_be_visible(timeout=PATIENT)

    def ask(self, path: str, **body: Any) -> dict[str, Any]:
        """The HTTP interface, with this browser's token."""
        if body or path in ("undo", "redo"):
            answer = self.context.request.post(
                f"{self.address}/api/{path}", data=json.dumps(body), headers=JSON
            )
        else:
            answer = self.context.request.get(f"{self.address}/api/{path}")
        self.bytes.append(answer.text())
        value: dict[str, Any] = answer.json()
        return value

    def look_around(self) -> None:
        """Everything one can ask for."""
        for path in ("table", "moves"):
            self.ask(path)
        for summary in self.page.get_by_text("Moves", exact=True).all():
            summary.click()
        self.page.wait_for_timeout(300)

    def cut_and_reload(self) -> None:
        self.context.set_offline(True)
        self.page.wait_for_timeout(300)
        self.context.set_offline(False)
        self.page.reload()
        expect(self.page.locator("[data-part=says]")).to_be_visible(timeout=PATIENT)

    def received(self) -> str:
        return "\n".join(self.bytes)

    def leave(self) -> None:
        self._stop.set()
        self.context.close()

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.bytes.append(str(frame)))

    def _events(self) -> None:
        headers = {"authorization": f"Bearer {self.token}"}
        with (
            contextlib.suppress(httpx.HTTPError),  # the service ends while somebody still listens
            httpx.stream("GET", f"{self.address}/api/events", headers=headers, timeout=60) as lines,
        ):
            for line in lines.iter_lines():
                if self._stop.is_set():
                    return
                self.bytes.append(line)


@pytest.fixture
def people(club: dict[str, Any], browser: Browser) -> Iterator[dict[str, Overheard]]:
    """Two who play, one who looks on, and the host."""
    out = {
        name: Overheard(browser, club["address"], club["host_code" if name == "host" else "code"])
        for name in ("first", "second", "looker", "host")
    }
    yield out
    for person in out.values():
        person.leave()


@browsers
def test_a_secret_colour_reaches_only_those_who_chose_it(people: dict[str, Overheard]) -> None:
    mine, host = people["first"], people["host"]
    assert mine.ask("sit", seat="A")["ok"]
    assert people["second"].ask("sit", seat="B")["ok"]
    mine.page.locator('[data-moves="commit A yellow"]').click(timeout=PATIENT)
    expect(mine.page.locator('[data-moves="commit A yellow"]')).to_have_count(0, timeout=PATIENT)
    assert mine.ask("table")["view"]["real"]["A"] == "yellow"
    whispered = {s["text"] for s in mine.ask("table")["said"] if s["to"] == ["A"]}
    assert whispered
    others = [people[name] for name in ("second", "looker", "host")]
    for other in others:
        other.look_around()
        other.cut_and_reload()
    assert host.ask("undo")["ok"]
    assert host.ask("redo")["ok"]
    assert not host.ask("play", move="commit A purple")["ok"]
    for other in others:
        other.look_around()
        assert other.ask("table")["view"]["real"]["A"] is None
    # a seat that is given back and taken by somebody else: from then on the secret is his, and not mine any more
    assert host.ask("stand", seat="B")["ok"]
    assert people["looker"].ask("sit", seat="B")["ok"]
    people["looker"].look_around()
    for other in others:
        received = other.received()
        assert len(received) > 5000  # it was really listened to
        assert "commit A yellow" not in received
        assert "commit A red" not in received
        assert not any(text in received or text.capitalize() in received for text in whispered)


@browsers
def test_a_tile_drawn_into_a_hand_reaches_its_holder_alone(
    club: dict[str, Any], people: dict[str, Overheard]
) -> None:
    mine, blue, host = people["first"], people["second"], people["host"]
    digital = {"mode": "digital"}
    begun = host.ask("new", game="igloo-igloo", players=["red", "blue"], options=digital)
    rules = GAMES["igloo-igloo"]
    with Journal(club["journal"]) as journal:  # the one place where its chance stands
        seed = next(journal.entries(begun["name"])).body["seed"]
    state, _ = rules.new(("red", "blue"), seed, digital)
    assert mine.ask("sit", seat="red")["ok"]
    assert blue.ask("sit", seat="blue")["ok"]

    seats = {"red": mine, "blue": blue}

    def play(move: str) -> None:
        nonlocal state
        seat = rules.to_act(state)[0]
        assert seats[seat].ask("play", move=move)["ok"], move
        state, _ = rules.play(state, move, seat)

    def red_draws(*kinds: str) -> str:
        """Play until red can melt a tile of one of these kinds, and melt it; which one it was."""
        for _ in range(200):
            moves, tiles = list(rules.moves(state)), rules.to_json(state)["tiles"]
            if rules.phase(state) == "pre-melt" and rules.to_act(state) == ("red",):
                for move in moves:
                    if move.startswith("melt") and tiles[move.split()[1]] in kinds:
                        kind = str(tiles[move.split()[1]])
                        play(move)
                        return kind
            # nothing that draws a tile with a red border in the meantime
            plain = [m for m in moves if m[:5] != "melt " or tiles[m.split()[1]].partition("-")[0] not in RED]
            play("end" if "end" in plain else plain[0])
        pytest.fail("red never came to such a tile")

    first = red_draws("harpoon", "thaw")
    for other in (blue, people["looker"], host):
        other.look_around()
        other.cut_and_reload()
    assert host.ask("undo")["ok"]
    assert host.ask("redo")["ok"]
    assert not host.ask("play", move="stamina 3")[
        "ok"
    ]  # refused, with what was possible instead: for red alone
    assert not blue.ask("play", move="animals")["ok"]
    for other in (blue, people["looker"], host):
        other.look_around()
    assert first in mine.ask("table")["view"]["hands"]["red"]
    mine.page.wait_for_timeout(400)
    assert first in mine.received()
    for other in (blue, people["looker"], host):
        assert told(first, other.received()) == []

    # red's seat goes to the looker: what is drawn from now on is not for the browser that played red
    assert host.ask("stand", seat="red")["ok"]
    assert people["looker"].ask("sit", seat="red")["ok"]
    mine.page.wait_for_timeout(400)
    mine.bytes.clear()
    assert "error" in mine.ask("play", move="end")
    seats["red"] = people["looker"]
    second = red_draws(*({"harpoon", "thaw", "animals"} - {first}))
    mine.look_around()
    people["looker"].page.wait_for_timeout(400)
    assert second in people["looker"].received()
    for kind in (first, second):
        assert told(kind, mine.received()) == []


def test_the_journal_file_is_not_served(club: dict[str, Any]) -> None:
    for path in ("journal.sqlite", "tokens.json", "../journal.sqlite", "static/../journal.sqlite"):
        assert httpx.get(f"{club['address']}/{path}", timeout=20).status_code in (404, 403)


def test_a_stranger_gets_nothing(club: dict[str, Any], tmp_path: Path) -> None:
    with httpx.Client(base_url=club["address"], timeout=20) as stranger:
        for path in ("/api/table", "/api/moves", "/api/events"):
            assert stranger.get(path).status_code == 401
        assert stranger.get("/").headers["location"].startswith("/pair")
