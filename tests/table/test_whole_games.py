"""A whole game of each of the four at the page: two browsers as two seats, a third that only looks on.

What the page offers a seat is exactly what the rules allow it, at every move that is made there. In the ordinary
run the beginning is made over HTTP instead; `POLARTABLE_PROOF=1` makes every single move at the page.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser

from hw_mock.players import ice_cult
from table.games import GAMES
from tests.parts import needs, proof
from tests.table.pages import chromium, service
from tests.table.seats import Person

pytestmark = [needs("chromium", "playwright"), pytest.mark.proof]
AT_THE_PAGE = proof(8, 10**6)  # so many moves, the last ones
WIDTHS = {"S": 18, "M": 25, "L": 32}

# game → seats with their names on the page, options, the seed of whoever plays
TABLES: dict[str, tuple[dict[str, str], dict[str, Any], int]] = {
    "ice-cult": ({"yellow": "Yellow", "red": "Red"}, {"length": 4}, 3),
    "igloo-pop": ({"red": "Red", "blue": "Blue"}, {}, 1),
    "igloo-igloo": ({"red": "Red", "blue": "Blue"}, {}, 3),
    "igloo": ({"A": "A", "B": "B"}, {}, 2),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def told_by(game: str, seed: int) -> list[tuple[str, str]]:
    """A whole game as (seat, move), by a scripted player or at random; the same for the same seed."""
    rules, (seats, options, _) = GAMES[game], TABLES[game]
    state, _ = rules.new(tuple(seats), 1, {"mode": "physical"} | options)
    chance, out = random.Random(seed), list[tuple[str, str]]()
    plan: list[str] = []
    while rules.over(state) is None:
        acting = rules.to_act(state)
        if game == "ice-cult":
            plan = plan or ice_cult.rest_of_turn(rules, state, acting[0], chance)
            move = plan.pop(0)
        elif game == "igloo-pop":
            move = _pop(rules, state, chance)
        else:
            move = rules.random_move(state, chance.randrange) or ""
        seat = next((word for word in move.split() if word in acting), acting[0])
        out.append((seat, move))
        state, _ = rules.play(state, move, seat)
    return out


def _pop(rules: Any, state: Any, chance: random.Random) -> str:
    """Red stakes all talers on one card and is wrong every time: the game is over after a round (IP-10)."""
    moves = sorted(rules.moves(state))
    stakes = [m for m in moves if m.startswith(("grab red", "place red 1"))]
    deals = [m for m in moves if m.startswith("deal")]
    wrong = [m for m in moves if re.fullmatch(r"found 1 \d+ red", m) and m.split()[2] != "2"]
    first = [m for m in deals if m.split()[2] == "2"] if deals and "deal 1" in deals[0] else deals
    for kind in (first, wrong, stakes):
        if kind:
            return kind[0] if kind is not deals else chance.choice(kind)
    return next(
        m for m in moves if not m.startswith(("grab blue", "unpass", "return", "abandon", "pass red"))
    )


@pytest.mark.parametrize("game", TABLES)
def test_a_whole_game_is_played_at_the_page(game: str, browser: Browser, tmp_path: Path) -> None:
    seats, options, seed = TABLES[game]
    settings = tmp_path / "table.toml"
    players = ", ".join(f'"{seat}"' for seat in seats)
    written = ", ".join(f"{key} = {value}" for key, value in options.items())
    settings.write_text(f'[game]\nname = "{game}"\nplayers = [{players}]\noptions = {{ {written} }}\n')
    story = told_by(game, seed)
    rules = GAMES[game]
    state, _ = rules.new(tuple(seats), 1, {"mode": "physical"} | options)
    with (
        service("serve", "--port", "0", "--lan", "--config", str(settings), data=tmp_path) as (_, ready),
        httpx.Client(
            base_url="http://127.0.0.1:" + ready["address"].rstrip("/").rsplit(":", 1)[1], timeout=30
        ) as host,
    ):
        address = str(host.base_url).rstrip("/")
        host.post("/api/pair", json={"code": ready["host_code"]}).raise_for_status()
        for seat, move in story[:-AT_THE_PAGE]:
            assert host.post("/api/play", json={"move": move, "seat": seat}).status_code == 200, move
            state, _ = rules.play(state, move, seat)
        people = {s: Person(browser, address, ready["code"], s, name) for s, name in seats.items()}
        looker = Person(browser, address, ready["code"], None)
        for seat, move in story[-AT_THE_PAGE:]:
            person, kind = people[seat], move.split()[0]
            if game == "igloo" and kind == "place":
                _, colour, size, _, where = move.split()
                x, y = map(int, where.split(","))
                person.place(colour, size, x, y, WIDTHS[size])
            elif kind == "draws":
                person.wait_for_parts(move)
                person.make(move)
            else:
                if kind == "found":  # the question offers its own answers alone
                    person.says(re.escape(_question(host)))
                elif game != "igloo":
                    person.is_offered(set(rules.moves(state, seat)) - {"abandon"})
                person.make(move)
            state = _until_played(host, rules, state, move, seat)
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
