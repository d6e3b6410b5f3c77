"""Questions to people about felt cubes: how a cube with a lost heading lies, and why some lie otherwise than the game.

A choice names the moves that take the game to where the cubes lie. It is offered only if the rules allow those moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rules.core.refusal import Refusal
from sensors.cubes.turns import SLOTS
from sensors.evidence import CubePose
from table.desk.cube_doubt import TURNED, TURNS, Lies, odds, quarters_from, turned
from table.desk.cubes_amiss import Difference
from table.desk.desk import Desk
from table.desk.said import Choice, Question


def heading_question(
    desk: Desk, pose: CubePose, lies: Lies, quarters: int, tilted: bool, is_so: Callable[[int], None]
) -> Question:
    """Ask which way the cube of `pose` is turned.

    The sensor says that it `lies` so; by the game it should lie `quarters` quarter turns from there. `tilted`: its last
    tilt brought it there. `is_so` receives the answer: by how many quarter turns the cube differs from what the sensor
    says.
    """
    slot, shares = pose.slot, odds(pose)
    choices = []
    for q, words in enumerate(TURNED):  # quarter turns from how it should lie
        k = (quarters + q) % 4
        moves = _as_moves(desk, slot, q, turned(lies, k), tilted)
        after = _after(desk, moves)
        if after is None:  # digital play: the game stays as it is, and people have to put the cube back
            text, moves = words, ()
        else:
            text = f"{words}: it shows {desk.sitting.game.view(after, None)['tops'][slot]}"
        choices.append(Choice(text, moves, round(shares[k], 4), then=partial(is_so, k)))
    choices.sort(key=lambda choice: -(choice.odds or 0.0))
    text = f"It is not known which way the cube on {slot} is turned. How does it lie?"
    return Question(f"heading-{slot}-{desk.version}", text, tuple(choices))


def otherwise_question(
    desk: Desk,
    different: Sequence[Difference],
    move: str | None,
    put_back: str,
    are_so: Callable[[Mapping[str, int | None]], None],
    take_anew: Callable[[], None] | None,
) -> Question:
    """Ask why cubes do not lie as the game stands. `move`: the legal move that would explain it, if any.

    `put_back`: how to put them back. `are_so` receives the answer: for each cube, by how many quarter turns it differs
    from what the sensor says. `take_anew` takes the cubes to lie as the game stands, whatever gravity says; None where
    their faces were taught.
    """
    choices = [] if move is None else [Choice(f"It was the move “{move}”", (move,))]
    corrections = tuple(f"correct {d.slot} {d.cube} {d.lies[0]} {d.lies[1]}" for d in different)
    if _after(desk, corrections) is not None:  # in digital play the referee does not follow the cubes
        choices.append(Choice("The cubes are right as they lie: take them so", corrections))
    choices.append(Choice("We put them back", ()))
    quarters = {d.slot: quarters_from(d.lies, d.should) for d in different}
    # gravity knows only which face of the sensor looks up: which of the cube's that is was taught, or assumed
    contradicted = None in quarters.values()
    then = take_anew if contradicted else partial(are_so, quarters)
    if then is not None:
        choices.append(Choice("They lie as the game stands: the sensors are wrong", (), then=then))
    text = f"The cubes lie otherwise than the game stands. {put_back}"
    return Question(f"cubes-{desk.version}", text, tuple(choices))


def turn_move(slot: str, to: str, position: Mapping[str, Any]) -> str:
    """The move that turns `slot`, with any unused arc: all arcs do the same."""
    tops, spent = position["tops"], position["spent"]
    arcs = [s for s in SLOTS if tops[s] == "arc" and s not in spent] or [s for s in SLOTS if tops[s] == "arc"]
    return f"turn {(arcs or [slot])[0]} {slot} {to}"


def _as_moves(desk: Desk, slot: str, quarters: int, lies: Lies, tilted: bool) -> tuple[str, ...]:
    """The moves that take the game to where the cube lies: turns where the rules allow them, else `correct`.

    In digital play the rules refuse `correct`, too.
    """
    cube = desk.view(None)["cubes"][slot]["cube"]
    correct = (f"correct {slot} {cube} {lies[0]} {lies[1]}",)
    if quarters == 0:
        return ()
    if tilted:
        return correct  # nobody turns a cube by an arc during a tilt
    game, state, moves = desk.sitting.game, desk.sitting.state, list[str]()
    for to in TURNS[quarters]:
        moves.append(turn_move(slot, to, game.view(state, None)))
        try:
            state, _ = game.play(state, moves[-1])
        except Refusal:
            return correct
    return tuple(moves)


def _after(desk: Desk, moves: Sequence[str]) -> Any | None:
    """The game after the moves; None if the rules refuse one of them."""
    state = desk.sitting.state
    for move in moves:
        try:
            state, _ = desk.sitting.game.play(state, move)
        except Refusal:
            return None
    return state
