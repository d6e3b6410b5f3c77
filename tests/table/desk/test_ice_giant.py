"""The ice giant: he hears the same shakes as everybody, plays by the rules, and the sharp one beats the sleepy one."""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect

from firmware_bridge.clock import VirtualClock
from rules.core.refusal import Refusal
from sensors.ear.seats.listener import TOO_CROWDED
from sensors.ear.verdicts.mends import IN_ROOM
from sensors.evidence import Heard
from table.config import Settings
from table.desk.desk import Desk
from table.door.access import Access
from table.games import GAMES
from table.giant.at_table import Giants
from table.giant.giant import COUNTS, SKILLS, IceGiant, Odds
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.parts import needs, proof
from tests.table.full_disk import full_disk
from tests.table.pages import Watched, chromium, running

CARDS = ("5", "7-8", "9-10-11", "2", "3-4", "6", "12-13", "4-5-6", "11-12-13")
PATIENT = 90_000


def heard(beads: int, width: float, chance: random.Random) -> Heard:
    """What an ear of that width (in ln N) might make of an igloo."""
    felt = math.log(beads) + chance.gauss(0, width)
    odds = {n: math.exp(-((math.log(n) - felt) ** 2) / (2 * width**2)) + 1e-6 for n in COUNTS}
    total = sum(odds.values())
    return Heard("", 0, 2, "unsure", {n: p / total for n, p in odds.items()}, 30.0, False, "")


def table(players: list[str], **more: Any) -> Desk:
    options = {"mode": "physical"} | more
    return Desk.new(
        Journal(None),
        GAMES,
        VirtualClock(),
        name="g",
        game="igloo-pop",
        players=players,
        seed=3,
        options=options,
    )


def shaking(players: list[str]) -> Desk:
    desk = table(players)
    for slot, cards in enumerate(CARDS, 1):
        assert desk.play(f"deal {slot} {cards}")
    assert desk.play("count")
    return desk


def test_he_takes_what_he_heard_somebody_else_shake_and_asks_to_have_it_placed() -> None:
    desk, chance = shaking(["red", "blue"]), random.Random(1)
    giants = Giants(desk, 1)
    giants.seat("blue", "sharp")
    giants.tick(0.0)
    giants.tick(60.0)
    assert desk.view(None)["igloos"]["A"]["at"] == "village"  # he has heard nothing and knows nothing
    desk.play("grab red A", "red")
    giants.hears({"A": [heard(2, 0.05, chance).probabilities]})
    giants.tick(61.0)
    giants.tick(90.0)
    assert [i for i in desk.view(None)["igloos"].values() if i.get("by") == "blue"] == []  # red holds it
    desk.play("return red", "red")
    giants.tick(91.0)
    assert desk.view(None)["igloos"]["A"]["at"] == "village"  # he needs a moment
    for t in (94.0, 95.0, 99.0):
        giants.tick(t)
    assert desk.view(None)["igloos"]["A"] == {"at": "card", "slot": 4, "by": "blue"}
    assert desk.said[-1].text == "please put igloo A on card 4 for the ice giant, with a blue taler"
    assert desk.sitting.steps[-1].by == "giant"
    desk.play("pass red", "red")
    giants.tick(100.0)
    giants.tick(104.0)
    assert desk.view(None)["phase"] == "resolving"  # he passes when nobody shakes any more


async def test_at_a_table_he_hears_what_counts_and_no_more(clock: VirtualClock) -> None:
    options = {"name": "igloo-pop", "players": ("red", "blue")}
    room = TableRoom(Settings(game=options), clock, Journal(None), Access(clock, lan=True))
    for slot, cards in enumerate(CARDS, 1):
        assert room.desk.play(f"deal {slot} {cards}")
    assert room.desk.play("count")
    assert room.pop is not None
    room.pop.ice_giants.seat("blue", "sharp")
    giant = room.pop.ice_giants.seated["blue"]
    await clock.advance(100.0)
    assert room.desk.play("grab red A", "red")
    await clock.advance(5.0)
    nothing = giant.believes(room.desk.view(None))["A"]
    crowded = {n: (0.99 if n == 13 else 0.01 / 11) for n in COUNTS}
    well = {n: (0.8 if n == 5 else 0.2 / 11) for n in COUNTS}
    said = Heard("red", 0.0, 2.0, "unsure", crowded, 30.0, False, "sha256:test", TOO_CROWDED, doubt="sensor")
    room._heard("red", said)
    assert giant.believes(room.desk.view(None))["A"] == nothing
    room._heard("red", replace(said, clipped=True, reason=IN_ROOM.overdriven))
    assert giant.believes(room.desk.view(None))["A"][13] > 0.9  # badly heard, and all there is
    room._heard("red", replace(said, probabilities=well, reason=None, doubt="odds"))
    believed = giant.believes(room.desk.view(None))["A"]
    assert (max(believed, key=believed.__getitem__), believed[13] < 0.1) == (5, True)
    assert room.desk.correct(len(room.desk.sitting.steps) - 1, "grab red B")
    assert giant.believes(room.desk.view(None))["B"][5] == pytest.approx(believed[5])
    room.pop.ice_giants.seat("blue", "awake")
    giant = room.pop.ice_giants.seated["blue"]
    assert giant.believes(room.desk.view(None))["B"][5] > 0.3  # seated late, he knows as well
    assert room.desk.undo()
    believed = giant.believes(room.desk.view(None))
    assert [believed[k] == pytest.approx(nothing) for k in "AB"] == [True, True]


