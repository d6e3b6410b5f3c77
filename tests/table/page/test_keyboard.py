"""Who plays with the keyboard alone sees where it is at every stop, and is never sent back to the top of the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.parts import needs
from tests.table.page.test_taken_once import Host, begin
from tests.table.pages import service

pytestmark = needs("chromium", "playwright")

# what the keyboard is at: what it does or is called, whether that is a text field (which has a ring of its own), and
# how wide a line goes round it; empty: at nothing, which is the top of the page
_AT = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return ['', false, 0];
  const {outlineStyle, outlineWidth} = getComputedStyle(one);
  const name = one.dataset.moves || one.getAttribute('aria-label') || one.textContent || one.tagName;
  return [name, one.matches('input'), outlineStyle === 'none' ? 0 : parseFloat(outlineWidth)];
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with service("serve", "--port", "0", data=tmp_path_factory.mktemp("data")) as (_, ready):
        yield ready["address"]


@pytest.mark.parametrize("colours", ["none", "active"])
def test_a_line_goes_round_whatever_the_keyboard_is_at(address: str, browser: Browser, colours: str) -> None:
    """Buttons had none: the toolkit takes it from them, and leaves a tint that few can see."""
    host = Host(browser, address, forced_colors=colours)
    begin(host, address)
    expect(host.button("Tilt the northern pair towards south")).to_be_visible()
    stops: list[str] = []
    for _ in range(60):
        host.page.keyboard.press("Tab")
        name, is_field, line = host.page.evaluate(_AT)
        if not name:
            break
        stops.append(name)
        assert is_field or line >= 3, name
    assert {"Another game", "tilt n>S", "Play Yellow yourself", "Decide together"} <= set(stops)
