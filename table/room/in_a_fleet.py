"""A table's part in a fleet: its public state, and what it says when the broker goes and comes."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from table.desk.said import Said, Tone
from table.desk.telling import telling
from table.fleet.errors import FleetError
from table.fleet.publisher import Publisher
from table.fleet.settings import Fleet

if TYPE_CHECKING:
    from table.room.table_room import TableRoom

_MOST_FAULTS, _LONGEST = 40, 2000


LOOK_S = 0.2


def publish(room: TableRoom, fleet: Fleet) -> Coroutine[Any, Any, None]:
    """Publish what happens here, until cancelled. Raises `BadAddress` at the call, before anything is awaited."""
    fleet.place()
    return _publish(room, fleet)


async def _publish(room: TableRoom, fleet: Fleet) -> None:
    """A read-only book has no outbox yet: the fleet sees the table once the book can be written."""
    while room.journal.outbox is None:
        await room.clock.sleep(LOOK_S)
    await publisher(room, fleet).run()


def publisher(room: TableRoom, fleet: Fleet) -> Publisher:
    """The publisher of this table; its journal must have an outbox. Raises `BadAddress`."""
    outbox = room.journal.outbox
    if outbox is None:
        raise ValueError("the journal has no outbox")

    def tell(fault: FleetError | None) -> None:
        tone: Tone = "notice" if fault is None else "fault"
        text = "The broker has this table again." if fault is None else str(fault)
        room.desk.say(Said(room.clock.now(), tone, "fleet", text))

    voice = Publisher(fleet.place(), outbox, lambda: standing(room), tell, room.clock)
    room.listen(lambda said: voice.wake())
    return voice


def standing(room: TableRoom) -> Mapping[str, Any]:
    """The table's state, as far as a spectator may know it."""
    desk, health = room.desk, room.health()
    last = next(
        (s for s in reversed(desk.said) if s.tone in ("told", "refused", "over") and s.to is None), None
    )
    told = telling(desk.sitting, [] if last is None else [last])
    said = told.pop("said")
    told.pop("move")
    faults = [*room.asleep(), *([] if health["journal"] == "sound" else [health["journal"]])]
    return told | {
        "game": desk.name,
        "said": said[-1] if said else None,
        "asks": desk.question is not None,
        "healthy": bool(health["healthy"]),
        "faults": [fault[:_LONGEST] for fault in faults[:_MOST_FAULTS]],
    }
