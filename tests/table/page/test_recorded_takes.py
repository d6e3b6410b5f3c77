"""The takes at the wizard's page: any of them is thrown out, and its igloo is asked for again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.parts import needs
from tests.table.page.makers import LONG, OPTIONS, OVERFLOW, RECORD, SAYS, Maker, takes, write_takes
from tests.table.pages import complaints, service

pytestmark = needs("chromium", "playwright")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "mine"


def test_a_take_of_an_earlier_run_is_thrown_out_and_its_igloo_asked_for_again(
    browser: Browser, folder: Path
) -> None:
    write_takes(folder)
    with service(*RECORD, str(folder), *OPTIONS) as (_, ready):
        maker, other = Maker(browser, ready["address"]), Maker(browser, ready["address"])
        rows, theirs = maker.takes(), other.takes()
        expect(rows).to_have_text(
            [re.compile("^3 beadsanna · 2026-11-20 .*table/s0/1-03.wav"), re.compile("^2 beads")]
        )
        rows.nth(1).get_by_role("button").click()
        maker.page.get_by_role("button", name="Leave it").click()
        expect(maker.page.get_by_role("dialog")).to_have_count(0)
        assert takes(folder) == [(None, "anna"), (None, "anna")]
        theirs.nth(1).get_by_role("button").click()  # it asks, and meanwhile somebody else throws it out
        maker.throw_out(rows.nth(1))
        told = "table/s0/1-02.wav: thrown out; “Begin” as anna asks for the igloo with 2 beads again."
        expect(maker.page.locator(SAYS)).to_have_text(told)
        expect(theirs.nth(1)).to_contain_text("does not count: thrown out")
        other.page.get_by_role("dialog").get_by_role("button", name="Throw out").click()
        for one in (rows, theirs):
            expect(one.get_by_role("button")).to_have_count(1)
        expect(other.page.get_by_text(told, exact=True)).to_have_count(
            2
        )  # in large letters, and in what was said
        assert takes(folder) == [("thrown out", "anna"), (None, "anna")]
        maker.page.get_by_label("Who shakes").fill("anna")
        maker.button("begin").click()
        expect(maker.page.locator(SAYS)).to_contain_text("Take the igloo with 2 beads.")
        expect(maker.page.get_by_role("progressbar", name="2 of 2")).to_be_visible()
        other.throw_out(theirs.nth(0))
        expect(maker.page.get_by_role("progressbar", name="1 of 2")).to_be_visible()
        expect(maker.page.get_by_text("the igloo with 3 beads comes again in this sweep")).to_be_visible()
        assert maker.complaints == other.complaints == []


def test_a_double_click_throws_nothing_out(browser: Browser, folder: Path) -> None:
    write_takes(folder)
    with service(*RECORD, str(folder), *OPTIONS) as (_, ready):
        maker = Maker(browser, ready["address"])
        rows = maker.takes()
        rows.nth(0).get_by_role("button").dblclick()
        sure = maker.page.get_by_role("dialog").get_by_role("button", name="Throw out")
        expect(sure).to_be_visible()
        sure.dblclick()
        expect(rows.get_by_role("button")).to_have_count(1)
        expect(rows.nth(0)).to_be_focused()
        assert takes(folder) == [(None, "anna"), ("thrown out", "anna")]


def test_while_it_listens_nothing_is_thrown_out(browser: Browser, folder: Path) -> None:
    write_takes(folder)
    with service(*RECORD, str(folder), *LONG) as (_, ready):
        maker, other = Maker(browser, ready["address"]), Maker(browser, ready["address"])
        rows = maker.takes()
        rows.nth(0).get_by_role("button").click()
        other.button("begin").click()
        other.shake()
        expect(rows.nth(1).locator("button")).to_be_disabled()
        maker.page.get_by_role("dialog").get_by_role("button", name="Throw out").click()
        expect(maker.page.get_by_text("It listens just now")).to_be_visible()
        other.button("do_stop").click()
        expect(rows.nth(1).locator("button")).to_be_enabled()
        assert takes(folder) == [(None, "anna"), (None, "anna")]


def test_two_hundred_takes_are_shown_a_sweep_at_a_time(browser: Browser, folder: Path) -> None:
    write_takes(folder, 17, tuple(range(2, 14)))
    with service(*RECORD, str(folder), *OPTIONS) as (_, ready):
        maker = Maker(browser, ready["address"])
        rows = maker.takes()
        expect(rows).to_have_count(12)
        expect(rows.first).to_contain_text("table/s16/1-13.wav")
        maker.page.get_by_label("Sweep").click()
        maker.page.get_by_role("option", name="table/s3/1 · anna", exact=True).click()
        expect(rows.first).to_contain_text("table/s3/1-13.wav")
        maker.throw_out(rows.nth(2))
        expect(rows.nth(2)).to_contain_text("does not count: thrown out")
        expect(maker.page.locator(SAYS)).to_contain_text(
            "table/s3/1-11.wav: thrown out; `polartable calibrate"
        )
        assert maker.page.evaluate(OVERFLOW) <= 0
        assert sum(rejected is not None for rejected, _ in takes(folder)) == 1


def test_of_a_long_list_without_sweeps_older_takes_are_shown_when_they_are_asked_for(
    browser: Browser, folder: Path
) -> None:
    folder.mkdir()
    lines = [json.dumps({"file": f"{n}.wav", "sensor": "microphone"}) for n in range(70)]
    (folder / "recordings.jsonl").write_text("\n".join(lines))
    with service(*RECORD, str(folder), *OPTIONS) as (_, ready):
        maker = Maker(browser, ready["address"])
        rows, older = maker.takes(), maker.page.get_by_role("button", name="Show older ones")
        for count in (30, 60):
            expect(rows).to_have_count(count)
            older.click()
        expect(rows).to_have_count(70)
        expect(older).to_be_hidden()
        expect(rows.last).to_have_text(re.compile("^Nobody said how many beads.*0.wav"))


@needs("axe")
def test_axe_has_nothing_to_say_of_the_takes(browser: Browser, folder: Path) -> None:
    write_takes(folder, 2)
    with service(*RECORD, str(folder), *OPTIONS) as (_, ready):
        maker = Maker(browser, ready["address"])
        rows = maker.takes()
        maker.throw_out(rows.nth(0))
        expect(rows.get_by_role("button")).to_have_count(1)
        expect(maker.page.get_by_role("dialog")).to_have_count(0)
        found = complaints(maker.page)
        rows.nth(1).get_by_role("button").click()
        expect(maker.page.get_by_role("dialog")).to_be_visible()
        found += complaints(maker.page)
    assert found == []
