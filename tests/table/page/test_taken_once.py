"""One gesture is one act, of the position that was shown: double clicks, double taps, and two people at one button."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.parts import needs
from tests.table.page.hosts import SAYS, Host, begin, counted_in, new_game

pytestmark = needs("chromium", "playwright")


class Finger:
    """A mouse's button or a fingertip on a page; the browser is told when it came down, however long a test takes."""

    def __init__(self, page: Page, touch: bool = False) -> None:
        self._page, self._touch = page, touch
        self._wire = page.context.new_cdp_session(page)
        self._at = (0.0, 0.0)
        self._clicks, self._moved = 0, False
        self._t: float = page.evaluate("Date.now() / 1000")

    def aim(self, at: Locator) -> None:
        # waits until it stands still: a page that was just opened is still being laid out
        at.click(trial=True)
        box = at.bounding_box()
        assert box is not None
        self._at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self._moved = True

    def tap(self, after_s: float = 2.0) -> None:
        """So long after the last one; a system takes two clicks of a mouse within half a second for a double click."""
        self.press(after_s)
        self.lift()

    def press(self, after_s: float = 2.0) -> None:
        self._t += after_s
        self._clicks = 2 if self._clicks == 1 and after_s < 0.5 and not self._moved else 1
        self._moved = False
        x, y = self._at
        if self._touch:
            self._send("Touch", type="touchStart", touchPoints=[{"x": x, "y": y}])
        else:
            self._send("Mouse", type="mousePressed", **self._mouse())

    def lift(self) -> None:
        self._t += 0.04
        if self._touch:
            self._send("Touch", type="touchEnd", touchPoints=[])
        else:
            self._send("Mouse", type="mouseReleased", **self._mouse())
        self._page.evaluate("1")  # what it did has begun

    def _mouse(self) -> dict[str, Any]:
        x, y = self._at
        return {"x": x, "y": y, "button": "left", "clickCount": self._clicks}

    def _send(self, what: str, **event: Any) -> None:
        self._wire.send(f"Input.dispatch{what}Event", event | {"timestamp": self._t})


def told(host: Host, address: str, words: str) -> list[str]:
    """Sentences of this game with these words."""
    said = [s["text"] for s in host.page.request.get(f"{address}api/table").json()["said"]]
    return [text for text in said if words in text]


@pytest.mark.parametrize("touch", [False, True])
def test_a_double_tap_on_a_move_makes_it_once(address: str, browser: Browser, touch: bool) -> None:
    """The page was drawn anew between the two, and both tilts of a turn were made, or the next player's move."""
    host = Host(browser, address, has_touch=touch)
    begin(host, address)
    tilt, finger = host.button("Tilt the northern pair towards south"), Finger(host.page, touch)
    finger.aim(tilt)
    finger.tap()
    expect(host.page.locator(SAYS)).to_contain_text("Yellow tilts the north pair")
    finger.tap(after_s=0.13)
    finger.aim(host.button("Tilt the southern pair towards south"))
    finger.tap(after_s=0.2)  # another button may follow at once
    expect(host.page.locator(SAYS)).to_contain_text("Yellow tilts the south pair")
    assert len(told(host, address, "tilts")) == 2
    assert host.complaints == []


def test_the_same_is_meant_again_a_moment_later_and_with_the_keyboard_at_once(
    address: str, browser: Browser
) -> None:
    host = Host(browser, address)
    tilt, finger = host.button("Tilt the northern pair towards south"), Finger(host.page)
    done = host.page.locator(".saidlist").get_by_text("Yellow tilts the north pair")
    begin(host, address)
    for count in (1, 2):
        finger.aim(tilt)
        finger.tap(after_s=0.5)
        expect(done).to_have_count(count)
    begin(host, address)
    for count in (1, 2):
        tilt.focus()
        host.page.keyboard.press("Enter")
        expect(done).to_have_count(count)


def test_a_script_clicks_as_fast_as_the_page_is_drawn(address: str, browser: Browser) -> None:
    host = Host(browser, address)
    begin(host, address)
    for count in (1, 2):
        host.button("Tilt the northern pair towards south").click()
        expect(host.page.locator(".saidlist").get_by_text("Yellow tilts the north pair")).to_have_count(count)


