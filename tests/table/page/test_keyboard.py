"""Who plays with the keyboard alone sees where it is at every stop, and is never sent back to the top of the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.parts import needs
from tests.table.page.hosts import Host, begin, counted_in, new_game
from tests.table.pages import complaints
from tests.table.shakes import CARDS

pytestmark = needs("chromium", "playwright")

# what the keyboard is at: what it does or is called, whether that is a text field (which has a ring of its own), and
# how wide a line goes round it; empty: at nothing, which is the top of the page
_AT = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return ['', false, 0];
  const {outlineStyle, outlineWidth} = getComputedStyle(one);
  const name = one.dataset.moves || one.getAttribute('aria-label') || one.textContent || one.tagName;
  return [name, one.matches('input'), outlineStyle === 'none' ? 0 : parseFloat(outlineWidth)];
}"""
_IN_DIALOG = "() => document.activeElement.closest('[role=dialog]')"
_SOMEWHERE = "() => document.activeElement !== document.body"


def at(page: Page) -> str:
    return str(page.evaluate(_AT)[0])


def is_tabbed_to(page: Page, words: str, most: int = 60) -> None:
    """Go on with the tabulator key until what has the keyboard does or is called so."""
    for _ in range(most):
        if words in at(page):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the tabulator key does not come to {words!r}")


def told_again(page: Page, act: str) -> None:
    """Press that key, and wait until the referee has said something more."""
    lines = "document.querySelectorAll('.saidlist li').length"
    before = page.evaluate(lines)
    page.keyboard.press(act)
    page.wait_for_function(f"before => {lines} > before", arg=before)


def new(host: Host, address: str, game: str, players: list[str], *moves: str) -> None:
    new_game(host, address, game, players)
    for move in moves:
        assert host.page.request.post(f"{address}api/play", data={"move": move}).ok


@pytest.mark.parametrize("colours", ["none", "active"])
def test_a_line_goes_round_whatever_the_keyboard_is_at(address: str, browser: Browser, colours: str) -> None:
    """Buttons had none: the toolkit takes it from them, and leaves a tint that few can see."""
    host = Host(browser, address, forced_colors=colours)
    begin(host, address)
    expect(host.button("Tilt the northern pair towards south")).to_be_visible()
    stops: list[str] = []
    for _ in range(60):
        host.page.keyboard.press("Tab")
        name, is_field, line = host.page.evaluate(_AT)
        if not name:
            break
        stops.append(name)
        assert is_field or line >= 3, name
    assert {"Another game", "tilt n>S", "Play Yellow yourself", "Decide together"} <= set(stops)


def test_where_a_picture_has_no_place_left_to_tap_the_keyboard_stays_at_it(
    address: str, browser: Browser
) -> None:
    """The igloo stands on its card, and no card can be tapped before the next one is taken."""
    host = Host(browser, address)
    counted_in(host, address)
    page = host.page
    assert page.request.post(f"{address}api/play", data={"move": "grab red A"}).ok
    expect(page.locator("[data-moves*='place red 9']")).to_be_visible()
    is_tabbed_to(page, "place red 9")
    told_again(page, "Enter")
    expect(page.locator(".ring [data-moves]")).to_have_count(0)
    page.wait_for_timeout(300)  # whatever takes the keyboard away has happened by then
    assert at(page) != ""
    page.keyboard.press("Tab")
    assert "grab red B" in at(page)  # and what can be tapped next is the next stop
    assert host.complaints == []


def test_what_was_asked_in_a_dialog_gives_the_keyboard_back(address: str, browser: Browser) -> None:
    """The card that was tapped is drawn anew while the dialog closes, and cannot be tapped any more."""
    host = Host(browser, address)
    new(host, address, "igloo-pop", ["red", "blue"], *(f"deal {n} {CARDS[n - 1]}" for n in range(1, 9)))
    page = host.page
    is_tabbed_to(page, "deal 9")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    page.wait_for_function(_IN_DIALOG)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert "deal 9" in at(page)
    page.keyboard.press("Enter")
    page.wait_for_function(_IN_DIALOG)
    is_tabbed_to(page, f"deal 9 {CARDS[8]}")
    told_again(page, "Enter")
    expect(dialog).to_have_count(0)
    page.wait_for_function(_SOMEWHERE)
    is_tabbed_to(page, "count", 3)


def test_a_piece_that_was_chosen_keeps_the_keyboard_and_says_that_it_is_chosen(
    address: str, browser: Browser
) -> None:
    """Its button was made anew to look otherwise, and the choice was to be seen alone."""
    host = Host(browser, address)
    new(host, address, "igloo", ["A", "B"], "commit A red", "commit B blue")
    page = host.page
    small, large = host.button("Red S (5 left)"), host.button("Red L (5 left)")
    expect(small).to_have_attribute("aria-pressed", "true")
    is_tabbed_to(page, "Red L")
    page.keyboard.press("Enter")
    expect(large).to_have_attribute("aria-pressed", "true")
    expect(small).to_have_attribute("aria-pressed", "false")
    expect(large).to_be_focused()
    assert "q-btn--outline" in str(small.get_attribute("class"))
    assert "q-btn--unelevated" in str(large.get_attribute("class"))


