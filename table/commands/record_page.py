"""`polartable calibrate igloos record --page`: the recording wizard on a page, for a phone beside the igloos."""

from __future__ import annotations

import json
import socket
import webbrowser

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

from firmware_bridge.clock import SystemClock
from table.api import shapes
from table.api.shapes import answers, explain_errors
from table.door.access import Access
from table.door.asking import COOKIE, caller_of
from table.door.guard import Guard
from table.page.door import router
from table.page.frame import language_of
from table.page.recording_page import install
from table.recording.desk import RecordingDesk
from table.recording.fitting import Fitting
from table.recording.takes import Takes
from table.service.web_service import address_of, listen, names_of, run


async def serve(
    desk: RecordingDesk,
    takes: Takes,
    fitting: Fitting,
    port: int | None,
    lan: bool,
    browser: bool,
    as_json: bool,
) -> None:
    """Serve the page until somebody ends it. `lan`: other machines may open it, after they typed the code.

    Raises AddressTaken.
    """
    host = "0.0.0.0" if lan else "127.0.0.1"
    sock = listen(host, port)
    access = Access(SystemClock(), lan)
    web = application(desk, takes, fitting, access, host)

    async def ready() -> None:
        address = address_of(sock)
        if as_json:
            said = {"event": "ready", "address": address} | ({"code": access.host_code} if lan else {})
            print(json.dumps(said), flush=True)
        else:
            print(f"The wizard is at {address} – Ctrl-C ends it.", flush=True)
            if lan:
                print(f"Whoever records types {access.host_code}.", flush=True)
        if browser:
            webbrowser.open(address)

    try:
        await run(web, sock, ready, desk.stop)
    finally:
        desk.close()
        fitting.close()


def application(desk: RecordingDesk, takes: Takes, fitting: Fitting, access: Access, host: str) -> FastAPI:
    """The page behind the guard and, on the network, behind the code."""
    web = FastAPI(title="Polartable", docs_url=None, redoc_url=None, openapi_url=None)
    web.add_middleware(Guard, names=names_of(socket.gethostname(), host))
    explain_errors(web)

    @web.post("/api/pair", responses=answers(shapes.Paired, 429))
    async def pair(body: shapes.Code, request: Request) -> Response:
        """Exchange the code for a cookie."""
        token = access.pair(body.code, caller_of(request), request.cookies.get(COOKIE))
        answer = JSONResponse({"ok": True, "token": token})
        answer.set_cookie(COOKIE, token, max_age=24 * 3600, httponly=True, samesite="strict")
        return answer

    web.include_router(router(language_of))

    def may_record(request: Request) -> bool:
        who = access.who(request.cookies.get(COOKIE), caller_of(request))
        return who is not None and who.role == "host"

    install(web, desk, takes, fitting, may_record)
    return web
