"""The live coach: the profile's own band, a needle, and counts that stay hidden while a round goes on."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from firmware_bridge.clock import VirtualClock
from sensors.ear.profile import load_shipped
from sensors.evidence import Heard
from table.access import Access
from table.config import Settings
from table.journal.store import Journal
from table.page.ear_coach import advice, gauge, quality_of
from table.page.listening_page import may_tell
from table.page.texts import LANGUAGES, Texts
from table.table_room import TableRoom
from tests.parts import needs
from tests.table.pages import Watched, chromium, running

CARDS = ("5", "7-8", "9-10-11", "2", "3-4", "6", "12-13", "4-5-6", "11-12-13")


def shake(**more: object) -> Heard:
    usual = Heard("", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, False, "", strength=1.0)
    return replace(usual, **more)  # type: ignore[arg-type]


def test_the_band_on_the_page_is_the_one_in_which_the_profile_counts() -> None:
    head = load_shipped("microphone").heads[0]
    low, high = head.band
    assert low < 1.0 < high
    assert [quality_of(s, head.band) for s in (low * 0.99, low * 1.01, high * 0.99, high * 1.01)] == [
        "gentle", "good", "good", "hard",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("heard", "said"),
    [
        (None, "Shake an igloo"),
        (shake(clipped=True), "overdriven"),
        (shake(verdict="not-a-shake", probabilities={}, strength=None), "no shake"),
        (shake(strength=0.1), "too gentle"),
        (shake(strength=4.0), "too hard"),
        (shake(snr_db=2.0), "drowned"),
        (shake(end_s=0.5), "short"),
        (shake(), "Well shaken"),
    ],
)
def test_the_coach_says_what_to_do_better_and_never_the_count(heard: Heard | None, said: str) -> None:
    for language in LANGUAGES:
        words = advice(heard, (0.3, 2.2), Texts(language))
        assert "7" not in words
        assert "7" not in re.sub(r'="[^"]*"', "", gauge(1.0, (0.3, 2.2), Texts(language)))
    assert said in advice(heard, (0.3, 2.2), Texts("en"))


def test_counts_are_hidden_while_a_round_goes_on() -> None:
    clock = VirtualClock()
    room = TableRoom(Settings.read(None), clock, Journal(None), Access(clock, lan=False))
    assert may_tell(room)  # Ice Cult is on the table
    room.new_game("igloo-pop", ["red", "blue"], {})
    desk = room.desk
    assert may_tell(room)
    room.ear.heard = shake()
    room.ear.round = 1
    assert not may_tell(room)  # that igloo is in the round that comes
    for slot, cards in enumerate(CARDS, 1):
        desk.play(f"deal {slot} {cards}")
    desk.play("count")
    room.ear.round = None
    assert not may_tell(room)


@needs("chromium", "playwright")
def test_the_needle_moves_while_an_igloo_is_shaken() -> None:
    with running("demo", "--no-browser", "--port", "0", "--seed", "5") as address, chromium() as browser:
        watched = Watched(browser)
        page = watched.page
        page.goto(address)
        expect(page.locator("[data-game=igloo-pop] .gauge .inband")).to_have_count(1)
        page.get_by_role("link", name="Shake well").click()
        says = page.locator("[data-part=says]")
        expect(says).to_contain_text("Listening", timeout=90_000)
        page.wait_for_function("document.querySelector('.gauge .needle')", timeout=90_000)
        expect(says).to_contain_text(re.compile("shaken|too|short|drowned|no shake"), timeout=90_000)
        assert watched.complaints == []
        assert watched.outside(address) == []
