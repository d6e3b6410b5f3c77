"""Parses messages of tables, or says in a few words why one cannot be read."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from table.fleet.messages import Event, Online, State

LARGEST = 1 << 18  # longer messages are rejected, in bytes
KINDS: dict[str, type[BaseModel]] = {"online": Online, "state": State, "event": Event}


def read(kind: type[BaseModel], payload: bytes, table: str) -> Any:
    """Parse a message from `table`. Raises ValueError."""
    if len(payload) > LARGEST:
        raise ValueError(f"{len(payload)} bytes")
    try:
        said: Any = kind.model_validate_json(payload)
    except ValidationError as error:
        raise ValueError(_first(error)) from error
    if said.table != table:
        raise ValueError(f"it says that it is of table {said.table!r}"[:200])
    return said


def _first(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc']) or 'it'}: {first['msg']}"[:200]
