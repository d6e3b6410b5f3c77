"""A whole Igloo Pop round kept by hand on the page: dealt, counted in, taken, placed, passed, looked at, checked."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from table.config import Settings
from tests.parts import ROOT, needs
from tests.table.pages import Watched, chromium, service

pytestmark = needs("chromium", "playwright")

SETTINGS = '[game]\nname = "igloo-pop"\nplayers = ["red", "blue"]\n'
CARDS = ["5", "7 · 8", "9 · 10 · 11", "2", "3 · 4", "6", "12 · 13", "4 · 5 · 6", "11 · 12 · 13"]


def says(page: Page, words: str) -> None:
    expect(page.locator("[data-part=says]")).to_contain_text(re.compile(words), timeout=20_000)


def test_a_round_without_any_sensor(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(SETTINGS)
    with (
        service("serve", "--port", "0", "--config", str(file), data=tmp_path) as (_, ready),
        chromium() as browser,
    ):
        watched = Watched(browser)
        page = watched.page
        page.goto(ready["address"])
        hands, lay = page.locator("[data-part=hands]"), "Lay a card into each empty place of the ring"
        expect(hands).to_contain_text(lay)
        page.get_by_role("button", name="Play Blue yourself").click()
        says(page, "Somebody plays blue now")
        expect(hands).to_contain_text(lay)  # whatever is said meanwhile
        page.get_by_role("button", name="Leave Blue").click()
        for slot, card in enumerate(CARDS, 1):
            page.locator(".card.empty.tap").first.click()
            page.get_by_role("dialog").get_by_role("button", name=card, exact=True).click()
            says(page, f"lies in slot {slot}")
        expect(hands).not_to_contain_text(lay)
        page.get_by_role("button", name="Three, two, one").click()
        says(page, "round 1 begins")

        page.locator(".village .tap").first.click()
        page.get_by_role("dialog").get_by_role("button", name="Red takes igloo A").click()
        says(page, "Red takes igloo A")
        page.locator(".card.tap").first.click()  # only red holds an igloo: no need to ask who
        says(page, r"Red puts igloo A on card 1 \(5\)")
        page.get_by_role("button", name="Red passes").click()
        says(page, "Red does not wish")
        expect(page.get_by_role("button", name="Red goes on")).to_be_visible()
        page.get_by_role("button", name="Blue passes").click()

        says(page, "Look underneath igloo A of red on card 1")  # nothing heard it: somebody has to look
        page.get_by_role("button", name="5", exact=True).click()
        says(page, "stands an igloo with 5")
        expect(hands).to_contain_text("that nobody noted stands on a card, tap that card.")
        page.get_by_role("button", name="Check the cards").click()
        says(page, "round 2 can begin; first lay a card of the deck into slot 1")
        expect(hands).to_contain_text(lay)
        expect(page.locator(".players")).to_contain_text("cards: 1 · points: 13")
        assert page.locator(".bars").count() == 0  # probabilities are not for a game
        assert watched.complaints == []


def test_the_settings_in_the_docs_can_be_read(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
    block = re.search(r"\n\n((?:    .*\n|\n)*    \[serve\]\n(?:    .*\n|\n)*)", text)
    assert block is not None
    file = tmp_path / "table.toml"
    file.write_text("\n".join(line.removeprefix("    ") for line in block[1].splitlines()))
    settings = Settings.read(file)
    assert settings.game.options == {"length": 5}
    assert settings.buttons == {"red": 17}


def test_the_docs_name_every_route() -> None:
    from fastapi import APIRouter

    from table.api.routes import add_table
    from tests.table.rooms import room

    text = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
    api = APIRouter()
    add_table(api, room())
    missing = [
        route.path for route in api.routes if f"`{route.path}" not in text and f" {route.path}`" not in text
    ]  # type: ignore[attr-defined]
    assert missing == []
