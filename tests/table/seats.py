"""People at the page: a browser each, that pairs by the code, takes a seat, and plays by what the page offers."""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import Browser, Error, expect

from tests.table.pages import Watched

PATIENT = 60_000  # ms, for a busy machine; nothing waits for it where things go well
_OFFERED = """() => [...document.querySelectorAll('[data-moves]')].flatMap(e => e.dataset.moves.split('|'))"""
_WAIT = """move => [...document.querySelectorAll('[data-moves]')]
  .some(e => e.dataset.moves.split('|').includes(move))"""
_TAP = """move => {
  const all = [...document.querySelectorAll('[data-moves]')].filter(e => e.dataset.moves.split('|').includes(move));
  const one = all.find(e => e.dataset.moves === move) || all[0];
  one.scrollIntoView({block: 'center'});
  one.dispatchEvent(new MouseEvent('click', {bubbles: true, detail: 1}));
  return one.dataset.moves === move;
}"""
_POINT = """([x, y]) => {
  const svg = document.querySelector('svg.looney');
  svg.scrollIntoView({block: 'center'});
  const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  return [at.x, at.y];
}"""


class Person(Watched):
    """A browser of its own. `code`: typed on the pairing page; `seat`: taken by its button."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        code: str,
        seat: str | None,
        button: str = "",
        width: int = 1300,
        height: int = 1000,
        **more: Any,
    ) -> None:
        super().__init__(browser, width, height, **more)
        self.seat = seat
        self.page.goto(address)
        self.page.locator("#code").fill(code)
        self.page.locator("#code").press("Enter")
        expect(self.page.locator("[data-part=says]")).to_be_visible(timeout=PATIENT)
        if seat is not None:
            self.page.get_by_role("button", name=f"Play {button} yourself").click()
            expect(self.page.get_by_role("button", name=re.compile("^Leave "))).to_be_visible(timeout=PATIENT)

    def offered(self) -> set[str]:
        """All moves that the page offers now, in the notation."""
        return set(self.page.evaluate(_OFFERED))

    def wait_for(self, move: str) -> None:
        try:
            self.page.wait_for_function(_WAIT, arg=move, timeout=PATIENT)
        except Error as error:
            raise AssertionError(
                f"{self.seat} is not offered {move}, only {sorted(self.offered())}"
            ) from error

    def is_offered(self, moves: set[str]) -> None:
        """The page offers exactly these moves (and `abandon`), as soon as it has drawn the position."""
        end = time.monotonic() + PATIENT / 1000
        while (offered := self.offered() - {"abandon"}) != moves and time.monotonic() < end:
            self.page.wait_for_timeout(50)
        assert offered == moves

    def wait_for_parts(self, move: str) -> None:
        """Choose token by token, up to the last one."""
        words = move.split()
        for known in range(2, len(words)):
            self.page.locator(f'[data-kind="{" ".join(words[:known])}"]').click(timeout=PATIENT)
        self.wait_for(move)

    def make(self, move: str) -> None:
        """Tap what means `move`; where a tap may mean several, choose in the dialog."""
        self.wait_for(move)
        if not self.page.evaluate(_TAP, move):
            button = self.page.locator(f'[role=dialog] [data-moves="{move}"]')
            button.click(timeout=PATIENT)
            expect(button).to_have_count(0, timeout=PATIENT)

    def place(self, colour: str, size: str, x: int, y: int, width: int) -> None:
        """Choose a pyramid of the stash and tap where its middle shall lie."""
        kind = self.page.locator(f'[data-kind="{colour} {size}"]')
        kind.click(timeout=PATIENT)
        self.page.wait_for_selector(f'[data-place="place {colour} {size}"]', timeout=PATIENT)
        at = self.page.evaluate(_POINT, [x + width / 2, -(y + width / 2)])
        self.page.mouse.click(*at)

    def says(self, words: str) -> None:
        expect(self.page.locator("[data-part=says]")).to_contain_text(re.compile(words), timeout=PATIENT)
