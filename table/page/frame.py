"""What all our pages share: language, style, icon, and how they are mounted in a web application."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from fastapi import FastAPI, HTTPException, Request
from fastapi.exception_handlers import http_exception_handler
from fastapi.responses import Response

from table.page import away, kept_place, one_tap, walked
from table.page.plain import plain
from table.page.texts import LANGUAGES, Texts

# messages kept for each browser, for a short loss of connection; after more its page is reloaded
HISTORY = 100
# a phone that slept, a machine that was busy: within this time the page continues where it was
RECONNECT_S = 30.0
FAVICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M6 52a26 34 0 0 1 52 0z" fill="#dcebf4" '
    'stroke="#10212e" stroke-width="4"/><path d="M24 52a8 12 0 0 1 16 0z" fill="#10212e"/></svg>'
)


def style(*names: str) -> str:
    """Our style sheets of these names, concatenated."""
    return "\n".join(files("table.page").joinpath(name).read_text(encoding="utf-8") for name in names)


def language_of(request: Request) -> str:
    return request.query_params.get("lang") or preferred(request.headers.get("accept-language", ""))


def keeping_language(path: str, request: Request) -> str:
    """That path in the language that the request's address asked for; without one the browser's own language counts."""
    language = request.query_params.get("lang")
    return f"{path}?lang={language}" if language in LANGUAGES else path


def preferred(header: str) -> str:
    """The first language in an Accept-Language header that the page has."""
    for part in header.split(","):
        code = part.split(";")[0].strip().lower()[:2]
        if code in LANGUAGES:
            return code
    return "en"


def dress(request: Request, css: str) -> Texts:
    """Set style and language of the page that is being built; returns its texts."""
    from nicegui import ui

    texts = Texts(language_of(request))
    ui.add_head_html(f"<style>{css}</style>")
    ui.add_head_html(f"<script>document.documentElement.lang='{texts.language}'</script>")
    ui.add_head_html(away.script(texts))
    ui.add_head_html(kept_place.SCRIPT)
    ui.add_head_html(one_tap.SCRIPT)
    ui.add_head_html(walked.SCRIPT)
    ui.colors(primary="#0b5f94")
    return texts


def heading(title: str) -> None:
    """A page's heading, and its name among the browser's tabs, which is what a screen reader says first."""
    from nicegui import ui

    ui.page_title(f"{title} – Polartable")
    ui.html(f"<h1>{escape(title)}</h1>", sanitize=False)


def mount(app: FastAPI, title: str) -> None:
    """Mount all installed pages in a web application."""
    from nicegui import ui

    _tell_what_is_nowhere()
    ui.run_with(
        app,
        reconnect_timeout=RECONNECT_S,
        message_history_length=HISTORY,
        title=title,
        favicon=FAVICON,
        dark=None,
        tailwind=False,
        show_welcome_message=False,
    )


def _tell_what_is_nowhere() -> None:
    """In place of the toolkit's page, which is English, names an exception and leads nowhere."""
    from nicegui import app as pages

    @pages.exception_handler(404)
    async def nowhere(request: Request, error: HTTPException) -> Response:
        if request.scope.get("endpoint") not in (
            None,
            pages,
        ):  # not the address is unknown, but what it asks for
            return await http_exception_handler(request, error)
        texts = Texts(language_of(request))
        home = f'<a href="/?lang={texts.language}">{escape(texts["page.home"])}</a>'
        return plain(texts, f"<h1>Polartable</h1><p>{escape(texts['page.nowhere'])}</p><p>{home}</p>", 404)
