"""The doctor's list at `/doctor`, for the host: the checks of `polartable doctor`, for the running table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from fastapi import Request
from fastapi.responses import RedirectResponse

from table.doctor.findings import MARKS, Check, Finding
from table.door.access import Who
from table.page.frame import heading, keeping_language
from table.page.picture import Picture
from table.page.texts import Texts, catalogue


def install(
    checks: Callable[[], Sequence[Check]],
    who: Callable[[Request], Who | None],
    dress: Callable[[Request], Texts],
) -> None:
    """Add the page at `/doctor`; anybody but the host is redirected to the table."""
    from nicegui import ui

    @ui.page("/doctor")
    def doctor(request: Request) -> Any:
        found = who(request)
        if found is None or found.role != "host":
            return RedirectResponse(keeping_language("/" if found is not None else "/pair", request))
        DoctorPage(checks, dress(request)).build()
        return None


class DoctorPage:
    """One run of the checks, one by one; a check that waits does not block other pages."""

    def __init__(self, checks: Callable[[], Sequence[Check]], texts: Texts) -> None:
        self._checks, self._texts = checks, texts
        self._busy = False

    def build(self) -> None:
        from nicegui import ui

        texts = self._texts
        with ui.element("header").classes("masthead"):
            heading(texts["doctor.title"])
            ui.element("span").classes("grow")
            ui.html(f'<a href="/?lang={texts.language}">{escape(texts["train.back"])}</a>', sanitize=False)
        with ui.element("div").classes("doctor"), ui.element("section").classes("tablecard"):
            self._words = Picture()
            self._words.element.props("role=status data-part=says").style("width:100%")
            self._list = Picture(classes="w-full")
            ui.button(texts["doctor.again"], on_click=self._look).props("no-caps outline")
        ui.timer(0.05, self._look, once=True)

    async def _look(self) -> None:
        if self._busy:
            return
        self._busy = True
        rows, worst = list[str](), "good"
        self._words.show(_says(self._texts["doctor.looking"], "told"))
        try:
            for check in self._checks():
                finding = await asyncio.to_thread(check.found)
                rows.append(row(check, finding, self._texts))
                worst = min(worst, finding.state, key=("bad", "look", "good", "not here").index)
                self._list.show(f'<ol class="checks">{"".join(rows)}</ol>')
        finally:
            self._busy = False
        key = {"bad": "doctor.bad", "look": "doctor.look"}.get(worst, "doctor.good")
        self._words.show(_says(self._texts[key], "fault" if worst == "bad" else "told"))


def row(check: Check, finding: Finding, texts: Texts) -> str:
    """A check with its mark, its finding and its remedy; no state depends on colour alone."""
    state = finding.state.replace(" ", "_")
    name = catalogue(texts.language).get(f"doctor.check_{check.number}", check.name)
    # findings and remedies are English on every page
    mend = f'<span class="mend" lang="en">{escape(finding.mend)}</span>' if finding.mend else ""
    return (
        f'<li class="{state}" value="{check.number}"><b aria-hidden="true">{MARKS[finding.state]}</b>'
        f"<div><strong>{check.number}. {escape(name)}</strong> · <em>{escape(texts[f'doctor.state_{state}'])}</em>"
        f'<p lang="en">{escape(finding.what)}</p>{mend}</div></li>'
    )


def _says(words: str, tone: str) -> str:
    return f'<p class="says {tone}">{escape(words)}</p>'
