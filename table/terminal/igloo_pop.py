"""Igloo Pop drawn: the ring of nine cards with the igloos on them, the village, hands and talers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .inks import joined, named, pawns


def draw(view: Mapping[str, Any]) -> RenderableType:
    """The board of a view (docs/contracts.md 2)."""
    ring = Table(
        title=f"round {view['round']}" + (", the last one" if view["last_round"] else ""), show_header=False
    )
    for _ in range(3):
        ring.add_column(min_width=16)
    cells = [_card(view, slot) for slot in range(1, 10)]
    for row in range(3):
        ring.add_row(*cells[3 * row : 3 * row + 3], end_section=True)
    village = [letter for letter, place in view["igloos"].items() if place["at"] == "village"]
    hands = [
        joined([named(place["by"]), f"holds {letter}"])
        for letter, place in view["igloos"].items()
        if place["at"] == "hand"
    ]
    lines = [
        Text(f"village: {' '.join(village) or 'empty'}   deck: {len(view['deck'])}   box: {view['box']}")
    ]
    if hands:
        lines.append(joined(hands, ", "))
    return Group(ring, *lines, _players(view))


def _card(view: Mapping[str, Any], slot: int) -> Text:
    card = view["table"][slot - 1]
    out = Text(f"{slot}: ")
    out.append(
        "no card" if card is None else "-".join(map(str, card)), style="dim" if card is None else "bold"
    )
    for letter, place in view["igloos"].items():
        if place["at"] == "card" and place["slot"] == slot:
            value = view["values"][letter]
            out.append_text(joined([f"\n   igloo {letter}", pawns([place["by"]])]))
            out.append(f" = {value}" if value else "")
    return out


def _players(view: Mapping[str, Any]) -> Table:
    table = Table("player", "own talers", "captured", "cards won", "")
    for player in view["players"]:
        talers = view["talers"][player]
        won = " ".join("-".join(map(str, card)) for card in view["won"][player])
        passed = "passed" if player in view["passed"] else ""
        table.add_row(named(player), str(talers["own"]), str(talers["captured"]), won, passed)
    return table
