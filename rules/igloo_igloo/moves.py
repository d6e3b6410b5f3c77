"""All legal moves of a position as text, by rising squares; made from bit sets, so that listing them is cheap."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations

from .board import COLOURS, CORNERS, LAND, NEAR, RING, SQUARES, flood, names_of, spread, squares_of
from .drift import in_the_way, push_goal, pushes, refuges
from .melt import draw_squares, reports
from .mix import family, number
from .state import State, actor, effect, holds, meltable, thawable
from .steps import step_goals


def _pairs(verb: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(f"{verb} {start} {goal}" for goal in SQUARES) for start in SQUARES)


_WALK, _KAYAK = _pairs("walk"), _pairs("kayak")
_MELT = tuple(f"melt {name}" for name in SQUARES)
_THAW = tuple(f"thaw {name}" for name in SQUARES)
_HUNT = {
    animal: tuple(f"hunt {SQUARES[code >> 2]} {animal} {code & 3}" for code in range(256))
    for animal in ("fish", "fox")
}
_STEP = {
    animal: _pairs(f"step {animal}")
    for animal in ("fish 1", "fish 2", "fish 3", "fox 1", "fox 2", "fox 3", "bear")
}
_FISH_STEP = (_STEP["bear"], _STEP["fish 1"], _STEP["fish 2"], _STEP["fish 3"])
_FOX_STEP = (_STEP["bear"], _STEP["fox 1"], _STEP["fox 2"], _STEP["fox 3"])
_DRIFT = {direction: tuple(f"drift {name} {direction}" for name in SQUARES) for direction in "NESW"}


def legal_moves(state: State) -> list[str]:
    """Every legal move of the one player who acts; empty when the game is over."""
    return _BY_PHASE[state.phase](state)


def _place(state: State) -> list[str]:
    return [f"place {name}" for name in names_of(RING & state.ice)]


def _pre_melt(state: State) -> list[str]:
    tiles = meltable(state)
    if state.rules.physical:
        kinds = reports(state)
        out = [f"{_MELT[square]} {kind}" for square in squares_of(tiles) for kind in kinds]
    else:
        out = [_MELT[square] for square in squares_of(tiles)]
    return out + _effects(state)


def _effects(state: State) -> list[str]:
    """Hand tiles that can be played in both windows: thaw and move animals (D-43)."""
    out: list[str] = []
    hand = state.hands[state.turn]
    if not hand:
        return out
    if "thaw" not in state.played and holds(state, state.turn, "thaw"):
        out += [_THAW[square] for square in squares_of(thawable(state))]
    if "animals" not in state.played and holds(state, state.turn, "animals"):
        out.append("animals")
    return out


def _drift(state: State) -> list[str]:
    return [_DRIFT[direction][square] for square, direction in pushes(state)]


def _displace(state: State) -> list[str]:
    pending = effect(state)
    goal = push_goal(state, pending)
    out = []
    for animal, value in in_the_way(state, goal):
        name = f"{animal} {value}" if value else animal
        out += [f"displace {name} {to}" for to in names_of(refuges(state, pending, goal, animal))]
    return out


def _draws(state: State) -> list[str]:
    pending = effect(state)
    squares = draw_squares(pending)
    supply = state.supply_foxes if state.ice >> squares[0] & 1 else state.supply_fish
    if len(squares) == 1:
        groups = set(combinations_with_replacement(sorted(set(supply)), pending.points))
    else:
        groups = {
            order
            for group in combinations_with_replacement(sorted(set(supply)), pending.points)
            for order in permutations(group)
        }
    fitting = (group for group in groups if all(group.count(value) <= supply.count(value) for value in group))
    return [" ".join(["draws", *map(str, group)]) for group in sorted(fitting)]


def _action(state: State) -> list[str]:
    turn, ap, ice = state.turn, state.ap, state.ice
    can_harpoon = "harpoon" not in state.played and holds(state, turn, "harpoon")
    squares = list(dict.fromkeys(state.inuits[turn]))
    own = 0
    for square in squares:
        own |= 1 << square
    out = ["end"]
    if ap:
        _walks(state, squares, ice, can_harpoon, out)
    _hunts(state, own, can_harpoon, out)
    if ap >= 3:
        _kayaks(state, squares, ice, can_harpoon, out)
        if state.reserve[turn][1]:
            free = own & ice & ~state.all_igloos()
            for player, tribe in enumerate(state.inuits):
                if player != turn:
                    for square in tribe:
                        free &= ~(1 << square)
            out += [f"igloo {name}" for name in names_of(free)]
    if state.hands[turn]:
        out += _effects(state)
        if "stamina" not in state.played:
            kinds = state.rules.mix.tiles if state.rules.physical else dict.fromkeys(state.hands[turn])
            out += [
                f"stamina {number(kind)}"
                for kind in kinds
                if kind is not None and family(kind) == "stamina" and holds(state, turn, kind)
            ]
    return out


def _walks(state: State, squares: list[int], ice: int, can_harpoon: bool, out: list[str]) -> None:
    bears = state.bears
    allowed = ice | LAND if state.rules.land_walkable else ice
    allowed = _entries(state, allowed)
    for square in squares:
        goals = NEAR[square] & allowed
        texts = _WALK[square]
        while goals:
            low = goals & -goals
            goals ^= low
            if low & bears:
                if can_harpoon:
                    out.append(texts[low.bit_length() - 1] + " harpoon")
            else:
                out.append(texts[low.bit_length() - 1])


def _entries(state: State, squares: int) -> int:
    if state.rules.entry_ban:
        return squares & ~(state.all_igloos() & ~state.igloos[state.turn])
    return squares


def _kayaks(state: State, squares: list[int], ice: int, can_harpoon: bool, out: list[str]) -> None:
    bears = state.bears
    passable = state.sea & ~bears
    landing = _entries(state, ice)
    if not can_harpoon:
        landing &= ~bears
    for square in squares:
        start = NEAR[square] & passable
        if not start or (LAND >> square & 1 and not state.rules.kayak_from_corner):
            continue
        goals = spread(flood(start, passable)) & landing & ~(1 << square)
        texts = _KAYAK[square]
        while goals:
            low = goals & -goals
            goals ^= low
            text = texts[low.bit_length() - 1]
            out.append(text + " harpoon" if low & bears else text)


def _hunts(state: State, own: int, can_harpoon: bool, out: list[str]) -> None:
    ap = state.ap
    water = spread(own if state.rules.fishing_from_land else own & ~LAND)
    for animal, codes, reach in (("fish", state.fish, water), ("fox", state.foxes, own)):
        last = -1
        for code in codes:
            if code != last and reach >> (code >> 2) & 1:
                text = _HUNT[animal][code]
                if code & 3 <= ap:
                    out.append(text)
                if can_harpoon:
                    out.append(text + " harpoon")
            last = code
    if can_harpoon:
        out += [f"hunt {name} bear harpoon" for name in names_of(state.bears & own)]


def _animals(state: State) -> list[str]:
    sea, ice, bears = state.sea, state.ice, state.bears
    out: list[str] = []
    for codes, goals_on, table in ((state.fish, sea, _FISH_STEP), (state.foxes, ice, _FOX_STEP)):
        last = -1
        for code in codes:
            if code != last:
                square = code >> 2
                goals = NEAR[square] & goals_on
                texts = table[code & 3][square]
                while goals:
                    low = goals & -goals
                    goals ^= low
                    out.append(texts[low.bit_length() - 1])
            last = code
    for square in squares_of(bears):
        out += [_STEP["bear"][square][goal] for goal in squares_of(step_goals(state, "bear", square))]
    if not state.rules.exact_points:
        out.append("end")
    return out


def _attack(state: State) -> list[str]:
    player = actor(state)
    assert player is not None
    spent = player == state.turn and "harpoon" in state.played
    can_harpoon = not spent and holds(state, player, "harpoon")
    return ["harpoon", "no harpoon"] if can_harpoon else ["no harpoon"]


def _flee(state: State) -> list[str]:
    pending = effect(state)
    colours = [state.colour(player) for player in dict.fromkeys(pending.fleeing)]
    return [
        f"flee {colour} {SQUARES[corner]}"
        for colour in sorted(colours, key=COLOURS.index)
        for corner in CORNERS
    ]


def _over(state: State) -> list[str]:
    return []


_BY_PHASE = {
    "place": _place,
    "pre-melt": _pre_melt,
    "drift": _drift,
    "displace": _displace,
    "draws": _draws,
    "action": _action,
    "animals": _animals,
    "attack": _attack,
    "flee": _flee,
    "over": _over,
}
