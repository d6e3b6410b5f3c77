"""The page of the recording wizard: which igloo is next, how hard to shake it, and whether its take is kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, RedirectResponse

from calibration.words import on_page
from table.desk.said import spoken
from table.page import ear_coach, ear_panel, tap_coach, toolkit
from table.page.buttons import PLAIN, QUIET, STRONG, Buttons, Offer
from table.page.frame import dress, heading, keeping_language, mount, style
from table.page.picture import Picture
from table.page.recorded_takes import RecordedTakes
from table.page.sentences import sentences
from table.page.texts import LANGUAGES, Texts
from table.recording.asking import Deed, Question, Turn
from table.recording.desk import RecordingDesk
from table.recording.fitting import Fitting
from table.recording.takes import Takes
from table.steps import Steps

REFRESH_S = 0.1
FRESH_S = (
    0.7  # a tap within this time was meant for what lay here before: another phone's answer took it away
)
TOLD = 8  # sentences shown, the newest first
_FITS = {
    "fits": "record.fits",
    "reports": "record.reports",
    "fitted": "record.fitted",
    "reported": "record.reported",
    "failed": "record.failed",
    "unreported": "record.unreported",
}
# a report's pictures are in it; whatever else somebody wrote into that file loads and runs nothing
_REPORT_LOADS = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)


def install(
    app: FastAPI, desk: RecordingDesk, takes: Takes, fitting: Fitting, may_record: Callable[[Request], bool]
) -> None:
    """Add the page at `/` to a web application, and the last report at `/report`. Others are sent to `/pair`."""
    toolkit.prepare()
    from nicegui import ui

    css = style("page.css")

    @ui.page("/")
    async def page(request: Request) -> Any:
        if not may_record(request):
            return RedirectResponse(keeping_language("/pair", request))
        RecordingPage(desk, takes, fitting, dress(request, css)).build()
        return None

    @app.get("/report", include_in_schema=False)
    async def report(request: Request) -> Any:
        if not may_record(request):
            return RedirectResponse(keeping_language("/pair", request))
        file = fitting.report
        if file is None:
            return RedirectResponse(keeping_language("/", request))
        headers = {"cache-control": "no-store", "content-security-policy": _REPORT_LOADS}
        return FileResponse(file, media_type="text/html", headers=headers)

    mount(app, "Polartable")


class RecordingPage:
    """One browser's page. All browsers show one wizard, and any of them answers it."""

    def __init__(self, desk: RecordingDesk, takes: Takes, fitting: Fitting, texts: Texts) -> None:
        self._desk, self._takes, self._fitting, self._texts = desk, takes, fitting, texts
        self._say = sentences(texts.language)
        self._at = desk.shown()
        self._drawn: object = None
        self._fresh = False  # it began to listen just now

    def build(self) -> None:
        from nicegui import ui

        texts = self._texts
        with ui.element("header").classes("masthead"):
            heading(texts["record.title"])
            ui.element("span").classes("grow")
            if self._desk.simulated:
                ui.html(f'<span class="badge">{escape(texts["page.simulated"])}</span>', sanitize=False)
            links = " ".join(
                f'<a href="?lang={code}" lang="{code}"{" aria-current=true" if code == texts.language else ""}>'
                f"{name}</a>"
                for code, name in LANGUAGES.items()
            )
            label = escape(texts["page.language"])
            ui.html(f'<nav aria-label="{label}">{links}</nav>', sanitize=False).classes("languages")
        with ui.element("div").classes("doctor recording"):
            with ui.element("section").classes("tablecard").props(f'aria-label="{texts["record.title"]}"'):
                self._says = Picture()
                self._says.element.props("aria-live=polite role=status data-part=says").style("width:100%")
                self._course = Picture(classes="w-full")
                self._hears = Picture(classes="w-full")
                self._who = ui.input(texts["record.who"], value=self._desk.player)
                self._who.props("outlined dense maxlength=60").classes("w-full")
                self._who.on("keydown.enter", self._begin)
                self._buttons = Buttons()
            with ui.element("section").classes("tablecard").props(f'aria-label="{texts["record.told"]}"'):
                ui.html(f"<h2>{escape(texts['record.told'])}</h2>", sanitize=False)
                self._told = Picture(classes="w-full")
                self._fitted = Picture(classes="w-full")
            with ui.element("section").classes("tablecard").props(f'aria-label="{texts["record.takes"]}"'):
                self._listed = RecordedTakes(self._takes, texts)
        self.refresh()
        ui.timer(REFRESH_S, self.refresh)

    def refresh(self) -> None:
        """Redraw what has changed."""
        self._listed.refresh()
        now, at = (self._desk.version, self._fitting.version), self._desk.shown()
        self._fresh = at.phase == "hears" and self._desk.clock.now() - at.since_s < FRESH_S
        if (now, self._fresh) == self._drawn:
            return
        self._drawn, self._at = (now, self._fresh), at
        said = [spoken(self._say(text)) for text in at.said]
        tone, words, how = self._state(said)
        how = f'<span class="instead">{escape(how)}</span>' if how else ""
        self._says.show(f'<p class="says {tone}">{escape(words)}{how}</p>')
        self._course.show(self._progress())
        self._hears.show(self._take() if at.phase == "hears" else "")
        self._who.set_visibility(at.phase == "idle")
        self._buttons.show(self._offers())
        rows = "".join(self._row(text, spoken(self._say(text))) for text in reversed(at.said[-TOLD:]))
        self._told.show(f"<ul>{rows}</ul>" if rows else "")
        self._fitted.show(self._fit())

    def _state(self, said: list[str]) -> tuple[str, str, str]:
        """In which tone, what the person is told in large letters, and what in smaller ones."""
        at, texts, question = self._at, self._texts, self._at.question
        if at.phase == "idle":
            fits = self._fitting.state
            if fits != "idle" and self._fitting.changed_s >= at.said_s:
                return "refused" if fits in ("failed", "unreported") else "told", texts[_FITS[fits]], ""
            return "told", said[-1] if said else texts["record.intro"], ""
        if at.phase == "stops":
            return "told", texts["record.stopping"], ""
        if question is not None:
            return "asks", *self._asked(question, said)
        if at.advice is not None and at.turn is not None:  # what to do at the seat is said below
            return "told", self._igloo("take", at.turn), ""
        if at.meter is not None:
            return "over" if at.meter.advice == "enough" else "told", texts[_coach(at.meter.advice)], ""
        return "told", texts["record.waiting"], ""

    def _asked(self, question: Question, said: list[str]) -> tuple[str, str]:
        texts, turn = self._texts, question.turn
        if turn is not None:
            return self._igloo("take", turn), f"{texts['record.anew']} {spoken(self._say(turn.asks))}"
        if not question.words:  # the disk was full, as the last sentence says
            return texts["record.unwritten"], said[-1] if said else ""
        return f"{spoken(self._say(question.words))} {texts['record.keep']}", ""

    def _igloo(self, key: str, turn: Turn) -> str:
        texts = self._texts
        return texts[f"record.{key}_one"] if turn.beads == 1 else texts(f"record.{key}", beads=turn.beads)

    def _take(self) -> str:
        """The meters of a shake, or what to do at a seat."""
        at, texts = self._at, self._texts
        if at.meter is not None:
            return ear_coach.gauge(at.meter.strength, at.band, texts) + ear_panel.level(
                at.meter.level_db, texts
            )
        return "" if at.advice is None else tap_coach.steps(at.advice, texts)

    def _progress(self) -> str:
        """How far the sweep is, as a bar and in words, and which igloo it is at if the large words do not say so."""
        at, turn = self._at, self._at.turn
        if turn is None:
            return ""
        said = at.advice is not None or (at.question is not None and at.question.turn is not None)
        igloo = "" if said else f"<p>{escape(self._igloo('taken', turn))}</p>"
        words = escape(self._texts("record.progress", number=turn.number, of=turn.of))
        return (
            f'<p class="course"><progress max="{turn.of}" value="{turn.number - 1}" aria-label="{words}"></progress> '
            f"{words}</p>{igloo}"
        )

    def _fit(self) -> str:
        """What the fit printed, as far as it is known in the page's language, and the way to its report."""
        fitting, texts = self._fitting, self._texts
        rows = "".join(self._printed(line.removeprefix("polartable: ")) for line in fitting.said)
        if fitting.busy:
            above = self._bar(texts[_FITS[fitting.state]], fitting.steps)
        elif fitting.report is not None:
            above = f'<p><a href="/report" hreflang="en">{escape(texts["record.report"])}</a></p>'
            above += f"<p>{escape(texts['record.report_outdated'])}</p>" if fitting.outdated() else ""
        else:
            above = ""
        return f"{above}<ul>{rows}</ul>" if rows else above

    def _bar(self, words: str, steps: Steps | None) -> str:
        """How far it is, as a bar and in words; a bar without an end until that is known."""
        value, far = "", ""
        if steps is not None:
            value = f' max="{steps.of}" value="{steps.done}"'
            far = f"{self._say(steps.text)}: {self._texts('record.progress', number=steps.done, of=steps.of)}"
            far = f"<p>{escape(spoken(far))}</p>"
        words = escape(words)
        return f'<p>{words}</p><progress class="w-full"{value} aria-label="{words}"></progress>{far}'

    def _printed(self, line: str) -> str:
        return self._row(line, on_page(self._say(line)))

    def _row(self, text: str, words: str) -> str:
        """What was said, in these words; what stays English is marked for screen readers."""
        english = "" if self._say.known(text) else ' lang="en"'
        return f"<li{english}>{escape(words)}</li>"

    def _offers(self) -> list[Offer]:
        at, texts, question = self._at, self._texts, self._at.question
        if at.phase == "idle":
            fitting, offers = self._fitting, [Offer("begin", texts["record.begin"], self._begin, STRONG)]
            for key, possible, do in (
                ("fit", fitting.possible, fitting.begin),
                ("make_report", fitting.reportable, fitting.make_report),
            ):
                if possible():
                    offers.append(Offer(key, texts[f"record.{key}"], partial(self._make, do)))
            return offers
        if question is not None:
            return [
                Offer(
                    f"{id(question)} {answer.deed}",
                    texts[_deed(answer.deed)],
                    partial(self._desk.answer, question, answer.deed),
                    STRONG if not answer.letter else PLAIN,
                )
                for answer in question.answers
            ]
        return [
            Offer(
                "stop",
                texts["record.do_stop"],
                self._desk.stop,
                QUIET,
                off=self._fresh or at.phase == "stops",
            )
        ]

    def _make(self, begin: Callable[[], None]) -> None:
        """Fit, or make the report; not while it listens, which another phone may have begun just now."""
        if self._desk.phase == "idle":
            begin()
        else:
            from nicegui import ui

            ui.notify(self._texts["record.make_later"])

    def _begin(self) -> None:
        name = str(self._who.value or "").strip()
        if name:
            self._fitting.forget()
            self._desk.begin(name)
        else:
            from nicegui import ui

            ui.notify(self._texts["record.nobody"])


def _deed(deed: Deed) -> str:
    return f"record.do_{deed}"


def _coach(advice: str) -> str:
    return f"record.coach_{advice.replace(' ', '_')}"
