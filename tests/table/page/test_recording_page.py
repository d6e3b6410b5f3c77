"""The recording wizard on a page: a sweep of simulated igloos, which are shaken at their real pace."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from table.desk.said import spoken
from table.page.sentences import sentences
from table.page.texts import LANGUAGES, Texts
from tests.parts import needs
from tests.rattle import write_sweeps
from tests.table.pages import Watched, complaints, service

pytestmark = needs("chromium", "playwright")
RECORD = ["calibrate", "igloos", "record"]
OPTIONS = ["--source", "mock", "--counts", "2,3", "--seconds", "1.5", "--page", "--port", "0"]
SAYS = "[data-part=says]"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "mine"


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    with service(*RECORD, str(folder), *OPTIONS) as (_, ready):
        yield ready["address"]


class Maker(Watched):
    """Somebody who records, at a phone."""

    def __init__(self, browser: Browser, address: str, language: str = "en") -> None:
        super().__init__(browser, 390, 844)
        self._texts = Texts(language)
        self.page.goto(f"{address}?lang={language}")

    def button(self, key: str) -> Locator:
        return self.page.get_by_role("button", name=self._texts[f"record.{key}"], exact=True)

    def takes(self) -> Locator:
        """The list of takes, opened."""
        self.page.get_by_role("button", name=self._texts["record.takes"]).first.click()
        rows = self.page.locator(".takes li")
        expect(rows.first).to_be_visible()
        return rows

    def throw_out(self, row: Locator) -> None:
        row.get_by_role("button").click()
        asked = self.page.get_by_role("dialog", name=self._texts["record.throw_out_asked"])
        asked.get_by_role("button", name=self._texts["record.throw_out"], exact=True).click()

    def take(self, answer: str = "do_keep") -> None:
        """Shake the next igloo, and say what is to become of it; a simulated shake may not count, and comes again."""
        record, asked = self.button("do_record"), self.button(answer)
        record.click()
        expect(record).to_have_count(0)
        expect(asked.or_(record)).to_be_visible(timeout=30_000)
        if record.is_visible():
            self.take(answer)
        else:
            asked.click()


def takes(folder: Path) -> list[tuple[str | None, str]]:
    """Why each take does not count, and who made it."""
    lines = map(json.loads, (folder / "recordings.jsonl").read_text().splitlines())
    return [(line["rejected"], line["player"]) for line in lines]


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


def write_takes(folder: Path, sessions: int = 1, counts: tuple[int, ...] = (2, 3)) -> None:
    """A list of anna's sweeps, one a session, as the wizard writes it; without the sounds."""
    folder.mkdir()
    more = {"counts": counts, "place": "shell", "source": "mock", "simulated": True, "rejected": None}
    lines = [
        {"file": f"table/s{k}/1-{n:02}.wav", "sensor": "microphone", "beads": n, "device": "table", "player": "anna"}
        | {"session": f"s{k}", "set": f"table/s{k}/1", "taken": f"2026-11-20T10:{n:02}:00Z"}
        | more
        for k in range(sessions)
        for n in counts
    ]  # fmt: skip
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


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
    with service(*RECORD, str(folder), *OPTIONS) as (_, ready):
        maker, other = Maker(browser, ready["address"]), Maker(browser, ready["address"])
        rows = maker.takes()
        rows.nth(0).get_by_role("button").click()
        other.button("begin").click()
        other.button("do_record").click()
        expect(meters(other.page)).to_be_visible(timeout=30_000)
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


def meters(page: Page) -> Locator:
    return page.locator(".gauge .needle")


def test_how_the_igloo_is_shaken_is_shown_and_a_take_can_be_stopped(
    address: str, browser: Browser, folder: Path
) -> None:
    maker = Maker(browser, address)
    maker.button("begin").click()
    maker.button("do_record").click()
    expect(meters(maker.page)).to_be_visible(timeout=30_000)
    maker.button("do_stop").click()
    expect(maker.page.locator(SAYS)).to_contain_text("the one under way is not")
    assert not (folder / "recordings.jsonl").exists()


def test_a_finger_that_was_about_to_record_does_not_stop(address: str, browser: Browser) -> None:
    """Two phones, one answers first: at the other, Stop comes to lie where Record was."""
    maker, other = Maker(browser, address), Maker(browser, address)
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
    address: str, browser: Browser
) -> None:
    maker = Maker(browser, address)
    maker.button("begin").click()
    asked = maker.page.locator(SAYS).get_by_text("Take the igloo with")
    igloo = asked.inner_text().split("Take the ")[1].split(".")[0]
    maker.button("do_record").click()
    expect(meters(maker.page)).to_be_visible(timeout=30_000)
    expect(maker.page.get_by_text(f"The {igloo}", exact=True)).to_be_visible()
    maker.page.reload()  # a phone that was in a pocket meanwhile
    expect(maker.page.get_by_text(f"The {igloo}", exact=True).or_(asked)).to_be_visible()


def test_a_profile_is_fitted_and_its_report_is_read_at_the_page(browser: Browser, folder: Path) -> None:
    write_sweeps(folder, counts=range(2, 5), place="table")
    with service(*RECORD, str(folder), *OPTIONS, cwd=folder.parent) as (_, ready):
        maker = Maker(browser, ready["address"])
        maker.button("fit").click()
        expect(maker.button("begin")).to_be_visible()
        expect(maker.button("fit")).to_have_count(0)
        expect(maker.page.locator(SAYS)).to_contain_text("The profile is fitted.", timeout=120_000)
        assert (folder.parent / "mine.profile").is_file()
        expect(maker.page.get_by_text("left out", exact=False).first).to_be_visible()
        italian = Maker(browser, ready["address"], "it")
        expect(
            italian.page.get_by_text("mine.profile: adattato a 9 riprese di 3 sedute di 3 persone")
        ).to_be_visible()
        expect(italian.page.get_by_text("esatto (0,30–1,00 per sedute intere)")).to_be_visible()
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


@needs("axe")
def test_axe_has_nothing_to_say_of_any_of_its_states(address: str, browser: Browser) -> None:
    maker = Maker(browser, address)
    expect(maker.button("begin")).to_be_visible()
    found = complaints(maker.page)
    maker.button("begin").click()
    expect(maker.button("do_record")).to_be_visible()
    found += complaints(maker.page)
    maker.button("do_record").click()
    expect(meters(maker.page)).to_be_visible(timeout=30_000)
    found += complaints(maker.page)
    assert found == []


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
        assert process.wait(20) == 0


def test_a_page_of_another_site_may_not_begin_anything(address: str) -> None:
    request = urllib.request.Request(
        f"{address}api/pair",
        b'{"code": "1"}',
        {"Origin": "http://elsewhere", "Content-Type": "application/json"},
    )
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request)
