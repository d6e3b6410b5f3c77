"""Igloo Pop as a family plays it: counted in aloud, heard counts kept, looked at where unsure, scored, and won."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from playwright.sync_api import expect

from firmware_bridge.clock import VirtualClock
from sensors.ear.sources.at_rest import FINER
from sensors.evidence import Heard, Pressed
from sensors.gesture.judge import leans
from table.games import GAMES
from table.page import igloo_igloo_board
from table.page.result import result
from table.page.sentences import sentences
from table.page.texts import Texts
from table.room.countdown import STEP_S
from table.room.table_room import TableRoom
from tests.parts import needs
from tests.table.pages import Watched, chromium, service
from tests.table.rooms import room

CARDS = ("5", "7-8", "9-10-11", "2", "3-4", "6", "12-13", "4-5-6", "11-12-13")


def laid() -> tuple[TableRoom, VirtualClock]:
    table = room()
    table.new_game("igloo-pop", ["red", "blue"], {})
    for slot, cards in enumerate(CARDS, 1):
        assert table.desk.play(f"deal {slot} {cards}")
    clock = table.clock
    assert isinstance(clock, VirtualClock)
    return table, clock


async def test_three_two_one_and_nobody_takes_an_igloo_before() -> None:
    table, clock = laid()
    counting = asyncio.create_task(table.act("igloo-pop", "red", "count"))
    seen = []
    await asyncio.sleep(0)
    while not counting.done():
        seen.append(table.counting("igloo-pop"))
        assert not table.desk.play("grab red A", "red")
        assert not await table.countdown.run("blue")  # one count at a time
        await clock.advance(STEP_S)
    assert seen == [3, 2, 1]
    assert table.desk.view(None)["phase"] == "shaking"
    assert table.counting("igloo-pop") is None
    await table.act("igloo-pop", "red", "count")  # too late: refused at once, nothing is counted
    assert table.desk.said[-1].rule == "IP-4"


async def test_a_count_ends_with_the_game_that_it_was_for() -> None:
    """Else the next game would begin with the beeps of this one, and with a refusal of what nobody did there."""
    table, clock = laid()
    table._pressed(Pressed(0.0, "blue"))
    await clock.advance(STEP_S / 2)
    before = table.desk
    table.new_game("ice-cult", ["yellow", "red"], {})
    heard, counted = [], []
    table.listen(heard.append)
    table._without_screen.play = counted.append  # type: ignore[method-assign]
    await clock.advance(4 * STEP_S)
    assert (heard, counted) == ([], [])
    assert all(said.tone != "refused" for said in before.said)


async def test_a_count_ends_quietly_when_the_round_was_begun_or_left_meanwhile() -> None:
    table, clock = laid()
    counting = asyncio.create_task(table.act("igloo-pop", "red", "count"))
    await clock.advance(STEP_S / 2)
    assert table.desk.play("count", "blue")  # over HTTP, by a program that counts for itself
    await clock.advance(4 * STEP_S)
    await counting
    assert table.desk.said[-1].event == "counted"
    assert table.counting("igloo-pop") is None


async def test_in_a_closed_game_nothing_is_counted() -> None:
    table, _ = laid()
    table.desk.close("abandoned by the host")
    assert not await table.countdown.run("red")
    assert table.desk.said[-1].text == "this game was closed; another one can be begun"


async def test_a_round_with_buttons_an_ear_that_is_sure_of_one_igloo_and_a_look_under_the_other() -> None:
    table, clock = laid()
    table._pressed(Pressed(0.0, "blue"))
    await clock.advance(4 * STEP_S)
    desk = table.desk
    assert desk.view(None)["phase"] == "shaking"
    for seat, letter, sure in (("red", "A", 0.999), ("blue", "B", 0.3)):
        desk.play(f"grab {seat} {letter}", seat)
        count = 7 if seat == "red" else 6
        rest = dict.fromkeys(range(2, 14), (1 - sure) / 11)
        table._heard(seat, Heard("", 0, 2, "sure", rest | {count: sure}, 30.0, False, "", strength=1.0))
        desk.play(f"place {seat} {2 if seat == 'red' else 6}", seat)
    assert all("7" not in s.text or "card" in s.text for s in desk.said)  # nothing of what was heard is said
    for seat in ("red", "blue"):
        table._pressed(Pressed(1.0, seat))
    await asyncio.sleep(0)
    assert any("stands an igloo with 7" in said.text for said in desk.said)  # the ear was sure: nobody looks
    assert desk.question is not None
    assert desk.question.text.startswith("Look underneath igloo B of blue on card 6 (6): it sounded like 6")
    six = next(i for i, choice in enumerate(desk.question.choices) if choice.text == "6")
    assert desk.answer(desk.question.key, six)
    await asyncio.sleep(0)
    assert desk.said[-1].text == "Of 1 igloo that was turned over the ear had 1 exactly and 1 within one."
    table._pressed(Pressed(2.0, "red"))
    won = desk.view(None)["won"]
    assert won == {"red": [[7, 8]], "blue": [[6]]}


def listed(over: dict[str, Any], language: str = "en") -> list[tuple[str, ...]]:
    shown = result(over, str.capitalize, Texts(language))
    return re.findall(r"<li value=(\d)><b>(\w+)</b> ([^<]+)</li>", shown)


def test_the_end_is_told_the_most_points_first() -> None:
    over = {"winners": ["blue"], "scores": {"green": 3, "red": 14, "blue": 14.5}}
    assert "Blue wins." in result(over, str.capitalize, Texts("en"))
    assert listed(over) == [
        ("1", "Blue", "14.5 points"),
        ("2", "Red", "14 points"),
        ("3", "Green", "3 points"),
    ]
    assert result(None, str, Texts("en")) == ""
    assert "Niemand gewinnt." in result({"winners": [], "scores": None}, str, Texts("de"))


def test_whoever_is_equal_has_the_same_place() -> None:
    over = {
        "winners": ["red", "blue"],
        "scores": {"green": 9, "red": 21.5, "blue": 21.5, "white": 9, "black": 2},
    }
    assert "Red, Blue share the victory." in result(over, str.capitalize, Texts("en"))
    assert [row[:2] for row in listed(over)] == [
        ("1", "Red"), ("1", "Blue"), ("3", "Green"), ("3", "White"), ("5", "Black"),
    ]  # fmt: skip


def test_who_wins_by_cards_stands_before_who_has_as_many_points() -> None:
    over = {"winners": ["blue"], "scores": {"red": 25, "blue": 25, "green": 11}}
    assert [row[:2] for row in listed(over)] == [("1", "Blue"), ("2", "Red"), ("3", "Green")]


def test_half_a_point_is_written_as_the_language_writes_it() -> None:
    over = {"winners": ["red"], "scores": {"red": 21.5, "blue": 4}}
    islands = GAMES["igloo-igloo"]
    view = islands.view(islands.new(("red", "blue"), 1, {})[0], None)
    for language, points in (("en", "21.5"), ("de", "21,5"), ("fr", "21,5"), ("it", "21,5")):
        assert [row[2].split()[0] for row in listed(over, language)] == [points, "4"]
        assert f" {points}<" in igloo_igloo_board.players(view, None, Texts(language), {"red": 21.5})
    assert sentences("fr")("red wins with 21.5 points").endswith("avec 21,5 points")
    coarse = "this accelerometer's values go in steps of 0.12 g, too coarse to count by – " + FINER
    assert re.findall(r"0[.,]\d+ g", sentences("de")(coarse)) == ["0,12 g", "0,06 g"]
    assert "3,41 V" in sentences("fr")("cube 2: its battery is low (3.41 V) – charge it")
    assert "2,5°" in sentences("it")(leans(2.5))


@needs("chromium", "playwright")
def test_every_page_counts_and_shows_how_it_ended(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "table.toml"
    file.write_text('[game]\nname = "igloo-pop"\nplayers = ["red", "blue"]\n')
    with (
        service("serve", "--port", "0", "--config", str(file), data=tmp_path) as (_, ready),
        chromium() as browser,
    ):
        one, other = Watched(browser, 420, 860), Watched(browser, 420, 860, locale="it-IT")
        for watched in (one, other):
            watched.page.goto(ready["address"])
        for slot, cards in enumerate(CARDS, 1):
            play = {"move": f"deal {slot} {cards}"}
            assert one.page.request.post(f"{ready['address']}api/play", data=play).ok
        one.page.get_by_role("button", name="Three, two, one").click()
        expect(other.page.locator("[data-part=count]")).to_have_text("3")
        other.page.screenshot(path=str(tmp_path / "three.png"))
        expect(other.page.locator("[data-part=count]")).to_have_text("1")
        expect(other.page.locator("[data-part=says]")).to_contain_text("comincia il giro 1")
        expect(other.page.locator("[data-part=count]")).to_have_count(0)
        one.page.get_by_text("Decide together").click()
        one.page.get_by_role("button", name="End this game").click()
        one.page.get_by_role("dialog").get_by_role("button", name="End this game").click()
        expect(other.page.locator("[data-part=says]")).to_contain_text(
            "La partita è abbandonata (chi ospita)"
        )
        assert one.complaints == other.complaints == []
