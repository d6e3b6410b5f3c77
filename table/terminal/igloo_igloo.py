"""Igloo Igloo drawn: the 8 × 8 board, hands, prey and what is left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rules.igloo_igloo.board import CORNER_NAMES

from .inks import INK, LETTER, joined, named, pawns

LEGEND = "~ sea  ▒ ice  ▓ pack ice  # land   f2 fish  x1 fox  M bear  R Inuit  ⌂R igloo"


def draw(view: Mapping[str, Any]) -> RenderableType:
    """The board of a view (docs/contracts.md 2)."""
    board = Table(show_header=False, show_lines=True, padding=(0, 0))
    for _ in range(9):
        board.add_column(justify="center", min_width=4)
    for row in range(8, 0, -1):
        squares = [f"{column}{row}" for column in "abcdefgh"]
        board.add_row(Text(str(row), style="dim"), *(_square(view, square) for square in squares))
    board.add_row("", *(Text(column, style="dim") for column in "abcdefgh"))
    return Group(board, Text(LEGEND, style="dim"), _players(view), _effect(view))


def _square(view: Mapping[str, Any], square: str) -> Text:
    ice = view["ice"].get(square)
    if square in CORNER_NAMES:
        out = Text("#", style="dim")
    elif ice is None:
        out = Text("~", style="cyan")
    else:
        out = Text("▒" if ice == "hidden" else "▓", style="bold white" if ice == "pack" else "white")
    for value in view["fish"].get(square, ()):
        out.append(f" f{value}", style="cyan")
    for value in view["foxes"].get(square, ()):
        out.append(f" x{value}", style="magenta")
    if square in view["bears"]:
        out.append(" M", style="bold")
    if square in view["igloos"]:
        colour = view["igloos"][square]
        out.append(f" ⌂{LETTER[colour]}", style=INK[colour])
    if view["inuits"].get(square):
        out.append_text(joined(["", pawns(view["inuits"][square])]))
    return out


def _players(view: Mapping[str, Any]) -> Table:
    table = Table("player", "hand", "prey", "reserve")
    for player in view["players"]:
        hand = ", ".join(kind or "?" for kind in view["hands"].get(player, ()))
        prey = view["prey"].get(player, {})
        caught = [f"f{value}" for value in prey.get("fish", ())] + [
            f"x{value}" for value in prey.get("foxes", ())
        ]
        caught += ["M"] * (prey.get("bears") or 0)
        reserve = view["reserve"].get(player, {})
        left = f"{reserve.get('inuits', 0)} Inuits, {reserve.get('igloos', 0)} igloos"
        table.add_row(named(player), hand, " ".join(caught), left)
    return table


def _effect(view: Mapping[str, Any]) -> Text:
    out = Text(f"action points: {view['ap']}" if view["phase"] == "action" else "")
    pending = view.get("pending")
    if pending:
        told = ", ".join(f"{key} {value}" for key, value in pending.items() if value not in (None, [], "", 0))
        out.append(f"  unfinished: {told}")
    return out
