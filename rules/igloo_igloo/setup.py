"""Reads the pieces and terrain of a position that somebody wrote; reports every defect (docs/contracts.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.core.position import read_chance, read_over
from rules.core.reading import Reader, shown

from .board import INDEX, LAND, SQUARES, WATER, squares_of
from .deal import deal_tiles, deal_tokens
from .mix import is_red
from .options import Rules, read_rules
from .score import finish
from .state import Prey, State
from .unfinished import read_progress, settle

KEYS = (
    "game", "players", "turn", "to_act", "phase", "over", "ap", "ice", "tiles", "fish", "foxes", "bears", "inuits",
    "igloos", "hands", "played", "prey", "reserve", "supply", "out", "pending", "options", "chance",
)  # fmt: skip


def read_state(position: Mapping[str, Any], seed: int) -> State:
    """The position as a state. Hidden tiles and tokens that are null or missing are dealt from the rest of the mix, by
    `seed` (digital play), or stay unknown (physical play). Raises `PositionError`."""
    reader = Reader()
    reader.keys(position, KEYS, "the position")
    if position.get("game") not in (None, "igloo-igloo"):
        reader.say(f"game is {shown(position['game'])}, and this is a position of igloo-igloo")
    rules = read_rules(position.get("players"), position.get("options"), reader)
    chance = read_chance(reader, position.get("chance"), seed)
    hidden, pack = _ice(reader, position.get("ice"))
    tiles = _tiles(reader, position.get("tiles"), hidden, pack, rules)
    hands = _hands(reader, position.get("hands"), rules)
    out = _part(reader, position.get("out"), "out", ("open", "thawed"))
    out_open = tuple(kind for kind in _kinds(reader, out.get("open"), "out.open", rules) if kind is not None)
    if len(out_open) < len(reader.items(out.get("open"), "out.open")):
        reader.say("out.open: tiles that everybody saw cannot be null")
    thawed = _kinds(reader, out.get("thawed"), "out.thawed", rules)
    fish = _tokens(reader, position.get("fish"), "fish", WATER & ~hidden & ~pack, "sea")
    foxes = _tokens(reader, position.get("foxes"), "foxes", hidden | pack, "ice")
    bears = _bears(reader, position.get("bears"))
    prey = _prey(reader, position.get("prey"), rules)
    supply = _part(reader, position.get("supply"), "supply", ("fish", "foxes", "bears"))
    supply_bears = reader.whole(supply.get("bears"), "supply.bears", 0, rules.mix.bears)
    if (total := bears.bit_count() + supply_bears + sum(one.bears for one in prey)) > rules.mix.bears:
        reader.say(f"there are {total} bears, and the box has {rules.mix.bears}")
    fish_used = Counter(code & 3 for code in fish) + Counter(value for one in prey for value in one.fish)
    fox_used = Counter(code & 3 for code in foxes) + Counter(value for one in prey for value in one.foxes)
    supply_fish, chance = deal_tokens(
        reader, supply.get("fish"), "fish", rules, rules.mix.fish, fish_used, chance
    )
    supply_foxes, chance = deal_tokens(
        reader, supply.get("foxes"), "foxes", rules, rules.mix.foxes, fox_used, chance
    )
    dealt, chance = deal_tiles(reader, rules, tiles, hands, out_open, thawed, chance)
    if rules.physical:  # there nobody knows what is face down or was thawed, whatever was written
        faces = tuple(None if hidden >> at & 1 else kind for at, kind in enumerate(dealt.tiles))
        dealt = dealt._replace(tiles=faces, thawed=(None,) * len(thawed))
    inuits = _inuits(reader, position.get("inuits"), rules, hidden | pack)
    igloos = _igloos(reader, position.get("igloos"), rules, hidden | pack)
    state = State(
        rules=rules,
        turn=0,
        phase="pre-melt",
        ap=0,
        hidden=hidden,
        pack=pack,
        tiles=dealt.tiles,
        fish=fish,
        foxes=foxes,
        bears=bears,
        inuits=inuits,
        igloos=igloos,
        hands=dealt.hands,
        played=(),
        prey=prey,
        reserve=_reserve(reader, position.get("reserve"), rules),
        supply_fish=supply_fish,
        supply_foxes=supply_foxes,
        supply_bears=supply_bears,
        out_open=out_open,
        out_thawed=dealt.thawed,
        pending=None,
        over=None,
        chance=chance,
    )
    over = read_over(reader, position.get("over"), rules.players)
    state = read_progress(reader, position, state, over)
    _tribes(reader, state)
    reader.finish()
    if state.phase == "over":
        ended = finish(state, "II-16", "the game is over").over
        assert ended is not None
        if over is None:
            return state._replace(over=ended)
        if over.winners != ended.winners or (over.scores is not None and dict(over.scores) != ended.scores):
            reader.say(
                f"over does not agree with the position, where {' and '.join(ended.winners)} won with {ended.scores}"
            )
            reader.finish()
        return state._replace(over=over)
    return settle(state)


def _part(reader: Reader, value: Any, where: str, known: tuple[str, ...]) -> Mapping[str, Any]:
    found = reader.mapping(value, where)
    reader.keys(found, known, where)
    return found


def _squares(reader: Reader, value: Any, where: str) -> list[tuple[int, Any]]:
    """The entries of an object with squares as keys."""
    out = []
    for name, item in reader.mapping(value, where).items():
        if name in INDEX:
            out.append((INDEX[name], item))
        else:
            reader.say(f"{where}: {shown(name)} is no square")
    return out


def _ice(reader: Reader, value: Any) -> tuple[int, int]:
    hidden = pack = 0
    for square, item in _squares(reader, value, "ice"):
        what = reader.one_of(item, ("hidden", "pack"), f"ice on {SQUARES[square]}", "hidden")
        if LAND >> square & 1:
            reader.say(f"ice on {SQUARES[square]}: the corners are land")
        elif what == "pack":
            pack |= 1 << square
        else:
            hidden |= 1 << square
    return hidden, pack


def _tiles(reader: Reader, value: Any, hidden: int, pack: int, rules: Rules) -> list[str | None]:
    tiles: list[str | None] = [None if (hidden | pack) >> at & 1 else "" for at in range(64)]
    for square in squares_of(pack):
        tiles[square] = "pack"
    for square, kind in _squares(reader, value, "tiles"):
        name = SQUARES[square]
        if not (hidden | pack) >> square & 1:
            reader.say(f"tiles: there is no ice on {name}")
        elif kind is not None and pack >> square & 1 and kind != "pack":
            reader.say(f"tiles: {name} is pack ice, and its tile is {shown(kind)}")
        else:
            tiles[square] = reader.one_of(kind, tuple(rules.mix.tiles), f"the tile on {name}", tiles[square])
    return tiles


def _kinds(reader: Reader, value: Any, where: str, rules: Rules) -> list[str | None]:
    known = list(rules.mix.tiles)
    return [
        None if kind is None else reader.one_of(kind, known, f"a tile of {where}")
        for kind in reader.items(value, where)
    ]


def _hands(reader: Reader, value: Any, rules: Rules) -> list[list[str | None]]:
    given = _part(reader, value, "hands", rules.players)
    out = []
    for colour in rules.players:
        hand = _kinds(reader, given.get(colour), f"hands.{colour}", rules)
        for kind in hand:
            if kind is not None and not is_red(kind):
                reader.say(f"hands.{colour}: {kind} has no red border and is never kept")
        out.append(hand)
    return out


def _values(reader: Reader, value: Any, where: str) -> tuple[int, ...]:
    items = reader.items(value, where)
    return tuple(sorted(reader.whole(item, f"a value of {where}", 1, 3, 1) for item in items))


def _tokens(reader: Reader, value: Any, where: str, terrain: int, name: str) -> tuple[int, ...]:
    out: list[int] = []
    for square, item in _squares(reader, value, where):
        values = _values(reader, item, f"{where} on {SQUARES[square]}")
        if values and not terrain >> square & 1:
            reader.say(f"{where} on {SQUARES[square]}: there is no {name}")
        out += [square << 2 | one for one in values]
    return tuple(sorted(out))


def _bears(reader: Reader, value: Any) -> int:
    bears = 0
    for name in reader.items(value, "bears"):
        if not isinstance(name, str) or name not in INDEX:
            reader.say(f"bears: {shown(name)} is no square")
        elif LAND >> INDEX[name] & 1:
            reader.say(f"bears: no bear goes on the land of {name}")
        elif bears >> INDEX[name] & 1:
            reader.say(f"bears: there are two bears on {name}")
        else:
            bears |= 1 << INDEX[name]
    return bears


def _inuits(reader: Reader, value: Any, rules: Rules, ice: int) -> tuple[tuple[int, ...], ...]:
    tribes: list[list[int]] = [[] for _ in rules.players]
    for square, item in _squares(reader, value, "inuits"):
        name = SQUARES[square]
        for colour in reader.items(item, f"inuits on {name}"):
            known = reader.one_of(colour, rules.players, f"an Inuit on {name}")
            if known is not None:
                tribes[rules.players.index(known)].append(square)
            elif colour is None:
                reader.say(f"an Inuit on {name} has no colour")
        if item and not (ice | LAND) >> square & 1:
            reader.say(f"inuits: {name} is sea")
    return tuple(tuple(sorted(tribe)) for tribe in tribes)


def _igloos(reader: Reader, value: Any, rules: Rules, ice: int) -> tuple[int, ...]:
    rows = [0] * len(rules.players)
    for square, colour in _squares(reader, value, "igloos"):
        name = SQUARES[square]
        known = reader.one_of(colour, rules.players, f"the igloo on {name}")
        if known is None:
            if colour is None:
                reader.say(f"the igloo on {name} has no colour")
            continue
        rows[rules.players.index(known)] |= 1 << square
        if not ice >> square & 1:
            reader.say(f"igloos: there is no ice on {name}")
    return tuple(rows)


def _prey(reader: Reader, value: Any, rules: Rules) -> tuple[Prey, ...]:
    given = _part(reader, value, "prey", rules.players)
    out = []
    for colour in rules.players:
        one = _part(reader, given.get(colour), f"prey.{colour}", ("fish", "foxes", "bears"))
        fish = _values(reader, one.get("fish"), f"prey.{colour}.fish")
        foxes = _values(reader, one.get("foxes"), f"prey.{colour}.foxes")
        out.append(
            Prey(fish, foxes, reader.whole(one.get("bears"), f"prey.{colour}.bears", 0, rules.mix.bears))
        )
    return tuple(out)


def _reserve(reader: Reader, value: Any, rules: Rules) -> tuple[tuple[int, int], ...]:
    given = _part(reader, value, "reserve", rules.players)
    out = []
    for colour in rules.players:
        one = _part(reader, given.get(colour), f"reserve.{colour}", ("inuits", "igloos"))
        inuits = reader.whole(one.get("inuits"), f"reserve.{colour}.inuits", 0, rules.inuits)
        out.append((inuits, reader.whole(one.get("igloos"), f"reserve.{colour}.igloos", 0, 2)))
    return tuple(out)


def _tribes(reader: Reader, state: State) -> None:
    """A tribe has three Inuits (five with two players) and two igloos, wherever they are (II-5)."""
    fleeing = state.pending.fleeing if state.pending else ()
    for player, colour in enumerate(state.rules.players):
        inuits = len(state.inuits[player]) + state.reserve[player][0] + fleeing.count(player)
        if inuits > state.rules.inuits:
            reader.say(f"there are {inuits} Inuits of {colour}, and its tribe has {state.rules.inuits}")
        igloos = state.igloos[player].bit_count() + state.reserve[player][1]
        if igloos > 2:
            reader.say(f"there are {igloos} igloos of {colour}, and its tribe has 2")
