"""IGLOO played slowly and obviously on the JSON of a position: a second opinion that shares no code with rules/.

Default options but for `widths` and `table`; every corner of a wide field is tried, every question asked anew.
"""

from __future__ import annotations

import copy
from typing import Any

Position = dict[str, Any]
POINTS = {"S": 1, "M": 2, "L": 3}
NEED = {"S": (1, 2), "M": (2, 3), "L": (3, 4)}  # unsupported, supported


def width(p: Position, size: str) -> int:
    widths = p["options"]["widths"]
    return {"S": 18, "M": 25, "L": 32}[size] if widths == "standard" else widths[size]


def side(p: Position, colour: str) -> str:
    return "A" if colour in p["sides"]["A"] else "B"


def shared(a: Position, b: Position, axis: str, p: Position) -> int:
    """How much the shadows of two pieces on an axis overlap; negative: how far they are apart."""
    ends = [one[axis] + width(p, one["size"]) for one in (a, b)]
    return min(ends) - max(a[axis], b[axis])


def overlapping(a: Position, b: Position, p: Position) -> bool:
    return shared(a, b, "x", p) > 0 and shared(a, b, "y", p) > 0


def connected(a: Position, b: Position, p: Position) -> bool:
    small = width(p, "S")
    across, along = shared(a, b, "x", p), shared(a, b, "y", p)
    return (across > 0 and 0 <= -along < small) or (along > 0 and 0 <= -across < small)


def captured_by_enemy(piece: Position, pieces: list[Position], p: Position) -> bool:
    near = [other for other in pieces if other["id"] != piece["id"] and connected(piece, other, p)]
    enemies = [other for other in near if side(p, other["colour"]) != side(p, piece["colour"])]
    supported = len(enemies) < len(near)
    enough = len(enemies) >= NEED[piece["size"]][supported]
    return enough and sum(POINTS[other["size"]] for other in enemies) > POINTS[piece["size"]]


def open_ids(p: Position, pieces: list[Position] | None = None) -> list[int]:
    pieces = p["pieces"] if pieces is None else pieces
    return [piece["id"] for piece in pieces if captured_by_enemy(piece, pieces, p)]


def mover_side(p: Position) -> str:
    return p["turn"] if p["turn"] in "AB" else side(p, p["turn"])


def targets(p: Position) -> list[int]:
    return [n for n in open_ids(p) if side(p, piece_of(p, n)["colour"]) != mover_side(p)]


def piece_of(p: Position, number: int) -> Position:
    return next(piece for piece in p["pieces"] if piece["id"] == number)


def own_colours(p: Position) -> list[str]:
    return p["sides"][p["turn"]] if p["turn"] in "AB" else [p["turn"]]


def legal_place(p: Position, colour: str, size: str, x: int, y: int) -> bool:
    new = {"id": 0, "colour": colour, "size": size, "x": x, "y": y}
    w, table = width(p, size), p["options"]["table"]
    if table and not (table[0] <= x and table[1] <= y and x + w <= table[2] and y + w <= table[3]):
        return False
    if not p["pieces"]:
        return x == y == 0
    if any(overlapping(new, other, p) for other in p["pieces"]):
        return False
    if not any(connected(new, other, p) for other in p["pieces"]):
        return False
    after = [*p["pieces"], new]
    in_danger = open_ids(p, after)
    enemy_in_danger = any(n and side(p, piece_of(p, n)["colour"]) != side(p, colour) for n in in_danger)
    return 0 not in in_danger or enemy_in_danger


def field(p: Position) -> list[tuple[int, int]]:
    """Every corner that could possibly be near a piece."""
    if not p["pieces"]:
        return [(0, 0), (1, 0), (0, -1)]
    far = width(p, "L") + width(p, "S") + 1
    xs = [piece["x"] for piece in p["pieces"]]
    ys = [piece["y"] for piece in p["pieces"]]
    return [(x, y) for x in range(min(xs) - far, max(xs) + far) for y in range(min(ys) - far, max(ys) + far)]


def legal(p: Position) -> set[str]:
    if p["phase"] in ("before", "after"):
        return {f"capture #{n}" for n in targets(p)} | {"capture all", "done"}
    if p["phase"] == "commit":
        return {f"commit {s} {c}" for s in "AB" if not p["real"][s] for c in p["sides"][s]}
    if p["phase"] == "reveal":
        return {"reveal"}
    if p["phase"] != "place":
        return set()
    out = set()
    for size in "SML":
        held = [colour for colour in own_colours(p) if p["stash"][colour][size]]
        if held:
            places = [(x, y) for x, y in field(p) if legal_place(p, held[0], size, x, y)]
            out |= {f"place {colour} {size} @ {x},{y}" for x, y in places for colour in held}
    return out or {"pass"}


def next_turn(p: Position) -> None:
    seats = p["seats"]
    p["turn"] = seats[(seats.index(p["turn"]) + 1) % len(seats)]
    p["phase"] = "before" if targets(p) else placing_or_end(p)


def placing_or_end(p: Position) -> str:
    return "place" if any(n for row in p["stash"].values() for n in row.values()) else "reveal"


def take(p: Position, number: int) -> None:
    piece = piece_of(p, number)
    p["pieces"].remove(piece)
    p["prisoners"][mover_side(p)].append({"colour": piece["colour"], "size": piece["size"]})


def apply(before: Position, move: str) -> Position:
    p = copy.deepcopy(before)
    verb, *words = move.split()
    if verb == "commit":
        p["real"][words[0]] = words[1]
        if all(p["real"].values()):
            p["phase"] = "place"
    elif verb == "place":
        x, y = words[3].split(",")
        number = 1 + max(
            len(p["pieces"]) + sum(map(len, p["prisoners"].values())), *[0], *[q["id"] for q in p["pieces"]]
        )
        p["pieces"].append({"id": number, "colour": words[0], "size": words[1], "x": int(x), "y": int(y)})
        p["stash"][words[0]][words[1]] -= 1
        p["passes"] = 0
        if targets(p):
            p["phase"] = "after"
        else:
            next_turn(p)
    elif verb == "capture":
        if words == ["all"]:
            while targets(p):
                take(p, targets(p)[0])
        else:
            take(p, int(words[0][1:]))
        if not targets(p):
            end_window(p)
    elif verb == "done":
        end_window(p)
    elif verb == "pass":
        p["passes"] += 1
        if p["passes"] == len(p["seats"]):
            p["phase"] = "reveal"
        else:
            next_turn(p)
    elif verb == "reveal":
        p["phase"] = "over"
    return p


def end_window(p: Position) -> None:
    if p["phase"] == "after":
        next_turn(p)
    else:
        p["phase"] = placing_or_end(p)


def scores(p: Position) -> dict[str, int]:
    return {
        me: sum(POINTS[one["size"]] for one in p["prisoners"][me] if one["colour"] == p["real"][enemy])
        for me, enemy in (("A", "B"), ("B", "A"))
    }


def same_table(slow: Position, state: Position) -> bool:
    def plain(p: Position) -> Any:
        prisoners = {
            who: sorted((one["colour"], one["size"]) for one in row) for who, row in p["prisoners"].items()
        }
        turn = p["turn"] if p["phase"] in ("before", "place", "after") else None
        return p["phase"], turn, p["pieces"], p["stash"], prisoners, p["real"], p["passes"]

    links = sorted(
        [a["id"], b["id"]]
        for a in slow["pieces"]
        for b in slow["pieces"]
        if a["id"] < b["id"] and connected(a, b, slow)
    )
    return bool(plain(slow) == plain(state) and links == state["links"] and open_ids(slow) == state["open"])
