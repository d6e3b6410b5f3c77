"""Profiles are fitted at the wizard's page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.parts import needs
from tests.rattle import write_sweeps
from tests.table.page.makers import OPTIONS, RECORD, SAYS, Maker
from tests.table.pages import service

pytestmark = needs("chromium", "playwright")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "mine"


def test_a_profile_is_fitted_and_its_report_is_read_at_the_page(browser: Browser, folder: Path) -> None:
    write_sweeps(folder, counts=range(2, 5), place="table")
    with service(*RECORD, str(folder), *OPTIONS, cwd=folder.parent) as (_, ready):
        maker = Maker(browser, ready["address"])
        maker.button("fit").click()
        expect(maker.button("begin")).to_be_visible()
        expect(maker.button("fit")).to_have_count(0)
        expect(maker.page.locator(SAYS)).to_contain_text(
            "The profile is fitted. Its report says what it is worth, as far as that can be told.",
            timeout=120_000,
        )
        assert (folder.parent / "mine.profile").is_file()
        expect(maker.page.get_by_text("left out", exact=False).first).to_be_visible()
        italian = Maker(browser, ready["address"], "it")
        expect(
            italian.page.get_by_text("mine.profile: adattato a 9 riprese di 3 sedute di 3 persone")
        ).to_be_visible()
        expect(
            italian.page.get_by_text(re.compile(r"esatto \(\d,\d\d–\d,\d\d per sedute intere\)"))
        ).to_be_visible()
        expect(italian.page.locator("[lang=en]:not(a)")).to_have_count(0)
        maker.page.get_by_label("Who shakes").fill("a/b")
        maker.button("begin").click()  # nothing is recorded, and the report is as good as before
        expect(maker.page.locator(SAYS)).to_contain_text("“Who shakes”: 'a/b' is no name for files")
        maker.page.get_by_role("link", name="To the report").click()
        expect(maker.page.get_by_role("heading", level=1)).to_be_visible()
        assert maker.page.url.endswith("/report")
        assert maker.complaints == []


def test_what_ended_a_sweep_after_a_fit_is_not_hidden_by_it(browser: Browser, folder: Path) -> None:
    write_sweeps(folder, counts=range(2, 5), place="table")
    with service(*RECORD, str(folder), *OPTIONS, cwd=folder.parent) as (_, ready):
        maker, other = Maker(browser, ready["address"]), Maker(browser, ready["address"])
        maker.button("fit").click()
        expect(other.page.locator(SAYS)).to_contain_text("Fitting a profile and testing it …")
        other.button("begin").click()
        other.button("do_stop").click()
        expect(other.page.locator(SAYS)).to_contain_text("Stopped; “Begin” goes on from here.")
        expect(other.page.locator(SAYS)).to_contain_text("The profile is fitted.", timeout=120_000)


def test_why_it_could_not_be_fitted_is_told(browser: Browser, folder: Path) -> None:
    write_sweeps(folder, counts=range(2, 5), place="table")
    for sound in folder.rglob("*.wav"):
        sound.write_bytes(b"no sound")
    with service(*RECORD, str(folder), *OPTIONS, cwd=folder.parent) as (_, ready):
        maker = Maker(browser, ready["address"])
        maker.button("fit").click()
        expect(maker.page.locator(SAYS)).to_contain_text("That could not be fitted", timeout=120_000)
        expect(maker.page.get_by_text("PT-2").first).to_be_visible()
        assert not (folder.parent / "mine.profile").exists()
        maker.page.goto(f"{ready['address']}report")  # there is none
        expect(maker.button("begin")).to_be_visible()
