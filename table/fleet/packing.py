"""Builds a table's messages from what its journal holds."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from table.fleet.messages import Again, Event
from table.journal.outbox import Outgoing

_BARE: dict[str, Any] = {
    "of": "",
    "players": [],
    "phase": "",
    "to_act": [],
    "over": None,
    "move": None,
    "said": [],
}


def pack(message: BaseModel) -> bytes:
    return message.model_dump_json(by_alias=True).encode()


def told(table: str, book: str, event: Outgoing) -> Event:
    """The message of one event of the journal `book`."""
    numbers = {"table": table, "book": book, "id": f"{book}-{event.n}", "n": event.n}
    entry = {"seq": event.seq, "game": event.game, "kind": event.kind, "at": event.at}
    try:
        return Event.model_validate({**event.telling, **numbers, **entry})
    except ValidationError:  # a telling of another version: report at least that the event happened
        return Event.model_validate({**_BARE, **numbers, **entry})


def wish(table: str, book: str, start: int = 0) -> bytes:
    """Ask to send everything from `start` on again; 0: is anybody there with this name and journal?"""
    return pack(Again.model_validate({"table": table, "book": book, "from": start}))
