"""The recording wizard on a page: a sweep of simulated igloos, which are shaken at their real pace."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from table.desk.said import spoken
from table.page.sentences import sentences
from table.page.texts import LANGUAGES
from tests.parts import needs
from tests.table.page.makers import LONG, OPTIONS, OVERFLOW, RECORD, SAYS, Maker, takes
from tests.table.pages import Watched, complaints, service

pytestmark = needs("chromium", "playwright")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "mine"


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    with service(*RECORD, str(folder), *OPTIONS) as (_, ready):
        yield ready["address"]


@pytest.fixture
def unhurried(folder: Path) -> Iterator[str]:
    """The address of a wizard whose igloos are shaken for long."""
    with service(*RECORD, str(folder), *LONG) as (_, ready):
        yield ready["address"]


def test_a_sweep_by_two_people(address: str, browser: Browser, folder: Path) -> None:
    maker = Maker(browser, address)
    expect(maker.page.get_by_text("simulated hardware")).to_be_visible()
    who = maker.page.get_by_label("Who shakes")
    expect(who).to_have_value("maker")
    who.fill("")
    maker.button("begin").click()
    expect(maker.page.get_by_text("Say who shakes.", exact=True)).to_be_visible()
    who.fill("anna")
    maker.button("begin").click()
    expect(maker.page.locator(SAYS)).to_contain_text("Take the igloo with")
    expect(maker.page.locator(SAYS)).to_contain_text("Shake it for 1.5 seconds.")
    expect(maker.page.get_by_role("progressbar", name="1 of 2")).to_be_visible()
    other = Maker(browser, address)  # the same wizard at another phone
    expect(other.page.get_by_role("progressbar", name="1 of 2")).to_be_visible()
    other.take()
    expect(maker.page.get_by_role("progressbar", name="2 of 2")).to_be_visible()
    maker.take("do_retake")
    expect(maker.button("do_record")).to_be_visible()
    maker.button("do_stop").click()
    expect(maker.page.locator(SAYS)).to_contain_text("Stopped; “Begin” goes on from here.")
    expect(who).to_have_value("anna")
    maker.button("begin").click()
    maker.take()
    expect(maker.page.locator(SAYS)).to_contain_text("That is 2 counts, and a profile takes 3")
    kept = [who for rejected, who in takes(folder) if rejected is None]
    assert kept == ["anna", "anna"]
    assert "thrown out" in [rejected for rejected, _ in takes(folder)]
    who.fill("ben")
    who.press("Enter")
    expect(maker.page.locator(SAYS)).to_contain_text("Take the igloo with")
    expect(maker.page.get_by_text("by somebody new, ben (known here: anna)")).to_be_visible()
    assert maker.complaints == other.complaints == []
    assert maker.outside(address) == other.outside(address) == []


def test_how_the_igloo_is_shaken_is_shown_and_a_take_can_be_stopped(
    unhurried: str, browser: Browser, folder: Path
) -> None:
    maker = Maker(browser, unhurried)
    maker.button("begin").click()
    maker.shake()
    maker.button("do_stop").click()
    expect(maker.page.locator(SAYS)).to_contain_text("the one under way is not")
    assert not (folder / "recordings.jsonl").exists()


def test_a_finger_that_was_about_to_record_does_not_stop(unhurried: str, browser: Browser) -> None:
    """Two phones, one answers first: at the other, Stop comes to lie where Record was."""
    maker, other = Maker(browser, unhurried), Maker(browser, unhurried)
    maker.button("begin").click()
    expect(other.button("do_record")).to_be_visible()
    other.page.evaluate(
        """() => {
          window.first = [];
          new MutationObserver((all) => {
            for (const button of all.flatMap((one) => [...one.addedNodes]))
              if (button.matches?.('button')) window.first.push([button.innerText, button.disabled]);
          }).observe(document.body, {childList: true, subtree: true});
        }"""
    )
    maker.button("do_record").click()
    expect(other.button("do_record")).to_have_count(0)
    expect(other.button("do_stop")).to_be_enabled()
    assert other.page.evaluate("window.first") == [["Stop", True]]


def test_which_igloo_is_awaited_stays_on_the_page_until_its_take_is_judged(
    unhurried: str, browser: Browser
) -> None:
    maker = Maker(browser, unhurried)
    maker.button("begin").click()
    asked = maker.page.locator(SAYS).get_by_text("Take the igloo with")
    expect(asked).to_be_visible()
    igloo = maker.shake().split("Take the ")[1].split(".")[0]
    expect(maker.page.get_by_text(f"The {igloo}", exact=True)).to_be_visible()
    maker.page.reload()  # a phone that was in a pocket meanwhile
    expect(maker.page.get_by_text(f"The {igloo}", exact=True).or_(asked)).to_be_visible()


def test_a_broken_list_is_told_and_once_it_is_mended_it_goes_on(
    address: str, browser: Browser, folder: Path
) -> None:
    maker, listed = Maker(browser, address), folder / "recordings.jsonl"
    folder.mkdir(exist_ok=True)
    listed.write_bytes("broken".encode("utf-16"))
    maker.button("begin").click()
    expect(maker.page.locator(SAYS)).to_contain_text("is written in UTF-16 – save it as UTF-8.")
    assert maker.page.evaluate(OVERFLOW) <= 0  # a list's path is long, and has no spaces
    listed.unlink()
    maker.button("begin").click()
    expect(maker.button("do_record")).to_be_visible()


def test_what_stays_english_on_another_page_is_read_aloud_as_english(
    address: str, browser: Browser, folder: Path
) -> None:
    maker = Maker(browser, address, "de")
    folder.mkdir(exist_ok=True)
    (folder / "recordings.jsonl").write_bytes("broken".encode("utf-16"))
    maker.button("begin").click()
    expect(maker.page.locator(".recording li[lang=en]")).to_contain_text("is written in UTF-16")
    (folder / "recordings.jsonl").unlink()
    maker.button("begin").click()
    expect(maker.page.locator(".recording li:not([lang])")).to_contain_text("Neuer Durchgang")


@needs("axe")
def test_axe_has_nothing_to_say_of_any_of_its_states(unhurried: str, browser: Browser) -> None:
    maker = Maker(browser, unhurried)
    expect(maker.button("begin")).to_be_visible()
    found = complaints(maker.page)
    maker.button("begin").click()
    expect(maker.button("do_record")).to_be_visible()
    found += complaints(maker.page)
    maker.shake()
    found += complaints(maker.page)
    assert found == []


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_nothing_stays_english_and_nothing_is_wider_than_a_phone(
    address: str, browser: Browser, language: str
) -> None:
    maker, say = Maker(browser, address, language), sentences(language)
    maker.button("begin").click()
    maker.take()
    maker.button("do_stop").click()
    expect(maker.button("begin")).to_be_visible()
    rows = maker.page.locator(".recording li").all_inner_texts()
    assert len(rows) >= 2
    assert rows[0] == spoken(say("Stopped; “Begin” goes on from here."))
    listed = maker.takes()
    maker.throw_out(listed.filter(has=maker.page.get_by_role("button")).first)
    expect(listed.get_by_role("button")).to_have_count(0)
    rows += [maker.page.locator(SAYS).inner_text(), *maker.page.locator(".takes").all_inner_texts()]
    for text in rows:
        assert not {"beads", "from", "here", "sweep", "is", "it"} & set(text.lower().split()), text
    assert maker.page.evaluate(OVERFLOW) <= 0


def test_on_the_network_it_is_begun_by_whoever_typed_the_code(browser: Browser, folder: Path) -> None:
    with service(*RECORD, str(folder), *OPTIONS, "--lan") as (_, ready):
        page = Watched(browser).page
        page.goto(ready["address"])
        code = page.get_by_role("textbox")
        code.fill("0")
        code.press("Enter")
        told = page.get_by_role("alert")  # its own code has eight digits, a table's for guests six
        expect(told).to_have_text("That is not this table’s code: type the one on the host’s screen.")
        code.fill(ready["code"])
        code.press("Enter")
        expect(page.get_by_role("button", name="Begin", exact=True)).to_be_visible()
        stranger = Watched(browser).page
        stranger.goto(ready["address"])
        expect(stranger).to_have_url(f"{ready['address']}pair")


def test_whoever_read_its_lines_may_go_and_the_page_goes_on(browser: Browser, folder: Path) -> None:
    """`--json | head -1`, for the address. The takes are in the list all the same."""
    with service(*RECORD, str(folder), *OPTIONS) as (process, ready):
        assert process.stdout is not None
        process.stdout.close()
        maker = Maker(browser, ready["address"])
        maker.button("begin").click()
        maker.take()
        expect(maker.page.get_by_role("progressbar", name="2 of 2")).to_be_visible()
        assert [one for one in takes(folder) if one[0] is None] == [(None, "maker")]
        process.terminate()
        assert process.wait(60) == 0


def test_a_page_of_another_site_may_not_begin_anything(address: str) -> None:
    request = urllib.request.Request(
        f"{address}api/pair",
        b'{"code": "1"}',
        {"Origin": "http://elsewhere", "Content-Type": "application/json"},
    )
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request)
