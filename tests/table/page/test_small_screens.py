"""The page on a phone held upright, and zoomed in to twice its size: what must be read can be, and stays put."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.parts import needs
from tests.table.page.hosts import Host, new_game
from tests.table.page.stories import Story
from tests.table.pages import Watched, service

pytestmark = needs("chromium", "playwright")
PHONE = {"width": 360, "height": 640}
# a laptop of 1280 by 800 at 200 %, or a phone on its side
ZOOMED = {"width": 640, "height": 400}
_TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
_HEIGHTS = """() => [...document.querySelectorAll('.looney .number')]
  .map(one => parseFloat(one.getAttribute('font-size')) * one.getScreenCTM().d)"""

_TOPS = """() => [...document.querySelectorAll('[data-part=hands] button')]
  .map(one => Math.round(one.getBoundingClientRect().top))"""


@pytest.mark.parametrize("screen", [PHONE, ZOOMED])
def test_the_number_of_every_piece_of_a_whole_game_can_be_read(
    address: str, browser: Browser, screen: dict[str, int]
) -> None:
    """Sentences name pieces by number alone; the last ones of a long game were not seven pixels high."""
    host = Host(browser, address, **screen)
    new_game(host, address, "igloo", ["A", "B"])
    story = Story("igloo")
    state, most = story.start, 0
    while story.rules.over(state) is None:
        seat, move = story.next(state)
        state = story.rules.play(state, move, seat)[0]
        assert host.page.request.post(f"{address}api/play", data={"move": move, "seat": seat}).ok, move
        shown = len(story.rules.view(state, None)["pieces"])
        if shown > most and (shown % 16 == 0 or shown == 55):
            most = shown
            expect(host.page.locator(".looney .number")).to_have_count(shown)
            assert min(host.page.evaluate(_HEIGHTS)) >= 11, shown
    assert most == 55
    assert host.page.evaluate(_TOO_WIDE) <= 0


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_tilts_keep_their_places_between_the_first_and_the_second(
    address: str, browser: Browser, language: str
) -> None:
    """The one that may not be tilted back was gone, and the others moved up under the finger."""
    host = Host(browser, f"{address}?lang={language}", **PHONE, has_touch=True)
    new_game(host, address, "ice-cult", ["yellow", "red"], mode="digital")
    tilts = host.page.locator("[data-part=hands] button")
    expect(tilts).to_have_count(8)
    tilts.nth(4).scroll_into_view_if_needed()
    words, places = tilts.all_inner_texts(), host.page.evaluate(_TOPS)
    tilts.nth(3).tap()
    expect(tilts.nth(2)).to_be_disabled()
    assert tilts.all_inner_texts() == words
    assert host.page.evaluate(_TOPS) == places
    assert host.page.locator("[data-moves='tilt s>N']").count() == 0
    tilts.nth(0).tap()
    expect(host.page.locator("[data-moves^=tilt], button:disabled")).to_have_count(0)
    assert host.complaints == []


@pytest.mark.parametrize(
    ("width", "height", "most"), [(1366, 768, 0.85 * 768), (844, 390, 480), (360, 640, 360)]
)
def test_the_sea_is_seen_whole_on_a_laptop_and_as_nearly_as_other_boards_on_a_phones_side(
    address: str, browser: Browser, width: int, height: int, most: float
) -> None:
    """It was as high as the page is wide, and who went by kayak from row 8 to row 1 had to scroll in between."""
    host = Host(browser, address, width=width, height=height)
    new_game(host, address, "igloo-igloo", ["red", "blue"], mode="digital")
    expect(host.page.locator(".saidlist")).to_contain_text("II-5")
    sea = host.page.locator(".seaboard")
    expect(sea).to_be_visible()
    # in one go: it may be drawn anew while it is asked about
    height_now = "() => document.querySelector('.seaboard')?.getBoundingClientRect().height"
    high = host.page.wait_for_function(height_now).json_value()
    assert 300 < high <= most  # squares no smaller than a phone held upright shows them


# a phone held upright, at 200 %
TWICE = {"width": 195, "height": 422, "device_scale_factor": 2}
# of a row of texts: how far each reaches into the next one, and of a card's numbers: how far beyond the card
_OVERLAPS = """() => [...document.querySelectorAll('.gauge')].map(gauge => {
  const [gentle, hard] = [...gauge.querySelectorAll('text:not(.middle)')].map(one => one.getBoundingClientRect());
  return gentle.right - hard.left;
}).concat([...document.querySelectorAll('.card')].flatMap(card => {
  const [slot, numbers, points] = ['slot', 'numbers', 'points'].map(
    name => { const range = new Range(); range.selectNodeContents(card.querySelector('.' + name));
      return range.getBoundingClientRect(); });
  return [points.right - slot.left, numbers.right - card.getBoundingClientRect().right];
}))"""


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_a_phone_that_shows_everything_twice_as_large_scrolls_only_downwards(
    address: str, browser: Browser, language: str
) -> None:
    """The row of languages and the door's field were wider than the screen, the cards' marks lay on one another."""
    host = Host(browser, f"{address}?lang={language}", **TWICE)
    new_game(host, address, "igloo-pop", ["red", "blue"])
    cards = ["2", "9-10-11", "3-4", "11-12", "5", "8-9-10", "10", "12", "13"]
    for slot, card in enumerate(cards, 1):
        assert host.page.request.post(f"{address}api/play", data={"move": f"deal {slot} {card}"}).ok
    expect(host.page.locator(".card .numbers")).to_have_count(len(cards))
    expect(host.page.locator(".gauge")).to_be_visible()
    assert host.page.evaluate(_TOO_WIDE) <= 0
    assert max(host.page.evaluate(_OVERLAPS)) <= 0
    host.page.goto(f"{address}pair?lang={language}")
    expect(host.page.get_by_role("textbox")).to_be_visible()
    assert host.page.evaluate(_TOO_WIDE) <= 0


def test_an_invitation_and_a_lost_connection_can_be_read_twice_as_large(
    browser: Browser, tmp_path: Path
) -> None:
    """The code to type, and what the page said of the connection, went beyond the edge."""
    with service("serve", "--port", "0", "--lan", data=tmp_path) as (_, ready):
        address = f"http://127.0.0.1:{ready['address'].rstrip('/').rsplit(':', 1)[1]}"
        page = Watched(browser, locale="de-DE", **TWICE).page
        page.goto(f"{address}/pair#{ready['host_code']}")
        page.get_by_role("button", name="Einladen").click()
        expect(page.get_by_role("dialog").get_by_text(ready["code"])).to_be_visible()
        cut = "card => card.scrollWidth - card.clientWidth"
        assert page.locator(".invite").evaluate(cut) <= 0
        page.get_by_role("button", name="Fertig").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.context.set_offline(True)
        page.evaluate("window.socket.io.engine.close()")
        expect(page.get_by_role("alert").filter(has_text="Verbindung verloren.")).to_be_visible()
        assert page.locator("#popup").evaluate("popup => popup.getBoundingClientRect().right") <= 195
        assert page.locator("#popup").evaluate("popup => popup.scrollWidth - popup.clientWidth") <= 0
