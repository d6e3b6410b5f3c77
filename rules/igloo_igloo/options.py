"""The options of Igloo Igloo, and the constants of a game: its players, rules and tiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.core import data
from rules.core.game import Option
from rules.core.reading import Reader, shown

from . import mix as tile_mix
from .board import COLOURS
from .mix import Mix

YES_NO = (True, False)


def _flag(name: str, default: bool, meaning: str) -> Option:
    return Option(name, default, "true or false", meaning, YES_NO)


OPTIONS: tuple[Option, ...] = (
    Option(
        "mode",
        "digital",
        "digital or physical",
        "digital: the referee shuffles and holds what is hidden; physical: your table does, and you report",
        ("digital", "physical"),
    ),
    Option(
        "first",
        "players[0]",
        "players[0] or random",
        "who begins (D-33); play goes round in the order of the players",
        ("players[0]", "random"),
    ),
    Option(
        "tiles",
        "assumed-v1",
        "the name of a packaged mix, or an object of tile kinds with their counts",
        "the mix of the 56 tiles (D-32); count your box and give it here",
    ),
    _flag("hardcore", False, "II-23: both rules of the hardcore variant; sets the next two"),
    _flag("hardcore_entry", False, "no Inuit may enter a tile with an opponent's igloo (D-62)"),
    _flag(
        "hardcore_scores",
        False,
        "islands are worth 1, 3, 6, 10, 15, 21, and being alone squares nothing (D-62)",
    ),
    _flag(
        "move_animals_exact",
        True,
        "all three points must be moved while any animal can move (D-45); false: up to three",
    ),
    _flag(
        "refuge_per_token",
        True,
        "animals in the way of a push go each where they like (D-41); false: all to one square",
    ),
    _flag("land_walkable", True, "Inuits may walk onto the land corners (D-51); false: only off them"),
    _flag("fishing_from_land", True, "an Inuit on a land corner may fish in adjacent sea (D-53)"),
    _flag("kayak_from_corner", False, "an Inuit may start a kayak trip on a land corner (D-52)"),
    Option(
        "half_rounding",
        "exact",
        "exact, down or up",
        "what becomes of half points for the second place (D-58)",
        ("exact", "down", "up"),
    ),
)


class Rules(NamedTuple):
    """The constants of a game. `options` as given to the referee, with the defaults filled in."""

    players: tuple[str, ...]
    options: Mapping[str, Any]
    physical: bool
    mix: Mix
    entry_ban: bool
    table_scores: bool
    exact_points: bool
    refuge_per_token: bool
    land_walkable: bool
    fishing_from_land: bool
    kayak_from_corner: bool
    rounding: str

    @property
    def inuits(self) -> int:
        """The number of Inuits of one tribe (II-5)."""
        return 5 if len(self.players) == 2 else 3


def read_rules(players: Any, options: Any, reader: Reader) -> Rules:
    """The players and options of a new game or a position; defects go to the reader."""
    seated = reader.seated(players, COLOURS, 2, 4)
    if len(seated) == 2 and set(seated) != {"red", "blue"}:
        reader.say("players: two players take red and blue, which have five Inuits (II-5)")
    chosen = reader.options(options, OPTIONS)
    mix = _read_mix(chosen, reader)
    if chosen["hardcore"]:
        chosen["hardcore_entry"] = chosen["hardcore_scores"] = True
    return Rules(
        players=seated,
        options=chosen,
        physical=chosen["mode"] == "physical",
        mix=mix,
        entry_ban=chosen["hardcore_entry"],
        table_scores=chosen["hardcore_scores"],
        exact_points=chosen["move_animals_exact"],
        refuge_per_token=chosen["refuge_per_token"],
        land_walkable=chosen["land_walkable"],
        fishing_from_land=chosen["fishing_from_land"],
        kayak_from_corner=chosen["kayak_from_corner"],
        rounding=chosen["half_rounding"],
    )


def _read_mix(chosen: dict[str, Any], reader: Reader) -> Mix:
    given = chosen["tiles"]
    if isinstance(given, Mapping):
        found = tile_mix.defects(given)
        for defect in found:
            reader.say(f"option tiles, {defect}")
        chosen["tiles"] = dict(given)  # a copy, so that nobody can change it later
        return tile_mix.load("assumed-v1") if found else tile_mix.own(given)
    if isinstance(given, str) and given in data.names("tiles"):
        return tile_mix.load(given)
    reader.say(
        f"option tiles is {shown(given)}, and may be {', '.join(data.names('tiles'))} or an object of counts"
    )
    return tile_mix.load("assumed-v1")
