"""The page when something goes wrong: a cable pulled in mid-turn, the plug pulled, somebody who may only look on."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from firmware_bridge.clock import SystemClock
from hw_mock.cubes import SimulatedTable
from tests.mosquitto import free_port
from tests.parts import needs
from tests.table.pages import Watched, complaints, service
from tests.table.seats import Person

pytestmark = needs("chromium", "playwright")
PATIENT = 60_000  # ms, for a busy machine; nothing waits for it where things go well


class CubesBeside:
    """Four simulated cubes behind pseudo-terminals, in a thread of their own: the test itself drives a browser."""

    def __init__(self, folder: Path) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.table: SimulatedTable = self._run(self._begin(folder))

    def tilt(self, pair: str, to: str) -> None:
        self._run(self.table.hands.tilt(pair, to))

    def close(self) -> None:
        self._run(self.table.__aexit__())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _begin(self, folder: Path) -> SimulatedTable:
        return await SimulatedTable(SystemClock(), seed=3, links=folder).__aenter__()

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)


@pytest.fixture
def cubes(tmp_path: Path) -> Iterator[CubesBeside]:
    beside = CubesBeside(tmp_path)
    yield beside
    beside.close()


@needs("axe")
def test_a_cable_pulled_in_mid_turn_then_the_plug_and_the_game_goes_on(
    cubes: CubesBeside, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file, port = tmp_path / "table.toml", str(free_port())
    file.write_text(f'[cubes]\nprotocol = "polar"\nports = {json.dumps(cubes.table.ports)}\n')
    started = ("serve", "--port", port, "--config", str(file))
    watched = Watched(browser)
    page = watched.page
    says = page.locator("[data-part=says]")
    with service(*started, data=tmp_path) as (process, ready):
        page.goto(ready["address"])
        expect(page.locator("[data-game=ice-cult] .saidlist")).to_contain_text(
            "taken to lie as the game stands", timeout=PATIENT
        )
        cubes.tilt("n", "S")
        expect(says).to_contain_text("tilts the north pair to the south", timeout=PATIENT)

        cubes.table.port("NE").unplug()
        waits = page.locator(".asleep")
        expect(waits).to_contain_text("The game waits: cubes on", timeout=PATIENT)
        expect(waits).to_contain_text("look at the cable and the cube’s battery".replace("’", "'"))
        assert complaints(page) == []
        page.get_by_role("button", name="Tilt the southern pair towards south").click()  # by hand it goes on
        expect(says).to_contain_text("tilts the south pair to the south", timeout=PATIENT)
        page.reload()
        expect(page.locator(".asleep")).to_contain_text("The game waits", timeout=PATIENT)
        cubes.table.port("NE").plug()
        expect(page.locator(".asleep")).to_have_count(0, timeout=PATIENT)

        before = httpx.get(f"{ready['address']}api/table").json()
        process.kill()
        process.wait()
        expect(page.get_by_text(re.compile("Connection lost"))).to_be_visible(timeout=PATIENT)
    with service(*started, data=tmp_path) as (_, ready):
        expect(page.locator("[data-game=ice-cult] .saidlist")).to_contain_text(
            "The table was started again", timeout=PATIENT
        )  # the same page, by itself
        expect(page.locator(".saidlist")).to_contain_text("tilts the south pair to the south")
        assert httpx.get(f"{ready['address']}api/table").json()["view"] == before["view"]


def test_who_looks_on_can_move_nothing_whatever_his_browser_sends(browser: Browser, tmp_path: Path) -> None:
    with service("serve", "--port", "0", "--lan", data=tmp_path) as (_, ready):
        address = "http://127.0.0.1:" + ready["address"].rstrip("/").rsplit(":", 1)[1]
        looker = Person(browser, address, ready["code"], None, width=390, height=844)
        page = looker.page
        assert looker.offered() == set()
        assert page.get_by_label("Type a move").count() == 0
        before = page.request.get(f"{address}/api/table").json()["view"]
        # the board of a browser that lies: a tap that means a move, sent over its own WebSocket
        page.evaluate("""() => {
            const board = document.querySelector('svg.board');
            board.dataset.moves = 'tilt n>S|use NE pool|end';
            board.dispatchEvent(new MouseEvent('click', {bubbles: true, detail: 1}));
            board.dataset.moves = 'tilt n>S';
            board.dispatchEvent(new MouseEvent('click', {bubbles: true, detail: 1}));
        }""")
        # and every event of every element that the server may have, at a guess
        page.evaluate("""() => {
            const send = (id, args) => window.socket?.emit('event', {
                id, client_id: window.clientId ?? '', listener_id: `${id}`, args });
            for (let id = 1; id < 400; id++) send(id, ['tilt n>S']);
        }""")
        for path, body in (
            ("play", {"move": "tilt n>S"}),
            ("play", {"move": "tilt n>S", "seat": "yellow"}),
            ("undo", {}),
            ("new", {"game": "igloo", "players": ["A", "B"]}),
            ("answer", {"key": "x", "index": 0}),
            ("stand", {"seat": "yellow"}),
        ):
            answer = page.request.post(f"{address}/api/{path}", data=body)
            assert answer.status == 403, path
        page.wait_for_timeout(400)
        assert page.request.get(f"{address}/api/table").json()["view"] == before


@needs("axe")
@pytest.mark.parametrize("game", ["igloo-pop", "igloo-igloo", "igloo"])
def test_every_game_fits_a_telephone_and_a_desk_in_light_and_dark(
    game: str, browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    players = '["A", "B"]' if game == "igloo" else '["red", "blue"]'
    file.write_text(f'[game]\nname = "{game}"\nplayers = {players}\n')
    with (
        service("serve", "--port", "0", "--config", str(file), data=tmp_path) as (_, ready),
        httpx.Client(base_url=ready["address"], timeout=20) as host,
    ):
        if game == "igloo":
            for move in ("commit A red", "commit B blue", "place red L @ 0,0", "place blue M @ 40,5"):
                assert host.post("/api/play", json={"move": move}).json()["ok"]
        for width, height, scheme, language in ((390, 844, "dark", "de-DE"), (1600, 1000, "light", "fr-FR")):
            watched = Watched(browser, width, height, color_scheme=scheme, locale=language)
            page = watched.page
            page.goto(ready["address"])
            expect(page.locator(f"[data-game={game}]")).to_be_visible(timeout=PATIENT)
            page.wait_for_timeout(300)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert complaints(page) == []
            assert watched.complaints == []
            page.context.close()


@pytest.mark.parametrize(("language", "lost"), [("en", "Connection lost."), ("fr", "Connexion perdue.")])
def test_what_is_tapped_while_the_connection_is_lost_is_not_made_later(
    language: str, lost: str, browser: Browser, tmp_path: Path
) -> None:
    """It was, seconds later, whatever the others had done meanwhile."""
    with service("serve", "--port", "0", data=tmp_path) as (_, ready):
        page = Watched(browser).page
        page.goto(f"{ready['address']}?lang={language}")
        move = page.locator('[data-part=hands] button[data-moves="tilt n>S"]')
        expect(move).to_be_visible(timeout=PATIENT)
        move.focus()
        page.context.set_offline(True)
        page.evaluate("window.socket.io.engine.close()")
        expect(page.get_by_role("alert").filter(has_text=lost)).to_be_visible(timeout=PATIENT)
        assert page.evaluate("document.getElementById('app').inert")
        move.evaluate("button => button.click()")
        assert page.evaluate("window.socket.sendBuffer.some(packet => packet.data[0] === 'event')")
        page.context.set_offline(False)
        expect(page.get_by_text(lost)).to_be_hidden(timeout=PATIENT)
        assert not page.evaluate("document.getElementById('app').inert")
        assert page.evaluate("document.activeElement.dataset.moves") == "tilt n>S"  # the place is kept
        move.click()
        expect(page.locator("[data-part=says]")).not_to_be_empty()
        expect(page.locator('button[data-moves="tilt s>N"]')).to_be_visible(timeout=PATIENT)
        said = httpx.get(f"{ready['address']}api/table").json()["said"]
        assert [one["tone"] for one in said].count("refused") == 0
