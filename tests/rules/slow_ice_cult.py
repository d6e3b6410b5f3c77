"""Ice Cult a second time: slow, obvious, and built from nothing of the engine. It works on positions as JSON.

Cubes are turned as vectors by the formulas of a tilt (x east, y north, z up); symbols are read from the data file.
"""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import rules

SLOTS = ["NW", "NE", "SE", "SW"]
PAIRS = {"n": ["NW", "NE"], "s": ["SW", "SE"], "w": ["NW", "SW"], "e": ["NE", "SE"]}
WORLD = {"E": (1, 0, 0), "W": (-1, 0, 0), "N": (0, 1, 0), "S": (0, -1, 0), "U": (0, 0, 1), "D": (0, 0, -1)}
TURN = {
    "N": lambda x, y, z: (x, z, -y),
    "S": lambda x, y, z: (x, -z, y),
    "E": lambda x, y, z: (z, y, -x),
    "W": lambda x, y, z: (-z, y, x),
    "cw": lambda x, y, z: (y, -x, z),
    "ccw": lambda x, y, z: (-y, x, z),
}
CUBES = tomllib.loads((Path(rules.__file__).parent / "data" / "cubes-assumed-v1.toml").read_text())["cubes"]

Position = dict[str, Any]
Sides = dict[str, tuple[int, int, int]]  # body face → the vector that it looks along


def sides(cube: dict[str, str]) -> Sides:
    """Where all six faces look, from the two that are told: east is north × up."""
    faces: Sides = {}
    bx, by, bz = WORLD[cube["north"]], WORLD[cube["up"]], (0, 0, 0)
    bz = (bx[1] * by[2] - bx[2] * by[1], bx[2] * by[0] - bx[0] * by[2], bx[0] * by[1] - bx[1] * by[0])
    for face, vector in WORLD.items():
        # coordinates of the body's face along (east, north, up) of the world
        faces[face] = (dot(vector, bz), dot(vector, bx), dot(vector, by))
    return faces


def dot(a: tuple[int, int, int], b: tuple[int, int, int]) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def turned(cube: dict[str, str], how: str) -> dict[str, str]:
    new = {face: TURN[how](*vector) for face, vector in sides(cube).items()}
    return {
        "cube": cube["cube"],
        "up": next(face for face, vector in new.items() if vector == WORLD["U"]),
        "north": next(face for face, vector in new.items() if vector == WORLD["N"]),
    }


def top(cube: dict[str, str]) -> str:
    symbol: str = CUBES[cube["cube"]][cube["up"]]
    if symbol.startswith("arc"):
        return "arc"
    if ">" not in symbol:
        return symbol
    colour, towards = symbol.split(">")
    looks = sides(cube)[towards]
    return f"{colour}>{next(side for side, vector in WORLD.items() if vector == looks)}"


def playable(p: Position, symbol: str) -> bool:
    if ">" not in symbol:
        return False
    colour, side = symbol.split(">")
    return p["pool"][colour] > 0 or any(colour in stack for stack in p["paths"][side])


def steps(p: Position, symbol: str) -> list[str]:
    if ">" not in symbol:
        return []
    colour, side = symbol.split(">")
    out = ["pool"] if p["pool"][colour] else []
    for space, stack in enumerate(p["paths"][side], 1):
        places = [k for k, pawn in enumerate(stack, 1) if pawn == colour]
        out += [f"{space}"] * bool(places)
        out += [f"{space}#{k}" for k in places[:-1]]
    return out


def legal(p: Position) -> set[str]:
    if p["phase"] == "over":
        return set()
    if p["phase"] != "move":
        if None in p["cubes"].values():  # a position from a book: nobody knows what a tilt would bring up
            return set()
        tilts = {
            f"tilt {pair}>{side}"
            for pair, ends in zip("nswe", ["NS", "NS", "WE", "WE"], strict=True)
            for side in ends
        }
        if p["first_tilt"]:
            pair, side = p["first_tilt"].split(">")
            tilts.discard(f"tilt {pair}>{ {'N': 'S', 'S': 'N', 'E': 'W', 'W': 'E'}[side] }")
        return tilts
    left = [slot for slot in SLOTS if slot not in p["spent"]]
    out = set()
    for slot in left:
        symbol = p["tops"][slot]
        if symbol == "arc":
            out |= {f"turn {slot} {target} {sense}" for target in SLOTS for sense in ("cw", "ccw")}
        elif symbol == "circle":
            out |= {f"copy {slot} {arrow} {step}" for arrow in SLOTS for step in steps(p, p["tops"][arrow])}
        else:
            out |= {f"use {slot} {step}" for step in steps(p, symbol)}
    unused = any(playable(p, p["tops"][slot]) for slot in left)
    circle = any(p["tops"][slot] == "circle" for slot in left)
    if not unused and not (circle and any(playable(p, p["tops"][slot]) for slot in SLOTS)):
        out.add("end")
    return out


def apply(position: Position, move: str) -> Position:
    p = copy.deepcopy(position)
    verb, *rest = move.split()
    me = p["to_act"][0]
    if verb == "tilt":
        pair, side = rest[0].split(">")
        for slot in PAIRS[pair]:
            p["cubes"][slot] = turned(p["cubes"][slot], side)
            p["tops"][slot] = top(p["cubes"][slot])
        second = p["phase"] == "tilt-2"
        p["phase"], p["first_tilt"] = ("move", None) if second else ("tilt-2", rest[0])
    elif verb == "turn":
        if p["cubes"][rest[1]]:
            p["cubes"][rest[1]] = turned(p["cubes"][rest[1]], rest[2])
            p["tops"][rest[1]] = top(p["cubes"][rest[1]])
        elif ">" in p["tops"][rest[1]]:  # a position from a book: the arrow alone is known
            colour, side = p["tops"][rest[1]].split(">")
            p["tops"][rest[1]] = (
                f"{colour}>{'NESWN'['NESW'.index(side) + 1] if rest[2] == 'cw' else 'WNES'['NESW'.index(side)]}"
            )
        p["spent"] = [slot for slot in SLOTS if slot in [*p["spent"], rest[0]]]
    elif verb == "end":
        players = p["players"]
        p["to_act"] = [players[(players.index(me) + 1) % len(players)]]
        p["phase"], p["spent"] = "tilt-1", []
    else:
        p["spent"] = [slot for slot in SLOTS if slot in [*p["spent"], rest[0]]]
        colour, side = p["tops"][rest[-2]].split(">")
        step(p, me, colour, p["paths"][side], rest[-1])
    return p


def step(p: Position, me: str, colour: str, path: list[list[str]], source: str) -> None:
    before = [stack.count(player) == 5 for stack in path for player in p["players"]]
    if source == "pool":
        p["pool"][colour] -= 1
        path[0].append(colour)
    else:
        space, _, place = source.partition("#")
        stack = path[int(space) - 1]
        k = int(place) - 1 if place else max(k for k, pawn in enumerate(stack) if pawn == colour)
        moved, path[int(space) - 1] = stack[k:], stack[:k]
        if int(space) == p["length"]:
            for pawn in moved:
                p["home"][pawn] += 1
        else:
            path[int(space)] += moved
    home = [player for player in p["players"] if p["home"][player] == 5]
    tower = [player for player in p["players"] if any(stack.count(player) == 5 for stack in path)]
    assert not any(before)
    done, rule = (home, "IC-15") if home else (tower, "IC-17")
    if done:
        winners = [me] if me in done else done
        p["over"], p["phase"], p["to_act"] = {"winners": winners, "rule": rule}, "over", []
