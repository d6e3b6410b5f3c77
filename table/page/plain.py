"""Small pages that need none of the toolkit: the door, and what stands at an address that has no page."""

from __future__ import annotations

from fastapi.responses import HTMLResponse

from table.page.texts import Texts

_PAGE = """<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>Polartable</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body {{ font: 22px system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center;
  background: #eef4f8; color: #10212e }}
main {{ width: min(22rem, 80vw) }}
form {{ display: grid; grid-template-columns: minmax(0, 1fr); gap: 18px; padding: 24px 0 }}
h1 {{ font-size: min(2em, 13vw) }}
a {{ color: inherit }}
input, button {{ box-sizing: border-box; width: 100%; font: inherit; padding: 14px; border-radius: 12px;
  border: 2px solid #4c6273 }}
button {{ background: #0b5f94; color: #fff; border-color: #0b5f94 }}
@media (prefers-color-scheme: dark) {{ body {{ background: #0c161e; color: #eaf3f8 }} }}
</style></head><body><main>{main}</main></body></html>"""


def plain(texts: Texts, main: str, status: int = 200) -> HTMLResponse:
    """A page of its own with that HTML in its middle."""
    return HTMLResponse(_PAGE.format(lang=texts.language, main=main), status)
