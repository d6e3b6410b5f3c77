"""A set of four cubes as data, checked against all that the rule book's examples imply about it (C1 to C5).

The format is that of `rules/data/cubes-assumed-v1.toml`. The option `cubes` takes the name of a shipped set, or a set
itself as an object with the same keys.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules.core import data
from rules.core.reading import Reader, shown
from rules.core.refusal import PositionError

from .turns import FACES, LIES, NUMBER, OPPOSITE, facing

COLOURS = ("red", "yellow", "green", "blue")
SLOTS = ("NW", "NE", "SE", "SW")
SIDES = ("N", "E", "S", "W")
CUBES = ("A", "B", "C", "D")
CIRCLE, ARC, UNKNOWN = 16, 17, -1  # a top: 4 · colour + side for an arrow, or one of these
SYMBOLS = (*(f"{colour}>{side}" for colour in COLOURS for side in SIDES), "circle", "arc")

# tops that are visible at the same time in the rule book's examples 1 to 8 (C3)
EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("1", ("yellow", "yellow", "blue", "green")),
    ("2", ("yellow", "red", "red", "green")),
    ("3", ("yellow", "yellow", "red", "circle")),
    ("4a", ("green", "circle", "circle")),
    ("4b", ("green", "red", "circle", "circle")),
    ("5", ("yellow", "circle", "circle", "circle")),
    ("6", ("red", "red", "yellow", "arc")),
    ("7", ("green", "green", "arc", "arc")),
    ("8", ("yellow", "red", "circle", "arc")),
)


@dataclass(frozen=True, slots=True)
class CubeSet:
    """`tops[24 · cube + lie]`: the symbol on top; `start`: for each slot, 24 · cube + lie."""

    name: str
    tops: tuple[int, ...]
    start: tuple[int, int, int, int]


def cube_set(value: Any) -> CubeSet:
    """The set named by or given in the option `cubes`. Raises PositionError with every defect."""
    if isinstance(value, str):
        try:
            value = data.load("cubes", value)
        except KeyError:
            known = ", ".join(data.names("cubes"))
            raise PositionError((f"there is no set of cubes {shown(value)}; known: {known}",)) from None
    if not isinstance(value, Mapping):
        raise PositionError((f"cubes must be the name of a set or a set, and are {shown(value)}",))
    return _compiled(json.dumps(value, sort_keys=True))


@lru_cache(maxsize=16)
def _compiled(text: str) -> CubeSet:
    read = Reader()
    value = read.mapping(json.loads(text), "the set of cubes")
    read.keys(value, ("name", "cubes", "start", "balanced"), "the set of cubes")
    cubes = read.mapping(value.get("cubes"), "cubes")
    read.keys(cubes, CUBES, "cubes")
    faces = {cube: _faces(read, cube, cubes.get(cube)) for cube in CUBES}
    start = _start(read, value.get("start"))
    if not read.defects:
        _check(read, faces, start, read.flag(value.get("balanced"), "balanced"))
    read.finish()
    tops = tuple(_top(faces[cube], lie) for cube in CUBES for lie in range(24))
    name = value.get("name")
    a, b, c, d = (24 * CUBES.index(cube) + lie for cube, lie in (start[slot] for slot in SLOTS))
    return CubeSet(name if isinstance(name, str) else "unnamed", tops, (a, b, c, d))


def _faces(read: Reader, cube: str, value: Any) -> dict[str, str]:
    """C1: six faces with one symbol each; arrows and arcs are in the plane of their face."""
    given = read.mapping(value, f"cube {cube}")
    read.keys(given, FACES, f"cube {cube}")
    out = {}
    for face in FACES:
        symbol = given.get(face)
        if symbol is None:
            read.say(f"C1: cube {cube} has no symbol on face {face}")
        elif not isinstance(symbol, str) or not _possible(face, symbol):
            read.say(
                f"C1: cube {cube}, face {face}: {shown(symbol)} is no symbol that can lie there "
                "(colour>FACE, arc FACEFACE, circle)"
            )
        else:
            out[face] = symbol
    return out


def _possible(face: str, symbol: str) -> bool:
    beside = [other for other in FACES if other not in (face, OPPOSITE[face])]
    if symbol == "circle":
        return True
    if symbol.startswith("arc ") and len(symbol) == 6:
        a, b = symbol[4], symbol[5]
        return a in beside and b in beside and a != b and OPPOSITE[a] != b
    colour, _, towards = symbol.partition(">")
    return colour in COLOURS and towards in beside


def _start(read: Reader, value: Any) -> dict[str, tuple[str, int]]:
    given = read.mapping(value, "start")
    read.keys(given, SLOTS, "start")
    out: dict[str, tuple[str, int]] = {}
    for slot in SLOTS:
        text = given.get(slot)
        parts = text.split() if isinstance(text, str) else []
        if len(parts) != 3 or parts[0] not in CUBES or (parts[1], parts[2]) not in NUMBER:
            read.say(f"start: {slot} must be like 'A U N' (cube, face up, face north), and is {shown(text)}")
        elif parts[0] in [cube for cube, _ in out.values()]:
            read.say(f"start: cube {parts[0]} lies in two slots")
        else:
            out[slot] = (parts[0], NUMBER[(parts[1], parts[2])])
    return out


def _check(
    read: Reader, faces: Mapping[str, Mapping[str, str]], start: Mapping[str, tuple[str, int]], balanced: bool
) -> None:
    """C2, C3, C5 (C4 forbids nothing)."""
    for cube in CUBES:
        if not any(symbol.startswith("arc") for symbol in faces[cube].values()):
            read.say(f"C2: cube {cube} has no arc, and at the start each shows one")
    for slot, (cube, lie) in start.items():
        symbol = faces[cube][LIES[lie][0]]
        looks = facing(lie)
        middle = {OPPOSITE[side] for side in slot}
        if not symbol.startswith("arc") or {looks[symbol[4]], looks[symbol[5]]} != middle:
            read.say(
                f"C2: at the start {slot} shows {symbol!r}, and must show an arc whose centre is the middle "
                "of the four cubes"
            )
    kinds = [{symbol.partition(">")[0].split()[0] for symbol in faces[cube].values()} for cube in CUBES]
    for example, tops in EXAMPLES:
        if not _distinct(tops, kinds):
            read.say(
                f"C3: example {example} of the rule book needs {', '.join(tops)} on top at once, on different cubes"
            )
    arrows = [symbol.partition(">")[0] for cube in CUBES for symbol in faces[cube].values() if ">" in symbol]
    counts = {colour: arrows.count(colour) for colour in COLOURS}
    if balanced and len(set(counts.values())) > 1:
        read.say(f"C5: the set says that its arrows are balanced, and has {counts}")


def _distinct(tops: Sequence[str], kinds: Sequence[set[str]]) -> bool:
    """Whether each of the tops can come from a different cube."""
    if not tops:
        return True
    return any(
        tops[0] in kinds[i] and _distinct(tops[1:], [*kinds[:i], *kinds[i + 1 :]]) for i in range(len(kinds))
    )


def _top(faces: Mapping[str, str], lie: int) -> int:
    symbol = faces[LIES[lie][0]]
    if symbol == "circle":
        return CIRCLE
    if symbol.startswith("arc"):
        return ARC
    colour, _, towards = symbol.partition(">")
    return 4 * COLOURS.index(colour) + SIDES.index(facing(lie)[towards])
