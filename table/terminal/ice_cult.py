"""Ice Cult drawn: the four cubes in the middle, the paths as a cross, stacks from bottom to top."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rules.core import data
from table.desk.said import ARROWS
from table.page.cube_net import arc_turns

from .inks import INK, joined, named, pawns

# by how many degrees an arc is turned clockwise; 0: its centre in the SE corner
ARCS = {0: "◜", 90: "◝", 180: "◞", 270: "◟"}
CORNER = {"NW": (-1, -1), "NE": (1, -1), "SW": (-1, 1), "SE": (1, 1)}  # columns and rows from the middle
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def draw(view: Mapping[str, Any]) -> RenderableType:
    """The board of a view (docs/contracts.md 2)."""
    length = view["length"]
    side = 2 * length + 3
    cells: dict[tuple[int, int], Text] = {}
    middle = length + 1
    arcs = _arcs(view)
    for slot, (dx, dy) in CORNER.items():
        cells[middle + dx, middle + dy] = _top(slot, view, arcs.get(slot, "arc"))
    cells[middle, middle] = Text("+", style="dim")
    for way, (dx, dy) in STEP.items():
        for k, stack in enumerate(view["paths"][way], 2):
            cells[middle + k * dx, middle + k * dy] = pawns(stack) if stack else Text("·", style="dim")
    grid = Table.grid(padding=(0, 1))
    for _ in range(side):
        grid.add_column(justify="center", min_width=3, no_wrap=True)
    for y in range(side):
        grid.add_row(*(cells.get((x, y), Text("")) for x in range(side)))
    return Group(grid, Text(""), _counts("pool", view), _counts("home", view))


def _arcs(view: Mapping[str, Any]) -> dict[str, str]:
    """The arc on top of each slot as it lies; empty for a position without its cubes."""
    if not view["cubes"]:
        return {}
    chosen = view["options"]["cubes"]
    faces = (data.load("cubes", chosen) if isinstance(chosen, str) else chosen)["cubes"]
    return {slot: ARCS[round(turn)] for slot, turn in arc_turns(view["cubes"], faces).items()}


def _top(slot: str, view: Mapping[str, Any], arc: str) -> Text:
    top = view["tops"][slot]
    used = slot in view["spent"]
    if top is None:
        shown = Text("?")
    elif top == "circle":
        shown = Text("◯", style="bold magenta")
    elif top == "arc":
        shown = Text(arc, style="bold")
    else:
        colour, way = top.split(">")
        shown = Text(f"{colour[0].upper()}{ARROWS[way]}", style=INK[colour])
    if used:
        shown.stylize("dim strike")
        shown.append("*")
    return shown


def _counts(key: str, view: Mapping[str, Any]) -> Text:
    parts = [joined([str(count), named(colour)]) for colour, count in view[key].items() if count]
    return joined([f"{key}: ", joined(parts, ", ") if parts else Text("nobody")], "")
