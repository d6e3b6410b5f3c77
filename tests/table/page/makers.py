"""Makers who record at the wizard's page."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from table.page.texts import Texts
from tests.table.pages import Watched

RECORD = ["calibrate", "igloos", "record"]
MOCK = ["--source", "mock", "--counts", "2,3", "--page", "--port", "0"]
OPTIONS = [*MOCK, "--seconds", "1.5"]
# for what is looked at while an igloo is shaken: on a busy machine a short shake is over before
LONG = [*MOCK, "--seconds", "8"]
SAYS = "[data-part=says]"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


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

    def shake(self) -> str:
        """Record the next igloo, until it is seen how it is shaken; returns how it was asked for. A click of its beads
        may have been taken for the shake, and then an igloo is asked for anew."""
        record, asked = self.button("do_record"), self.page.locator(SAYS).inner_text()
        record.click()
        expect(record).to_have_count(0)
        expect(meters(self.page).or_(record)).to_be_visible(timeout=30_000)
        return self.shake() if record.is_visible() else asked


def takes(folder: Path) -> list[tuple[str | None, str]]:
    """Why each take does not count, and who made it."""
    lines = map(json.loads, (folder / "recordings.jsonl").read_text().splitlines())
    return [(line["rejected"], line["player"]) for line in lines]


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


def meters(page: Page) -> Locator:
    return page.locator(".gauge .needle")
