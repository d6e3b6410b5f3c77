"""What a table says to a hub, made by hand."""

from __future__ import annotations

import json

from table.fleet.address import Message
from table.fleet.hub import Line

BOOK, OTHER = "a" * 32, "b" * 32


def standing(n: int, book: str = BOOK, **more: object) -> dict[str, object]:
    common = {
        "v": 1,
        "table": "north",
        "book": book,
        "n": n,
        "game": "game-1",
        "of": "ice-cult",
        "phase": "move",
    }
    return common | {"players": ["red"], "to_act": ["red"], "over": None} | more


def event(n: int, book: str = BOOK, at: str = "2026-11-21T00:00:00Z") -> Message:
    more = {
        "id": f"{book}-{n}",
        "seq": n,
        "kind": "play",
        "at": at,
        "move": "end",
        "said": [],
    }
    return Message("polartable/north/event", json.dumps(standing(n, book, **more)).encode(), False)


def state(n: int, oldest: int = 1, retained: bool = False, book: str = BOOK) -> Message:
    more = {"title": "North", "oldest": oldest, "said": None, "asks": False, "healthy": True, "faults": []}
    body = json.dumps(standing(n, book, **more, version="1"))
    return Message("polartable/north/state", body.encode(), retained)


def online(book: str = BOOK, on: bool = True, closed: bool = False) -> Message:
    body = {"v": 1, "table": "north", "book": book, "online": on, "closed": closed}
    return Message("polartable/north/online", json.dumps(body).encode(), False)


def told(lines: list[Line]) -> list[int]:
    return [line["n"] for line in lines if line["event"] == "told"]
