"""Which moves Igloo Igloo allows, slowly and obviously, on the JSON of a position. Shares no code with rules/."""

from __future__ import annotations

from tests.rules.slow_igloo_igloo_ice import (
    LAND,
    Position,
    around,
    is_sea,
    meltable,
    pushed_onto,
    pushes,
    sea_area,
    steps,
    thawable,
)


def legal(p: Position) -> set[str]:
    me, hand, phase = p["turn"], set(p["hands"][p["turn"]]), p["phase"]
    effects = set()
    if "thaw" in hand and "thaw" not in p["played"]:
        effects |= {f"thaw {t}" for t in thawable(p)}
    if "animals" in hand and "animals" not in p["played"]:
        effects.add("animals")
    if phase == "place":
        return {f"place {t}" for t in p["ice"] if t[0] in "ah" or t[1] in "18"}
    if phase == "pre-melt":
        return {f"melt {t}" for t in meltable(p)} | effects
    if phase == "drift":
        return {f"drift {start} {way}" for start, way, _ in pushes(p)}
    if phase == "displace":
        goal = pushed_onto(p)
        sea = {n for n in around(goal) if is_sea(p, n)}
        out = {f"displace fish {v} {n}" for v in p["fish"].get(goal, []) for n in sea}
        if goal in p["bears"]:
            out |= {f"displace bear {n}" for n in sea - set(p["bears"])}
        return out
    if phase == "animals":
        return steps(p)
    if phase == "attack":
        asked = p["pending"]["asked"][-1]
        spent = asked == me and "harpoon" in p["played"]
        return {"no harpoon"} | ({"harpoon"} if "harpoon" in p["hands"][asked] and not spent else set())
    if phase == "flee":
        return {f"flee {colour} {corner}" for colour in p["pending"]["fleeing"] for corner in LAND}
    if phase == "action":
        return actions(p, me, hand) | effects
    return set()


def actions(p: Position, me: str, hand: set[str]) -> set[str]:
    out, ap = {"end"}, p["ap"]
    harpoon = "harpoon" in hand and "harpoon" not in p["played"]
    for square in [s for s, who in p["inuits"].items() if me in who]:
        if ap >= 1:
            for n in around(square):
                if n in LAND or (n in p["ice"] and n not in p["bears"]):
                    out.add(f"walk {square} {n}")
                elif n in p["ice"] and harpoon:
                    out.add(f"walk {square} {n} harpoon")
        if ap >= 3 and square not in LAND:
            area = sea_area(p, square)
            for n in {n for s in area for n in around(s) if n in p["ice"]} - {square}:
                if n not in p["bears"]:
                    out.add(f"kayak {square} {n}")
                elif harpoon:
                    out.add(f"kayak {square} {n} harpoon")
        prey = [("fox", square, v) for v in p["foxes"].get(square, [])]
        prey += [("fish", n, v) for n in around(square) for v in p["fish"].get(n, [])]
        for kind, where, value in prey:
            if value <= ap:
                out.add(f"hunt {where} {kind} {value}")
            if harpoon:
                out.add(f"hunt {where} {kind} {value} harpoon")
        if harpoon and square in p["bears"]:
            out.add(f"hunt {square} bear harpoon")
        alone = set(p["inuits"][square]) == {me}
        if (
            ap >= 3
            and square in p["ice"]
            and square not in p["igloos"]
            and alone
            and p["reserve"][me]["igloos"]
        ):
            out.add(f"igloo {square}")
    if "stamina" not in p["played"]:
        out |= {f"stamina {kind[8:]}" for kind in hand if kind.startswith("stamina")}
    return out
