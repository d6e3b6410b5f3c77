"""The guard of the web service: refuses requests for other hosts or from other sites, WebSockets as well."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from table.door.addresses import allowed_host, allowed_origin

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_BODY = 1 << 20  # bytes; the longest legitimate body is a hundredth of it
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
)
_ITS_ADDRESS = "open the address that the table shows"
_ITS_LENGTH = "send it with a Content-Length, not in chunks"


class Guard:
    """ASGI middleware. `names`: the names that this machine may have in a Host header, besides its addresses."""

    def __init__(self, app: App, names: Iterable[str]) -> None:
        self._app = app
        self._names = tuple(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {key.lower(): value.decode("latin-1") for key, value in scope["headers"]}
        host, origin = headers.get(b"host", ""), headers.get(b"origin")
        here = (scope.get("server") or ("",))[0]  # the address of this connection
        safe = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        known = allowed_host(host, self._names, here)
        if not known or not (safe or allowed_origin(origin, host)):
            await _refuse(scope, send, 403, 713, "this table does not answer to that name", _ITS_ADDRESS)
            return
        if not safe and scope["type"] == "http":
            length = headers.get(b"content-length", "")
            # with a Content-Length as well, the body may be longer than that says
            if b"transfer-encoding" in headers:
                await _refuse(scope, send, 411, 718, "the body does not say how long it is", _ITS_LENGTH)
                return
            if length and not (length.isdecimal() and int(length.lstrip("0")[:12] or 0) <= LONGEST_BODY):
                await _refuse(scope, send, 413, 718, "the body is longer than 1 MiB", "send less")
                return
            body = await _whole(receive)
            # the connection broke within the body: there is nothing to process, and nobody to answer
            if body is None:
                return
            receive = _first(body, receive)

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        await self._app(scope, receive, with_headers)


async def _whole(receive: Receive) -> bytes | None:
    """The body of a request, of the announced length; None if it did not arrive whole."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return bytes(body)


def _first(body: bytes, receive: Receive) -> Receive:
    """Replay the body to the application, then pass on whatever follows."""
    left = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> MutableMapping[str, Any]:
        return left.pop() if left else await receive()

    return receive_again


async def _refuse(scope: Scope, send: Send, status: int, number: int, text: str, mend: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    error = {"number": number, "text": text, "mend": mend}
    body = json.dumps({"error": error}).encode()
    await send(
        {"type": "http.response.start", "status": status, "headers": [(b"content-type", b"application/json")]}
    )
    await send({"type": "http.response.body", "body": body})
