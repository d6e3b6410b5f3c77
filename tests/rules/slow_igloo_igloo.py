"""Igloo Igloo played slowly and obviously on the JSON of a position: a second opinion that shares no code with rules/.

Digital play only, default options only. What may be played is asked of slow_igloo_igloo_legal.py, what lies where on
the ice of slow_igloo_igloo_ice.py, each time anew.
"""

from __future__ import annotations

import copy

from tests.rules.slow_igloo_igloo_ice import (
    Position,
    beside,
    meltable,
    pushed_onto,
    pushes,
    put,
    steps,
    take,
)
from tests.rules.slow_igloo_igloo_legal import legal

__all__ = ["apply", "legal"]


def apply(before: Position, move: str) -> Position:
    p = copy.deepcopy(before)
    verb, *words = move.split()
    me, seats = p["turn"], p["players"]
    if verb == "place":
        put(p["inuits"], words[0], me)
        p["reserve"][me]["inuits"] -= 1
        p["turn"] = after(seats, me)
        if not any(tribe["inuits"] for tribe in p["reserve"].values()):
            begin_turn(p)
    elif verb == "melt":
        melt(p, words[0])
    elif verb == "drift":
        p["pending"] = {"square": words[0], "direction": words[1]}
        push_if_clear(p)
    elif verb == "displace":
        goal = pushed_onto(p)
        if words[0] == "bear":
            bear_to(p, goal, words[1])
        else:
            take(p["fish"], goal, int(words[1]))
            put(p["fish"], words[2], int(words[1]))
        push_if_clear(p)
    elif verb in ("walk", "kayak"):
        take(p["inuits"], words[0], me)
        put(p["inuits"], words[1], me)
        p["ap"] -= 1 if verb == "walk" else 3
        if words[-1] == "harpoon":
            discard(p, me, "harpoon")
            p["bears"].remove(words[1])
            p["prey"][me]["bears"] += 1
    elif verb == "hunt":
        if words[-1] == "harpoon":
            discard(p, me, "harpoon")
        else:
            p["ap"] -= int(words[2])
        if words[1] == "bear":
            p["bears"].remove(words[0])
            p["prey"][me]["bears"] += 1
        else:
            plural = {"fish": "fish", "fox": "foxes"}[words[1]]
            take(p[plural], words[0], int(words[2]))
            p["prey"][me][plural].append(int(words[2]))
    elif verb == "igloo":
        p["igloos"][words[0]] = me
        p["reserve"][me]["igloos"] -= 1
        p["ap"] -= 3
    elif verb == "stamina":
        discard(p, me, f"stamina-{words[0]}")
        p["ap"] += int(words[0])
    elif verb == "thaw":
        thaw(p, me, words[0])
    elif verb == "animals":
        discard(p, me, "animals")
        p["pending"] = {"points": 3, "back": p["phase"]}
        carry_on(p)
    elif verb == "step":
        step(p, words)
    elif verb == "harpoon":
        asked = p["pending"]["asked"][-1]
        discard(p, asked, "harpoon")
        p["bears"].remove(p["pending"]["square"])
        p["prey"][asked]["bears"] += 1
        carry_on(p)
    elif verb == "no":
        nobody_throws(p)
    elif verb == "flee":
        p["pending"]["fleeing"].remove(words[0])
        put(p["inuits"], words[1], words[0])
        if not p["pending"]["fleeing"]:
            carry_on(p)
    elif verb == "end":
        p["turn"] = after(seats, me)
        begin_turn(p)
    return p


def after(seats: list[str], who: str) -> str:
    return seats[(seats.index(who) + 1) % len(seats)]


def begin_turn(p: Position) -> None:
    p.update(phase="pre-melt" if meltable(p) else "over", ap=0, played=[], pending=None)


def begin_action(p: Position) -> None:
    p.update(phase="action", ap=3, pending=None)


