"""The number of a rule stays on one line, however narrow the page, and is copied as it is written."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from table.desk.said import Said
from table.page.buttons import hint
from table.page.frame import style
from table.page.says import said_list, sentence
from tests.parts import needs

pytestmark = needs("chromium", "playwright")
SAID = Said(1.0, "told", "any", "yellow tilts the north pair to the east", "IC-8")
NOWHERE = "Can lie nowhere now (IC-8): Red <S>, Yellow S"
# as a table's sentences are told on the page of a fleet
TOLD = f'<ol class="toldlist"><li>{SAID.text} <span>{SAID.rule}</span></li></ol>'

# the lines over which the number goes, at each width of the page
_LINES = """([rule, widths]) => widths.map(width => {
  document.querySelector('#page').style.width = `${width}px`;
  return new Set([...document.querySelector(rule).getClientRects()].map(one => one.top)).size;
})"""


@pytest.mark.parametrize(
    ("html", "rule"),
    [
        (sentence(SAID, str), ".says .rule"),
        (said_list([SAID], str), ".saidlist .rule"),
        (TOLD, ".toldlist span"),
        (f'<div class="hands"><div>{hint(NOWHERE)}</div></div>', ".hands .rule"),
    ],
    ids=["says", "saidlist", "toldlist", "hint"],
)
def test_a_rules_number_is_on_one_line(browser: Browser, html: str, rule: str) -> None:
    page = browser.new_page()
    page.set_content(f"<style>{style('page.css', 'hub.css')}</style><div id=page>{html}</div>")
    lines = page.evaluate(_LINES, [rule, list(range(120, 500, 3))])
    assert set(lines) == {1}
    page.keyboard.press("Control+A")
    assert SAID.rule in page.evaluate("getSelection().toString()")


def test_a_hint_is_text_and_without_a_number_nothing_else() -> None:
    assert hint("Tap <a> card & B-2") == "Tap &lt;a&gt; card &amp; B-2"
    assert hint(NOWHERE) == ('Can lie nowhere now (<span class="rule">IC-8</span>): Red &lt;S&gt;, Yellow S')
