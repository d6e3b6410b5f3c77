"""An act that the rules forbid: what is recorded, what is said, and to whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.core.refusal import Refusal
from table.desk.hiding import OPEN_GAMES
from table.desk.said import Said
from table.desk.telling import telling
from table.journal.fold import Sitting


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal's entry, its sentence, and what everybody may know of it."""

    body: Mapping[str, Any]
    said: Said
    told: Mapping[str, Any] | None


def refusing(
    sitting: Sitting,
    move: str,
    seat: str | None,
    refusal: Refusal,
    now: float,
    *,
    what: str | None = None,
    at: int | None = None,
) -> Refused:
    """Why `move` is not made. `what`: what was sensed; `at`: the step that it should have corrected."""
    body = {"move": move, "seat": seat, "error": refusal.to_json()} | ({} if at is None else {"at": at})
    text = refusal.text if what is None else f"{what} {refusal.text[:1].upper()}{refusal.text[1:]}"
    to = None if seat is None or what is not None else (seat,)
    data: dict[str, Any] = {"move": move, "nearest": list(refusal.nearest), "kind": refusal.kind}
    if refusal.kind == "ambiguous":
        data["candidates"] = list(refusal.candidates)
    said = Said(now, "refused", "refused", text, refusal.rule, to, data)
    # what a host typed for somebody may hold a secret; what hands did openly holds none
    open_game = sitting.game.name in OPEN_GAMES and to is None
    return Refused(body, said, telling(sitting, [said]) if open_game else None)
