"""The turn of a written position: phase, acting player, pending effect (docs/contracts.md, igloo-igloo)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.game import Over
from rules.core.reading import Reader, shown

from .board import INDEX, STEPS
from .drift import can_clear, in_the_way, pushes, run_of
from .mix import RED_KINDS
from .state import PHASES, Pending, State, actor, effect, left_of
from .tokens import draw_squares
from .turns import begin_action, end_if_frozen, resume

PENDING_KINDS = ("drift", "displace", "draws", "animals", "attack", "flee")
PENDING_KEYS = (
    "kind", "square", "direction", "mover", "asked", "waiting", "fleeing", "points", "back", "refuge",
)  # fmt: skip


def read_progress(reader: Reader, position: Mapping[str, Any], state: State, over: Over | None) -> State:
    """The state with turn, phase, points, played tiles and pending effect as written."""
    players = state.rules.players
    given = position.get("pending")
    kind = given.get("kind") if isinstance(given, Mapping) else None
    usual = "place" if any(inuits for inuits, _ in state.reserve) else "pre-melt"
    missing = "over" if over else kind if isinstance(kind, str) and kind in PENDING_KINDS else usual
    phase = reader.one_of(position.get("phase"), PHASES, "phase", missing) or missing
    if over is not None and phase != "over":
        reader.say(f"over is given, and phase is {phase}")
    turn = _turn(reader, position, players, phase)
    played = reader.several_of(position.get("played"), RED_KINDS, "played")
    state = state._replace(
        turn=turn, phase=phase, ap=reader.whole(position.get("ap"), "ap", 0, 99), played=played, over=over
    )
    if phase in PENDING_KINDS:
        state = state._replace(pending=_pending(reader, given, state))
        _check(reader, state)
    elif given is not None:
        reader.say(f"pending is given, and nothing is pending in phase {phase}")
    if phase == "place" and not state.reserve[turn][0]:
        reader.say(f"phase is place, and {players[turn]} has no Inuit left to place")
    to_act = position.get("to_act")
    if to_act is not None and not reader.defects:
        acting = actor(state)
        right = [] if acting is None else [players[acting]]
        if list(reader.items(to_act, "to_act")) != right:
            reader.say(f"to_act is {shown(to_act)}, and must be {right}")
    return state


def _turn(reader: Reader, position: Mapping[str, Any], players: tuple[str, ...], phase: str) -> int:
    """Whose turn it is: as written, or derived from who acts (except for an attack) or who moves the bear."""
    named = position.get("turn")
    if named is None and phase != "attack":
        to_act = position.get("to_act")
        named = to_act[0] if isinstance(to_act, list) and len(to_act) == 1 else None
    pending = position.get("pending")
    if named is None and isinstance(pending, Mapping):
        named = pending.get("mover")
    if named is None and phase != "over":
        reader.say("turn is missing")
    found = reader.one_of(named, players, "turn", players[0]) or players[0]
    return players.index(found)


def _pending(reader: Reader, given: Any, state: State) -> Pending:
    players, phase = state.rules.players, state.phase
    if given is None and phase != "drift":
        reader.say(f"pending is missing, which phase {phase} needs")
    row = reader.mapping(given, "pending")
    reader.keys(row, PENDING_KEYS, "pending")
    kind = reader.one_of(row.get("kind"), PENDING_KINDS, "pending.kind", phase)
    if kind != phase:
        reader.say(f"pending.kind is {kind}, and phase is {phase}")
    mover = reader.one_of(row.get("mover"), players, "pending.mover", players[state.turn])
    if mover != players[state.turn]:
        reader.say(f"pending.mover is {mover}, and it is {players[state.turn]}'s turn")

    def seats(name: str) -> tuple[int, ...]:
        items = reader.items(row.get(name), f"pending.{name}")
        known = [reader.one_of(item, players, f"pending.{name}", players[0]) for item in items]
        return tuple(players.index(item) for item in known if item is not None)

    asked, waiting = seats("asked"), seats("waiting")
    square = _square(reader, row.get("square"), "pending.square")
    if phase == "attack" and not asked and not waiting and square is not None:
        owners = [player for player in left_of(state, state.turn) if square in state.inuits[player]]
        asked, waiting = tuple(owners[:1]), tuple(owners[1:])
    backs = ("place", "action") if phase == "draws" else ("pre-melt", "action")
    return Pending(
        kind=phase,
        mover=state.turn,
        square=square,
        direction=reader.one_of(row.get("direction"), tuple(STEPS), "pending.direction"),
        asked=asked,
        waiting=waiting,
        fleeing=seats("fleeing"),
        points=reader.whole(row.get("points"), "pending.points", 0, 9),
        back=reader.one_of(row.get("back"), backs, "pending.back", "action") or "action",
        refuge=_square(reader, row.get("refuge"), "pending.refuge"),
    )


def _square(reader: Reader, value: Any, where: str) -> int | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in INDEX:
        reader.say(f"{where}: {shown(value)} is no square")
        return None
    return INDEX[value]


def _check(reader: Reader, state: State) -> None:
    """Checks what must lie on the table for the effect to be unfinished."""
    pending = effect(state)
    if state.phase == "displace":
        _check_push(reader, state, pending)
    elif state.phase == "draws":
        _check_draws(reader, state, pending)
    elif state.phase == "attack":
        square = pending.square
        if square is None or not state.bears >> square & 1:
            reader.say("pending: a bear must be on the square of an attack")
        elif not pending.asked:
            reader.say("pending.asked is empty: nobody is asked for a harpoon")
        elif any(square not in state.inuits[player] for player in (*pending.asked, *pending.waiting)):
            reader.say("pending: who is asked for a harpoon must have an Inuit where the bear attacks")
    elif state.phase == "flee" and not pending.fleeing:
        reader.say("pending.fleeing is empty: nobody flees")
    elif state.phase == "animals" and not 1 <= pending.points <= 3:
        reader.say(f"pending.points is {pending.points}, and must be 1 to 3 while animals are moved")


def _check_push(reader: Reader, state: State, pending: Pending) -> None:
    if pending.square is None or pending.direction is None or not state.ice >> pending.square & 1:
        reader.say("pending: a push needs the square of an ice tile and a direction")
        return
    _, goal = run_of(state, pending.square, pending.direction)
    if goal is None or not state.sea >> goal & 1:
        reader.say("pending: nothing can be pushed that way, there is no sea behind the ice")
    elif not in_the_way(state, goal):
        reader.say("pending: no animal is in the way of the push")
    elif not can_clear(state, goal):
        reader.say("pending: an animal in the way of the push has nowhere to go")


def _check_draws(reader: Reader, state: State, pending: Pending) -> None:
    if not state.rules.physical:
        reader.say("phase is draws, which is of physical play only")
    squares = draw_squares(pending)
    if any(not state.sea >> square & 1 for square in squares) and not state.ice >> squares[0] & 1:
        reader.say("pending.square: tokens are laid onto sea or ice")
    supply = state.supply_foxes if state.ice >> squares[0] & 1 else state.supply_fish
    if not 1 <= pending.points <= len(supply):
        reader.say(f"pending.points is {pending.points}, and {len(supply)} tokens are left to draw")


def settle(state: State) -> State:
    """Applies what happens automatically: nothing to melt, to push or to move (II-7, D-39, D-45)."""
    if state.phase == "pre-melt":
        return end_if_frozen(state, "II-7", [])
    if state.phase == "drift" and not pushes(state):
        return begin_action(state)
    if state.phase == "animals":
        return resume(state, effect(state).points, effect(state).back, [])
    return state
