"""The documentation builds as a site without a warning, and the site asks no other machine for anything."""

from __future__ import annotations

import functools
import http.server
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.parts import ROOT, needs

# what a browser fetches by itself; a link that somebody may follow is none
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=["']?(https?:)?//[^"'\s>]+"""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=site)
    ) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@needs("mkdocs")
def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if page.name != "404.html"]
    assert len(pages) > 20
    for page in pages:
        canonical = re.sub(r'<link rel="canonical"[^>]*>', "", page.read_text(encoding="utf-8"))
        assert FETCHED.search(canonical) is None, page
    for style in site.rglob("*.css"):
        assert not re.search(r"""(@import|url\()\s*["']?(https?:)?//""", style.read_text(encoding="utf-8")), (
            style
        )


@needs("mkdocs", "chromium", "playwright")
def test_a_reader_without_internet_sees_and_searches_everything(address: str) -> None:
    from tests.table.pages import Watched, chromium

    with chromium() as browser:
        watched = Watched(browser, 1200, 900)
        watched.page.goto(f"{address}architecture.html")
        assert watched.page.locator("img.wide").evaluate("image => image.naturalWidth") > 100
        watched.page.locator("input.md-search__input").click()
        watched.page.keyboard.type("pencil")
        watched.page.locator(".md-search-result__link", has_text="counting gesture").first.wait_for()
        assert watched.outside(address) == []
        assert watched.complaints == []


def test_every_page_stands_in_the_menu_once() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    docs = ROOT / "docs"
    pages = [str(page.relative_to(docs)) for page in (*docs.glob("*.md"), *docs.glob("games/*.md"))]
    assert [page for page in pages if menu.count(f": {page}\n") != 1] == []
