"""The hub's page: a card per table that keeps its place, and one line that says whether somebody is needed."""

from __future__ import annotations

from html import escape
from typing import Any, Protocol

from fastapi import FastAPI, Request

from table.fleet.hub import Hub
from table.fleet.messages import Event
from table.fleet.shown import Table
from table.page import toolkit
from table.page.colours import PAINTS, disc
from table.page.dialog import dialog_called
from table.page.frame import dress, heading, mount, style
from table.page.picture import Picture
from table.page.sentences import sentences
from table.page.texts import Texts, catalogue

REFRESH_S = 0.5
TOLD = 60  # events shown for one table
_ONE_LINE = 160  # characters of the last sentence on a card


class Follows(Protocol):
    """What the page needs: the hub, what is wrong with its connection (None: nothing), and the newest sentences."""

    hub: Hub
    why: str | None


def install(app: FastAPI, following: Follows) -> None:
    """Add the page to a web application. None of its requests leaves this machine."""
    toolkit.prepare()
    from nicegui import ui

    css = style("page.css", "hub.css")

    @ui.page("/")
    async def page(request: Request) -> Any:
        HubPage(following, dress(request, css)).build()

    mount(app, "Polartable hub")


class HubPage:
    """One browser's page."""

    def __init__(self, following: Follows, texts: Texts) -> None:
        self.following, self.texts = following, texts
        self._cards: dict[str, Picture] = {}

    def build(self) -> None:
        from nicegui import ui

        with ui.element("header").classes("masthead"):
            heading(self.texts["hub.title"])
            self._summary = Picture(classes="grow")
            self._summary.element.props("aria-live=polite role=status")
        self._lost = Picture(classes="w-full")
        self._lost.element.props("aria-live=assertive")
        self._grid = ui.element("main").classes("fleet")
        self.refresh()
        ui.timer(REFRESH_S, self.refresh)

    def refresh(self) -> None:
        hub, texts = self.following.hub, self.texts
        tables = sorted(hub.tables.values(), key=lambda table: table.name)
        why = self.following.why
        self._summary.show(f'<p class="summary">{escape(summary(tables, texts, why is None))}</p>')
        self._lost.show("" if why is None else f'<p class="asleep">{escape(why)}</p>')
        if [table.name for table in tables] != list(self._cards):
            self._grid.clear()
            with self._grid:
                self._cards = {table.name: Picture(self._tapped) for table in tables}
        now = hub.clock.now()
        for table in tables:
            self._cards[table.name].show(card(table, texts, now))

    def _tapped(self, names: list[str], _at: int) -> None:
        """A card was tapped: show what was said at that table, the newest last."""
        from nicegui import ui

        table = self.following.hub.tables.get(names[0])
        if table is None or table.book is None:
            return
        with self._grid, dialog_called(_title(table)) as dialog, ui.card().classes("told"):
            ui.html(f"<h2>{escape(_title(table))}</h2>", sanitize=False)
            ui.html(told(self.following.hub.book.last(table.book, TOLD), self.texts), sanitize=False)
            ui.button(self.texts["hub.close"], on_click=dialog.close).props("no-caps outline")
        dialog.on("hide", dialog.delete)
        dialog.open()


def told(events: list[str], texts: Texts) -> str:
    """The sentences of events in the page's language, as HTML."""
    say = sentences(texts.language)
    rows = [
        f"<li>{escape(say(sentence.text))}{f' <span>{escape(sentence.rule)}</span>' if sentence.rule else ''}</li>"
        for event in events
        for sentence in Event.model_validate_json(event).said
    ]
    return f'<ol class="toldlist">{"".join(rows)}</ol>'


