"""What Inuits do for action points: walk, kayak, hunt, build (II-11, II-12, II-23a, D-50 … D-56, D-66)."""

from __future__ import annotations

from rules.core.game import Event
from rules.core.refusal import Illegal

from .board import LAND, NEAR, SQUARES, flood, spread
from .hand import spend, take_bear
from .notation import Action
from .state import State, added, removed, replaced

Events = list[Event]
KAYAK_AP = 3
IGLOO_AP = 3
COSTS = {"walk": 1, "kayak": KAYAK_AP, "igloo": IGLOO_AP, "hunt": 0}  # at least, in action points


def walk(state: State, action: Action, events: Events) -> State:
    """To an adjacent ice tile or land, 1 point."""
    _own(state, action.square)
    goal = action.to
    name = SQUARES[goal]
    if not NEAR[action.square] >> goal & 1:
        raise Illegal("II-11", f"{name} is not adjacent to {SQUARES[action.square]}")
    if LAND >> goal & 1:
        if not state.rules.land_walkable:
            raise Illegal("D-51", f"{name} is land, which Inuits may only leave (option land_walkable)")
    elif not state.ice >> goal & 1:
        raise Illegal("II-11", f"there is no ice on {name}")
    return _enter(state, action, 1, "walks", events)


def kayak(state: State, action: Action, events: Events) -> State:
    """Over one sea area to another ice tile, 3 points."""
    start, goal = action.square, action.to
    _own(state, start)
    name = SQUARES[goal]
    if LAND >> start & 1 and not state.rules.kayak_from_corner:
        raise Illegal("D-52", f"{SQUARES[start]} is land; a kayak starts on ice (option kayak_from_corner)")
    if not state.ice >> goal & 1:
        raise Illegal("II-11", f"there is no ice on {name}: a kayak trip ends on an ice tile")
    if start == goal:
        raise Illegal("II-11", f"a kayak trip ends on another tile than {name}")
    if not spread(kayak_water(state, start)) >> goal & 1:
        barred = spread(kayak_water(state._replace(bears=0), start)) >> goal & 1
        if barred:
            raise Illegal(
                "II-11",
                f"{name} does not lie on a sea area that {SQUARES[start]} touches (bears block the way)",
            )
        raise Illegal("II-11", f"{name} does not lie on a sea area that {SQUARES[start]} touches")
    return _enter(state, action, KAYAK_AP, "goes by kayak", events)


def kayak_water(state: State, start: int) -> int:
    """The sea squares that a kayak from `start` can reach; a bear's square is impassable (D-55)."""
    passable = state.sea & ~state.bears
    return flood(NEAR[start] & passable, passable)


def why_none(state: State, verb: str) -> Illegal:
    """Why no Inuit of the player in turn can do any of this; for a state in which none can."""
    colour = state.colour(state.turn)
    if verb == "igloo" and not state.reserve[state.turn][1]:
        return Illegal("II-11", f"{colour} has no igloo left")
    try:
        _after_paying(state, COSTS[verb])
    except Illegal as why:
        return why
    if verb == "walk":
        return Illegal("II-11", f"no Inuit of {colour} can walk anywhere now")
    if verb == "kayak":
        return Illegal("II-11", f"no Inuit of {colour} can reach another tile by kayak now")
    if verb == "igloo":
        return Illegal(
            "II-11",
            f"no Inuit of {colour} stands where an igloo can be built: "
            "on ice, without an igloo and without another tribe",
        )
    return Illegal(
        "II-11",
        f"nothing can be hunted now: an animal must be in reach of an Inuit of {colour}, "
        "and costs its value in action points, or a harpoon",
    )


def _own(state: State, square: int) -> None:
    if square not in state.inuits[state.turn]:
        raise Illegal("II-11", f"{state.colour(state.turn)} has no Inuit on {SQUARES[square]}")


def _after_paying(state: State, cost: int) -> int:
    """The remaining action points."""
    if state.ap < cost:
        raise Illegal("II-11", f"too few action points: that takes {cost}, and the turn has {state.ap} left")
    return state.ap - cost


