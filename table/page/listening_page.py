"""Trying the microphones at `/listen`: the live coach, and the ear's result for the last shake, outside a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from fastapi import Request
from fastapi.responses import RedirectResponse

from sensors.evidence import Heard
from table.door.access import Who
from table.page import ear_coach, ear_panel, tap_coach
from table.page.colours import PAINTS, chip
from table.page.frame import heading, keeping_language
from table.page.notice import asleep
from table.page.picture import Picture
from table.page.room import Room
from table.page.texts import Texts

REFRESH_S = 0.1


def install(room: Room, who: Callable[[Request], Who | None], dress: Callable[[Request], Texts]) -> None:
    """Add the page at `/listen`."""
    from nicegui import ui

    @ui.page("/listen")
    def listening(request: Request) -> Any:
        if who(request) is None:
            return RedirectResponse(keeping_language("/pair", request))
        ListeningPage(room, dress(request)).build()
        return None


class ListeningPage:
    """One browser's view of the room's ear."""

    def __init__(self, room: Room, texts: Texts) -> None:
        self._room, self._texts = room, texts
        self._shown: object = None
        self._standing = tap_coach.Standing()
        # only a counting seat: do not ask people to wait for a microphone that does not exist
        self._seat_only = room.taps is not None and not room.ear.bands

    def build(self) -> None:
        from nicegui import ui

        texts = self._texts
        with ui.element("header").classes("masthead"):
            title = texts["taps.title" if self._seat_only else "coach.title"]
            heading(title)
            ui.element("span").classes("grow")
            ui.html(f'<a href="/?lang={texts.language}">{escape(texts["train.back"])}</a>', sanitize=False)
        self._asleep = Picture(classes="w-full")
        self._asleep.element.props("aria-live=assertive")
        with ui.element("div").classes("doctor"), ui.element("section").classes("tablecard"):
            if not self._seat_only:
                self._says = Picture()
                self._says.element.props("aria-live=polite role=status data-part=says").style("width:100%")
                self._softer = Picture(classes="w-full")
                self._softer.element.props("aria-live=polite")
                self._who = Picture(classes="w-full")
                self._gauge, self._level, self._bars = (Picture(classes="w-full") for _ in range(3))
            if self._room.taps is not None:
                if not self._seat_only:
                    ui.html(f"<h2>{escape(texts['taps.title'])}</h2>", sanitize=False)
                self._taps, self._told = Picture(classes="w-full"), Picture(classes="w-full")
                self._taps.element.props("aria-live=polite")
        self.refresh()
        ui.timer(REFRESH_S, self.refresh)

    def refresh(self) -> None:
        """Redraw what has changed."""
        self._asleep.show(asleep(self._room, self._texts, all_of_them=True))
        ear, open_, taps = self._room.ear, may_tell(self._room), self._room.taps
        now = (ear.version, ear.level_db, open_, taps and taps.version)
        if now == self._shown:
            return
        self._shown = now
        if not self._seat_only:
            self._draw_ear(open_)
        if taps is not None:
            self._taps.show("" if taps.advice is None else tap_coach.steps(taps.advice, self._texts))
            answer = self._standing.of(taps.heard, taps.advice)
            self._told.show(tap_coach.told(answer, open_, self._texts))

    def _draw_ear(self, open_: bool) -> None:
        ear, texts = self._room.ear, self._texts
        felt = bool(ear.bands) and ear.felt >= set(ear.bands)
        words = ear_coach.advice(ear.heard, ear.band, texts, open_, felt)
        if ear.heard is None and not ear.bands and not self._room.simulated:
            words = self._deaf()
        words = texts["coach.shaking"] if ear.shaking else words
        fault = ear_coach.of_sound(ear.heard, open_)
        tone = "refused" if fault and not ear.shaking else "told"
        self._says.show(f'<p class="says {tone}">{escape(words)}</p>')
        self._softer.show("" if ear.shaking else softer(ear.softer, texts))
        seat = ear.seat
        name = "" if seat is None else _called(seat, texts)
        picture = chip(seat, 24) if seat is not None and seat in PAINTS else ""
        whose = texts("coach.seat_felt" if seat in ear.felt else "coach.seat", seat=name)
        self._who.show(f"<h3>{picture} {escape(whose)}</h3>" if name else "")
        self._gauge.show(ear_coach.gauge(ear.strength, ear.band, texts))
        self._level.show(ear_panel.level(ear.level_db, texts))
        heard = ear.heard
        if not open_ and (heard is None or heard.probabilities):
            self._bars.show(f"<p>{escape(texts['coach.hidden'])}</p>")
        elif heard is not None and not ear.shaking and heard.probabilities and not fault:
            self._bars.show(ear_panel.bars(heard.probabilities, heard.verdict, texts))
        else:
            self._bars.show("")

    def _deaf(self) -> str:
        """Why nothing will be heard however anybody shakes."""
        safe = self._room.safe_mode
        return self._texts["coach.no_ear"] if safe is None else self._texts("page.safe_mode", why=safe)


def softer(heard: Mapping[str, Heard], texts: Texts) -> str:
    """What to do at seats whose microphones may have too little gain for their own shakes."""
    told = [
        f"{_called(seat, texts)}: {ear_coach.advice(one, None, texts)}" for seat, one in sorted(heard.items())
    ]
    return "".join(f'<p class="says refused softer" data-part=softer>{escape(words)}</p>' for words in told)


def _called(seat: str, texts: Texts) -> str:
    return texts[f"colour.{seat}"] if seat in PAINTS else seat


def may_tell(room: Room) -> bool:
    """Whether counts may be shown: never during a round of Igloo Pop at a real table (docs/architecture.md)."""
    desk = room.desks.get("igloo-pop")
    if room.shows_counts or desk is None or desk.sitting.over is not None:
        return True
    return desk.view(None)["phase"] == "countdown" and not room.ear.of_round(desk.view(None)["round"])
