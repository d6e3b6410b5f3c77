"""The report on a fitted profile is made and read at the wizard's page, also on another day."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from calibration.report.page import rendered
from table.cli import run
from table.page.texts import LANGUAGES, Texts
from tests.parts import needs
from tests.rattle import write_sweeps
from tests.table.page.makers import OPTIONS, OVERFLOW, RECORD, SAYS, Maker
from tests.table.pages import Watched, complaints, service

pytestmark = needs("chromium", "playwright")

LOADED = "document.images.length > 0 && [...document.images].every(one => one.naturalWidth > 0)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "mine"


def fitted(folder: Path) -> None:
    assert run(["calibrate", "igloos", "fit", folder.name, "--out", f"{folder.name}.profile"]) == 0


@contextmanager
def wizard(folder: Path) -> Iterator[str]:
    with service(*RECORD, str(folder), *OPTIONS, cwd=folder.parent) as (_, ready):
        yield ready["address"]


def to_the_report(page: Page, language: str = "en") -> None:
    page.get_by_role("link", name=Texts(language)["record.report"]).click()
    expect(page.get_by_role("heading", level=1, name="How well your table hears")).to_be_visible()


def test_the_report_on_a_profile_of_another_day_is_made_and_all_phones_see_it(
    browser: Browser, folder: Path
) -> None:
    write_sweeps(folder, counts=range(2, 5), place="table")
    fitted(folder)
    with wizard(folder) as address:
        phones = [Maker(browser, address, language) for language in LANGUAGES]
        maker = phones[0]
        expect(maker.page.get_by_role("link", name="To the report")).to_have_count(0)
        maker.button("make_report").click()
        for phone, language in zip(phones, LANGUAGES, strict=True):
            says = phone.page.locator(SAYS)
            expect(says).to_contain_text(Texts(language)["record.reports"])
            expect(
                phone.page.get_by_role("progressbar", name=Texts(language)["record.reports"])
            ).to_be_visible()
            expect(phone.button("make_report")).to_have_count(0)
            expect(phone.button("fit")).to_have_count(0)
        for phone, language in zip(phones, LANGUAGES, strict=True):
            expect(phone.page.locator(SAYS)).to_contain_text(
                Texts(language)["record.reported"], timeout=120_000
            )
            expect(phone.page.locator(".recording [lang=en]")).to_have_count(0)
            expect(phone.button("make_report")).to_have_count(0)  # it is as good as another one
        assert (folder.parent / "mine.html").is_file()
        to_the_report(maker.page)
        maker.page.wait_for_function(LOADED)
        assert maker.page.evaluate(OVERFLOW) <= 0
        assert all(phone.complaints == [] for phone in phones)
        assert all(phone.outside(address) == [] for phone in phones)


def test_yesterday_s_report_is_there_and_says_so_where_it_no_longer_holds(
    browser: Browser, folder: Path
) -> None:
    write_sweeps(folder, counts=range(2, 5), place="table")
    fitted(folder)
    words = ["calibrate", "igloos", "report", "mine", "--profile", "mine.profile", "--out", "mine.html"]
    assert run(words) == 0
    with wizard(folder) as address:
        maker = Maker(browser, address)
        expect(maker.page.get_by_role("link", name="To the report")).to_be_visible()
        expect(maker.button("make_report")).to_have_count(0)
        maker.throw_out(maker.takes().first)
        expect(maker.page.get_by_text("Takes or profile changed after this report was made.")).to_be_visible()
        maker.button("make_report").click()
        expect(maker.page.locator(SAYS)).to_contain_text("The report is made.", timeout=120_000)
        expect(maker.page.get_by_text("mine.html: 8 recordings")).to_be_visible()
        expect(maker.page.get_by_text("Takes or profile changed after this report was made.")).to_have_count(
            0
        )


def test_why_no_figures_are_shown_stands_at_the_page_and_in_the_report(
    browser: Browser, folder: Path
) -> None:
    """Takes of one igloo each session: nothing can be said, as on the command line."""
    write_sweeps(folder, 6, range(2, 8), place="table")
    listed = folder / "recordings.jsonl"
    lines = [json.loads(line) for line in listed.read_text().splitlines()]
    for line in lines:
        line |= {"session": f"of-{line['beads']}", "set": None}
    listed.write_text("".join(json.dumps(line) + "\n" for line in lines))
    fitted(folder)
    with wizard(folder) as address:
        maker, italian = Maker(browser, address), Maker(browser, address, "it")
        maker.button("make_report").click()
        expect(maker.page.locator(SAYS)).to_contain_text("The report is made.", timeout=120_000)
        why = "No figures are shown: 36 of 36 takes are of a session that holds one or two of the counts"
        expect(maker.page.get_by_text(why)).to_be_visible()
        expect(italian.page.get_by_text("Non si mostrano cifre: 36 di 36 riprese")).to_be_visible()
        to_the_report(maker.page)
        expect(maker.page.get_by_text(why)).to_be_visible()
        assert maker.page.locator("img").count() == 0


def test_one_session_is_too_little_to_test_and_that_is_said_in_every_language(
    browser: Browser, folder: Path
) -> None:
    write_sweeps(folder, 1, range(2, 14), place="table")
    fitted(folder)
    with wizard(folder) as address:
        phones = [Maker(browser, address, language) for language in LANGUAGES]
        phones[0].button("make_report").click()
        for phone, language in zip(phones, LANGUAGES, strict=True):
            expect(phone.page.locator(SAYS)).to_contain_text(
                Texts(language)["record.reported"], timeout=120_000
            )
            expect(phone.page.locator(".recording [lang=en]")).to_have_count(0)
        expect(phones[0].page.get_by_text("No figures are shown")).to_contain_text(
            "One more session is enough."
        )


def test_a_profile_whose_report_could_not_be_made_is_fitted_all_the_same(
    browser: Browser, folder: Path
) -> None:
    write_sweeps(folder, counts=range(2, 5), place="table")
    (folder.parent / "mine.html").write_text("a list of my own")
    with wizard(folder) as address:
        maker = Maker(browser, address)
        maker.button("fit").click()
        expect(maker.page.locator(SAYS)).to_contain_text("The report could not be made", timeout=120_000)
        expect(maker.page.get_by_text("mine.profile: fitted on 9 takes")).to_be_visible()
        expect(maker.page.get_by_text("what is there is something else")).to_be_visible()
        expect(maker.page.get_by_role("link", name="To the report")).to_have_count(0)
        maker.page.goto(f"{address}report")
        expect(maker.page.get_by_text("a list of my own")).to_have_count(0)
        (folder.parent / "mine.html").unlink()
        maker.button("make_report").click()
        expect(maker.page.locator(SAYS)).to_contain_text("The report is made.", timeout=120_000)
    assert (folder.parent / "mine.html").is_file()


def test_a_sound_that_cannot_be_read_does_not_hide_that_the_profile_is_fitted(
    browser: Browser, folder: Path
) -> None:
    """The command ends with 2 then, and has written what it was to write."""
    write_sweeps(folder, counts=range(2, 5), place="table")
    sorted(folder.rglob("*.wav"))[0].write_bytes(b"no sound")
    with wizard(folder) as address:
        maker = Maker(browser, address)
        maker.button("fit").click()
        expect(maker.page.locator(SAYS)).to_contain_text("The profile is fitted.", timeout=120_000)
        expect(maker.page.get_by_text("PT-201")).to_be_visible()
        to_the_report(maker.page)


def test_somebody_else_s_page_of_that_name_is_not_shown_as_the_report(browser: Browser, folder: Path) -> None:
    write_sweeps(folder, counts=range(2, 5), place="table")
    fitted(folder)
    (folder.parent / "mine.html").write_text("<!doctype html><title>My diary</title><p>Dear diary")
    with wizard(folder) as address:
        maker = Maker(browser, address)
        expect(maker.button("begin")).to_be_visible()
        expect(maker.page.get_by_role("link", name="To the report")).to_have_count(0)
        for path in ("report", "report/..%2f..%2fetc%2fpasswd", "report?file=../mine.profile"):
            maker.page.goto(f"{address}{path}")
            assert "diary" not in maker.page.content()
            assert "polartable-ear" not in maker.page.content()


def test_a_report_runs_nothing_and_needs_no_script(browser: Browser, folder: Path) -> None:
    write_sweeps(folder, counts=range(2, 5), place="table")
    fitted(folder)
    words = ["calibrate", "igloos", "report", "mine", "--profile", "mine.profile", "--out", "mine.html"]
    assert run(words) == 0
    page = folder.parent / "mine.html"
    page.write_text(page.read_text().replace("<main>", "<main><script>document.title = 'ran'</script>"))
    os.utime(page)
    with wizard(folder) as address:
        reader = Watched(browser, 390, 844)
        reader.page.goto(f"{address}report")
        assert reader.page.title() == "How well your table hears – Polartable"
        reader.page.wait_for_function(LOADED)
        plain = browser.new_page(java_script_enabled=False)
        plain.goto(f"{address}report")
        expect(plain.get_by_role("heading", name="Which igloos are told apart")).to_be_visible()


def test_no_name_is_wider_than_a_phone(browser: Browser) -> None:
    """Takes, folders and commands in a report are as long as somebody called them, and have no spaces."""
    long = "table_in_the_attic_of_the_house/2026_11_24_the_evening_before_advent/1-07.wav"
    odd = {"takes": [{"file": long}], "whole": False, "where": long, "why": "sounds like 9, said to hold 2"}
    texts = {"whose": long, "about": long, "warnings": [long], "advice": [long], "fitted_on": long}
    page = browser.new_page(viewport={"width": 320, "height": 844})
    page.set_content(rendered("report.html.j2", {**texts, "odd": [odd], "most_files": 4}))
    expect(page.get_by_role("cell", name="sounds like 9")).to_be_visible()
    assert page.evaluate(OVERFLOW) <= 0


def test_nothing_is_made_while_another_phone_listens(browser: Browser, folder: Path) -> None:
    write_sweeps(folder, counts=range(2, 5), place="table")
    fitted(folder)
    with wizard(folder) as address:
        maker, other = Maker(browser, address), Maker(browser, address)
        expect(maker.button("make_report")).to_be_visible()
        other.button("begin").click()
        expect(other.button("do_record")).to_be_visible()
        expect(maker.button("make_report")).to_have_count(0)
        other.button("do_stop").click()
        expect(maker.button("make_report")).to_be_visible()


def test_what_is_being_made_ends_with_the_wizard(browser: Browser, folder: Path) -> None:
    write_sweeps(folder, counts=range(2, 14), place="table")
    fitted(folder)
    with wizard(folder) as address:
        maker = Maker(browser, address)
        maker.button("make_report").click()
        expect(maker.page.locator(SAYS)).to_contain_text("Making the report …")
    assert sorted(one.name for one in folder.parent.iterdir()) == ["mine", "mine.profile"]


@needs("axe")
def test_axe_has_nothing_to_say_of_the_report_and_of_the_way_to_it(browser: Browser, folder: Path) -> None:
    write_sweeps(folder, counts=range(2, 5), place="table")
    fitted(folder)
    with wizard(folder) as address:
        maker = Maker(browser, address)
        maker.button("make_report").click()
        expect(maker.page.get_by_role("progressbar", name="Making the report …")).to_be_visible()
        found = complaints(maker.page)
        expect(maker.page.locator(SAYS)).to_contain_text("The report is made.", timeout=120_000)
        found += complaints(maker.page)
        # the report lets no script in, and axe is one
        reader = browser.new_page(viewport={"width": 390, "height": 844}, bypass_csp=True)
        reader.goto(f"{address}report")
        found += complaints(reader)
    assert found == []
