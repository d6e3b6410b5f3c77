"""The page at `/`: one per browser, redrawn ten times a second where something has changed."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse

from table.door.access import Access, Who
from table.page import doctor_page, listening_page, toolkit, trainer_page
from table.page.chairs import Chairs
from table.page.door import Door, router
from table.page.frame import dress, keeping_language, language_of, mount, style
from table.page.invite import invite
from table.page.new_game import NewGame
from table.page.notice import Notice, asleep
from table.page.panel import Panel
from table.page.picture import Picture
from table.page.room import Room
from table.page.tabs import Tabs
from table.page.texts import LANGUAGES, Texts

REFRESH_S = 0.1
# where the games are stacked, as in page.css
_NARROW = "() => emit(matchMedia('(max-width: 1050px)').matches)"
_CURRENT = " aria-current=true"


def install(app: FastAPI, room: Room, access: Access | None = None) -> None:
    """Add the page to a web application. No request of the page leaves this machine."""
    toolkit.prepare()
    from nicegui import ui

    css = style("page.css")
    door, tabs = Door(access), Tabs()
    if access is not None:
        app.include_router(router(language_of))

    @ui.page("/")
    async def page(request: Request) -> Any:
        chairs = door.chairs(room, request)
        if chairs.who() is None:
            return RedirectResponse(keeping_language("/pair", request))
        TablePage(room, dressed(request), chairs).build()
        ui.context.client.on_connect(lambda client: tabs.show(client.tab_id, chairs))
        ui.context.client.on_delete(lambda: tabs.close(chairs))
        return None

    def dressed(request: Request) -> Texts:
        return dress(request, css)

    def who(request: Request) -> Who | None:
        return door.chairs(room, request).who()

    app.include_router(trainer_page.router(room.trainer, who))
    trainer_page.install(room.trainer, who, dressed)
    listening_page.install(room, who, dressed)
    doctor_page.install(room.checks, who, dressed)

    mount(app, "Polartable")


def panels() -> dict[str, Callable[[Room, str, Texts, Chairs], Panel]]:
    """Each game's own part of the page."""
    from table.page.panel_ice_cult import IceCultPanel
    from table.page.panel_igloo_pop import IglooPopPanel
    from table.page.panel_looney import LooneyPanel
    from table.page.panel_plain import IglooIglooPanel

    return {
        "igloo-pop": IglooPopPanel,
        "ice-cult": IceCultPanel,
        "igloo-igloo": IglooIglooPanel,
        "igloo": LooneyPanel,
    }


class TablePage:
    """One browser's page. It has a panel for each game on the table."""

    def __init__(self, room: Room, texts: Texts, chairs: Chairs) -> None:
        self.room, self.texts, self.chairs = room, texts, chairs
        self.role: str | None = None
        self.panels: list[Panel] = []
        self._games: tuple[str, ...] = ()
        self._paused = self._narrow = False

    def build(self) -> None:
        from nicegui import ui

        ui.html(f'<a class="skip" href="#tables">{escape(self.texts["page.skip"])}</a>', sanitize=False)
        self._head()
        self._notice = Notice(self.room, self.texts, lambda: self.role == "host")
        self._asleep = Picture(classes="w-full")
        self._asleep.element.props("aria-live=assertive")
        self._tables = ui.element("div").classes("tables").props("id=tables")
        self.refresh()
        ui.timer(REFRESH_S, self.refresh)

    def refresh(self) -> None:
        """Redraw what has changed."""
        games, who = tuple(self.room.desks), self.chairs.who()
        role = None if who is None else who.role
        if games != self._games or role != self.role:
            self._games, self.role = games, role
            self._build_panels()
        for panel in self.panels:
            panel.refresh()
        self._notice.refresh()
        self._asleep.show(asleep(self.room, self.texts))
        if self.room.simulated and self.room.paused != self._paused:
            self._paused = self.room.paused
            self._pause.set_text(self.texts["page.go_on" if self._paused else "page.pause"])

    def _build_panels(self) -> None:
        kinds = panels()
        self._tables.clear()
        self.panels = []
        with self._tables:
            for game in self.room.desks:
                panel = kinds[game](self.room, game, self.texts, self.chairs)
                panel.narrow = self._narrow
                panel.build()
                self.panels.append(panel)

    def _head(self) -> None:
        from nicegui import ui

        texts = self.texts
        with ui.element("header").classes("masthead"):
            ui.element("q-resize-observer").on("resize", self._resized, js_handler=_NARROW)
            ui.html(f"<h1>{escape(texts['page.title'])}</h1>", sanitize=False)
            ui.html(f'<span class="tagline">{escape(texts["page.tagline"])}</span>', sanitize=False)
            ui.element("span").classes("grow")
            if self.room.simulated:
                words, long = escape(texts["page.simulated"]), escape(texts["page.simulated_long"])
                ui.html(f'<span class="badge" title="{long}">{words}</span>', sanitize=False)
                self._pause = ui.button(texts["page.pause"], on_click=self._toggle).props("no-caps outline")
            who = self.chairs.who()
            if who is not None and who.role == "host" and not self.room.simulated:
                new_game = NewGame(
                    texts, self.room.begin, self._last_played, self._with_own_pieces, self.room.options_before
                )
                ui.button(texts["new.another"], on_click=new_game.open).props("no-caps outline")
            if who is not None and who.role == "host":
                invite(self.room, texts)
                ui.html(
                    f'<a href="/doctor?lang={texts.language}">{escape(texts["doctor.link"])}</a>',
                    sanitize=False,
                )
            ui.html(
                f'<a href="/listen?lang={texts.language}">{escape(texts["coach.link"])}</a>', sanitize=False
            )
            ui.html(
                f'<a href="/trainer?lang={texts.language}">{escape(texts["train.link"])}</a>', sanitize=False
            )
            links = " ".join(
                f'<a href="?lang={code}" lang="{code}"{_CURRENT if code == texts.language else ""}>{name}</a>'
                for code, name in LANGUAGES.items()
            )
            label = escape(texts["page.language"])
            ui.html(f'<nav aria-label="{label}">{links}</nav>', sanitize=False).classes("languages")

    def _last_played(self) -> tuple[str, int]:
        """The game on the table, and its number of players."""
        sitting = next(iter(self.room.desks.values())).sitting
        return sitting.game.name, len(sitting.game.seats(sitting.state))

    def _with_own_pieces(self) -> bool:
        """Whether the game on the table is played with people's own pieces."""
        desk = next(iter(self.room.desks.values()))
        return bool(desk.view(None)["options"].get("mode") != "digital")

    def _resized(self, event: Any) -> None:
        """The browser reported the window's width, at first or after a change."""
        self._narrow = event.args
        for panel in self.panels:
            panel.narrow = self._narrow

    def _toggle(self) -> None:
        self.room.pause(not self.room.paused)
        self.refresh()
