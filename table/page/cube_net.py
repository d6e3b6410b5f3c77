"""Nets of the four cubes as they lie: the top in the middle, the sides around it, the bottom below the south side."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from rules.ice_cult.turns import NUMBER, facing
from table.page.symbols import SHEET, symbol
from table.page.texts import Texts

Faces = Mapping[str, str]  # body face → "red>U" (points to the body's face U), "arc SE", "circle"

_CELLS = {"U": (1, 1), "N": (1, 0), "S": (1, 2), "W": (0, 1), "E": (2, 1), "D": (1, 3)}
# which way a world direction points inside each unfolded cell, in degrees clockwise from the top of the page
_POINTS = {
    "U": {"N": 0, "E": 90, "S": 180, "W": 270},
    "N": {"D": 0, "E": 90, "U": 180, "W": 270},
    "S": {"U": 0, "E": 90, "D": 180, "W": 270},
    "E": {"N": 0, "D": 90, "S": 180, "U": 270},
    "W": {"N": 0, "U": 90, "S": 180, "D": 270},
    "D": {"S": 0, "E": 90, "N": 180, "W": 270},
}
_ARC = {frozenset((180, 90)): 0, frozenset((180, 270)): 90, frozenset((0, 270)): 180, frozenset((0, 90)): 270}
PLACES = ("NW", "NE", "SW", "SE")


def pointing(looks: Mapping[str, str], body_face: str, drawn: str) -> tuple[str, str, float]:
    """The world side on which `drawn` is seen, the symbol's name, and its turn there in degrees clockwise.

    `looks`: body face → world side.
    """
    world = looks[body_face]
    name, _, corner = drawn.partition(" ")
    if name == "arc":
        angles = frozenset(_POINTS[world][looks[f]] for f in corner)
        return world, "arc", _ARC[angles]
    colour, _, towards = name.partition(">")
    if not towards:
        return world, name, 0
    return world, colour, _POINTS[world][looks[towards]]


def arc_turns(cubes: Mapping[str, Any], faces: Mapping[str, Faces]) -> dict[str, float]:
    """How far the arc on top of each slot is turned clockwise; 0: its centre in the SE corner."""
    out = {}
    for slot, cube in cubes.items():
        looks = facing(NUMBER[cube["up"], cube["north"]])
        drawn = faces[cube["cube"]][cube["up"]]
        if drawn.startswith("arc"):
            out[slot] = pointing(looks, cube["up"], drawn)[2]
    return out


def nets(cubes: Mapping[str, Any], faces: Mapping[str, Faces], texts: Texts) -> str:
    """The four nets as one SVG, arranged like the slots."""
    parts = []
    for index, slot in enumerate(PLACES):
        cube = cubes[slot]
        x, y = (index % 2) * 370, (index // 2) * 450
        parts.append(f'<g transform="translate({x} {y})">{_net(slot, cube, faces[cube["cube"]], texts)}</g>')
    label = texts("cubes.nets", cubes=", ".join(f"{s}: {c['cube']}" for s, c in cubes.items()))
    return f'<svg viewBox="-10 -10 710 880" class="nets" role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'


def _net(slot: str, cube: Mapping[str, str], faces: Faces, texts: Texts) -> str:
    looks = facing(NUMBER[cube["up"], cube["north"]])
    out = [
        f'<text x="6" y="34" class="netname">{slot}</text>'
        f'<text x="6" y="62" class="tiny">{texts("cubes.cube", name=cube["cube"])}</text>'
    ]
    for body_face, drawn in faces.items():
        world, name, degrees = pointing(looks, body_face, drawn)
        column, row = _CELLS[world]
        x, y = column * 104 + 52, row * 104 + 52
        top = " top" if world == "U" else ""
        out.append(
            f'<g transform="translate({x} {y})"><rect x="-50" y="-50" width="100" height="100" rx="7" fill="{SHEET}" '
            f'class="netface{top}"/><g transform="scale(.86)">{symbol(name, degrees)}</g></g>'
        )
    return "".join(out)
