"""A question on a phone: its answers stand under it, in view, where the tabulator key goes from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.parts import needs
from tests.table.page.told_room import DEALT, ToldRoom, told_room
from tests.table.pages import Watched

pytestmark = needs("chromium", "playwright")
PHONE = {"width": 360, "height": 740}
ON_ITS_SIDE = {"width": 740, "height": 360}
LAPTOP = {"width": 1366, "height": 768}
SIX = ("red", "yellow", "green", "blue", "white", "black")
PASSED = [f"pass {seat}" for seat in SIX]
PLACED = [
    *DEALT, "count",
    *(move for n, seat in enumerate(SIX) for move in (f"grab {seat} {'ABCDEF'[n]}", f"place {seat} {n + 1}")),
]  # fmt: skip
# game → its players, and what is told so that something is asked
ASKED: dict[str, tuple[tuple[str, ...], str, list[str]]] = {
    "igloo-pop": (SIX, "play", [*PLACED, *PASSED]),
    "ice-cult": (("yellow", "red"), "ask", ["tilt n>S", "tilt e>W"]),
    "igloo-igloo": (("red", "blue"), "ask", ["draws 1 3 2 2", "draws 1 2 2 3"]),
    "igloo": (("A", "B"), "ask", ["commit A red", "commit A yellow"]),
}
QUESTION, ANSWERS, HANDS = ".says.asks", "[data-part=answers] button", "[data-part=hands] button"
_AT = "() => document.activeElement.closest('[data-part]')?.dataset.part ?? ''"


@contextmanager
def asked(folder: Path, game: str) -> Iterator[ToldRoom]:
    players, _, _ = ASKED[game]
    file = folder / "table.toml"
    file.write_text(f'[game]\nname = "{game}"\nplayers = [{", ".join(map(repr, players))}]\n')
    with told_room(file) as room:
        yield room


def ask(room: ToldRoom, game: str) -> None:
    _, what, moves = ASKED[game]
    room.tell(what, moves=moves, **({"text": "Something moved. What was it?"} if what == "ask" else {}))


def opened(browser: Browser, room: ToldRoom, screen: dict[str, int]) -> Page:
    page = Watched(browser, **screen).page
    page.goto(room.address)
    return page


def is_in_view(page: Page, what: str, height: int) -> None:
    boxes = [one.bounding_box() for one in page.locator(what).all()]
    assert boxes
    for box in boxes:
        assert box is not None
        assert 0 <= box["y"] <= height - box["height"], (what, box)


@pytest.mark.parametrize("game", ASKED)
def test_a_question_and_its_answers_are_seen_together(browser: Browser, tmp_path: Path, game: str) -> None:
    """With six players 1,400 px lay between them, and whoever was asked saw no way to answer."""
    with asked(tmp_path, game) as room:
        page = opened(browser, room, PHONE)
        ask(room, game)
        expect(page.locator(ANSWERS).first).to_be_visible()
        is_in_view(page, f"{QUESTION}, {ANSWERS}", PHONE["height"])
        expect(page.locator(HANDS)).to_have_count(0)  # once on the page
        page.locator(".languages a").last.focus()  # the last stop before the question
        page.keyboard.press("Tab")
        assert page.evaluate(_AT) == "answers"
        question = page.locator(QUESTION).inner_text()
        page.keyboard.press("Enter")
        expect(page.locator(QUESTION, has_text=question)).to_have_count(0)


def test_a_phone_that_is_turned_and_a_laptop_have_them_where_they_are_seen(
    browser: Browser, tmp_path: Path
) -> None:
    with asked(tmp_path, "igloo-pop") as room:
        page = opened(browser, room, LAPTOP)
        ask(room, "igloo-pop")
        expect(page.locator(HANDS)).to_have_count(12)  # beneath the cards, as ever
        expect(page.locator(ANSWERS)).to_have_count(0)
        for screen, here, there in ((ON_ITS_SIDE, ANSWERS, HANDS), (LAPTOP, HANDS, ANSWERS)):
            page.set_viewport_size(screen)  # type: ignore[arg-type]
            expect(page.locator(here)).to_have_count(12)
            expect(page.locator(there)).to_have_count(0)


def test_the_tabulator_key_goes_from_the_last_move_to_the_answers_and_from_answer_to_answer(
    browser: Browser, tmp_path: Path
) -> None:
    """The row in which the move was made is gone with its buttons: what has the keyboard then stands before them."""
    with asked(tmp_path, "igloo-pop") as room:
        page = opened(browser, room, PHONE)
        room.tell("play", moves=[*PLACED, *PASSED[:-1]])
        page.locator("[data-moves='pass black']").focus()
        page.keyboard.press("Enter")
        for letter in "AB":
            expect(page.locator(QUESTION)).to_contain_text(f"Look underneath igloo {letter}")
            page.wait_for_function("() => document.activeElement !== document.body")
            page.keyboard.press("Tab")
            expect(page.locator(ANSWERS).first).to_be_focused()
            page.keyboard.press("Enter")
