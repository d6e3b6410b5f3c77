"""The takes that were recorded, a sweep at a time: any of them can be thrown out, and its igloo is asked for again."""

from __future__ import annotations

import asyncio
import datetime
from functools import partial
from html import escape
from typing import TYPE_CHECKING

from calibration.recordings.folder import Recording
from calibration.recordings.taken import taken_at
from firmware_bridge.errors import PolartableError
from table.desk.said import spoken
from table.page.dialog import dialog_called
from table.page.fold import fold
from table.page.picture import Picture
from table.page.sentences import sentences
from table.page.texts import Texts
from table.recording.takes import Takes

if TYPE_CHECKING:
    from nicegui import ui

ROWS = 30  # takes shown of a sweep, the newest first, and as many more each time that somebody asks for older ones


class RecordedTakes:
    """One browser's list, closed at first. It shows the newest sweep unless somebody chose another one."""

    def __init__(self, takes: Takes, texts: Texts) -> None:
        from nicegui import ui

        self._takes, self._texts, self._say = takes, texts, sentences(texts.language)
        self._shown: object = None
        self._chosen: str | None = None
        self._most = ROWS
        self._thrown_out: str | None = None  # here, and its row is not redrawn yet
        self._rows: dict[tuple[str, bool], tuple[ui.element, ui.button | None]] = {}
        self._expansion = fold(texts["record.takes"], "takes")
        with self._expansion, ui.element("div").classes("takes"):
            ui.html(f"<p>{escape(texts['record.takes_hint'])}</p>", sanitize=False)
            self._sweeps = ui.select({}, label=texts["record.takes_of"]).classes("w-full")
            self._sweeps.on_value_change(self._choose)
            self._none = Picture()
            self._list = ui.element("ul")
            self._older = ui.button(texts["record.takes_older"], on_click=self._more).props("no-caps flat")
            self._asked = ui.element("div")

    def refresh(self) -> None:
        """Redraw what has changed; nothing while it is closed."""
        if not self._expansion.value:
            return
        now = (self._takes.stamp(), self._takes.may_throw_out(), self._chosen, self._most)
        if now != self._shown:
            self._shown = now
            self._draw(may=now[1])

    def _draw(self, may: bool) -> None:
        wrong = ""
        try:
            takes = self._takes.read()
        except PolartableError as error:
            takes, wrong = [], spoken(self._say(str(error)))
        sweeps: dict[str, list[Recording]] = {}
        for take in reversed(takes):
            sweeps.setdefault(_sweep_of(take), []).append(take)
        at = self._chosen if self._chosen in sweeps else next(iter(sweeps), None)
        self._sweeps.set_options({name: self._called(name, of) for name, of in sweeps.items()}, value=at)
        self._sweeps.set_visibility(len(sweeps) > 1)
        listed = sweeps[at] if at is not None else []
        self._older.set_visibility(len(listed) > self._most)
        none = "" if takes else wrong or self._texts["record.takes_none"]
        self._none.show(f"<p>{escape(none)}</p>" if none else "")
        self._list.set_visibility(bool(takes))
        wanted = {(take.file, take.rejected is None): take for take in listed[: self._most]}
        for key in self._rows.keys() - wanted.keys():
            self._rows.pop(key)[0].delete()
        for place, (key, take) in enumerate(wanted.items()):
            if key not in self._rows:
                self._rows[key] = self._row(take)
                self._rows[key][0].move(target_index=place)
                if take.file == self._thrown_out:  # the button that was tapped is gone
                    self._rows[key][0].run_method("focus")
                    self._thrown_out = None
        for _, button in self._rows.values():
            if button is not None:
                button.set_enabled(may)

    def _called(self, name: str, takes: list[Recording]) -> str:
        """A sweep by its name, and who shook."""
        players = ", ".join(sorted({take.player for take in takes if take.player}))
        return " · ".join(part for part in (name or self._texts["record.takes_other"], players) if part)

    def _row(self, take: Recording) -> tuple[ui.element, ui.button | None]:
        from nicegui import ui

        texts, beads = self._texts, self._beads(take)
        when = taken_at(take)
        told = [take.player or ""]
        if when is not None:
            told.append(datetime.datetime.fromtimestamp(when).strftime("%Y-%m-%d %H:%M"))
        if take.rejected is not None:
            told.append(texts("record.takes_out", why=self._say(take.rejected)))
        more = escape(" · ".join(filter(None, told)))
        words = f"<b>{escape(beads)}</b><div>{more}</div><small>{escape(take.file)}</small>"
        with self._list, ui.element("li").classes("" if take.rejected is None else "out") as row:
            row.props("tabindex=-1")
            ui.html(words, sanitize=False)
            if take.rejected is not None:
                return row, None
            button = ui.button(texts["record.throw_out"], on_click=partial(self._ask, take, beads))
            button.props("no-caps outline")
            button.props["aria-label"] = f"{texts['record.throw_out']}: {beads}, {take.file}"
        return row, button

    def _beads(self, take: Recording) -> str:
        if take.beads is None:
            return self._texts["record.beads_unknown"]
        return (
            self._texts["record.bead"] if take.beads == 1 else self._texts("record.beads", beads=take.beads)
        )

    def _choose(self) -> None:
        """Somebody chose a sweep; the newest one is followed on, also when there is a newer one."""
        newest, chosen = next(iter(self._sweeps.options), None), self._sweeps.value
        self._chosen, self._most = None if chosen == newest else chosen, ROWS

    def _more(self) -> None:
        self._most += ROWS

    def _ask(self, take: Recording, beads: str) -> None:
        """Ask whether that take is meant: nothing at the page counts it again."""
        from nicegui import ui

        texts = self._texts
        self._asked.clear()
        with (
            self._asked,
            dialog_called(texts["record.throw_out_asked"]) as dialog,
            ui.card().classes("takecard"),
        ):
            ui.label(texts["record.throw_out_asked"])
            ui.html(f"<b>{escape(beads)}</b><br>{escape(take.file)}", sanitize=False)
            with ui.element("div").classes("hands"):
                ui.button(
                    texts["record.throw_out"], on_click=partial(self._throw_out, dialog, take.file)
                ).props("no-caps unelevated")
                ui.button(texts["record.leave_it"], on_click=dialog.close).props("no-caps flat")
        dialog.open()

    async def _throw_out(self, dialog: ui.dialog, file: str) -> None:
        from nicegui import ui

        dialog.close()
        if self._takes.may_throw_out():
            self._thrown_out = file
            await asyncio.to_thread(self._takes.throw_out, file)
        else:
            ui.notify(self._texts["record.throw_out_later"])


def _sweep_of(take: Recording) -> str:
    """Its sweep, or what other programs' lists have instead; empty: nothing."""
    return take.set or "/".join(part for part in (take.device, take.session) if part)