def _enter(state: State, action: Action, cost: int, how: str, events: Events) -> State:
    player, goal = state.turn, action.to
    colour, name = state.colour(player), SQUARES[goal]
    if state.rules.entry_ban and (state.all_igloos() & ~state.igloos[player]) >> goal & 1:
        raise Illegal("II-23", f"there is an opponent's igloo on {name}")
    bear = bool(state.bears >> goal & 1)
    if bear and not action.harpoon:
        raise Illegal("II-11", f"there is a bear on {name}: only who harpoons it may enter")
    if action.harpoon and not bear:
        raise Illegal("II-12", f"there is no bear on {name} to harpoon")
    left = _after_paying(state, cost)
    if bear:
        state = spend(state, player, "harpoon", events)
    events.append(
        Event(
            "walked" if cost == 1 else "kayaked",
            "II-11",
            f"{colour} {how} from {SQUARES[action.square]} to {name}",
            None,
            {"player": colour, "from": SQUARES[action.square], "to_square": name},
        )
    )
    tribe = added(removed(state.inuits[player], action.square), goal)
    state = state._replace(ap=left, inuits=replaced(state.inuits, player, tribe))
    return take_bear(state, player, goal, events) if bear else state


def hunt(state: State, action: Action, events: Events) -> State:
    """A fox on one's own tile or fish in adjacent sea, for points or with a harpoon; a bear only with a harpoon."""
    square, animal, value = action.square, action.animal, action.value
    player = state.turn
    name = SQUARES[square]
    own = square in state.inuits[player]
    if animal == "bear":
        if not state.bears >> square & 1:
            raise Illegal("II-11", f"there is no bear on {name}")
        if not own:
            raise Illegal("D-66", f"no Inuit of {state.colour(player)} is on {name}, where the bear is")
        if not action.harpoon:
            raise Illegal("II-11", "a bear is hunted only with a harpoon, never for action points")
        return take_bear(spend(state, player, "harpoon", events), player, square, events)
    codes = state.fish if animal == "fish" else state.foxes
    code = square << 2 | value
    if value > 3 or code not in codes:
        raise Illegal("II-11", f"there is no {animal} of value {value} on {name}")
    if animal == "fox" and not own:
        raise Illegal("II-11", f"no Inuit of {state.colour(player)} is on {name}, where the fox is")
    if animal == "fish" and not fishing_water(state) >> square & 1:
        raise Illegal("II-11", f"no Inuit of {state.colour(player)} is beside {name}, where the fish is")
    left = state.ap if action.harpoon else _after_paying(state, value)
    if action.harpoon:
        state = spend(state, player, "harpoon", events)
    colour, prey = state.colour(player), state.prey[player]
    events.append(
        Event(
            "hunted",
            "II-11",
            f"{colour} hunts a {animal} of value {value} on {name}",
            None,
            {"player": colour, "animal": animal, "square": name, "value": value},
        )
    )
    if animal == "fish":
        prey = prey._replace(fish=added(prey.fish, value))
        all_prey = replaced(state.prey, player, prey)
        return state._replace(ap=left, fish=removed(state.fish, code), prey=all_prey)
    prey = prey._replace(foxes=added(prey.foxes, value))
    return state._replace(ap=left, foxes=removed(state.foxes, code), prey=replaced(state.prey, player, prey))


def fishing_water(state: State) -> int:
    """The squares beside an Inuit of the player in turn (from land too, D-53)."""
    own = 0
    for square in state.inuits[state.turn]:
        own |= 1 << square
    return spread(own if state.rules.fishing_from_land else own & ~LAND)


def build(state: State, action: Action, events: Events) -> State:
    """An igloo on an ice tile with an own Inuit and nobody else's, for 3 points."""
    square, player = action.square, state.turn
    name, colour = SQUARES[square], state.colour(player)
    _own(state, square)
    if not state.ice >> square & 1:
        raise Illegal("D-54", f"{name} is land: an igloo is built on ice")
    if state.all_igloos() >> square & 1:
        raise Illegal("II-11", f"there is an igloo on {name} already")
    if any(square in tribe for other, tribe in enumerate(state.inuits) if other != player):
        raise Illegal("II-11", f"there is an Inuit of another tribe on {name}")
    inuits, igloos = state.reserve[player]
    if not igloos:
        raise Illegal("II-11", f"{colour} has no igloo left")
    left = _after_paying(state, IGLOO_AP)
    events.append(
        Event(
            "built", "II-11", f"{colour} builds an igloo on {name}", None, {"player": colour, "square": name}
        )
    )
    return state._replace(
        ap=left,
        igloos=replaced(state.igloos, player, state.igloos[player] | 1 << square),
        reserve=replaced(state.reserve, player, (inuits, igloos - 1)),
    )
