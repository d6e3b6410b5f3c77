"""Seats as keys of settings: a microphone, an igloo's port or a button belongs to one.

Only Igloo Pop has ears and buttons; its seats are its colours. `table` is one microphone for all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypeAlias

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from rules.igloo_pop.state import COLOURS

TABLE = "table"  # instead of a seat: one microphone for all


def _one_of(known: tuple[str, ...]) -> AfterValidator:
    def seat(name: str) -> str:
        if name not in known:
            raise PydanticCustomError("no_seat", "there is no such seat", {"known": list(known)})
        return name

    return AfterValidator(seat)


ButtonSeat: TypeAlias = Annotated[str, _one_of(COLOURS)]
EarSeat: TypeAlias = Annotated[str, _one_of((*COLOURS, TABLE))]


def of_nobody(setting: str, seats: Iterable[str], players: Iterable[str]) -> str | None:
    """A sentence about seats that nobody plays in the settings' own game; None if there are none."""
    players = tuple(players)
    idle = [seat for seat in seats if seat not in (*players, TABLE)]
    if not idle:
        return None
    verb, them = ("is no seat", "it") if len(idle) == 1 else ("are no seats", "them")
    return (
        f"{setting} names {', '.join(idle)}, which {verb} of the game in the settings ({', '.join(players)}): "
        f"add {them} to [game] players, or take {them} out"
    )
