"""The page at `/`: one a browser, refreshed ten times a second from what has changed."""

from __future__ import annotations

import uuid
from html import escape
from importlib.resources import files

from fastapi import FastAPI, Request

from table.page.panel import Panel
from table.page.room import Room
from table.page.texts import LANGUAGES, Texts

REFRESH_S = 0.1
RECONNECT_S = 30.0  # a phone that slept, a machine that was busy: the page goes on where it was


def install(app: FastAPI, room: Room) -> None:
    """Put the page into a web application. No request of the page leaves this machine."""
    from nicegui import ui

    css = files("table.page").joinpath("page.css").read_text(encoding="utf-8")

    @ui.page("/")
    async def page(request: Request, lang: str | None = None) -> None:
        texts = Texts(lang or preferred(request.headers.get("accept-language", "")))
        ui.add_head_html(f"<style>{css}</style>")
        ui.add_head_html(f"<script>document.documentElement.lang='{texts.language}'</script>")
        ui.colors(primary="#0b5f94")
        TablePage(room, texts).build()

    ui.run_with(
        app, title="Polartable", favicon=FAVICON, dark=None, tailwind=False, show_welcome_message=False
    )


FAVICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M6 52a26 34 0 0 1 52 0z" fill="#dcebf4" '
    'stroke="#10212e" stroke-width="4"/><path d="M24 52a8 12 0 0 1 16 0z" fill="#10212e"/></svg>'
)


def preferred(header: str) -> str:
    """The first language of an Accept-Language header that the page speaks."""
    for part in header.split(","):
        code = part.split(";")[0].strip().lower()[:2]
        if code in LANGUAGES:
            return code
    return "en"


class TablePage:
    """One browser's page. Its panels are the games that are on the table."""

    def __init__(self, room: Room, texts: Texts) -> None:
        self.room, self.texts = room, texts
        self.browser = uuid.uuid4().hex
        self.panels: list[Panel] = []
        self._paused = False

    def build(self) -> None:
        from nicegui import ui

        from table.page.panel_ice_cult import IceCultPanel
        from table.page.panel_igloo_pop import IglooPopPanel

        kinds: dict[str, type[Panel]] = {"igloo-pop": IglooPopPanel, "ice-cult": IceCultPanel}
        texts = self.texts
        ui.html(f'<a class="skip" href="#tables">{escape(texts["page.skip"])}</a>', sanitize=False)
        self._head()
        with ui.element("main").classes("tables").props("id=tables"):
            for game in self.room.desks:
                if game in kinds:
                    panel = kinds[game](self.room, game, texts, self.browser, host=True)
                    panel.build()
                    self.panels.append(panel)
        self.refresh()
        ui.timer(REFRESH_S, self.refresh)

    def refresh(self) -> None:
        for panel in self.panels:
            panel.refresh()
        if self.room.simulated and self.room.paused != self._paused:
            self._paused = self.room.paused
            self._pause.set_text(self.texts["page.go_on" if self._paused else "page.pause"])

    def _head(self) -> None:
        from nicegui import ui

        texts = self.texts
        with ui.element("header").classes("masthead"):
            ui.html(f"<h1>{escape(texts['page.title'])}</h1>", sanitize=False)
            ui.html(f'<span class="tagline">{escape(texts["page.tagline"])}</span>', sanitize=False)
            ui.element("span").classes("grow")
            if self.room.simulated:
                words, long = escape(texts["page.simulated"]), escape(texts["page.simulated_long"])
                ui.html(f'<span class="badge" title="{long}">{words}</span>', sanitize=False)
                self._pause = ui.button(texts["page.pause"], on_click=self._toggle).props("no-caps outline")
            links = " ".join(
                f'<a href="?lang={code}" lang="{code}" {"aria-current=true" if code == texts.language else ""}>{name}</a>'
                for code, name in LANGUAGES.items()
            )
            ui.html(
                f'<nav aria-label="{escape(texts["page.language"])}">{links}</nav>', sanitize=False
            ).classes("languages")

    def _toggle(self) -> None:
        self.room.pause(not self.room.paused)
        self.refresh()
