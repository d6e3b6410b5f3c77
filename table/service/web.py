"""The web application of a table: guard, HTTP API and page, in this order."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from fastapi import FastAPI

from table.api.nowhere import answer_everywhere
from table.api.routes import add_table
from table.api.shapes import explain_errors
from table.door.access import Access
from table.door.guard import Guard
from table.page.page import install
from table.room.table_room import TableRoom
from table.service import safe_mode


def without_page(room: TableRoom, access: Access, names: Iterable[str]) -> FastAPI:
    """Guard and HTTP API alone. `names`: the names that this machine may have in a Host header."""
    app = FastAPI(title="Polartable", version="1", docs_url=None, redoc_url=None)
    app.add_middleware(Guard, names=tuple(names))

    app.state.access = access
    app.state.leaving = asyncio.Event()
    explain_errors(app)
    # on the app's own router: FastAPI builds the routes of an included router a second time, at the first request
    add_table(app.router, room)
    safe_mode.add_way_out(app.router, room)
    answer_everywhere(app)
    return app


def web(room: TableRoom, access: Access, names: Iterable[str]) -> FastAPI:
    """Everything under one address. Only once per process: NiceGUI has one application."""
    app = without_page(room, access, names)
    install(app, room, access)
    return app
