"""The web application of a table: door, HTTP API and page, in this order."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from firmware_bridge.errors import PolartableError
from table import safe_mode
from table.access import Access, NotAllowed
from table.api import error_of, router
from table.guard import Guard
from table.page.page import install
from table.table_room import TableRoom


def web(room: TableRoom, access: Access, names: Iterable[str]) -> FastAPI:
    """Everything under one address. `names`: what this machine may be called in a Host header."""
    app = FastAPI(title="Polartable", version="1", docs_url=None, redoc_url=None)
    app.add_middleware(Guard, names=tuple(names))

    @app.exception_handler(PolartableError)
    async def explain(request: Request, error: PolartableError) -> JSONResponse:
        return error_of(error, 403 if isinstance(error, NotAllowed) else 400)

    app.include_router(router(room))
    app.include_router(safe_mode.router(room))
    install(app, room, access)
    return app
