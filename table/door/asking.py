"""The caller of an HTTP request: the token that came, and its role."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import Cookie, Depends, Header, Request

from table.door.access import Access, NotAllowed, NotPaired, Who

COOKIE = "polartable"


def caller_of(request: Request) -> str:
    """The address that a request came from."""
    return request.client.host if request.client else ""


def token_of(
    cookie: Annotated[str | None, Cookie(alias=COOKIE)] = None,
    authorization: Annotated[str | None, Header()] = None,
) -> str | None:
    """The token that came with a request: as `Authorization: Bearer …`, or as a browser's cookie."""
    return authorization.removeprefix("Bearer ").strip() if authorization else cookie


Token = Annotated[str | None, Depends(token_of)]


def who(request: Request, token: Token) -> Who:
    """The caller. Raises NotPaired."""
    access: Access = request.app.state.access
    found = access.who(token, caller_of(request))
    if found is None:
        raise NotPaired("nobody with that token is at this table", "pair first: POST /api/pair")
    return found


def host(found: Annotated[Who, Depends(who)]) -> Who:
    """The caller, if that is the host. Raises NotAllowed."""
    if found.role != "host":
        raise NotAllowed("only the host may do that", "ask the host")
    return found


Asking: TypeAlias = Annotated[Who, Depends(who)]
Host: TypeAlias = Annotated[Who, Depends(host)]
