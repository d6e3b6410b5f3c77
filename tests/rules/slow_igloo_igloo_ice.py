"""The ice of Igloo Igloo, slowly and obviously: what lies where, what is beside the sea, where a push ends.

Squares are their names, sets are sets. Shares no code with rules/.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Position = dict[str, Any]
LAND = {"a1", "a8", "h1", "h8"}
WAYS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}


def beside(square: str, way: str) -> str | None:
    file, rank = ord(square[0]) + WAYS[way][0], int(square[1]) + WAYS[way][1]
    return f"{chr(file)}{rank}" if "a" <= chr(file) <= "h" and 1 <= rank <= 8 else None


def around(square: str) -> set[str]:
    return {other for way in WAYS if (other := beside(square, way))}


def is_sea(p: Position, square: str) -> bool:
    return square not in LAND and square not in p["ice"]


def free_tiles(p: Position) -> set[str]:
    taken = {*p["inuits"], *p["igloos"], *p["foxes"], *p["bears"]}
    return {square for square, what in p["ice"].items() if what == "hidden" and square not in taken}


def meltable(p: Position) -> set[str]:
    beside_sea = {t for t in free_tiles(p) if any(is_sea(p, n) for n in around(t))}
    ring = {t for t in free_tiles(p) if t[0] in "ah" or t[1] in "18"}
    return beside_sea or ring


def thawable(p: Position) -> set[str]:
    return {
        t
        for t, what in p["ice"].items()
        if what == "hidden" and t not in p["igloos"] and any(is_sea(p, n) for n in around(t))
    }


def pushes(p: Position) -> Iterable[tuple[str, str, str]]:
    for start in p["ice"]:
        for way in WAYS:
            here: str | None = start
            while here in p["ice"]:
                here = beside(here, way)
            if here is None or here in LAND:
                continue
            sea = {n for n in around(here) if is_sea(p, n)}
            if p["fish"].get(here) and not sea:
                continue
            if here in p["bears"] and not sea - set(p["bears"]):
                continue
            yield start, way, here


def steps(p: Position) -> set[str]:
    out = set()
    for square, values in p["fish"].items():
        out |= {f"step fish {v} {square} {n}" for v in values for n in around(square) if is_sea(p, n)}
    for square, values in p["foxes"].items():
        out |= {f"step fox {v} {square} {n}" for v in values for n in around(square) if n in p["ice"]}
    for square in p["bears"]:
        out |= {f"step bear {square} {n}" for n in around(square) if n not in LAND and n not in p["bears"]}
    return out


def sea_area(p: Position, start: str) -> set[str]:
    area = {n for n in around(start) if is_sea(p, n) and n not in p["bears"]}
    while True:
        more = {n for s in area for n in around(s) if is_sea(p, n) and n not in p["bears"]} - area
        if not more:
            return area
        area |= more


def pushed_onto(p: Position) -> str:
    here = p["pending"]["square"]
    while here in p["ice"]:
        here = beside(here, p["pending"]["direction"])
    return here


def take(tokens: dict[str, list[int]], square: str, value: int) -> None:
    tokens[square].remove(value)
    if not tokens[square]:
        del tokens[square]


def put(tokens: dict[str, list[Any]], square: str, value: Any) -> None:
    tokens.setdefault(square, []).append(value)
