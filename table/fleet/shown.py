"""One table of a fleet, as the hub's page shows it."""

from __future__ import annotations

from dataclasses import dataclass

from table.fleet.messages import Event, State


@dataclass(slots=True)
class Table:
    """A table's row on the page. `version` grows with every change."""

    name: str
    book: str | None = None
    online: bool = False
    closed: bool = False  # somebody shut it down
    unsure: float | None = None  # since when nobody knows whether it is there, on the hub's clock
    kept: bool = False  # while unsure: the broker still has its retained message that it is there
    asked: float | None = None  # when it was asked whether it is there
    state: State | None = None
    last: Event | None = None
    heard: float | None = None  # when its last event came, on the hub's clock
    taken: int = 0
    repeated: int = 0
    missed: int = 0
    odd: str | None = None
    odd_at: float = 0.0
    version: int = 0
