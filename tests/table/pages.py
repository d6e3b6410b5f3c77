"""A real service in a process of its own, and a real Chromium that looks at it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.parts import NODE_MODULES, ROOT

CHROMIUM = "/usr/bin/chromium"
PATIENCE_MS = 15_000  # machines are shared; a page that is right is shown at once anywhere else
LOADED_MS = 90_000  # where two other tests' browsers and a fit share two processors; the usual is two seconds
# without a graphics card one that is imitated puts pages together, which takes a second of processor more for each
QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--disable-gpu",
    # Chromium's own bar of addresses, which nobody sees, loads two pages beside each of ours: half of what one costs.
    # The last of these lists counts alone, so what Playwright has in its own is here as well
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,LensOverlay,MediaRouter,"
    "HttpsFirstBalancedModeAutoEnable,PaintHolding,ThirdPartyStoragePartitioning,NetworkTimeServiceQuerying,"
    "AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,PreconnectToSearch",
]
# nothing is drawn in 3-D, as on many an old telephone: imitated, that is most of what a page costs
FLAT = ["--disable-3d-apis"]
NOT_SOLID = "THREE.WebGLRenderer: "  # so begins what three.js says of it


@contextmanager
def running(*arguments: str) -> Iterator[str]:
    """`polartable …` until its page can be opened: the address. It must end by itself when it is asked to."""
    with service(*arguments) as (_, ready):
        yield ready["address"]


@contextmanager
def service(
    *arguments: str, data: Path | None = None, environment: dict[str, str] | None = None, cwd: Path = ROOT
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """The same: the process, and what it said when it was ready. `data`: its data directory."""
    command = [sys.executable, "-c", "from table.cli import main; main()", *arguments, "--json"]
    # a pipe that nobody reads would fill up, and hold the service in the middle of a sentence
    complaints = tempfile.TemporaryFile("w+")  # noqa: SIM115
    with (
        complaints,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            cwd=cwd,
            env=(environment or dict(os.environ)) | ({} if data is None else {"POLARTABLE_DATA": str(data)}),
        ) as process,
    ):
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line, (complaints.seek(0), complaints.read())[1]
            yield process, json.loads(line)
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


@contextmanager
def chromium() -> Iterator[Browser]:
    """One that draws nothing in 3-D; `solid` has another."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE_MS)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, *FLAT])
        yield browser
        browser.close()


@contextmanager
def solid(browser: Browser) -> Iterator[Browser]:
    """A browser beside `browser` that draws in 3-D, for one thread has one Playwright only."""
    beside = browser.browser_type.launch(executable_path=CHROMIUM, args=QUIET)
    yield beside
    beside.close()


class Watched:
    """A page with everything it asked for and complained about."""

    def __init__(self, browser: Browser, width: int = 1600, height: int = 1000, **more: Any) -> None:
        self.page: Page = browser.new_page(viewport={"width": width, "height": height}, **more)
        self.page.set_default_navigation_timeout(LOADED_MS)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda socket: self.requests.append(socket.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda m: self._note(m.text) if m.type == "error" else None)

    def _note(self, complaint: str) -> None:
        if not complaint.startswith(NOT_SOLID):
            self.complaints.append(complaint)

    def outside(self, address: str) -> list[str]:
        """Requests that went anywhere but to the service."""
        own = (address, address.replace("http", "ws"), "data:", "blob:")
        return [url for url in self.requests if not url.startswith(own)]


def complaints(page: Page) -> list[str]:
    """What axe-core finds, as one line each."""
    page.add_script_tag(path=NODE_MODULES / "axe-core" / "axe.min.js")
    # style sheets asked for anew would show the bar of a page that loads, to whoever looks a second time
    how = "{resultTypes: ['violations'], preload: false}"
    found = page.evaluate(f"axe.run(document, {how}).then(r => r.violations)")
    return [f"{v['id']} ({v['impact']}): {v['nodes'][0]['html'][:120]}" for v in found]
