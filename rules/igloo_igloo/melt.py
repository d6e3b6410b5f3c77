"""Melting a tile, and the effect of its picture (II-9, D-35, II-25)."""

from __future__ import annotations

from rules.core.game import Event
from rules.core.refusal import Ambiguous, Illegal

from .board import LAND, SQUARES, spread
from .drift import pushes
from .mix import is_red, number
from .notation import Action
from .state import Pending, State, kinds_left, meltable, red_left, replaced, set_of
from .tokens import lay
from .turns import begin_action

Events = list[Event]


def melt(state: State, action: Action, events: Events) -> State:
    """Melts the turn's tile, and starts the event on it (II-9)."""
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
    """A push must be made if there is one; else the tile has no effect (D-39)."""
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
    """Digital play: the tile that lies there. A report in the move would reveal what nobody can know yet."""
    if action.tile:
        raise Illegal("II-25", "the referee holds the tiles and looks itself: say only which one melts")
    tile = state.tiles[action.square]
    assert tile
    return tile


def _reported(state: State, action: Action) -> str | None:
    """Physical play: the reported kind, None for a red border; refused when the mix has no more of it (II-25)."""
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
    """Physical play: the kinds that a melted tile may still have."""
    left = kinds_left(state)
    out = [kind for kind in state.rules.mix.tiles if not is_red(kind) and left[kind] > 0]
    if red_left(state) > 0:
        out.append("red")
    return out
