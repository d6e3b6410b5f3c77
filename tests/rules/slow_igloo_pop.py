"""Igloo Pop a second time: slow, obvious, built from nothing of the engine. It works on positions as JSON.

Chance (new values, new cards) is not its business: after a resolution it tells only what follows from the cards.
"""

from __future__ import annotations

import copy
from typing import Any

Position = dict[str, Any]


def hand(p: Position, player: str) -> str | None:
    held = [igloo for igloo, place in p["igloos"].items() if place["at"] == "hand" and place["by"] == player]
    return held[0] if held else None


def legal(p: Position) -> set[str]:
    if p["phase"] == "over":
        return set()
    if p["phase"] == "resolving":
        return {"resolve"}
    if p["phase"] == "countdown":
        stops = {f"stop {player}" for player in p["players"] if player not in p["stopped"]}
        return {"count"} | (stops if p["empty_rounds"] >= 2 else set())
    out = set()
    for player in p["players"]:
        has_talers = p["talers"][player]["own"] > 0
        if hand(p, player):
            out.add(f"return {player}")
            out |= {f"place {player} {k}" for k in range(1, 10) if p["table"][k - 1] and has_talers}
        elif has_talers:
            out |= {
                f"grab {player} {igloo}" for igloo, place in p["igloos"].items() if place["at"] == "village"
            }
        if has_talers:
            out.add(f"unpass {player}" if player in p["passed"] else f"pass {player}")
    return out


def apply(position: Position, move: str) -> Position:
    p = copy.deepcopy(position)
    verb, *rest = move.split()
    if verb == "count":
        p["phase"], p["passed"], p["stopped"] = "shaking", [], []
        p["last_round"] = p["last_round"] or None in p["table"]
    elif verb == "stop":
        p["stopped"].append(rest[0])
        if set(p["stopped"]) == set(p["players"]):
            p["phase"] = "over"
    elif verb == "resolve":
        resolve(p)
    else:
        command(p, verb, rest[0], rest[1:])
        nobody = not any(place["at"] == "hand" for place in p["igloos"].values())
        none_left = all(place["at"] == "card" for place in p["igloos"].values())
        willing = [q for q in p["players"] if p["talers"][q]["own"] and q not in p["passed"]]
        if nobody and (none_left or not willing):
            p["phase"] = "resolving"
    return p


def command(p: Position, verb: str, player: str, rest: list[str]) -> None:
    if verb == "grab":
        p["igloos"][rest[0]] = {"at": "hand", "by": player}
        p["passed"] = [name for name in p["passed"] if name != player]
    elif verb == "return":
        p["igloos"][hand(p, player)] = {"at": "village"}
    elif verb == "place":
        p["igloos"][hand(p, player)] = {"at": "card", "slot": int(rest[0]), "by": player}
        p["talers"][player]["own"] -= 1
    elif verb == "pass":
        p["passed"] = [name for name in p["players"] if name in [*p["passed"], player]]
    else:
        p["passed"].remove(player)


def resolve(p: Position) -> None:
    """The cards from the last slot to the first (the order must not matter)."""
    for slot in range(9, 0, -1):
        on = [
            (p["values"][igloo], place["by"])
            for igloo, place in p["igloos"].items()
            if place["at"] == "card" and place["slot"] == slot
        ]
        right = [(value, by) for value, by in on if value in (p["table"][slot - 1] or [])]
        winner = max(right)[1] if right else None
        if winner:
            p["won"][winner].append(p["table"][slot - 1])
            p["table"][slot - 1] = None
        for value, by in on:
            if (value, by) in right:
                p["talers"][by]["own"] += 1
            elif winner and winner != by:
                p["talers"][winner]["captured"] += 1
            else:
                p["box"] += 1
