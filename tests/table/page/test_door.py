"""The door in a real Chromium: it speaks the guest's language, says what to do about a wrong code, and lets in."""

from __future__ import annotations

from pathlib import Path

import httpx
from playwright.sync_api import expect

from table.door.access import TRIES, TRIES_IN_ALL
from table.page.texts import Texts
from tests.parts import needs
from tests.table.pages import Watched, chromium, service

pytestmark = needs("chromium", "playwright")


def test_a_wrong_code_is_told_in_the_pages_language_and_the_language_is_kept(tmp_path: Path) -> None:
    french, german = Texts("fr"), Texts("de")
    with service("serve", "--port", "0", "--lan", data=tmp_path) as (_, ready), chromium() as browser:
        address = f"http://127.0.0.1:{ready['address'].rstrip('/').rsplit(':', 1)[1]}"
        wrong = "111111" if ready["code"] != "111111" else "222222"
        watched = Watched(browser, locale="en-GB")
        page = watched.page
        told = page.get_by_role("alert")
        page.goto(f"{address}/?lang=fr")
        expect(page.get_by_label(french["door.type"])).to_be_visible()
        page.get_by_role("textbox").fill(wrong)
        page.get_by_role("button").click()
        expect(told).to_have_text(french["door.wrong_code"])
        page.get_by_role("textbox").fill(ready["code"])
        page.get_by_role("button").click()
        expect(page.locator(".board")).to_be_visible()
        assert page.evaluate("document.documentElement.lang") == "fr"
        assert page.url == f"{address}/?lang=fr"

        other = Watched(browser, locale="de-DE").page  # without a word in the address: the browser's language
        told = other.get_by_role("alert")
        other.goto(f"{address}/listen")
        assert other.url == f"{address}/pair"
        for _ in range(TRIES - 1):
            other.get_by_role("textbox").fill(wrong)
            with other.expect_response("**/api/pair"):
                other.get_by_role("button").click()
        expect(told).to_have_text(german["door.wrong_code"])
        other.get_by_role("button").click()
        expect(told).to_have_text(german["door.too_many"])


def test_a_door_that_is_shut_for_an_hour_says_so(tmp_path: Path) -> None:
    french = Texts("fr")
    with service("serve", "--port", "0", "--lan", data=tmp_path) as (_, ready), chromium() as browser:
        port = int(ready["address"].rstrip("/").rsplit(":", 1)[1])
        for n in range(TRIES_IN_ALL):
            transport = httpx.HTTPTransport(local_address=f"127.0.1.{1 + n // TRIES}")
            with httpx.Client(transport=transport) as stranger:
                answer = stranger.post(f"http://127.0.0.1:{port}/api/pair", json={"code": "nonsense"})
                assert answer.status_code == 403
        page = Watched(browser, locale="fr-FR").page
        page.goto(f"http://127.0.0.1:{port}/pair#{ready['code']}")
        expect(page.get_by_role("alert")).to_have_text(french("door.shut", minutes=60))


def test_an_invitation_keeps_the_language_too(tmp_path: Path) -> None:
    with service("serve", "--port", "0", "--lan", data=tmp_path) as (_, ready), chromium() as browser:
        address = f"http://127.0.0.1:{ready['address'].rstrip('/').rsplit(':', 1)[1]}"
        page = Watched(browser, locale="en-GB").page
        page.goto(f"{address}/pair?lang=it#{ready['code']}")
        expect(page.locator(".board")).to_be_visible()
        assert page.url == f"{address}/?lang=it"
        # nothing but a language goes on from there
        stranger = Watched(browser, locale="en-GB").page
        stranger.goto(f"{address}/?lang=%22%3C/script%3E")
        assert stranger.url == f"{address}/pair"


def test_a_door_whose_table_does_not_answer_says_so_and_opens_once_it_does(tmp_path: Path) -> None:
    """Nothing was said, as if the button did nothing."""
    german = Texts("de")
    with service("serve", "--port", "0", "--lan", data=tmp_path) as (_, ready), chromium() as browser:
        address = f"http://127.0.0.1:{ready['address'].rstrip('/').rsplit(':', 1)[1]}"
        page = Watched(browser, locale="de-DE").page
        page.goto(f"{address}/pair")
        page.get_by_role("textbox").fill(ready["code"])
        page.context.set_offline(True)
        page.get_by_role("button").click()
        expect(page.get_by_role("alert")).to_have_text(german["door.silent"])
        page.context.set_offline(False)
        page.get_by_role("button").click()
        expect(page.locator(".board")).to_be_visible()
