"""An address that has no page: says so in the browser's language, and leads to the table."""

from __future__ import annotations

from importlib.metadata import version

import httpx
import pytest
from playwright.sync_api import Browser, expect

from table.page.texts import LANGUAGES, Texts
from tests.parts import needs
from tests.table.pages import Watched

pytestmark = needs("chromium", "playwright")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_without_a_page_leads_to_the_table(address: str, browser: Browser, language: str) -> None:
    """It was the toolkit's own page: English, with an exception's name, and without any way on."""
    texts = Texts(language)
    page = Watched(browser, locale=language).page
    answer = page.goto(f"{address}train")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_text(texts["page.nowhere"])).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == language
    page.get_by_role("link", name=texts["page.home"]).click()
    expect(page.locator(".board")).to_be_visible()
    assert page.url == f"{address}?lang={language}"


def test_what_a_page_of_the_toolkit_lacks_is_told_without_one(address: str) -> None:
    answer = httpx.get(f"{address}_nicegui/{version('nicegui')}/components/none/none.js")
    assert answer.status_code == 404
    assert "<html" not in answer.text