def melt(p: Position, square: str) -> None:
    tile = p["tiles"].pop(square)
    del p["ice"][square]
    if tile.split("-")[0] in ("thaw", "stamina", "harpoon", "animals"):
        p["hands"][p["turn"]].append(tile)
    elif tile == "pack":
        p["tiles"][square] = p["ice"][square] = "pack"
        if p["supply"]["foxes"]:
            put(p["foxes"], square, p["supply"]["foxes"].pop(0))
    else:
        p["out"]["open"].append(tile)
    for _ in range(int(tile[5:]) if tile.startswith("fish") else 0):
        if p["supply"]["fish"]:
            put(p["fish"], square, p["supply"]["fish"].pop(0))
    if tile == "bear" and p["supply"]["bears"]:
        p["bears"].append(square)
        p["supply"]["bears"] -= 1
    begin_action(p)
    if tile == "drift" and any(True for _ in pushes(p)):
        p.update(phase="drift", ap=0, pending={})


def push_if_clear(p: Position) -> None:
    goal, way = pushed_onto(p), p["pending"]["direction"]
    if goal in p["fish"] or goal in p["bears"]:
        p["phase"] = "displace"
        return
    back = {"N": "S", "S": "N", "E": "W", "W": "E"}[way]
    here = beside(goal, back)
    while True:
        for things in ("ice", "tiles", "foxes", "inuits", "igloos"):
            if here in p[things]:
                p[things][beside(here, way)] = p[things].pop(here)
        p["bears"] = [beside(here, way) if bear == here else bear for bear in p["bears"]]
        if here == p["pending"]["square"]:
            break
        here = beside(here, back)
    begin_action(p)


def bear_to(p: Position, start: str, goal: str) -> None:
    p["bears"][p["bears"].index(start)] = goal
    p["fish"].pop(goal, None)
    p["foxes"].pop(goal, None)


def discard(p: Position, who: str, tile: str) -> None:
    p["hands"][who].remove(tile)
    p["out"]["open"].append(tile)
    if who == p["turn"]:
        p["played"].append(tile.split("-")[0])


def round_from(p: Position, who: str) -> list[str]:
    seats = p["players"]
    at = seats.index(who)
    return seats[at + 1 :] + seats[: at + 1]


def thaw(p: Position, me: str, square: str) -> None:
    discard(p, me, "thaw")
    p["out"]["thawed"].append(p["tiles"].pop(square))
    del p["ice"][square]
    p["foxes"].pop(square, None)
    p["bears"] = [bear for bear in p["bears"] if bear != square]
    p["pending"] = {"points": 0, "back": p["phase"], "fleeing": p["inuits"].pop(square, [])}
    if p["pending"]["fleeing"]:
        p["phase"] = "flee"
    else:
        carry_on(p)


def step(p: Position, words: list[str]) -> None:
    start, goal = words[-2:]
    p["pending"]["points"] -= 1
    if words[0] != "bear":
        plural = {"fish": "fish", "fox": "foxes"}[words[0]]
        take(p[plural], start, int(words[1]))
        put(p[plural], goal, int(words[1]))
        carry_on(p)
        return
    bear_to(p, start, goal)
    owners = [who for who in round_from(p, p["turn"]) if who in p["inuits"].get(goal, [])]
    if owners:
        p["pending"].update(square=goal, asked=owners[:1], waiting=owners[1:])
        p["phase"] = "attack"
    else:
        carry_on(p)


def nobody_throws(p: Position) -> None:
    pending = p["pending"]
    if pending["waiting"]:
        pending["asked"].append(pending["waiting"].pop(0))
        return
    square = pending["square"]
    there = p["inuits"].pop(square)
    hidden = [who for who in there if p["igloos"].get(square) == who]
    if hidden:
        p["inuits"][square] = hidden
    pending["fleeing"] = [who for who in there if p["igloos"].get(square) != who]
    if pending["fleeing"]:
        p["phase"] = "flee"
    else:
        carry_on(p)


def carry_on(p: Position) -> None:
    if p["pending"]["points"] and steps(p):
        p["phase"] = "animals"
        return
    p["phase"] = p["pending"]["back"]
    p["pending"] = None
    if p["phase"] == "pre-melt" and not meltable(p):
        p["phase"] = "over"
    if p["phase"] == "over":
        p["ap"] = 0
