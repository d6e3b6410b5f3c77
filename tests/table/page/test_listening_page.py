"""The live coach: the profile's own band, a needle, and counts that stay hidden while a round goes on."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files

import pytest
from playwright.sync_api import expect

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.seats import listener as seat_listener
from sensors.ear.verdicts import mends
from sensors.ear.verdicts.beyond import sounds_like_fewer, sounds_like_more
from sensors.ear.verdicts.reasons import (
    KNOCK,
    MAKE_AGAIN,
    RECALIBRATE,
    SEVERAL,
    STRANGE_LATELY,
    TOO_SHORT,
    TOO_SLOW,
    UNLIKE,
    could_be,
)
from sensors.evidence import Heard
from sensors.why import Reason, Why
from table.config import Settings
from table.door.access import Access
from table.journal.store import Journal
from table.page import tap_coach
from table.page.ear_coach import advice, gauge, of_sound, quality_of
from table.page.listening_page import ListeningPage, may_tell
from table.page.sentences import sentences
from table.page.texts import LANGUAGES, Texts
from table.room.table_room import TableRoom
from tests.parts import needs
from tests.reasons import OTHER_NUMBERS, reasons
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


UNDECIDED = could_be({6: 0.3, 7: 0.4, 8: 0.3})


@pytest.mark.parametrize(
    ("reason", "at_fault"),
    [
        (mends.IN_ROOM.overdriven, True),
        (mends.IN_ROOM.drowned, True),
        (RECALIBRATE, True),
        (UNLIKE, True),
        (SEVERAL, True),
        (STRANGE_LATELY, True),
        (seat_listener.TOO_CROWDED, True),
        (TOO_SHORT, False),
        (TOO_SLOW, False),
    ],
)
def test_the_coach_gives_the_ears_own_reason_and_no_praise(reason: Reason, at_fault: bool) -> None:
    """A shake in the middle of the band is not well shaken where the ear says what is wrong with it."""
    one = shake(reason=reason)
    assert advice(one, None, Texts("en")).removesuffix(".").lower() == reason.lower()
    assert of_sound(one) == (reason if at_fault else None)
    for language in ("de", "fr", "it"):
        words = advice(one, None, Texts(language))
        assert words not in (Texts(language)["coach.well"], reason)
        assert words[0].isupper()


def test_who_shakes_an_igloo_with_a_sensor_in_it_is_sent_to_no_microphone() -> None:
    near, plain = (advice(None, None, Texts("en"), felt=felt) for felt in (False, True))
    assert ("microphone" in near, "microphone" in plain) == (True, False)
    for language in LANGUAGES:
        faults = (shake(clipped=True), shake(snr_db=2.0))  # nobody told of which sensor
        words = " ".join(advice(one, None, Texts(language)) for one in faults)
        assert not re.search("gain|nearer|Verstärkung|näher|guadagno|approche|avvicina", words)


def test_the_gauge_is_as_wide_as_the_meters_beside_it() -> None:
    drawn = gauge(1.0, (0.3, 2.2), Texts("en"))
    assert 'x="0" y="30" width="100%"' in drawn
    assert "viewBox" not in drawn  # its words and its needle do not grow with it
    css = files("table.page").joinpath("page.css").read_text(encoding="utf-8")
    assert "max-width" not in re.findall(r"\.gauge \{[^}]*\}", css)[0]


def test_a_shake_that_was_none_is_told_with_the_reason() -> None:
    knock = shake(verdict="not-a-shake", probabilities={}, reason=KNOCK)
    assert advice(knock, None, Texts("en")) == "That was no shake. A knock or a click, too short for a shake."
    for elsewhere in (seat_listener.ELSEWHERE, seat_listener.ELSEWHERE_OR_SOFT):
        assert advice(replace(knock, reason=elsewhere), None, Texts("en")).startswith("That was louder")


BEYOND = frozenset({sounds_like_more(5), sounds_like_fewer(9)})
# of files, and of seats where nobody says which set is played with
IN_NO_GAME = (Why.NO_NUMBERS, Why.COARSE, Why.WHICH_SET)
NAMING: frozenset[Reason] = BEYOND | {UNDECIDED, could_be({7: 0.99, 8: 0.01})}


@pytest.mark.parametrize("reason", sorted(NAMING))
def test_a_reason_that_names_a_count_is_the_sounds_fault_only_where_counts_may_be_known(
    reason: Reason,
) -> None:
    """Else everybody learns whether the igloo in a hand holds more than the profile knows."""
    one = shake(reason=reason)
    assert of_sound(one) is None
    assert of_sound(one, open_=True) == (reason if reason in BEYOND else None)
    for language in LANGUAGES:
        assert advice(one, None, Texts(language)) == Texts(language)["coach.well"]
        assert re.search(r"\d", advice(one, None, Texts(language), open_=True))


@pytest.mark.parametrize("verdict_", ["unsure", "not-a-shake"])
def test_where_counts_are_hidden_no_reason_names_one(verdict_: str) -> None:
    told = set()
    for reason in [*NAMING, *reasons()]:
        if reason.why in OTHER_NUMBERS:
            continue
        one = shake(reason=reason, verdict=verdict_)
        told |= {of_sound(one) or "", *(advice(one, None, Texts(language)) for language in LANGUAGES)}
        told.add(tap_coach.told(one, False, Texts("en")).replace("&#x27;", "’"))
    assert len(told) > 30
    assert [text for text in sorted(told) if re.search(r"\d", text)] == []


@pytest.mark.parametrize("why", [why for why in Why if why.tells_count])
def test_what_tells_the_count_is_not_shown_in_whatever_words(why: Why) -> None:
    """A sentence is reworded, and no page shows it in a round because of that."""
    one, other = (shake(reason=Reason(why, words)) for words in ("five or six beads", "too many of them"))
    for language in LANGUAGES:
        texts = Texts(language)
        assert advice(one, None, texts) == advice(other, None, texts) == texts["coach.well"]
        assert tap_coach.told(one, False, texts) == ""
    assert of_sound(one) is None


def test_every_reason_of_ear_and_seat_is_said_in_every_language() -> None:
    said: set[str] = {
        reason for reason in reasons() if reason.why not in (*IN_NO_GAME, Why.COULD_BE)
    } | NAMING
    said |= {could_be({7: 0.5, 8: 0.5}), could_be({7: 0.5, 8: 0.5}, MAKE_AGAIN)}
    assert len(said) > 50
    for language in ("de", "fr", "it"):
        assert [text for text in sorted(said) if not sentences(language).known(text)] == []


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


def test_why_nothing_is_heard_in_safe_mode_is_not_the_settings_fault() -> None:
    clock = VirtualClock()
    room = TableRoom(Settings.read(None), clock, Journal(None), Access(clock, lan=False))
    page = ListeningPage(room, Texts("en"))
    assert page._deaf().startswith("This table has no ear: name a microphone")
    room.safe_mode = "the last 2 starts did not finish"
    assert page._deaf() == "Safe mode, on simulated cubes: the last 2 starts did not finish."


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
        said = re.compile("shaken|too|short|drowned|no shake|could be|unlike|today|more than", re.IGNORECASE)
        expect(says).to_contain_text(said, timeout=90_000)
        assert watched.complaints == []
        assert watched.outside(address) == []
