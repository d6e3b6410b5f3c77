"""Melting a tile and what its picture does; tokens drawn from the supply (II-9, D-34, D-35, II-25)."""

from __future__ import annotations

from typing import Any

from rules.core.game import Event
from rules.core.refusal import Ambiguous, Illegal

from .board import CENTRE_SQUARES, LAND, SQUARES, spread
from .drift import pushes
from .mix import is_red, number
from .notation import Action
from .state import Pending, State, effect, kinds_left, meltable, red_left, replaced, set_of
from .turns import begin_action

Events = list[Event]


def melt(state: State, action: Action, events: Events) -> State:
    """The melt of the turn; then the event on the tile (II-9)."""
    square = action.square
    if not meltable(state) >> square & 1:
        raise Illegal("II-7", _why_not(state, square))
    tile = _reported(state, action) if state.rules.physical else _known(state, action)
    colour, name = state.colour(state.turn), SQUARES[square]
    bit = 1 << square
    if tile is None or is_red(tile):
        events.append(
            Event(
                "melted",
                "II-9",
                f"{colour} melts {name}: a red-bordered tile, kept in the hand",
                None,
                {"player": colour, "square": name, "tile": "red"},
            )
        )
        if tile is not None:
            events.append(
                Event("kept", "II-9", f"you keep: {tile}", (colour,), {"player": colour, "tile": tile})
            )
        hand = (*state.hands[state.turn], tile)
        return begin_action(
            state,
            hidden=state.hidden & ~bit,
            tiles=replaced(state.tiles, square, ""),
            hands=replaced(state.hands, state.turn, hand),
        )
    events.append(
        Event(
            "melted",
            "II-9",
            f"{colour} melts {name}: {tile}",
            None,
            {"player": colour, "square": name, "tile": tile},
        )
    )
    if tile == "pack":
        state = state._replace(
            hidden=state.hidden & ~bit, pack=state.pack | bit, tiles=replaced(state.tiles, square, "pack")
        )
        return lay(state, (square,), 1, "action", events)
    state = state._replace(
        hidden=state.hidden & ~bit,
        tiles=replaced(state.tiles, square, ""),
        out_open=(*state.out_open, tile),
    )
    if tile == "bear":
        if state.supply_bears:
            state = state._replace(bears=state.bears | bit, supply_bears=state.supply_bears - 1)
        return begin_action(state)
    if tile == "drift":
        return begin_drift(state, events)
    return lay(state, (square,), number(tile), "action", events)


def begin_drift(state: State, events: Events) -> State:
    """A push must be made if there is one; else the tile is spent without effect (D-39)."""
    if pushes(state):
        return state._replace(phase="drift", pending=Pending("drift", state.turn))
    events.append(Event("no-push", "II-10", "no tile can be pushed: the drift has no effect"))
    return begin_action(state)


def _why_not(state: State, square: int) -> str:
    name, bit = SQUARES[square], 1 << square
    if bit & LAND:
        return f"{name} is land"
    if not bit & state.ice:
        return f"there is no ice on {name}"
    if bit & state.pack:
        return f"the tile on {name} is pack ice, which never melts"
    for there, who in (
        (state.all_inuits(), "an Inuit"),
        (state.all_igloos(), "an igloo"),
        (set_of(state.foxes), "a fox"),
        (state.bears, "a bear"),
    ):
        if bit & there:
            return f"there is {who} on {name}: only an empty tile can be melted"
    if meltable(state) & spread(state.sea) or not meltable(state):
        return f"{name} is not adjacent to sea"
    return f"no free tile lies beside sea, so it must be one of the outer ring, and {name} is not on it"


def _known(state: State, action: Action) -> str:
    """Digital play: the tile that lies there. A report would say what nobody can know yet."""
    if action.tile:
        raise Illegal("II-25", "the referee holds the tiles and looks itself: say only which one melts")
    tile = state.tiles[action.square]
    assert tile
    return tile


