"""Tables for Igloo Pop's tests: who has which talers and cards, and a round with real cards."""

from __future__ import annotations

from tests.rules.telling import Table, new

RED, BLUE, GREEN, YELLOW = "red", "blue", "green", "yellow"


def own(table: Table, player: str) -> int:
    count: int = table.json["talers"][player]["own"]
    return count


def captured(table: Table) -> dict[str, int]:
    return {player: taler["captured"] for player, taler in table.json["talers"].items() if taler["captured"]}


def won(table: Table) -> dict[str, list[list[int]]]:
    return {player: cards for player, cards in table.json["won"].items() if cards}


def physical_round() -> Table:
    """Nine cards laid, counted, nobody recorded a placement; the shaking has ended."""
    table = new("igloo-pop", [RED, BLUE], mode="physical")
    table.refuses("count", "IP-9", "not-now")
    for slot in range(1, 10):
        table.play(f"deal {slot} {slot + 1}")
    return table.play("count", "pass red", "pass blue")
