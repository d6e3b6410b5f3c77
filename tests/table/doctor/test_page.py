"""The doctor's list on the page: for the host alone, of the running table, every check with a name in each language."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from table.config import Settings
from table.doctor.checks import all_checks
from table.doctor.findings import Check, Finding
from table.page.doctor_page import row
from table.page.texts import LANGUAGES, Texts, catalogue
from tests.parts import needs
from tests.table.pages import Watched, chromium, service


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_check_has_a_name_in_every_language(language: str) -> None:
    known = catalogue(language)
    checks = all_checks(Settings.read(None))
    assert [c.number for c in checks if f"doctor.check_{c.number}" not in known] == []
    assert [k for k in known if k.startswith("doctor.check_")] == [f"doctor.check_{c.number}" for c in checks]


def test_a_check_that_faints_is_a_finding_and_nothing_breaks_out_of_the_list() -> None:
    def faints() -> Finding:
        raise OSError("<script>")

    check = Check(3, "disk", faints)
    shown = row(check, check.found(), Texts("en"))
    assert "the check itself failed" in shown
    assert "<script>" not in shown
    assert "<strong>3. Disk</strong>" in shown  # troubleshooting sends people to a check by its number


def test_what_a_check_finds_is_read_out_in_its_own_language_on_every_page() -> None:
    check = Check(3, "disk", lambda: Finding("bad", "the disk is full", "make room on it"))
    shown = row(check, check.found(), Texts("de"))
    assert '<p lang="en">the disk is full</p>' in shown
    assert 'lang="en">make room on it<' in shown


@needs("chromium", "playwright")
def test_the_host_looks_at_the_list_and_a_guest_does_not(tmp_path: Path) -> None:
    with service("serve", "--port", "0", "--lan", data=tmp_path) as (_, ready), chromium() as browser:
        address = f"http://127.0.0.1:{ready['address'].rstrip('/').rsplit(':', 1)[1]}"
        watched = Watched(browser, locale="de-DE")
        host = watched.page
        host.goto(f"{address}/pair#{ready['host_code']}")
        host.get_by_role("link", name="Doktor").click()
        expect(host.locator(".checks li")).to_have_count(len(all_checks(Settings.read(None))), timeout=60_000)
        expect(host.locator(".checks")).to_contain_text(
            "Journal · gut"
        )  # though the table itself writes in it
        expect(host.locator("[data-part=says]")).not_to_contain_text("Sieht nach", timeout=60_000)
        assert watched.complaints == []
        guest = Watched(browser).page
        guest.goto(f"{address}/pair#{ready['code']}")
        expect(guest.locator(".board")).to_be_visible()
        assert guest.get_by_role("link", name="Doctor").count() == 0
        guest.goto(f"{address}/doctor")
        expect(guest.locator(".board")).to_be_visible()
        assert guest.locator(".checks").count() == 0
        host.screenshot(path=str(tmp_path / "doctor.png"), full_page=True)
        stranger = Watched(browser).page
        stranger.goto(f"{address}/doctor")
        assert stranger.url.endswith("/pair")
