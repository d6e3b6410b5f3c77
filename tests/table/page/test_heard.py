"""The page for whoever has it read out: what things are called, and that nothing drowns what matters."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.parts import needs
from tests.table.page.test_taken_once import Host
from tests.table.pages import service

pytestmark = needs("chromium", "playwright")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with service("serve", "--port", "0", data=tmp_path_factory.mktemp("data")) as (_, ready):
        yield ready["address"]


def test_a_fold_is_called_by_its_title_alone(address: str, browser: Browser) -> None:
    """The toolkit said “Expand "Züge"”, in English on every page; that it opens is told by its state."""
    host = Host(browser, f"{address}?lang=de")
    for title, opened in (("Was der Schiedsrichter sagte", "true"), ("Züge", "false")):
        expect(host.button(title)).to_have_attribute("aria-expanded", opened)