def summary(tables: list[Table], texts: Texts, heard: bool = True) -> str:
    """How many tables there are, and which of them need somebody. `heard`: the connection is sound."""
    if not tables:
        return texts["hub.none"]
    needing = [t for t in tables if _mood(t, texts)[0] in _NEEDING]
    words = texts("hub.tables", n=len(tables))
    amiss = [] if heard else [texts["hub.broker_amiss"]]
    if needing:
        names = ", ".join(_title(t) for t in needing[:8]) + (" …" if len(needing) > 8 else "")
        return " ".join([words, *amiss, texts("hub.needed", n=len(needing), names=names)])
    return " ".join([words, *(amiss or [texts["hub.all_well"]])])


def _title(table: Table) -> str:
    return table.state.title if table.state is not None else table.name


def card(table: Table, texts: Texts, now: float) -> str:
    """One table, as HTML; everything that came over the broker is escaped."""
    state = table.state
    mood, word = _mood(table, texts)
    tap = f'data-moves="{escape(table.name)}" tabindex=0 role=button'
    out = [
        f'<article class="fleetcard {mood}" {tap}><h2>{escape(_title(table))}<span>{escape(word)}</span></h2>'
    ]
    if state is not None:
        over = state.over or {}
        key = f"hub.game_{state.of.replace('-', '_')}"
        game = texts[key] if key in GAMES else state.of
        out.append(f"<p class=game>{escape(game)} · {escape(_phase(state.phase, bool(over), texts))}</p>")
        out.append(f"<p class=who>{_seats(state.players, [] if over else state.to_act, texts)}</p>")
        said = str(over.get("text", "")) if over else (state.said.text if state.said else "")
        said = sentences(texts.language)(said)
        out.append(f'<p class="sentence">{escape(_short(said[:1].upper() + said[1:]))}</p>')
        faults = [*state.faults, *([table.odd] if table.odd else [])]
        out += [f'<p class="fault">{escape(_short(fault))}</p>' for fault in faults[:3]]
    out.append(f'<p class="ago">{escape(_ago(table, texts, now))}</p></article>')
    return "".join(out)


_NEEDING = ("away", "ill", "asks")
_PHASES = frozenset(key for key in catalogue("en") if key.startswith("hub.phase_"))
GAMES = ("hub.game_igloo_pop", "hub.game_ice_cult", "hub.game_igloo_igloo", "hub.game_igloo")


def _mood(table: Table, texts: Texts) -> tuple[str, str]:
    if table.closed:
        return "closed", texts["hub.closed"]
    if not table.online:
        return "away", texts["hub.away"]
    if table.odd or (table.state is not None and not table.state.healthy):
        return "ill", texts["hub.ill"]
    if table.state is not None and table.state.asks:
        return "asks", texts["hub.asks"]
    return "well", ""


def _phase(phase: str, over: bool, texts: Texts) -> str:
    """A phase in words; an unknown one, from a later version, as it is."""
    key = f"hub.phase_{phase.replace('-', '_')}"
    return texts["hub.over"] if over else texts[key] if key in _PHASES else phase.replace("-", " ")


def _seats(players: list[str], acting: list[str], texts: Texts) -> str:
    """Each seat as a disc; whoever is to act is highlighted and named."""
    out = []
    for seat in players:
        mark = (
            f'<svg class="chip" width="22" height="22" viewBox="0 0 22 22">{disc(seat, 11, 11, 9)}</svg>'
            if (seat in PAINTS)
            else ""
        )
        word = escape(texts[f"colour.{seat}"] if seat in PAINTS else seat)
        name = f"<b>{word}</b>" if seat in acting else f"<span>{word}</span>"
        out.append(f"<span class=seat>{mark}{name}</span>")
    return "".join(out)


def _short(text: str) -> str:
    return text if len(text) <= _ONE_LINE else text[: _ONE_LINE - 1] + "…"


def _ago(table: Table, texts: Texts, now: float) -> str:
    if table.heard is None:
        return texts["hub.not_yet"]
    minutes = int((now - table.heard) // 60)
    words = texts["hub.just_now"] if minutes < 1 else texts("hub.ago", minutes=minutes)
    missed = f" · {texts('hub.missed', n=table.missed)}" if table.missed else ""
    return f"{words}{missed}"