def _reported(state: State, action: Action) -> str | None:
    """Physical play: the kind that was shown, None for a red border; refused when the mix is used up (II-25)."""
    tile = action.tile
    if tile == "":
        raise Ambiguous(
            f"melt {SQUARES[action.square]}: and what does the tile show?",
            tuple(f"melt {SQUARES[action.square]} {kind}" for kind in reports(state)),
            "II-25",
        )
    if tile == "red":
        if red_left(state) <= 0:
            raise Illegal("II-25", "all red-bordered tiles are out already")
        return None
    if is_red(tile):
        raise Illegal("II-9", f"{tile} has a red border and is kept secret: say `red`")
    left = kinds_left(state)
    if tile not in state.rules.mix.tiles:
        raise Illegal("II-25", f"there is no {tile} tile in this mix")
    if left[tile] <= 0:
        raise Illegal("II-25", f"all {state.rules.mix.tiles[tile]} {tile} tiles are out already")
    return tile


def reports(state: State) -> list[str]:
    """Physical play: what a melted tile may still turn out to be."""
    left = kinds_left(state)
    out = [kind for kind in state.rules.mix.tiles if not is_red(kind) and left[kind] > 0]
    if red_left(state) > 0:
        out.append("red")
    return out


def lay(state: State, squares: tuple[int, ...], count: int, back: str, events: Events) -> State:
    """Draws tokens face up: fish onto sea, a fox onto ice. Physical play asks which values they were."""
    on_ice = bool(state.ice >> squares[0] & 1)
    supply = state.supply_foxes if on_ice else state.supply_fish
    count = min(count, len(supply))
    if not count:
        return go_on(state, back)
    if state.rules.physical:
        square = squares[0] if len(squares) == 1 else None
        return state._replace(
            phase="draws", pending=Pending("draws", state.turn, square, points=count, back=back)
        )
    return _laid(state, squares, supply[:count], supply[count:], back, events)


def draws(state: State, action: Action, events: Events) -> State:
    """Physical play: the values of the tokens laid; at the set-up those of d4, e4, d5, e5 in this order (II-5)."""
    pending = effect(state)
    squares = draw_squares(pending)
    values = action.values
    if len(values) != pending.points:
        raise Illegal("II-25", f"{pending.points} tokens are laid, and {len(values)} values were said")
    on_ice = bool(state.ice >> squares[0] & 1)
    left = list(state.supply_foxes if on_ice else state.supply_fish)
    for value in values:
        if value not in left:
            what = "foxes" if on_ice else "fish"
            raise Illegal("II-25", f"no {what} of value {value} are left in the supply")
        left.remove(value)
    return _laid(state, squares, values, tuple(left), pending.back, events)


def draw_squares(pending: Pending) -> tuple[int, ...]:
    """Where tokens are to be laid: one square, or (none named) the four of the set-up."""
    return CENTRE_SQUARES if pending.square is None else (pending.square,)


def _laid(
    state: State,
    squares: tuple[int, ...],
    values: tuple[int, ...],
    left: tuple[int, ...],
    back: str,
    events: Events,
) -> State:
    where = squares * len(values) if len(squares) == 1 else squares
    on_ice = bool(state.ice >> squares[0] & 1)
    codes = [square << 2 | value for square, value in zip(where, values, strict=False)]
    what = "fox" if on_ice else "fish"
    names = ", ".join(SQUARES[square] for square in squares)
    said = ", ".join(map(str, values))
    events.append(
        Event(
            "laid",
            "II-9",
            f"{what} of value {said} on {names}",
            None,
            {"animal": what, "squares": [SQUARES[square] for square in squares], "values": list(values)},
        )
    )
    if on_ice:
        return go_on(state, back, foxes=tuple(sorted((*state.foxes, *codes))), supply_foxes=left)
    return go_on(state, back, fish=tuple(sorted((*state.fish, *codes))), supply_fish=left)


def go_on(state: State, back: str, **changes: Any) -> State:
    """After the tokens: the placing of the tribes (set-up), or ACTION."""
    if back == "place":
        return state._replace(phase="place", pending=None, **changes)
    return begin_action(state, **changes)
