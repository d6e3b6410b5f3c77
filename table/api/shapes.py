"""Request and response bodies of the HTTP interface, and one shape for every refusal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from starlette.exceptions import HTTPException as StarletteError

from firmware_bridge.errors import PolartableError
from rules.core.reading import whole_numbers
from table.door.access import NotAllowed, NotPaired, SeatTaken, TooManyTries, WrongCode
from table.journal.errors import JournalError


class BadRequest(PolartableError, ValueError):
    """The request does not match the description."""

    number = 714


class NotThere(PolartableError, LookupError):
    """There is nothing of that name at this table."""

    number = 716


DEEPEST = 20  # a game's own data (cubes, tiles) is four deep

STATUS: dict[type[PolartableError], int] = {
    BadRequest: 400,
    NotPaired: 401,
    NotAllowed: 403,
    WrongCode: 403,
    NotThere: 404,
    SeatTaken: 409,
    TooManyTries: 429,
    JournalError: 503,  # neither a rule nor the caller is at fault: the same request may be repeated
}


def printable(text: str) -> str:
    """Reject lone surrogates: they can be neither sent nor written into the journal."""
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("holds half a surrogate pair, which is no character")
    return text


_Printable = AfterValidator(printable)
Name: TypeAlias = Annotated[str, Field(max_length=32), _Printable]
Key: TypeAlias = Annotated[str, Field(max_length=64), _Printable]
Notation: TypeAlias = Annotated[str, Field(max_length=200), _Printable]
Whole: TypeAlias = Annotated[int, BeforeValidator(whole_numbers)]


def shallow(options: dict[str, Any]) -> dict[str, Any]:
    """Reject options nested deeper than any game's data: they can be neither checked nor written into the journal."""
    level: list[Any] = [options]
    for _ in range(DEEPEST):
        level = [inner for value in level for inner in _inside(value)]
    if level:
        raise ValueError(f"is nested deeper than {DEEPEST}")
    return options


def _inside(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


class _Body(BaseModel):
    # strict: true is no integer, and neither is "0", as the description says
    model_config = ConfigDict(extra="forbid", strict=True)


class Code(_Body):
    code: Name


class Seat(_Body):
    seat: Name


class Move(_Body):
    move: Notation
    seat: Name | None = None


class Wish(_Body):
    what: Literal["undo", "abandon", "open"]


class Word(_Body):
    key: Key
    yes: bool


class NewGame(_Body):
    game: Name
    players: list[Name] = Field(max_length=12)
    options: Annotated[dict[str, Any], AfterValidator(shallow)] = Field(default_factory=dict)


class Answer(_Body):
    key: Key
    index: Whole = Field(ge=0, le=1000)


class Correction(_Body):
    at: Whole = Field(ge=0, le=1_000_000)
    move: Notation


class Error(BaseModel):
    number: int
    text: str
    mend: str


class Failure(BaseModel):
    """The shape of everything that this service refuses; a rule's refusal is `Told` with `ok` false."""

    error: Error


class Said(BaseModel):
    """A sentence of the referee; `to` null: for everybody."""

    t: float
    tone: str
    event: str
    rule: str | None
    to: list[str] | None
    text: str
    data: dict[str, Any] = Field(default_factory=dict)


class Told(BaseModel):
    ok: bool
    said: list[Said]
    over: dict[str, Any] | None


class Done(BaseModel):
    ok: bool


class Paired(Done):
    token: str


class Seated(Done):
    seat: str | None


class Begun(Done):
    name: str


class Moves(BaseModel):
    moves: list[str]
    complete: bool


class Source(BaseModel):
    """A microphone, a port, a board of buttons; `mute`: it is connected but sends only zeros."""

    source: str
    state: str
    why: str
    mend: str = ""
    mute: bool = False


class Ear(BaseModel):
    """The present shake, or the last one: how loud and how hard (1.0: the middle of the profile's band)."""

    seat: str | None
    shaking: bool
    level_db: float | None
    strength: float | None
    shakes: int


class Proposal(BaseModel):
    """What somebody proposes to everybody; `waiting`: who has not answered yet (seats, `host`)."""

    key: str
    what: str
    by: str
    agreed: list[str]
    waiting: list[str]


class Table(BaseModel):
    name: str
    role: str
    seat: str | None
    view: dict[str, Any]
    question: dict[str, Any] | None
    said: list[Said]
    sources: list[Source]
    ear: Ear
    proposal: Proposal | None


class Health(BaseModel):
    model_config = ConfigDict(extra="allow")
    healthy: bool
    sources: list[Source]
    journal: str
    game: str


def answers(good: type[BaseModel], *more: int, told: bool = False) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: `good`, the refusals that any route can give, and `more`.

    `told`: it is an act, which a rule may forbid, and which fails if the journal cannot write it (seats do not, and
    have no 503).
    """
    out: dict[int | str, dict[str, Any]] = {200: {"model": good}}
    out |= {status: {"model": Failure} for status in (400, 401, 403, 411, 413, 422, *more)}
    return out | ({409: {"model": Told}, 503: {"model": Failure}} if told else {})


def error_of(error: PolartableError, status: int | None = None) -> JSONResponse:
    value = {"number": error.number, "text": error.cause, "mend": error.mend}
    known = (number for kind, number in STATUS.items() if isinstance(error, kind))
    wait = {"Retry-After": str(math.ceil(error.wait_s))} if isinstance(error, TooManyTries) else None
    return JSONResponse({"error": value}, status or next(known, 400), wait)


def explain_errors(app: FastAPI) -> None:
    """Return every refusal in the one shape. Nothing of the request is sent back: it may not even be encodable."""

    @app.exception_handler(PolartableError)
    async def ours(request: Request, error: PolartableError) -> JSONResponse:
        return error_of(error)

    @app.exception_handler(RequestValidationError)
    async def shape(request: Request, error: RequestValidationError) -> JSONResponse:
        if isinstance(error.body, bytes) and error.body:  # the body was not parsed at all
            text, mend = "the body is not said to be JSON", "send it with Content-Type: application/json"
            return error_of(BadRequest(text, mend), 422)
        first = error.errors()[0]
        if first["type"] == "json_invalid":  # here `loc` holds the offset of the error, elsewhere a key
            text = f"the body is no JSON (at its sign {int(first['loc'][-1]) + 1})"
            return error_of(BadRequest(text, "send a JSON object"), 422)
        where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
        where = where.encode("ascii", "backslashreplace").decode()[:80]
        sentence = BadRequest(f"{where}: {first['msg'][:160]}", "see the description at /openapi.json")
        return error_of(sentence, 422)

    async def http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, StarletteError)
        text = str(error.detail).encode("ascii", "backslashreplace").decode()[:200]
        value = {"number": 714, "text": text, "mend": "see the description at /openapi.json"}
        return JSONResponse({"error": value}, error.status_code, dict(error.headers or {}))

    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(StarletteError, http)