def test_who_takes_a_seat_with_a_double_tap_keeps_it(address: str, browser: Browser) -> None:
    """What leaves it again comes to stand in the place of what takes it."""
    host = Host(browser, address)
    begin(host, address)
    finger = Finger(host.page)
    finger.aim(host.button("Play Yellow yourself"))
    finger.tap()
    leave = host.button("Leave Yellow’s seat")
    expect(leave).to_be_visible()
    finger.tap(after_s=0.3)
    host.page.keyboard.press("Tab")  # whatever came of it is drawn by now
    expect(leave).to_be_visible()
    assert told(host, address, "nobody plays") == []
    finger.aim(leave)
    finger.tap()
    expect(host.button("Play Yellow yourself")).to_be_visible()


def test_two_people_who_make_the_same_move_at_one_moment_have_made_it_once(
    address: str, browser: Browser
) -> None:
    """The second one's tap came to the table when the move could be made once more."""
    first, second = Host(browser, address), Host(browser, address)
    begin(first, address)
    tilt = "Tilt the northern pair towards south"
    expect(second.button(tilt)).to_be_visible()
    expect(second.page.locator(SAYS)).to_contain_text("begins")
    second.held = []
    first.button(tilt).click()
    expect(first.page.locator(SAYS)).to_contain_text("Yellow tilts the north pair")
    second.button(tilt).click()
    second.catch_up()
    expect(second.page.locator(SAYS)).to_contain_text("Yellow tilts the north pair")
    second.button("Tilt the southern pair towards south").click()  # of the position that is shown by now
    expect(first.page.locator(SAYS)).to_contain_text("Yellow tilts the south pair")
    assert len(told(first, address, "tilts")) == 2
    assert first.complaints == second.complaints == []


def test_who_taps_at_a_position_that_is_gone_is_told_so(address: str, browser: Browser) -> None:
    first, second = Host(browser, address), Host(browser, address)
    begin(first, address)
    expect(second.page.locator(SAYS)).to_contain_text("begins")
    second.held = []
    first.button("Tilt the northern pair towards south").click()
    expect(first.page.locator(SAYS)).to_contain_text("Yellow tilts the north pair")
    second.button("Tilt the southern pair towards south").click()
    second.catch_up()
    expect(second.page.get_by_text("The game went on meanwhile")).to_be_visible()
    assert len(told(first, address, "tilts")) == 1


def test_who_is_quick_makes_the_next_move_before_the_first_is_drawn(address: str, browser: Browser) -> None:
    host = Host(browser, address)
    begin(host, address)
    host.held = []
    host.button("Tilt the northern pair towards south").click()
    host.button("Tilt the southern pair towards south").click()
    host.button("Tilt the southern pair towards south").click(force=True)
    host.catch_up()
    expect(host.page.locator(SAYS)).to_contain_text("Yellow tilts the south pair")
    assert len(told(host, address, "tilts")) == 2


def test_two_hosts_who_take_back_at_one_moment_take_one_move_back(address: str, browser: Browser) -> None:
    first, second = Host(browser, address), Host(browser, address)
    tilts = ("tilt n>S", "tilt n>S")
    begin(first, address, *tilts)
    for host in (first, second):
        host.page.locator("[data-part=history]").get_by_text("Moves").click()
        expect(host.button("Take back")).to_be_visible()
    second.held = []
    first.button("Take back").click()
    expect(first.button("Make again")).to_be_visible()
    second.button("Take back").click()
    second.catch_up()
    expect(second.button("Make again")).to_be_visible()
    assert len(told(first, address, "Taken back")) == 1


def test_two_hosts_who_ask_to_take_back_at_one_moment_take_one_move_back(
    address: str, browser: Browser
) -> None:
    first, second = Host(browser, address), Host(browser, address)
    begin(first, address, "tilt n>S", "tilt n>S")
    ask = "Ask to take the last move back"
    for host in (first, second):
        host.page.locator("[data-part=together]").get_by_text("Decide together").click()
        expect(host.button(ask)).to_be_visible()
    second.held = []
    first.button(ask).click()
    expect(first.page.locator(SAYS)).to_contain_text("Taken back")
    second.button(ask).click()
    second.catch_up()
    expect(second.page.locator(SAYS)).to_contain_text("Taken back")
    assert len(told(first, address, "Taken back")) == 1


