"""Red-bordered tiles: thaw, stamina, moving animals, and the harpoon in defence (II-12, II-14, D-43 … D-49)."""

from __future__ import annotations

from rules.core.game import Event
from rules.core.refusal import Illegal

from .board import SQUARES, spread
from .mix import family
from .notation import Action
from .state import Pending, Prey, State, effect, holds, left_of, removed, replaced, thawable, where
from .steps import attack, scatter, step
from .turns import resume

Events = list[Event]


def check(state: State, player: int, kind: str) -> None:
    """Refuses a second hand tile of one kind in one's own turn (D-44), and one that the player does not hold."""
    stem = family(kind)
    if player == state.turn and stem in state.played:
        raise Illegal("D-44", f"one {stem} tile was played in this turn already; one of each kind is allowed")
    if not holds(state, player, kind):
        raise Illegal(*_lacking(state, player, kind))


def _lacking(state: State, player: int, kind: str) -> tuple[str, str]:
    """The rule and the sentence for why the player cannot play a tile of this kind, or of a family of kinds.

    In physical play nobody but he knows what he holds, so all that can be said is that the mix has no more (II-25).
    """
    if state.rules.physical and state.hands[player]:
        tiles = state.rules.mix.tiles
        same = [each for each in tiles if kind in (each, family(each))]
        there_are = sum(tiles[each] for each in same)
        if not there_are:
            return "II-25", f"there is no {kind} tile in this mix"
        if sum(state.out_open.count(each) for each in same) >= there_are:
            return "II-25", f"all {there_are} {kind} tiles are out already"
    return "II-12", f"{state.colour(player)} has no {kind} tile to play"


def why_none(state: State, stem: str) -> tuple[str, str]:
    """The rule and the sentence for why no thaw, or no stamina, can be played in this turn."""
    kinds = [kind for kind in state.rules.mix.tiles if family(kind) == stem]
    held = next((kind for kind in kinds if holds(state, state.turn, kind)), stem)
    try:
        check(state, state.turn, held)
    except Illegal as why:
        return str(why.rule), why.text
    return "II-12", "no face-down tile that can thaw lies beside sea"


def spend(state: State, player: int, kind: str, events: Events) -> State:
    """Discards a hand tile of the player, unless `check` refuses it."""
    check(state, player, kind)
    own_turn, stem = player == state.turn, family(kind)
    hand = state.hands[player]
    colour = state.colour(player)
    events.append(Event("tile", "II-12", f"{colour} plays {kind}", None, {"player": colour, "tile": kind}))
    hands = replaced(state.hands, player, removed(hand, kind if kind in hand else None))
    if state.rules.physical:
        hands = _believable(state, hands, kind)
    return state._replace(
        hands=hands,
        out_open=(*state.out_open, kind),
        played=(*state.played, stem) if own_turn else state.played,
    )


def _believable(
    state: State, hands: tuple[tuple[str | None, ...], ...], kind: str
) -> tuple[tuple[str | None, ...], ...]:
    """What was laid open is certain. If then more tiles of a kind are believed to be in hands than are left, all of
    that kind become unknown."""
    left = state.rules.mix.tiles[kind] - state.out_open.count(kind) - 1
    if sum(hand.count(kind) for hand in hands) <= left:
        return hands
    return tuple(tuple(None if held == kind else held for held in hand) for hand in hands)


def stamina(state: State, action: Action, events: Events) -> State:
    """More action points for this turn."""
    state = spend(state, state.turn, f"stamina-{action.value}", events)
    return state._replace(ap=state.ap + action.value)


def thaw(state: State, action: Action, events: Events) -> State:
    """Removes a face-down tile unseen; animals on it leave the game, Inuits go to land (II-12, D-57)."""
    square, bit = action.square, 1 << action.square
    spent = spend(state, state.turn, "thaw", events)
    if not thawable(state) & bit:
        raise Illegal("II-12", _why_not(state, square))
    events.append(
        Event(
            "thawed",
            "II-12",
            f"the tile on {SQUARES[square]} thaws unseen",
            None,
            {"square": SQUARES[square]},
        )
    )
    fleeing: list[int] = []
    for player in left_of(state, state.turn):
        fleeing += [player] * state.inuits[player].count(square)
    back = state.phase
    state = spent._replace(
        hidden=state.hidden & ~bit,
        tiles=replaced(state.tiles, square, ""),
        out_thawed=(*state.out_thawed, state.tiles[square]),
        foxes=tuple(code for code in state.foxes if code >> 2 != square),
        bears=state.bears & ~bit,
        inuits=tuple(tuple(other for other in tribe if other != square) for tribe in state.inuits),
    )
    if fleeing:
        return state._replace(
            phase="flee", pending=Pending("flee", state.turn, square, fleeing=tuple(fleeing), back=back)
        )
    return resume(state, 0, back, events)


def _why_not(state: State, square: int) -> str:
    name, bit = SQUARES[square], 1 << square
    if bit & state.pack:
        return f"the tile on {name} is pack ice, which never thaws"
    if not bit & state.hidden:
        return f"there is no face-down tile on {name}"
    if bit & state.all_igloos():
        return f"there is an igloo on {name}"
    assert not bit & spread(state.sea)
    return f"{name} is not adjacent to sea"


def animals(state: State, action: Action, events: Events) -> State:
    """Plays the tile that gives three points for moving animals (D-45)."""
    state = spend(state, state.turn, "animals", events)
    return resume(state, 3, state.phase, events)


def step_animal(state: State, action: Action, events: Events) -> State:
    """Uses one of the three points; a bear that comes to Inuits attacks on every square (D-46)."""
    pending = effect(state)
    state, attacked = step(state, action, events)
    points = pending.points - 1
    if attacked:
        return attack(state, action.to, points, pending.back, events)
    return resume(state, points, pending.back, events)


def harpoon(state: State, action: Action, events: Events) -> State:
    """The player who is asked kills the bear; all Inuits stay, and nobody else is asked (II-14.2)."""
    pending = effect(state)
    square = where(pending)
    player = pending.asked[-1]
    state = spend(state, player, "harpoon", events)
    state = take_bear(state, player, square, events)
    return resume(state, pending.points, pending.back, events)


def take_bear(state: State, player: int, square: int, events: Events) -> State:
    """The bear becomes the player's prey (4 points)."""
    colour, prey = state.colour(player), state.prey[player]
    events.append(
        Event(
            "hunted",
            "II-12",
            f"{colour} takes the bear on {SQUARES[square]}",
            None,
            {"player": colour, "animal": "bear", "square": SQUARES[square], "value": 4},
        )
    )
    return state._replace(
        bears=state.bears & ~(1 << square),
        prey=replaced(state.prey, player, Prey(prey.fish, prey.foxes, prey.bears + 1)),
    )


def no_harpoon(state: State, action: Action, events: Events) -> State:
    """Asks the next player; after the last one, Inuits who cannot hide flee (II-14.3)."""
    pending = effect(state)
    colour = state.colour(pending.asked[-1])
    events.append(Event("no-harpoon", "II-14", f"{colour} throws no harpoon", None, {"player": colour}))
    if pending.waiting:
        asked = (*pending.asked, pending.waiting[0])
        return state._replace(pending=pending._replace(asked=asked, waiting=pending.waiting[1:]))
    scattered = scatter(state, events)
    return scattered or resume(state, pending.points, pending.back, events)
