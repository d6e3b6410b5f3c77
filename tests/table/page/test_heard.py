"""The page for whoever has it read out: what things are called, and that nothing drowns what matters."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.parts import needs
from tests.table.page.hosts import Host, begin, new_game
from tests.table.page.stories import Story

pytestmark = needs("chromium", "playwright")


def test_a_fold_is_called_by_its_title_alone(address: str, browser: Browser) -> None:
    """The toolkit said “Expand "Züge"”, in English on every page; that it opens is told by its state."""
    host = Host(browser, f"{address}?lang=de")
    for title, opened in (("Was der Schiedsrichter sagte", "true"), ("Züge", "false")):
        expect(host.button(title)).to_have_attribute("aria-expanded", opened)


def test_igloos_board_reads_out_no_more_places_than_the_keyboard_stops_at(
    address: str, browser: Browser
) -> None:
    """Hundreds of coordinates stood before the first piece and the first button."""
    host = Host(browser, address)
    new_game(host, address, "igloo", ["A", "B"])
    story = Story("igloo")
    state = story.start
    for _ in range(13):
        seat, move = story.next(state)
        state = story.rules.play(state, move, seat)[0]
        assert host.page.request.post(f"{address}api/play", data={"move": move, "seat": seat}).ok, move
    board = host.page.get_by_role("group", name="The table")
    expect(board.get_by_role("img")).to_have_count(len(story.rules.view(state, None)["pieces"]))
    assert host.page.locator("[data-place]").count() > 24
    expect(board.get_by_role("button")).to_have_count(24)
    assert board.locator("[tabindex][aria-hidden]").count() == 0


def test_pawns_that_can_be_tapped_are_no_part_of_a_picture(address: str, browser: Browser) -> None:
    """What is in a picture is not read out by most readers, though the keyboard stops at it."""
    host = Host(browser, address)
    begin(host, address)
    expect(host.page.get_by_role("img", name="On top:")).to_be_visible()
    begin(host, address, "tilt n>S", "tilt s>S")
    expect(host.page.locator(".board .tap").first).to_be_visible()
    assert host.page.locator("[role=img] [tabindex]").count() == 0
    board = host.page.get_by_role("group", name="On top:")
    expect(board.get_by_role("button").first).to_be_visible()
    assert "Home" not in board.aria_snapshot().split("\n", 1)[1]  # the rest is in its name already
