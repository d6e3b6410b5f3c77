"""The tile mix and the tokens: data, and a validator that reports every defect (D-32, K1 to K5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from rules.core import data
from rules.core.reading import is_whole, shown

KIND = re.compile(r"(fish|stamina)-([1-9])|bear|drift|pack|thaw|harpoon|animals")
RED_KINDS = ("thaw", "stamina", "harpoon", "animals")
EVERY_KIND = ("fish", "bear", "pack", "drift", *RED_KINDS)
TILES_ON_BOARD = 56
FISH_AT_THE_START = 4


class Mix(NamedTuple):
    """The number of tiles of each kind (`fish-2`, `bear`, `stamina-1`, …) and of tokens of each value."""

    id: str
    tiles: Mapping[str, int]
    fish: Mapping[int, int]
    foxes: Mapping[int, int]
    bears: int

    def red_tiles(self) -> int:
        return sum(count for kind, count in self.tiles.items() if is_red(kind))


def family(kind: str) -> str:
    """The kind without its number: stamina of different values counts as one kind (II-12)."""
    return kind.partition("-")[0]


def number(kind: str) -> int:
    """The number on the tile: fish of a fish tile, action points of a stamina tile; 0 without one."""
    return int(kind.partition("-")[2] or 0)


def is_red(kind: str) -> bool:
    """Whether the tile has a red border (and is kept in the hand, II-9)."""
    return family(kind) in RED_KINDS


@cache
def load(name: str) -> Mix:
    """The mix in a packaged data file, `rules/data/tiles-<name>.toml`. Raises `KeyError` if there is none."""
    found = data.load("tiles", name)
    tokens = found["tokens"]
    return Mix(
        name,
        found["tiles"],
        {int(value): count for value, count in tokens["fish"].items()},
        {int(value): count for value, count in tokens["foxes"].items()},
        tokens["bears"],
    )


def own(tiles: Mapping[str, int]) -> Mix:
    """The owner's own numbers of tiles, with the tokens of the rulebook (II-3)."""
    return load("assumed-v1")._replace(id="own", tiles=dict(tiles))


def defects(tiles: Mapping[Any, Any], tokens: Mix | None = None) -> list[str]:
    """All reasons why this mix cannot be in a box of the game; empty when it can (T-II-25)."""
    tokens = tokens or load("assumed-v1")
    out: list[str] = []
    counts: dict[str, int] = {}
    for kind, count in tiles.items():
        if not isinstance(kind, str) or not KIND.fullmatch(kind):
            out.append(
                f"tiles: {kind!r} is no kind of tile; kinds are fish-1 … fish-9, bear, pack, drift, thaw, "
                "stamina-1 … stamina-9, harpoon, animals"
            )
        elif not is_whole(count) or not 0 <= count <= TILES_ON_BOARD:
            out.append(
                f"tiles: {kind} has {shown(count)}; a count is a whole number from 0 to {TILES_ON_BOARD}"
            )
        else:
            counts[kind] = count
    total = sum(counts.values())
    if total != TILES_ON_BOARD:
        out.append(f"K1: the tiles add up to {total}; the board takes {TILES_ON_BOARD}")
    pictured = sum(number(kind) * count for kind, count in counts.items() if family(kind) == "fish")
    room = sum(tokens.fish.values()) - FISH_AT_THE_START
    if pictured > room:
        out.append(f"K2: {pictured} fish pictured; {room} tokens are left after the set-up")
    for rule, kind, limit, what in (
        ("K3", "bear", tokens.bears, "bears"),
        ("K4", "pack", sum(tokens.foxes.values()), "foxes"),
    ):
        if counts.get(kind, 0) > limit:
            out.append(f"{rule}: {counts[kind]} {kind} tiles; there are {limit} {what}")
    present = {kind for kind, count in counts.items() if count}
    out += [
        f"K5: no {kind} tile; each kind is there at least once"
        for kind in EVERY_KIND
        if kind not in {family(name) for name in present}
    ]
    for kind in ("fish", "stamina"):
        if len([name for name in present if family(name) == kind]) == 1:
            out.append(f"K5: {kind} tiles of one number only; the rulebook speaks of different ones")
    return out
