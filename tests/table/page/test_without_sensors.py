"""The two games without sensors at the page of a real table: what one browser is asked, told and may tap."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.parts import needs
from tests.table.pages import Watched

pytestmark = needs("chromium", "playwright")


def opened(browser: Browser, address: str, game: str, players: list[str]) -> Page:
    page = Watched(browser, 390, 844).page
    page.goto(address)
    page.request.post(f"{address}api/new", data={"game": game, "players": players, "options": {}})
    heading = "IGLOO" if game == "igloo" else "Igloo Igloo"
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    return page


def play(page: Page, address: str, *moves: str, seats: str = "") -> None:
    for at, move in enumerate(moves):
        seat = {"seat": seats[at]} if seats else {}
        answer = page.request.post(f"{address}api/play", data={"move": move} | seat)
        assert answer.ok, answer.text()


def view(page: Page, address: str) -> dict[str, Any]:
    return dict(page.request.get(f"{address}api/table").json()["view"])


def test_tokens_are_asked_by_their_squares_and_several_of_one_square_in_any_order(
    address: str, browser: Browser
) -> None:
    page = opened(browser, address, "igloo-igloo", ["red", "blue"])
    hands = page.locator("[data-part=hands]")
    for square, value in (("d4", "2"), ("e4", "1"), ("d5", "3"), ("e5", "2")):
        expect(hands).to_contain_text(f"Fish on {square}: which value?")
        expect(page.locator("[data-asked]")).to_have_attribute("data-asked", square)
        hands.get_by_role("button", name=value, exact=True).click()
    expect(page.locator("[data-asked]")).to_have_count(0)
    assert view(page, address)["fish"] == {"d4": [2], "e4": [1], "d5": [3], "e5": [2]}
    while view(page, address)["phase"] == "place":
        play(page, address, page.request.get(f"{address}api/moves").json()["moves"][0])
    play(page, address, "melt f4 fish-2")
    expect(hands).to_contain_text("Fish on f4: which value? (token 1 of 2; so far –)")
    hands.get_by_role("button", name="3", exact=True).click()
    expect(hands).to_contain_text("Fish on f4: which value? (token 2 of 2; so far 3)")
    hands.get_by_role("button", name="1", exact=True).click()
    expect(page.locator("[data-part=says]")).to_contain_text("f4")
    expect(page.locator("[data-asked]")).to_have_count(0)
    assert view(page, address)["fish"]["f4"] == [1, 3]


def choose(page: Page, kind: str) -> None:
    page.locator(f'[data-kind="{kind}"]').click()


def test_a_piece_that_can_lie_nowhere_is_not_chosen_and_the_page_says_which(
    address: str, browser: Browser
) -> None:
    page = opened(browser, address, "igloo", ["A", "B"])
    play(page, address, "commit A red", "commit B green", "place red S @ 0,0", seats="ABA")
    play(page, address, "place green M E of #1 gap 8 off 0", "capture all")
    assert [piece["colour"] for piece in view(page, address)["pieces"]] == ["green"]
    hands = page.locator("[data-part=hands]")
    expect(hands).to_contain_text("Can lie nowhere now (IG-12): Red S, Yellow S")
    expect(page.locator('[data-kind="red S"]')).to_have_count(0)
    expect(page.locator('[data-place^="place red M"]').first).to_be_attached()  # the first that can is chosen


def test_pieces_told_by_their_connections_are_listed_laid_and_captured_with_buttons(
    address: str, browser: Browser
) -> None:
    page = opened(browser, address, "igloo", ["A", "B"])
    play(page, address, "commit A red", "commit B green", "place red M @ 0,0", seats="ABA")
    page.get_by_role("button", name="Tell its connections instead of its place").click()
    expect(page.locator("[data-place]")).to_have_count(0)
    choose(page, "green M")
    choose(page, "#1")
    page.get_by_role("button", name="Lay Green M, connected to #1", exact=True).click()
    listed = page.locator("[data-part=unplaced] li")
    expect(listed).to_have_text(["piece 2, Green M, connected to #1"])
    expect(page.get_by_role("button", name="Tell its")).to_have_count(0)  # no place can be told now
    choose(page, "red M")
    choose(page, "#2")
    page.get_by_role("button", name="Lay Red M, connected to #2", exact=True).click()
    expect(listed).to_have_text(
        ["open piece 2, Green M, connected to #1, #3", "piece 3, Red M, connected to #2"]
    )
    page.get_by_role("button", name="Capture piece 2", exact=True).click()
    expect(listed).to_have_text(["piece 3, Red M"])
    assert view(page, address)["prisoners"]["A"] == [{"colour": "green", "size": "M"}]


def test_a_host_puts_a_wrong_placing_right_by_typing_what_it_was(address: str, browser: Browser) -> None:
    page = opened(browser, address, "igloo", ["A", "B"])
    play(page, address, "commit A red", "commit B green", "place red L @ 0,0", seats="ABA")
    play(page, address, "place green M E of #1 gap 8 off 0")
    page.get_by_text("Moves", exact=True).click()
    rows = page.locator(".history .step")
    expect(rows).to_have_count(2)  # the two secret choices are no rows
    rows.first.get_by_role("button").click()
    line = page.get_by_role("dialog").get_by_label("Type a move")
    line.fill("place green M E of #1 gap 9 off 2")
    line.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("[data-part=says]")).to_contain_text("Corrected: step 4")
    last = view(page, address)["pieces"][-1]
    assert (last["x"], last["y"]) == (41, 2)


FOCUSED = "document.activeElement.getAttribute('aria-label')"


def test_whoever_uses_the_keyboard_keeps_the_place_when_the_board_is_drawn_anew(
    address: str, browser: Browser
) -> None:
    page = opened(browser, address, "igloo-igloo", ["red", "blue"])
    play(page, address, "draws 1 3 2 2")
    square = page.locator('.seaboard [tabindex][aria-label^="c1:"]')
    square.focus()
    said = page.locator(".saidlist li")
    before = said.count()
    play(page, address, "place f1")  # somebody else's move, or on another page
    expect(said).to_have_count(before + 1)
    page.wait_for_function("document.activeElement !== document.body")
    assert page.evaluate(FOCUSED).startswith("c1:")
    page.keyboard.press("Enter")
    expect(page.locator('.seaboard [aria-label^="c1:"]')).to_have_attribute("aria-label", re.compile("Inuit"))
    page.wait_for_function(
        "document.activeElement !== document.body"
    )  # c1 can no longer be tapped: one beside it
    assert page.evaluate(f"{FOCUSED}[0]") in "bcde"


HELD = """square => square.dispatchEvent(
  new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, repeat: true}))"""


def test_a_button_that_is_gone_leaves_the_place_in_its_row_and_a_held_key_makes_one_move(
    address: str, browser: Browser
) -> None:
    page = opened(browser, address, "igloo-igloo", ["red", "blue"])
    hands = page.locator("[data-part=hands]")
    for square in ("d4", "e4", "d5", "e5"):
        expect(hands).to_contain_text(f"Fish on {square}: which value?")
        hands.get_by_role("button", name="2", exact=True).focus()
        page.keyboard.press("Enter")
    expect(page.locator("[data-asked]")).to_have_count(0)
    page.wait_for_function("document.activeElement.closest('[data-part=hands]')")
    square = page.locator('.seaboard [tabindex][aria-label^="c1:"]')
    square.evaluate(HELD)
    square.focus()
    page.keyboard.press("Enter")
    expect(page.locator('.seaboard [aria-label^="c1:"]')).to_have_attribute(
        "aria-label", re.compile("Inuit of Red")
    )
    assert view(page, address)["inuits"] == {"c1": ["red"]}
