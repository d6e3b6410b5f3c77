"""Deals hidden things: everything for a new game, and what a written position leaves unknown (II-5, II-24, II-25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules.core.chance import Chance
from rules.core.reading import Reader

from .mix import TILES_ON_BOARD, is_red
from .options import Rules
from .state import UNKNOWN


class Dealt(NamedTuple):
    """Where the tiles are: 64 squares, hands, thawed ones. None: unknown (physical play only)."""

    tiles: tuple[str | None, ...]
    hands: tuple[tuple[str | None, ...], ...]
    thawed: tuple[str | None, ...]


def new_tiles(rules: Rules, ice: int, chance: Chance) -> tuple[tuple[str | None, ...], Chance]:
    """All tiles shuffled onto the squares of `ice` (II-5); unknown in physical play."""
    if rules.physical:
        return tuple(None if ice >> square & 1 else "" for square in range(64)), chance
    every = [kind for kind, count in rules.mix.tiles.items() for _ in range(count)]
    mixed, chance = chance.shuffled(every)
    left = iter(mixed)
    return tuple(next(left) if ice >> square & 1 else "" for square in range(64)), chance


def new_supply(rules: Rules, counts: Mapping[int, int], chance: Chance) -> tuple[tuple[int, ...], Chance]:
    """All tokens of a kind, shuffled; in physical play sorted by value, since nobody knows their order."""
    every = [value for value, count in counts.items() for _ in range(count)]
    return (tuple(sorted(every)), chance) if rules.physical else chance.shuffled(every)


def deal_tokens(
    reader: Reader,
    value: Any,
    name: str,
    rules: Rules,
    counts: Mapping[int, int],
    used: Counter[int],
    chance: Chance,
) -> tuple[tuple[int, ...], Chance]:
    """A supply as written; checks the number of tokens of each value. Nulls are drawn from the tokens that are nowhere
    else.

    In physical play they stay UNKNOWN, unless all tokens that are nowhere else must be there.
    """
    given = [
        None if item is None else reader.whole(item, f"a value of supply.{name}", 1, 3, 1)
        for item in reader.items(value, f"supply.{name}")
    ]
    there = used + Counter(item for item in given if item is not None)
    free: list[int] = []
    for number, count in counts.items():
        if there[number] > count:
            reader.say(f"there are {there[number]} {name} of value {number}, and the box has {count}")
        free += [number] * (count - there[number])
    unknown = given.count(None)
    if unknown > len(free):
        reader.say(f"supply.{name}: {unknown} unknown ones, and only {len(free)} are nowhere else")
        return (), chance
    if rules.physical and unknown < len(free):
        return tuple(sorted(UNKNOWN if item is None else item for item in given)), chance
    if unknown:
        mixed, chance = chance.shuffled(free)
        left = iter(mixed)
        given = [next(left) if item is None else item for item in given]
    values = [item for item in given if item is not None]
    return tuple(sorted(values) if rules.physical else values), chance


def deal_tiles(
    reader: Reader,
    rules: Rules,
    tiles: Sequence[str | None],
    hands: Sequence[Sequence[str | None]],
    out_open: Sequence[str],
    thawed: Sequence[str | None],
    chance: Chance,
) -> tuple[Dealt, Chance]:
    """Counts the tiles by kind; in digital play deals the unknown ones, to the hands red-bordered tiles first."""
    held = [kind for hand in hands for kind in hand]
    there = Counter(kind for kind in (*tiles, *held, *out_open, *thawed) if kind)
    for kind, count in there.items():
        if count > rules.mix.tiles[kind]:
            reader.say(f"there are {count} {kind} tiles, and the mix has {rules.mix.tiles[kind]}")
    total = sum(kind != "" for kind in tiles) + len(held) + len(out_open) + len(thawed)
    if total > TILES_ON_BOARD:
        reader.say(f"there are {total} tiles, and the box has {TILES_ON_BOARD}")
    red = sum(count for kind, count in there.items() if is_red(kind)) + held.count(None)
    if red > rules.mix.red_tiles():
        reader.say(f"there are {red} red-bordered tiles, and the mix has {rules.mix.red_tiles()}")
    if rules.physical or reader.defects:
        return Dealt(tuple(tiles), tuple(map(tuple, hands)), tuple(thawed)), chance
    free = [kind for kind, count in rules.mix.tiles.items() for _ in range(count - there[kind])]
    mixed, chance = chance.shuffled(free) if None in (*tiles, *held, *thawed) else (tuple(free), chance)
    reds = [kind for kind in mixed if is_red(kind)]
    dealt_hands = tuple(tuple(reds.pop() if kind is None else kind for kind in hand) for hand in hands)
    # What the hands did not take is on the board and among the thawed tiles, in shuffled order.
    left = _minus(mixed, [new for old, new in zip(held, sum(dealt_hands, ()), strict=True) if old is None])
    put = iter(left)
    return Dealt(
        tuple(next(put) if kind is None else kind for kind in tiles),
        dealt_hands,
        tuple(next(put) if kind is None else kind for kind in thawed),
    ), chance


def _minus(row: Sequence[str], taken: Sequence[str | None]) -> list[str]:
    gone = Counter(taken)
    out = []
    for kind in row:
        if gone[kind]:
            gone[kind] -= 1
        else:
            out.append(kind)
    return out
