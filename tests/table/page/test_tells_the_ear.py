"""The page tells what the ear says, and praises nothing that it did not count: real Chromium, a room that is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from sensors.ear.seats.listener import TOO_CROWDED
from sensors.ear.verdicts.beyond import sounds_like_fewer, sounds_like_more
from sensors.ear.verdicts.mends import IN_ROOM
from sensors.ear.verdicts.reasons import RECALIBRATE, SEVERAL, UNLIKE, could_be
from sensors.gesture.judge import NO_EMPTY
from table.page import igloo_pop_board
from table.page.texts import Texts
from tests.parts import ROOT, needs
from tests.table.page.makers import OVERFLOW
from tests.table.page.told_room import DEALT, ToldRoom, told_room
from tests.table.pages import Watched, service

pytestmark = needs("chromium", "playwright")
UNDECIDED = could_be({2: 0.4, 3: 0.3, 4: 0.3})


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "table.toml"
    file.write_text('[game]\nname = "igloo-pop"\nplayers = ["red", "blue"]\n')
    return file


@pytest.fixture
def room(settings: Path) -> Iterator[ToldRoom]:
    with told_room(settings) as room:
        yield room


@pytest.fixture
def seat(settings: Path) -> Iterator[ToldRoom]:
    with told_room(settings, seat=True) as room:
        yield room


def opened(browser: Browser, address: str, width: int = 1300) -> Page:
    page = Watched(browser, width).page
    page.goto(address)
    return page


def says(page: Page) -> Locator:
    return page.locator("[data-part=says]")


def test_trying_a_microphone_tells_the_ears_reason_and_no_praise(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[game]\nname = "ice-cult"\nplayers = ["red", "yellow"]\n')
    with told_room(file) as room:
        _tells_the_reasons(browser, room)


def test_where_nothing_listens_nobody_is_asked_to_shake(browser: Browser, tmp_path: Path) -> None:
    """It asked for a shake near a microphone that the settings do not name."""
    file = tmp_path / "table.toml"
    file.write_text('[game]\nname = "ice-cult"\nplayers = ["red", "yellow"]\n')
    with told_room(file) as room:
        for language in ("en", "de", "fr", "it"):
            page = opened(browser, f"{room.address}listen?lang={language}")
            expect(says(page)).to_have_text(Texts(language)["coach.no_ear"])
            expect(says(page)).to_contain_text("[ear] sources")
        room.tell("heard", seat="red", shake={"reason": UNLIKE})
        expect(says(page)).to_contain_text("nessun igloo")


def test_whoever_tries_a_microphone_that_is_not_there_is_told(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[ear]\nsources = { red = "no such microphone" }\n')
    with service("serve", "--config", str(file), "--port", "0", data=tmp_path / "data") as (_, ready):
        page = opened(browser, f"{ready['address']}listen")
        expect(page.locator(".asleep")).to_contain_text("there is no input device 'no such microphone'")
        # no file, no folder and no mock can be named here
        expect(page.locator(".asleep")).not_to_contain_text("mock")


def test_six_lost_sensors_leave_room_for_the_game_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    """All in one sentence they filled more than a screen, and what could be played lay below it."""
    seats = ("red", "yellow", "green", "blue", "white", "black")
    file = tmp_path / "table.toml"
    names = ", ".join(f'{seat} = "/dev/ttyNONE{k}"' for k, seat in enumerate(seats))
    players = ", ".join(f'"{seat}"' for seat in seats)
    file.write_text(f'[game]\nname = "igloo-pop"\nplayers = [{players}]\n[ear]\nsources = {{ {names} }}\n')
    with service("serve", "--config", str(file), "--port", "0", data=tmp_path / "data") as (_, ready):
        page = Watched(browser, 320, 640).page
        page.goto(f"{ready['address']}?lang=de")
        rows = page.locator(".asleep li")
        expect(rows).to_have_count(6)
        expect(rows.first).to_have_text(
            re.compile(r"^Iglus von Rot \(es gibt keinen Anschluss /dev/ttyNONE0\) – ")
        )
        expect(page.locator(".asleep [lang=en]")).to_have_count(0)
        height = "document.querySelector('.asleep').getBoundingClientRect().height"
        assert page.evaluate(height) < 640 * 2 / 3
        assert page.evaluate(OVERFLOW) <= 0
        page.locator(".asleep ul").press("End")  # what lies below is reached with the keyboard
        page.wait_for_function(
            "(() => { const all = document.querySelector('.asleep ul'); "
            "return all.scrollTop + all.clientHeight >= all.scrollHeight - 2 })()"
        )


def _tells_the_reasons(browser: Browser, room: ToldRoom) -> None:
    pages = {
        language: opened(browser, f"{room.address}listen?lang={language}")
        for language in ("en", "de", "fr", "it")
    }
    for reason, words in (
        (RECALIBRATE, {"en": "recalibrate", "de": "kalibriere neu", "fr": "recalibre", "it": "ricalibra"}),
        (UNLIKE, {"en": "unlike any igloo", "de": "wie kein Iglu", "fr": "aucun igloo appris", "it": "nessun igloo"}),
        (SEVERAL, {"en": "more than one igloo", "de": "mehr als einem", "fr": "plus d’un", "it": "più di un igloo"}),
    ):  # fmt: skip
        room.tell("heard", seat="red", shake={"reason": reason})
        for language, page in pages.items():
            expect(says(page)).to_contain_text(words[language])
            expect(page.locator(".bars")).to_have_count(0)  # 93 in 100 of a sound that tells nothing
    room.tell("heard", seat="red", shake={"reason": sounds_like_more(9)})
    expect(says(pages["de"])).to_contain_text("mehr Kugeln als 9")  # no round goes on
    expect(pages["de"].locator(".bars")).to_have_count(0)
    room.tell("heard", seat="red", shake={"reason": UNDECIDED})
    expect(says(pages["de"])).to_contain_text("Es könnten 2, 3 oder 4 sein")
    expect(pages["de"].locator(".bars")).to_have_count(1)


def test_in_a_round_the_page_tells_what_is_wrong_with_the_sound_but_nothing_of_the_count(
    browser: Browser, room: ToldRoom
) -> None:
    room.tell("play", moves=[*DEALT, "count", "grab red A"])
    page, fault = opened(browser, f"{room.address}?lang=de"), "[data-part=earfault]"
    for reason, words in (
        (RECALIBRATE, "Rot: Heute klingt es nicht so"),
        (TOO_CROWDED, "Rot: Die Nachbarn"),
        (IN_ROOM.drowned, "Rot: Es ging im Lärm unter"),
        (IN_ROOM.overdriven, "übersteuert"),
    ):  # fmt: skip
        room.tell("heard", seat="red", shake={"reason": reason})
        expect(page.locator(fault)).to_contain_text(words)
    for reason in (UNDECIDED, sounds_like_more(9), sounds_like_fewer(5)):
        room.tell("heard", seat="red", shake={"reason": reason})
        expect(page.locator(fault)).to_have_count(0)
        room.tell("heard", seat="red", shake={"reason": RECALIBRATE})
        expect(page.locator(fault)).to_be_visible()
    room.tell("play", moves=["return red", "pass red", "pass blue", "resolve", "count"])
    expect(page.locator(".headline")).to_contain_text("Runde 2")
    expect(page.locator(fault)).to_have_count(0)  # that was the last round's


def test_who_tries_a_soft_microphone_is_told_beside_the_shake_to_turn_it_up(
    browser: Browser, room: ToldRoom
) -> None:
    page = opened(browser, f"{room.address}listen?lang=de")
    room.tell("heard", seat="red", shake={"reason": RECALIBRATE})
    expect(says(page)).to_contain_text("Heute klingt es nicht so")
    expect(page.locator("[data-part=softer]")).to_have_count(0)
    room.tell("softer", seat="blue")
    expect(page.locator("[data-part=softer]")).to_contain_text("Blau: Das war an einem anderen Platz lauter")
    expect(page.locator("[data-part=softer]")).to_contain_text("dreh es auf")
    expect(says(page)).to_contain_text("Heute klingt es nicht so")


def test_a_question_stays_large_while_a_move_is_refused(browser: Browser, room: ToldRoom) -> None:
    room.tell("play", moves=[*DEALT, "count", "grab red A", "place red 1", "pass red", "pass blue"])
    page = opened(browser, room.address)
    expect(says(page)).to_contain_text("Look underneath igloo A")
    room.tell("play", moves=["grab blue B"])
    expect(says(page).locator(".refused.below")).to_be_visible()
    expect(says(page).locator(".says").first).to_contain_text("Look underneath igloo A")
    page.get_by_role("button", name="5", exact=True).click()
    expect(says(page)).not_to_contain_text("Look underneath")
    expect(says(page).locator(".below")).to_have_count(0)


def test_a_seat_without_an_ear_has_the_page_to_itself(browser: Browser, seat: ToldRoom) -> None:
    page = opened(browser, f"{seat.address}listen")
    seat.tell("advice", step="tap-empty", done=0, level=None)
    expect(page.locator("[data-part=taps]")).to_contain_text("Leave the seat empty")
    expect(page.locator("h1")).to_have_text("The counting seat")
    expect(page.get_by_text("near its microphone")).to_have_count(0)
    expect(page.locator(".gauge")).to_have_count(1)  # that of the tap


def test_the_answer_of_the_last_igloo_does_not_stand_while_the_next_one_is_tapped(
    browser: Browser, seat: ToldRoom
) -> None:
    page = opened(browser, f"{seat.address}listen")
    seat.tell("advice", step="again", done=2, level=0.5)
    seat.tell("counted", answer={"verdict": "sure", "probabilities": {7: 1.0}})
    seat.tell("advice", step="lift-off", done=3, level=0.5)
    expect(page.get_by_text("Sure: 7 beads")).to_be_visible()
    seat.tell("advice", step="put-down", done=0, level=0.4)
    expect(page.locator("[data-part=taps]")).to_contain_text("Set an igloo")
    expect(
        page.get_by_text("Sure: 7 beads")
    ).to_be_visible()  # lifted off, the seat is tapped: still to be read
    seat.tell("advice", step="put-down", done=0, level=0.9)
    expect(page.get_by_text("Sure: 7 beads")).to_have_count(0)


def test_what_could_not_be_weighed_is_told_instead_of_twelve_equal_bars(
    browser: Browser, seat: ToldRoom
) -> None:
    page = opened(browser, f"{seat.address}listen?lang=de")
    flat = dict.fromkeys(range(2, 14), 1 / 12)
    seat.tell("counted", answer={"probabilities": flat, "reason": NO_EMPTY})
    expect(page.locator("[data-part=counted]")).to_contain_text("Der leere Sitz wurde vorher nicht gehört")
    expect(page.locator(".bars")).to_have_count(0)


def test_a_taler_on_a_card_that_can_be_tapped_hides_no_letter(browser: Browser) -> None:
    """A taler's mark has no stroke of its own: a card's must not reach it, where all is ten times as large."""
    view = {
        "table": [[5]], "values": {}, "igloos": {
            "A": {"at": "card", "slot": 1, "by": "red"}, "B": {"at": "card", "slot": 1, "by": "blue"},
        },
    }  # fmt: skip
    css = (ROOT / "table" / "page" / "page.css").read_text(encoding="utf-8")
    page = browser.new_page()
    html = igloo_pop_board.ring(view, Texts("en"), ["found 1 5 red"])
    page.set_content(f"<style>{css}</style><div style='width:300px'>{html}</div>")
    strokes = page.evaluate(
        """() => [...document.querySelectorAll('.card.tap .small-igloo g path, .card.tap text')]
        .map(e => getComputedStyle(e).stroke)"""
    )
    assert len(strokes) == 4
    assert set(strokes) == {"none"}