def test_a_question_that_was_asked_of_one_game_does_nothing_to_the_next(
    address: str, browser: Browser
) -> None:
    """Somebody began another game of the same kind, and “Is this game to end now?” ended that one."""
    first, second = Host(browser, address), Host(browser, address)
    begin(first, address, "tilt n>S")
    first.page.locator("[data-part=together]").get_by_text("Decide together").click()
    first.button("End this game without a winner").click()
    end = first.page.get_by_role("dialog").get_by_role("button", name="End this game without a winner")
    expect(end).to_be_visible()
    second.page.locator("[data-part=history]").get_by_text("Moves").click()
    second.button("That was something else: Tilt the northern pair towards south").click()
    instead = second.page.get_by_role("dialog").get_by_role("button").first
    expect(instead).to_be_visible()
    begin(second, address)
    for host, tapped in ((first, end), (second, instead)):
        tapped.click()
        expect(host.page.get_by_text("The game went on meanwhile")).to_be_visible()
    assert told(first, address, "abandoned") == []
    second.button("Tilt the northern pair towards south").click()
    expect(first.page.locator(SAYS)).to_contain_text("Yellow tilts the north pair")
    assert first.complaints == second.complaints == []


def test_who_tapped_one_of_several_is_asked_also_where_one_is_left(address: str, browser: Browser) -> None:
    """Who keeps the game for everybody taps an igloo, and is asked whose it is: blue took another one meanwhile."""
    host = Host(browser, address)
    igloo = counted_in(host, address)
    host.held = []
    assert host.page.request.post(f"{address}api/play", data={"move": "grab blue B"}).ok
    igloo.click()
    host.catch_up()
    expect(host.page.get_by_role("dialog").get_by_role("button")).to_have_count(1)
    assert told(host, address, "red takes igloo A") == []


def test_a_place_at_which_nothing_is_left_to_do_is_told(address: str, browser: Browser) -> None:
    host = Host(browser, address)
    igloo = counted_in(host, address)
    host.held = []
    assert host.page.request.post(f"{address}api/play", data={"move": "grab blue A"}).ok
    igloo.click()
    host.catch_up()
    expect(host.page.get_by_text("The game went on meanwhile")).to_be_visible()


@pytest.mark.parametrize("touch", [False, True])
def test_a_board_that_is_drawn_anew_under_a_finger_loses_no_tap(
    address: str, browser: Browser, touch: bool
) -> None:
    """While the finger was down blue took an igloo; what it had come down on was no longer there when it was lifted."""
    host = Host(browser, address, has_touch=touch)
    igloo, finger = counted_in(host, address), Finger(host.page, touch)
    finger.aim(igloo)
    finger.press()
    assert host.page.request.post(f"{address}api/play", data={"move": "grab blue B"}).ok
    expect(host.page.locator(SAYS)).to_contain_text("Blue takes igloo B")
    finger.lift()
    expect(host.page.get_by_role("dialog").get_by_role("button")).to_have_count(1)
    assert host.complaints == []


def test_a_place_that_is_drawn_anew_under_a_finger_is_of_the_position_that_was_pressed(
    address: str, browser: Browser
) -> None:
    """Pieces may be laid anywhere in an area: which place was meant, is told by where the finger came down."""
    host = Host(browser, address)
    new_game(host, address, "igloo", ["A", "B"])
    play = f"{address}api/play"
    for seat, move in (("A", "commit A red"), ("B", "commit B green"), (None, "place red M @ 0,0")):
        assert host.page.request.post(play, data={"move": move} | ({"seat": seat} if seat else {})).ok
    place, finger = host.page.locator("[data-place]").first, Finger(host.page)
    expect(place).to_be_visible()
    finger.aim(place)
    finger.press()
    assert host.page.request.post(play, data={"move": "place green M E of #1 gap 8 off 0"}).ok
    expect(host.page.locator(SAYS)).to_contain_text("reen")
    finger.lift()
    expect(host.page.get_by_text("The game went on meanwhile")).to_be_visible()
    assert host.complaints == []
