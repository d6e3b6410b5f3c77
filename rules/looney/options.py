"""IGLOO's options, and the constants of a game: sides, seats, widths, readings of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.core import data
from rules.core.game import Option
from rules.core.reading import Reader, is_whole, shown

COLOURS = (
    "red", "yellow", "green", "blue", "orange", "purple", "pink", "cyan", "brown", "white", "grey", "black", "clear",
)  # fmt: skip
SIDES = ("A", "B")
SIZES = "SML"
WIDEST = 1000
USUAL: dict[str, list[str]] = {"A": ["red", "yellow"], "B": ["blue", "green"]}
DOUBLE_THREATS = ("any", "threatening", "fresh")


OPTIONS: tuple[Option, ...] = (
    Option(
        "mode",
        "digital",
        "digital or physical",
        "both the same: nothing is drawn in IGLOO, and the real colour is always told in secret (D-83)",
        ("digital", "physical"),
    ),
    Option(
        "first",
        "players[0]",
        "players[0] or random",
        "who places the first piece (IG-3)",
        ("players[0]", "random"),
    ),
    Option(
        "sides",
        None,
        "null or an object: two colours for A, two for B",
        "the colours of two players (null: A red and yellow, B blue and green); in a team game seats are colours",
    ),
    Option(
        "widths",
        "standard",
        "standard, or an object: whole numbers for S, M and L",
        "widths of the pieces (D-67); coordinates and gaps are in the same unit",
    ),
    Option(
        "captures_optional",
        True,
        "true or false",
        "a capture may be declined (D-71); false: every window is played to its end",
        (True, False),
    ),
    Option(
        "aftermath_only",
        False,
        "true or false",
        "captures before one's own placement only after a Double Threat (D-72)",
        (True, False),
    ),
    Option(
        "double_threat",
        "any",
        "any, threatening or fresh",
        "which open enemy piece allows a placement in harm's way (D-74): any; only one connected to the new piece; "
        "only one that the placement opened",
        DOUBLE_THREATS,
    ),
    Option(
        "table",
        None,
        "null or four whole numbers: west, south, east, north",
        "the edges of the table (D-77), in the unit of the widths, seen from the first piece's south-west corner",
    ),
)


class Setting(NamedTuple):
    """The constants of a game. A colour is a number: 0 and 1 are A's, 2 and 3 are B's.

    `seats`: who may act, in their order round the table · `side_of`: the side (0, 1) of each seat · `own`: the colours
    that each seat places · `widths`: of S, M, L · `gap`: pieces nearer than this may be connected (IG-5).
    """

    seats: tuple[str, ...]
    side_of: tuple[int, ...]
    own: tuple[tuple[int, ...], ...]
    colours: tuple[str, ...]
    widths: tuple[int, int, int]
    options: Mapping[str, Any]
    captures_optional: bool
    aftermath_only: bool
    double_threat: str
    table: tuple[int, int, int, int] | None

    @property
    def team(self) -> bool:
        return len(self.seats) == 4

    @property
    def gap(self) -> int:
        return self.widths[0]


def read_setting(reader: Reader, players: Any, options: Any, sides: Any = None) -> Setting:
    """Seats, colours and options of a new game or a position; defects go to the reader."""
    chosen = reader.options(options, OPTIONS)
    seats = reader.several_of(players, (*SIDES, *COLOURS), "players")
    side_of: tuple[int, ...]
    own: tuple[tuple[int, ...], ...]
    if set(seats) == set(SIDES):
        colours = _sides(reader, USUAL if chosen["sides"] is None else chosen["sides"])
        if sides is not None:
            if chosen["sides"] is not None and _sides(reader, sides) != colours:
                reader.say("sides and the option sides do not agree")
            colours = _sides(reader, sides)
        chosen["sides"] = {"A": list(colours[:2]), "B": list(colours[2:])}
        side_of = tuple(SIDES.index(seat) for seat in seats)
        own = tuple((0, 1) if seat == "A" else (2, 3) for seat in seats)
    else:
        if len(seats) != 4 or set(seats) & set(SIDES):
            reader.say("players: IGLOO is for A and B, or for four colours in their order round the table")
            seats = ("red", "blue", "yellow", "green")
        colours = (seats[0], seats[2], seats[1], seats[3])  # partners sit opposite (IG-18)
        side_of, own = (0, 1, 0, 1), ((0,), (2,), (1,), (3,))
        pairs = f"A has {colours[0]} and {colours[1]}, B {colours[2]} and {colours[3]}"
        for value in (sides, chosen["sides"]):
            if value is not None and _sides(reader, value) not in _orders(colours):
                reader.say(f"sides: partners sit opposite, so {pairs}")
        chosen["sides"] = None
    widths = _widths(reader, chosen)
    table = _table(reader, chosen, widths)
    return Setting(
        seats=seats,
        side_of=side_of,
        own=own,
        colours=colours,
        widths=widths,
        options=chosen,
        captures_optional=chosen["captures_optional"],
        aftermath_only=chosen["aftermath_only"],
        double_threat=chosen["double_threat"],
        table=table,
    )


def widths_of(options: Mapping[str, Any]) -> Mapping[str, int]:
    """The widths of S, M and L in a game with these options, as shown in a view."""
    given = options["widths"]
    widths: Mapping[str, int] = given if isinstance(given, Mapping) else data.load("widths", given)["widths"]
    return widths


def _orders(colours: tuple[str, ...]) -> set[tuple[str, ...]]:
    a, b, c, d = colours
    return {(a, b, c, d), (b, a, c, d), (a, b, d, c), (b, a, d, c)}


def _sides(reader: Reader, value: Any) -> tuple[str, ...]:
    given = reader.mapping(value, "sides")
    reader.keys(given, SIDES, "sides")
    colours = [reader.several_of(given.get(side), COLOURS, f"sides.{side}") for side in SIDES]
    flat = (*colours[0], *colours[1])
    if [len(pair) for pair in colours] != [2, 2] or len(set(flat)) != 4:
        reader.say("sides: A and B have two colours each, four different ones in all")
        return (*USUAL["A"], *USUAL["B"])
    return flat


def _widths(reader: Reader, chosen: dict[str, Any]) -> tuple[int, int, int]:
    given = chosen["widths"]
    standard = data.load("widths", "standard")["widths"]
    if isinstance(given, str) and given in data.names("widths"):
        found = data.load("widths", given)["widths"]
    elif isinstance(given, Mapping) and set(given) == set(SIZES) and all(is_whole(w) for w in given.values()):
        found = chosen["widths"] = dict(given)
        if not 0 < found["S"] <= found["M"] <= found["L"] <= WIDEST:
            reader.say(f"option widths: S, M and L must rise, from 1 to {WIDEST}, and are {shown(given)}")
            found = standard
    else:
        reader.say(f"option widths is {shown(given)}, and may be standard or whole numbers for S, M and L")
        found = standard
    return found["S"], found["M"], found["L"]


def _table(
    reader: Reader, chosen: dict[str, Any], widths: tuple[int, int, int]
) -> tuple[int, int, int, int] | None:
    given = chosen["table"]
    if given is None:
        return None
    if not isinstance(given, list | tuple) or len(given) != 4 or not all(is_whole(edge) for edge in given):
        reader.say(f"option table is {shown(given)}, and may be null or west, south, east, north")
        return None
    west, south, east, north = given
    if west > 0 or south > 0 or east < widths[2] or north < widths[2]:
        reader.say(
            "option table: the first piece, whose south-west corner is at 0,0, must fit onto the table"
        )
        return None
    chosen["table"] = [west, south, east, north]
    return west, south, east, north
