"""The door: identifies who asks for the page, and serves the small page for typing a code."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from html import escape

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from table.door.access import Access, TooManyTries, WrongCode
from table.door.asking import COOKIE, caller_of
from table.page.chairs import Chairs
from table.page.frame import keeping_language
from table.page.plain import plain
from table.page.room import Room
from table.page.texts import Texts

_PAGE = r"""<form><h1>Polartable</h1>
<label for="code">{type}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="off" maxlength="8" autofocus>
<button>{enter}</button><p role="alert"></p></form><script>
const told = {refusals};  // number → words; what else is refused is said as the service says it
const form = document.querySelector('form'), invited = /^#(\d{{6,8}})$/.exec(location.hash);
form.addEventListener('submit', async event => {{
  event.preventDefault();
  const says = document.querySelector('[role=alert]');
  try {{
    const answer = await fetch('/api/pair', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }},
      body: JSON.stringify({{ code: document.getElementById('code').value.trim() }}) }});
    if (answer.ok) {{ location.href = {home}; return; }}
    const error = (await answer.json()).error, minutes = Math.ceil(answer.headers.get('retry-after') / 60);
    says.textContent = minutes > 1 ? {shut}.replace('{{minutes}}', minutes)
      : told[error.number] ?? `${{error.text}} – ${{error.mend}}`;
  }} catch {{ says.textContent = {silent}; }}
}});
if (invited) {{  // from the QR code: the part after # is sent to nobody, and stands in no log
  document.getElementById('code').value = invited[1];
  history.replaceState(null, '', location.pathname + location.search);
  form.requestSubmit();
}}
</script>"""


class Door:
    """Gives each browser its chairs. Without an `access` (the demo on loopback) everybody is the host."""

    def __init__(self, access: Access | None) -> None:
        self._access = access

    def chairs(self, room: Room, request: Request) -> Chairs:
        """The chairs as the browser of this request sees them."""
        cookie, address = request.cookies.get(COOKIE), caller_of(request)
        return Chairs(room, self._access, cookie, address, secrets.token_hex(16))


def router(language: Callable[[Request], str]) -> APIRouter:
    """The page for typing a code."""
    api = APIRouter()

    @api.get("/pair", response_class=HTMLResponse, include_in_schema=False)
    def pair(request: Request) -> HTMLResponse:
        texts = Texts(language(request))
        words = {"type": escape(texts["door.type"]), "enter": escape(texts["door.enter"])}
        refusals = {
            WrongCode.number: texts["door.wrong_code"],
            TooManyTries.number: texts["door.too_many"],
        }
        script = {"refusals": _script(refusals), "home": _script(keeping_language("/", request))}
        script["shut"] = _script(texts["door.shut"])
        script["silent"] = _script(texts["door.silent"])
        return plain(texts, _PAGE.format(**words, **script))

    return api


def _script(value: object) -> str:
    """A value escaped for a script within a page."""
    return json.dumps(value).replace("<", "\\u003c")