def test_he_sits_where_he_sat_when_the_table_comes_back() -> None:
    desk = shaking(["red", "blue", "green"])
    giants = Giants(desk, 1)
    giants.seat("blue", "sleepy")
    giants.seat("green", "sharp")
    giants.seat("green", None)
    again = Giants(desk, 1)
    again.sit_again()
    assert {seat: giant.name for seat, giant in again.seated.items()} == {"blue": "sleepy"}


@given(st.integers(0, 10**6), st.sampled_from(sorted(SKILLS)))
def test_all_he_wants_is_legal_whatever_he_heard(seed: int, skill: str) -> None:
    chance = random.Random(seed)
    desk = GAMES["igloo-pop"]
    state, _ = desk.new(("red", "blue"), seed, {})
    state, _ = desk.play(state, "count")
    giant = IceGiant("blue", skill, seed)
    for _ in range(chance.randrange(12)):
        shakes = [
            heard(chance.choice(COUNTS), 0.3, chance).probabilities for _ in range(chance.randrange(1, 3))
        ]
        giant.hears(dict.fromkeys(chance.sample("ABCDEFGHIJKL", 4), shakes), desk.view(state, None))
    choice = giant.choose(desk.view(state, "blue"))
    if choice is not None:
        state, _ = desk.play(state, f"grab blue {choice[0]}", "blue")
        desk.play(state, f"place blue {choice[1]}", "blue")


def duel(seed: int, skills: dict[str, str]) -> dict[str, float]:
    """A whole digital game between giants; each shakes in his turn, all hear every shake. Points by seat."""
    game, chance = GAMES["igloo-pop"], random.Random(seed)
    state, _ = game.new(tuple(skills), seed, {})
    giants = [IceGiant(seat, skill, seed) for seat, skill in skills.items()]
    shakes: dict[str, list[Odds]] = defaultdict(list)  # of this round
    while game.over(state) is None:
        view = game.view(state, None)
        if view["phase"] != "shaking":
            shakes.clear()
            state, _ = game.play(state, "count" if view["phase"] == "countdown" else "resolve")
            chance.shuffle(giants)
            continue
        truth = game.to_json(state)["values"]
        for giant in giants:
            view = game.view(state, giant.seat)
            if view["phase"] != "shaking" or giant.seat in view["passed"]:
                continue
            choice, letter = giant.choose(view), None
            letter = choice[0] if choice else giant.wants(view)
            moves = [f"pass {giant.seat}"]
            if letter is not None:
                if choice is None:
                    shakes[letter].append(heard(truth[letter], 0.12, chance).probabilities)
                    for other in giants:
                        other.hears(shakes, view)
                    choice = giant.choose(view, letter)
                end = f"place {giant.seat} {choice[1]}" if choice else f"return {giant.seat}"
                moves = [f"grab {giant.seat} {letter}", end]
            for move in moves:
                try:
                    state, _ = game.play(state, move, giant.seat)
                except Refusal:  # one without talers counts as having passed
                    if not move.startswith("pass"):
                        raise
    scores, _ = game.score(state)
    return {seat: float(points or 0) for seat, points in scores.items()}


def test_the_better_he_hears_the_more_he_wins() -> None:
    games = proof(5, 200)
    won = {"sleepy": 0.0, "awake": 0.0, "sharp": 0.0}
    for seed in range(games):
        points = duel(seed, {"red": "sleepy", "blue": "awake", "green": "sharp"})
        for seat, skill in zip(("red", "blue", "green"), won, strict=True):
            won[skill] += points[seat] / games
    assert won["sleepy"] < won["awake"] < won["sharp"]


@needs("chromium", "playwright")
@pytest.mark.filterwarnings("ignore")
def test_he_takes_a_seat_on_the_page_and_plays_by_ear(tmp_path: Any) -> None:
    with running("demo", "--no-browser", "--port", "0", "--seed", "3") as address, chromium() as browser:
        watched = Watched(browser)
        page = watched.page
        page.goto(address)
        pop = page.locator("[data-game=igloo-pop]")
        pop.get_by_role("button", name="Seat the ice giant").click()
        page.get_by_role("dialog").get_by_role("button", name="He sits down").click()
        expect(pop.locator(".players")).to_contain_text("ice giant, awake")
        expect(pop.locator(".saidlist")).to_contain_text(
            re.compile("Red (takes|puts|does not)"), timeout=PATIENT
        )
        pop.get_by_role("button", name="Send the ice giant of Red away").click()
        expect(pop.locator(".players")).not_to_contain_text("ice giant")
        assert watched.complaints == []


def test_on_a_full_disk_a_giant_says_so_once_and_moves_when_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """He thinks five times a second, and each time that he tries is a fault for everybody to hear."""
    desk, chance = shaking(["red", "blue"]), random.Random(1)
    giants = Giants(desk, 1)
    giants.seat("blue", "sharp")
    giants.hears({"A": [heard(5, 0.02, chance).probabilities]})
    before = len(desk.said)
    with full_disk(monkeypatch):
        for tick in range(60):
            giants.tick(tick * 0.2)
    assert [said.event for said in desk.said[before:]] == ["journal"]
    giants.tick(60.0)
    assert desk.sitting.steps[-1].move == "grab blue A"
