"""The four cubes in 3-D, turning as the sensors feel them."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from rules.ice_cult.turns import AXIS, OPPOSITE
from table.page.cube_net import Faces
from table.page.symbols import face
from table.senses.live import LiveCubes, Matrix

PLACES = {"NW": (-1, 1), "NE": (1, 1), "SE": (1, -1), "SW": (-1, -1)}
_HALF = 0.93  # cubes stand two units apart, with a gap between them
_BACKGROUND = "#a9c6d6"
# frames a second: without a graphics card, twenty use most of a processor, and most of the time nothing turns
_TURNING, _STILL = 20, 2
_STILL_AFTER = 20  # calls of `show` without any turn


class CubeScene:
    """One client's scene. `show` moves only the cubes whose orientation has changed since the last call."""

    def __init__(self, cubes: Mapping[str, str], faces: Mapping[str, Faces]) -> None:
        """`cubes`: slot → cube; `faces`: cube → body face → symbol. Builds the scene at NiceGUI's current position."""
        from nicegui import ui

        self._shown: dict[str, Any] = {}
        self._groups: dict[str, Any] = {}
        self._still = _STILL_AFTER  # calls since something turned
        self._held = False  # a pointer is turning the view
        with ui.scene(width=420, height=360, grid=False, background_color=_BACKGROUND, fps=_STILL).classes(
            "scene3d"
        ) as scene:
            self.scene = scene
            scene.box(5.2, 5.2, 0.16).move(0, 0, -1.12).material("#7d97a6")
            for slot, (x, y) in PLACES.items():
                with scene.group().move(x, y, 0) as group:
                    self._groups[slot] = group
                    for body_face, drawn in faces[cubes[slot]].items():
                        scene.texture(_picture(body_face, drawn), _corners(body_face))
        scene.move_camera(x=0.0, y=-4.3, z=3.9, look_at_x=0, look_at_y=0, look_at_z=-0.2, duration=0)
        scene.on("pointerenter", lambda: self._hold(True), args=[])
        scene.on("pointerleave", lambda: self._hold(False), args=[])

    def show(self, live: LiveCubes) -> None:
        """Show the cubes as the sensors feel them."""
        self._still += 1
        for slot, turn in live.turns.items():
            self.lay(slot, turn)
        self._draw_as_often_as_needed()

    def lay(self, slot: str, turn: Matrix) -> None:
        """Turn one cube, unless it lies like that already."""
        before = self._shown.get(slot)
        if before != turn:
            self._shown[slot] = turn
            if before is not None:  # being laid out for the first time is no turn
                self._still = 0
            self._groups[slot].rotate_R([list(row) for row in turn])

    def _hold(self, held: bool) -> None:
        self._held = held
        self._draw_as_often_as_needed()

    def _draw_as_often_as_needed(self) -> None:
        needed = _TURNING if self._held or self._still < _STILL_AFTER else _STILL
        if self.scene.props["fps"] != needed:
            self.scene.props["fps"] = needed
            self.scene.update()


def _picture(body_face: str, drawn: str) -> str:
    """The face as a picture with its right and top as in `_corners`."""
    right, top = _frame(body_face)
    degrees = {top: 0.0, right: 90.0, OPPOSITE[top]: 180.0, OPPOSITE[right]: 270.0}
    name, _, corner = drawn.partition(" ")
    if name == "arc":
        arcs = {
            frozenset((180.0, 90.0)): 0.0,
            frozenset((180.0, 270.0)): 90.0,
            frozenset((0.0, 270.0)): 180.0,
        }
        svg = face("arc", arcs.get(frozenset(degrees[f] for f in corner), 270.0))
    elif ">" in name:
        colour, _, towards = name.partition(">")
        svg = face(colour, degrees[towards])
    else:
        svg = face(name)
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _frame(body_face: str) -> tuple[str, str]:
    """The body faces to the right of a face and above it, seen from outside."""
    return {
        "U": ("E", "N"),
        "D": ("E", "S"),
        "N": ("W", "U"),
        "S": ("E", "U"),
        "E": ("N", "U"),
        "W": ("S", "U"),
    }[body_face]


def _corners(body_face: str) -> list[list[list[float] | None]]:
    """Two rows of two corners, from the picture's top left to its bottom right."""
    right, top = _frame(body_face)
    out = AXIS[body_face]
    return [
        [[_HALF * (out[i] + v * AXIS[top][i] + h * AXIS[right][i]) for i in range(3)] for h in (-1, 1)]
        for v in (1, -1)
    ]


def resting(up: str, north: str) -> Matrix:
    """The body-to-world matrix for a way of lying (see rules/ice_cult/turns.py)."""
    n, u = AXIS[north], AXIS[up]
    east = (n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0])
    rows = [(float(r[0]), float(r[1]), float(r[2])) for r in (east, n, u)]
    return (rows[0], rows[1], rows[2])