def test_the_place_to_which_the_keyboard_is_moved_is_in_sight(address: str, browser: Browser) -> None:
    """Of two empty slots the one that had it gets its card; the other is above the upper edge of a low window."""
    host = Host(browser, address, width=600, height=260)
    dealt = {2: "5", 3: "7-8", 4: "9-10-11", 5: "2", 6: "3-4", 7: "6", 8: "12-13"}
    new(host, address, "igloo-pop", ["red", "blue"], *(f"deal {n} {card}" for n, card in dealt.items()))
    page = host.page
    is_tabbed_to(page, "deal 9")
    assert page.request.post(f"{address}api/play", data={"move": "deal 9 4-5-6"}).ok
    page.wait_for_function("() => document.activeElement.dataset.moves?.startsWith('deal 1 ')")
    box = page.locator("[data-moves^='deal 1 ']").bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= 260 - box["height"]


def square(page: Page) -> str:
    """On which square of the board the keyboard is; empty: on none."""
    name = page.evaluate(
        "() => document.activeElement.closest('.seaboard') && document.activeElement.getAttribute('aria-label')"
    )
    return str(name or "").partition(":")[0]


def placing(browser: Browser, address: str, **more: bool) -> Host:
    """Igloo Igloo, in which the first Inuit is placed."""
    host = Host(browser, address, **more)
    # another game in between: the one before may look as this one will, and what is done on its page is done to nothing
    begin(host, address)
    expect(host.button("Tilt the northern pair towards south")).to_be_visible()
    new(host, address, "igloo-igloo", ["red", "blue"], "draws 1 3 2 2")
    expect(host.page.locator(".seaboard [data-moves='place c1']")).to_be_visible()
    return host


def into_the_board(page: Page) -> None:
    for _ in range(60):
        if square(page):
            return
        page.keyboard.press("Tab")
    pytest.fail("the tabulator key does not come to the board")


def test_the_squares_are_walked_with_arrow_keys_and_are_one_stop_of_the_tabulator_key(
    address: str, browser: Browser
) -> None:
    """Sixty stops lay between what is before the board and what is after it."""
    host = placing(browser, address)
    page = host.page
    grid = page.get_by_role("grid", name="The board")
    expect(grid.get_by_role("row")).to_have_count(8)
    expect(grid.get_by_role("gridcell")).to_have_count(64)
    into_the_board(page)
    expect(page.locator(":focus")).to_have_attribute("data-moves", re.compile("^place "))  # of use at once
    for key, there in (
        ("Control+Home", "a8"), ("ArrowLeft", "a8"), ("ArrowUp", "a8"), ("ArrowRight", "b8"), ("ArrowDown", "b7"),
        ("End", "h7"), ("ArrowRight", "h7"), ("Home", "a7"), ("Control+End", "h1"), ("ArrowDown", "h1"),
        ("ArrowLeft", "g1"), ("Shift+ArrowLeft", "g1"),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert square(page) == there, key
    assert page.evaluate(_AT)[2] >= 3  # a line goes round it
    page.keyboard.press("Tab")
    assert square(page) == ""
    page.keyboard.press("Shift+Tab")
    assert square(page) == "g1"
    assert host.complaints == []


def test_what_is_done_on_a_square_leaves_the_keyboard_there(address: str, browser: Browser) -> None:
    host = placing(browser, address)
    page = host.page
    into_the_board(page)
    page.keyboard.press("Control+End")
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert square(page) == "c1"
    told_again(page, "Enter")
    page.wait_for_function(
        "() => document.activeElement.getAttribute('aria-label')?.includes('Inuit of Red')"
    )
    assert square(page) == "c1"
    page.keyboard.press("Home")
    scrolled = page.evaluate("window.scrollY")
    for key in ("Space", "Enter"):  # nobody is placed on land, and the page is not moved about
        page.keyboard.press(key)
    for _ in "bcd":
        page.keyboard.press("ArrowRight")
    assert (square(page), page.evaluate("window.scrollY")) == ("d1", scrolled)
    told_again(page, "Space")
    inuits = page.request.get(f"{address}api/table").json()["view"]["inuits"]
    assert inuits == {"c1": ["red"], "d1": ["blue"]}
    assert host.complaints == []


def test_the_board_is_entered_where_it_was_left_also_when_it_was_drawn_anew(
    address: str, browser: Browser
) -> None:
    host = placing(browser, address)
    page = host.page
    into_the_board(page)
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    assert square(page) == ""
    assert page.request.post(f"{address}api/play", data={"move": "place f1"}).ok
    expect(page.locator(".seaboard [aria-label^='f1:']")).to_have_attribute("aria-label", re.compile("Inuit"))
    page.keyboard.press("Shift+Tab")
    assert square(page) == "b8"


def test_a_finger_taps_a_square_as_ever(address: str, browser: Browser) -> None:
    host = placing(browser, address, has_touch=True)
    host.page.locator(".seaboard [aria-label^='b2:']").tap()
    host.page.get_by_role("button", name=re.compile("^c1: ")).tap()
    expect(host.page.locator(".seaboard [aria-label^='c1:']")).to_have_attribute(
        "aria-label", re.compile("Inuit of Red")
    )


@needs("axe")
def test_axe_has_nothing_to_say_of_the_squares(address: str, browser: Browser) -> None:
    assert complaints(placing(browser, address).page) == []
