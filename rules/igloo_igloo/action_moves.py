"""What the player in turn can do with points and hand tiles, as text (II-11, II-12); bit sets make it fast."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter

from .board import LAND, NEAR, NEAR_SQUARES, SQUARES, flood, names_of, spread, squares_of
from .mix import family, number
from .state import State, holds, thawable


def pairs(verb: str) -> tuple[tuple[str, ...], ...]:
    """For each start and goal the text of the move."""
    return tuple(tuple(f"{verb} {start} {goal}" for goal in SQUARES) for start in SQUARES)


def _by_goals(square: int, texts: tuple[str, ...]) -> dict[int, tuple[str, ...]]:
    out: dict[int, tuple[str, ...]] = {0: ()}
    for goal in NEAR_SQUARES[square]:
        out |= {goals | 1 << goal: (*row, texts[goal]) for goals, row in out.items()}
    return out


_KAYAK = pairs("kayak")
_WALKS = tuple(_by_goals(square, texts) for square, texts in enumerate(pairs("walk")))
"""For each square and each set of goals among its neighbours: the texts of the walks."""
_THAW = tuple(f"thaw {name}" for name in SQUARES)
_HUNT = {
    animal: tuple(f"hunt {SQUARES[code >> 2]} {animal} {code & 3}" for code in range(256))
    for animal in ("fish", "fox")
}


def effects(state: State) -> list[str]:
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


def actions(state: State) -> list[str]:
    """All possible moves in ACTION."""
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
            out += [f"igloo {name}" for name in names_of(_buildable(state, own & ice))]
    if state.hands[turn]:
        out += effects(state)
        if "stamina" not in state.played:
            out += _staminas(state)
    return out


def _buildable(state: State, squares: int) -> int:
    """Of these squares, those without an igloo and without an Inuit of another tribe (II-11)."""
    free = squares & ~state.all_igloos()
    for player, tribe in enumerate(state.inuits):
        if player != state.turn:
            for square in tribe:
                free &= ~(1 << square)
    return free


def _staminas(state: State) -> list[str]:
    """The stamina tiles that the player has, or (physical play) may have (II-12)."""
    held = state.hands[state.turn]
    kinds = state.rules.mix.tiles if state.rules.physical else dict.fromkeys(held)
    return [
        f"stamina {number(kind)}"
        for kind in kinds
        if kind is not None and family(kind) == "stamina" and holds(state, state.turn, kind)
    ]


def _walks(state: State, squares: list[int], ice: int, can_harpoon: bool, out: list[str]) -> None:
    allowed = _entries(state, ice | LAND if state.rules.land_walkable else ice)
    bears = allowed & state.bears
    free = allowed & ~bears
    for square in squares:
        out += _WALKS[square][NEAR[square] & free]
        if bears & NEAR[square] and can_harpoon:
            out += [text + " harpoon" for text in _WALKS[square][NEAR[square] & bears]]


def _entries(state: State, squares: int) -> int:
    """The squares except those that the hardcore variant bars (II-23a)."""
    if state.rules.entry_ban:
        return squares & ~(state.all_igloos() & ~state.igloos[state.turn])
    return squares


def _kayaks(state: State, squares: list[int], ice: int, can_harpoon: bool, out: list[str]) -> None:
    passable = state.sea & ~state.bears
    landing = _entries(state, ice)
    bears = landing & state.bears if can_harpoon else 0
    landing &= ~state.bears
    areas: list[_Area] = []
    for square in squares:
        left = NEAR[square] & passable
        if not left or (LAND >> square & 1 and not state.rules.kayak_from_corner):
            continue
        touched = [area for area in areas if area[0] & left]
        for area in touched:
            left &= ~area[0]
        while left:
            water = flood(left & -left, passable)
            areas.append(_area(water, spread(water), landing))
            touched.append(areas[-1])
            left &= ~water
        _, beside, texts_of = touched[0]
        if len(touched) > 1:
            for area in touched[1:]:
                beside |= area[1]
            _, _, texts_of = _area(0, beside, landing)
        texts = _KAYAK[square]
        out += texts_of(texts)
        if landing >> square & 1:
            out.remove(texts[square])  # it is beside its own water, and a trip has to end elsewhere
        if beside & bears:
            out += [texts[goal] + " harpoon" for goal in squares_of(beside & bears) if goal != square]


_Area = tuple[int, int, Callable[[tuple[str, ...]], Iterable[str]]]
"""A sea area, what lies beside it, and what picks the texts of all landings there out of the texts of a start."""


def _area(water: int, beside: int, landing: int) -> _Area:
    goals = squares_of(beside & landing)
    if len(goals) > 1:
        return water, beside, itemgetter(*goals)
    return water, beside, lambda texts: [texts[goal] for goal in goals]


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
