"""A whole game of each of the four at the page: two browsers as two seats, a third that only looks on.

What the page offers a seat is exactly what the rules allow it, at every move that is made there. In the ordinary
run the beginning is made over HTTP instead; `POLARTABLE_PROOF=1` makes every single move at the page.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser

from tests.parts import needs, proof
from tests.table.page.stories import TABLES, Story
from tests.table.pages import service
from tests.table.seats import Person

pytestmark = needs("chromium", "playwright")
AT_THE_PAGE = proof(5, 10**6)  # so many moves, the last ones
WIDTHS = {"S": 18, "M": 25, "L": 32}


@pytest.mark.parametrize("game", TABLES)
def test_a_whole_game_is_played_at_the_page(game: str, browser: Browser, tmp_path: Path) -> None:
    seats, options, _ = TABLES[game]
    settings = tmp_path / "table.toml"
    players = ", ".join(f'"{seat}"' for seat in seats)
    written = ", ".join(f"{key} = {value}" for key, value in options.items())
    settings.write_text(f'[game]\nname = "{game}"\nplayers = [{players}]\noptions = {{ {written} }}\n')
    story = Story(game)
    rules, state, left = story.rules, story.start, story.length()
    with (
        service("serve", "--port", "0", "--lan", "--config", str(settings), data=tmp_path) as (_, ready),
        httpx.Client(
            base_url="http://127.0.0.1:" + ready["address"].rstrip("/").rsplit(":", 1)[1], timeout=30
        ) as host,
    ):
        address = str(host.base_url).rstrip("/")
        host.post("/api/pair", json={"code": ready["host_code"]}).raise_for_status()
        while left > AT_THE_PAGE:
            seat, move = story.next(state)
            assert host.post("/api/play", json={"move": move, "seat": seat}).status_code == 200, move
            state, left = rules.play(state, move, seat)[0], left - 1
        people = {s: Person(browser, address, ready["code"], s, name) for s, name in seats.items()}
        looker = Person(browser, address, ready["code"], None)
        while rules.over(state) is None:
            seat, move = story.next(state)
            person, kind = people[seat], move.split()[0]
            if game == "igloo" and kind == "place":
                move = _placed(host, person, move, len(rules.view(state, None)["pieces"]))
            elif kind == "draws":
                person.wait_for_parts(move)
                person.make(move)
            else:
                if kind == "found":  # the question offers its own answers
                    person.says(re.escape(_question(host)))
                elif game != "igloo":
                    person.is_offered(set(rules.moves(state, seat)) - {"abandon"})
                person.make(move)
            state = _until_played(host, rules, state, move, seat)
            assert looker.offered() == set()
        over = rules.over(state)
        assert over is not None
        for person in (*people.values(), looker):
            person.says(over.text[1:40])
            assert person.offered() - {"abandon"} == set()
            shown = person.page.request.get(f"{address}/api/table").json()
            assert shown["view"] == rules.view(state, person.seat)
            assert person.complaints == []
            assert person.outside(address) == []
            person.page.context.close()


def _placed(host: httpx.Client, person: Person, move: str, before: int) -> str:
    """Tap where `move` says; the move that came of it: a finger, or a pixel, may miss by a unit."""
    _, colour, size, _, where = move.split()
    x, y = map(int, where.split(","))
    person.place(colour, size, x, y, WIDTHS[size])
    for _ in range(1500):
        pieces = host.get("/api/table").json()["view"]["pieces"]
        if len(pieces) == before + 1:
            last = max(pieces, key=lambda piece: int(piece["id"]))
            assert (last["colour"], last["size"]) == (colour, size)
            assert max(abs(last["x"] - x), abs(last["y"] - y)) <= 2
            return f"place {colour} {size} @ {last['x']},{last['y']}"
    pytest.fail(f"{move} did not come to the table")


def _question(host: httpx.Client) -> str:
    for _ in range(1500):
        question = host.get("/api/table").json()["question"]
        if question is not None:
            return str(question["text"])
    pytest.fail("the table did not ask to look underneath")


def _until_played(host: httpx.Client, rules: Any, state: Any, move: str, seat: str) -> Any:
    """The state after the move, once the table has it."""
    after, _ = rules.play(state, move, seat)
    wanted = rules.view(after, None)
    for _ in range(1500):
        if host.get("/api/table").json()["view"] == wanted:
            return after
    pytest.fail(f"{move} by {seat} did not come to the table")
