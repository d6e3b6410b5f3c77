"""Unknown paths of the HTTP interface, and methods that a path does not take: answered in the one error shape."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from table.api.shapes import BadRequest, NotThere, error_of

_MEND = "see the description at /openapi.json"


class Nowhere:
    """An endpoint for every method. `routes`: the existing ones."""

    def __init__(self, routes: list[BaseRoute]) -> None:
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        taken = {method for method in _METHODS if self._takes(dict(scope) | {"method": method})}
        if taken:
            methods = ", ".join(sorted(taken))
            answer = error_of(BadRequest(f"that path takes {methods} alone", _MEND), 405)
            answer.headers["allow"] = methods
        else:
            answer = error_of(NotThere("there is nothing at that path", _MEND))
        await answer(scope, receive, send)

    def _takes(self, scope: Scope) -> bool:
        return any(route.matches(scope)[0] is Match.FULL for route in self._routes)


_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def answer_everywhere(app: FastAPI) -> None:
    """Add it after the interface's own routes, and before a page that would answer for every path."""
    nowhere = Nowhere(list(app.routes))
    for path in ("/health", "/api", "/api/{rest:path}"):
        app.routes.append(Route(path, nowhere, include_in_schema=False))
