"""Reads a position that somebody wrote, and reports all its defects at once (docs/contracts.md, igloo)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from rules.core.position import read_chance, read_over
from rules.core.reading import Reader, is_whole, shown

from .capture import open_pieces
from .geometry import Box, are_connected, overlap
from .options import SIDES, SIZES, Setting, read_setting
from .state import (
    AFTER,
    BEFORE,
    COMMIT,
    NOWHERE,
    OVER,
    PHASES,
    PLACE,
    REVEAL,
    STASH,
    Links,
    Piece,
    Pieces,
    State,
    all_measured,
    capturable,
    to_act,
)
from .windows import end_window, outcome, seats_of

KEYS = (
    "game", "sides", "seats", "players", "to_act", "turn", "phase", "over", "pieces", "links", "open", "stash",
    "prisoners", "real", "passes", "double_threat", "options", "chance",
)  # fmt: skip


def read_state(position: Mapping[str, Any], seed: int) -> State:
    """The position as a state. Raises `PositionError`."""
    reader = Reader()
    reader.keys(position, KEYS, "the position")
    if position.get("game") not in (None, "igloo"):
        reader.say(f"game is {shown(position['game'])}, and this is a position of igloo")
    seats = position.get("seats", position.get("players"))
    setting = read_setting(
        reader, list(SIDES) if seats is None else seats, position.get("options"), position.get("sides")
    )
    pieces = _pieces(reader, position.get("pieces"), setting)
    links = _links(reader, position.get("links"), pieces, setting)
    open_now = open_pieces(pieces, links)
    if position.get("open") is not None and not reader.defects:
        given = reader.items(position["open"], "open")
        if not all(map(is_whole, given)) or len(given) != len(open_now) or set(given) != open_now:
            reader.say(f"open is {shown(list(given))}, and by the connections it is {sorted(open_now)}")
    stash = _stash(reader, position.get("stash"), setting)
    prisoners = _prisoners(reader, position.get("prisoners"), setting)
    _count(reader, setting, pieces, stash, prisoners)
    real = _real(reader, position.get("real"), setting)
    over = read_over(reader, position.get("over"), (*setting.seats, *(() if not setting.team else SIDES)))
    usual = OVER if over else PLACE
    phase = reader.one_of(position.get("phase"), PHASES, "phase", usual) or usual
    if over is not None and phase != OVER:
        reader.say(f"over is given, and phase is {phase}")
    state = State(
        setting=setting,
        turn=_turn(reader, position, setting, phase),
        phase=phase,
        pieces=pieces,
        measured=all_measured(pieces),
        links=links,
        open=open_now,
        stash=stash,
        prisoners=prisoners,
        real=real,
        passes=reader.whole(position.get("passes"), "passes", 0, len(setting.seats)),
        threat=reader.flag(position.get("double_threat"), "double_threat"),
        over=over,
        chance=read_chance(reader, position.get("chance"), seed),
    )
    if not reader.defects and position.get("to_act") is not None:
        state = _acting(reader, state, list(reader.items(position["to_act"], "to_act")))
    reader.finish()
    return _settled(reader, state, position.get("phase") is not None)


def _acting(reader: Reader, state: State, given: list[Any]) -> State:
    """The state in which these seats are to act: this one, or one that fills in what a view hides.

    A view shows in `to_act` who has chosen his real colour, but not which: that is drawn.
    """
    named = sorted(map(str, given))
    if named == sorted(to_act(state)):
        return state
    if state.phase in (COMMIT, REVEAL):
        hidden = [side for side in (0, 1) if state.real[side] is None]
        chosen = [side for side in hidden if not set(named).intersection(seats_of(state, side))]
        if state.phase == REVEAL and not chosen:  # all are to act when all have chosen
            chosen = hidden
        real, chance = list(state.real), state.chance
        for side in chosen:
            below, chance = chance.below(2)
            real[side] = 2 * side + below
        drawn = state._replace(real=(real[0], real[1]), chance=chance)
        if named == sorted(to_act(drawn)):
            return drawn
    reader.say(f"to_act is {shown(given)}, and must be {list(to_act(state))}")
    return state


def _settled(reader: Reader, state: State, told: bool) -> State:
    """Scores a finished game, and skips windows without captures (IG-14) and placing without pieces (IG-17).

    `told`: whether the position gives its phase. Placing without pieces then stays as given, and is passed (D-78): a
    caller who only asks what is open need not count a stash, and nothing that was given is changed.
    """
    if state.phase == OVER:
        if None in state.real:
            reader.say("phase is over, and a real colour is not given")
            reader.finish()
        ended = outcome(state)
        if state.over is None:
            return state._replace(over=ended)
        if state.over.winners != ended.winners or state.over.scores not in (None, ended.scores):
            reader.say(f"over does not agree with the prisoners: {ended.text}")
            reader.finish()
        return state
    if state.phase in (BEFORE, AFTER) and not capturable(state, state.side):
        return end_window(state)
    if state.phase == PLACE and not (told or state.any_left()):
        return state._replace(phase=REVEAL)
    if state.phase == COMMIT and None not in state.real:
        return state._replace(phase=PLACE)
    return state


def _turn(reader: Reader, position: Mapping[str, Any], setting: Setting, phase: str) -> int:
    named = position.get("turn")
    acting = position.get("to_act")
    if named is None and phase in (BEFORE, PLACE, AFTER):
        if not isinstance(acting, list) or len(acting) != 1:
            reader.say(f"to_act must name one of {', '.join(setting.seats)}")
            return 0
        named = acting[0]
    found = reader.one_of(named, setting.seats, "whose turn it is", setting.seats[0])
    return setting.seats.index(found or setting.seats[0])


def _pieces(reader: Reader, value: Any, setting: Setting) -> Pieces:
    out: list[Piece] = []
    far = 60 * (setting.widths[2] + setting.gap)  # no chain of sixty pieces reaches further from the origin
    for at, item in enumerate(reader.items(value, "pieces"), 1):
        where = f"pieces[{at}]"
        row = reader.mapping(item, where)
        reader.keys(row, ("id", "colour", "size", "x", "y"), where)
        number = reader.whole(row.get("id"), f"{where}.id", 1, 99999, at)
        colour = reader.one_of(row.get("colour"), setting.colours, f"{where}.colour")
        size = reader.one_of(row.get("size"), tuple(SIZES), f"{where}.size")
        if colour is None or size is None:
            if row.get("colour") is None or row.get("size") is None:
                reader.say(f"{where} needs a colour and a size")
            continue
        if any(other.id == number for other in out):
            reader.say(f"two pieces are called #{number}")
            continue
        piece = Piece(number, setting.colours.index(colour), SIZES.index(size))
        x, y = row.get("x"), row.get("y")
        if x is not None or y is not None:
            if x is None or y is None or not is_whole(x) or not is_whole(y) or max(abs(x), abs(y)) > far:
                reader.say(f"{where}: x and y must be whole numbers from -{far} to {far}, or both left out")
                continue
            width = setting.widths[piece.size]
            piece = piece._replace(west=x, south=y, east=x + width, north=y + width)
            _check_place(reader, piece, out, setting)
        out.append(piece)
    return {piece.id: piece for piece in sorted(out)}


def _box(piece: Piece) -> Box:
    return piece.west, piece.south, piece.east, piece.north


def _check_place(reader: Reader, piece: Piece, others: list[Piece], setting: Setting) -> None:
    for other in others:
        if overlap(_box(piece), _box(other)):
            reader.say(f"pieces #{other.id} and #{piece.id} overlap")
    if setting.table is not None:
        west, south, east, north = setting.table
        if piece.west < west or piece.south < south or piece.east > east or piece.north > north:
            reader.say(f"piece #{piece.id} hangs over the edge of the table")


def _links(reader: Reader, value: Any, pieces: Pieces, setting: Setting) -> Links:
    """Connections follow from coordinates; those of a piece without any are declared (D-84)."""
    measured = {number for number, piece in pieces.items() if piece.west != NOWHERE}
    found = {
        (a.id, b.id)
        for a, b in combinations(pieces.values(), 2)
        if a.id in measured and b.id in measured and are_connected(_box(a), _box(b), setting.gap)
    }
    told = set()
    for item in reader.items(value, "links"):
        pair = reader.items(item, "a pair of links")
        if (
            len(pair) != 2
            or not all(is_whole(number) and number in pieces for number in pair)
            or pair[0] == pair[1]
        ):
            reader.say(f"links: {shown(item)} is no pair of pieces in play")
            continue
        told.add((min(pair), max(pair)))
    among = {pair for pair in told if pair[0] in measured and pair[1] in measured}
    if (
        among - found
        or (value is not None and among and found - among)
        or (value is not None and len(measured) == len(pieces) and found - among)
    ):
        wrong = sorted(among ^ found)
        reader.say(
            f"links do not agree with the coordinates: see {', '.join(f'#{a} and #{b}' for a, b in wrong[:5])}"
        )
    links: dict[int, tuple[int, ...]] = dict.fromkeys(pieces, ())
    for a, b in sorted(found | told):
        links[a] = (*links[a], b)
        links[b] = (*links[b], a)
    return links


def _stash(reader: Reader, value: Any, setting: Setting) -> tuple[tuple[int, int, int], ...]:
    given = reader.mapping(value, "stash")
    reader.keys(given, setting.colours, "stash")
    out = []
    for colour in setting.colours:
        row = reader.mapping(given.get(colour), f"stash.{colour}")
        reader.keys(row, tuple(SIZES), f"stash.{colour}")
        small, medium, large = (reader.whole(row.get(s), f"stash.{colour}.{s}", 0, STASH) for s in SIZES)
        out.append((small, medium, large))
    return tuple(out)


def _prisoners(reader: Reader, value: Any, setting: Setting) -> tuple[tuple[tuple[int, int], ...], ...]:
    given = reader.mapping(value, "prisoners")
    reader.keys(given, SIDES, "prisoners")
    out = []
    for side, name in enumerate(SIDES):
        row = []
        for item in reader.items(given.get(name), f"prisoners.{name}"):
            one = reader.mapping(item, f"a prisoner of {name}")
            reader.keys(one, ("colour", "size"), f"a prisoner of {name}")
            enemy = setting.colours[2:] if side == 0 else setting.colours[:2]
            colour = reader.one_of(one.get("colour"), enemy, f"the colour of a prisoner of {name}")
            size = reader.one_of(one.get("size"), tuple(SIZES), f"the size of a prisoner of {name}")
            if colour is None or size is None:
                reader.say(f"a prisoner of {name} needs one of the other side's colours and a size")
            else:
                row.append((setting.colours.index(colour), SIZES.index(size)))
        out.append(tuple(row))
    return tuple(out)


def _count(
    reader: Reader,
    setting: Setting,
    pieces: Pieces,
    stash: tuple[tuple[int, int, int], ...],
    prisoners: tuple[tuple[tuple[int, int], ...], ...],
) -> None:
    there = Counter((piece.colour, piece.size) for piece in pieces.values())
    there.update(pair for row in prisoners for pair in row)
    for (colour, row), size in ((one, s) for one in enumerate(stash) for s in range(3)):
        total = there[colour, size] + row[size]
        if total > STASH:
            reader.say(
                f"there are {total} pieces {setting.colours[colour]} {SIZES[size]}, and a stash has {STASH} (D-82)"
            )


def _real(reader: Reader, value: Any, setting: Setting) -> tuple[int | None, int | None]:
    given = reader.mapping(value, "real")
    reader.keys(given, SIDES, "real")
    out: list[int | None] = []
    for side, name in enumerate(SIDES):
        own = setting.colours[2 * side : 2 * side + 2]
        colour = reader.one_of(given.get(name), own, f"real.{name}")
        out.append(None if colour is None else setting.colours.index(colour))
    return out[0], out[1]
