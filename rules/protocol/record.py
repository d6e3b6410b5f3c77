"""A game as one small JSON value, and back.

    {"format":1,"game":"ice-cult","players":["yellow","red"],"seed":7,"options":{…},"moves":["tilt n>S",…]}
    {"format":1,"game":"ice-cult","start":{… a position …},"moves":[…]}

A record for a seat has `seat`, no seed and no chance, and its moves show only what that seat may know: it is for
reading, and cannot be replayed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import games
from rules.core.reading import is_whole, misspelt, shown
from rules.core.refusal import PositionError, Refusal, Unreadable

from .timeline import Timeline

FORMAT = 1
_KEYS = ("format", "game", "players", "seed", "options", "start", "moves", "seat")
EVERYTHING = object()  # a record for the host


def write(timeline: Timeline, seat: Any = EVERYTHING) -> dict[str, Any]:
    """The game so far, for a seat (None: a spectator) or with EVERYTHING."""
    game, past = timeline.game, timeline.past
    out: dict[str, Any] = {"format": FORMAT, "game": game.name}
    if seat is EVERYTHING:
        return out | timeline.origin | {"moves": [moment.move for moment in past[1:]]}
    out["seat"] = seat
    if "start" in timeline.origin:
        out["start"] = game.view(past[0].state, seat)
    else:
        out |= {key: value for key, value in timeline.origin.items() if key != "seed"}
    before = [moment.state for moment in past]
    moves = [game.redact(before[k], moment.move, seat) for k, moment in enumerate(past[1:])]
    return out | {"moves": moves}


def read(record: Any) -> Timeline:
    """Replays the game and checks every move. Raises Unreadable, PositionError, or a move's refusal."""
    if not isinstance(record, Mapping):
        raise Unreadable("record must be an object")
    if record.get("format", FORMAT) != FORMAT:
        raise Unreadable(
            f"the record has format {shown(record['format'])}, and this referee reads format {FORMAT}"
        )
    if "seat" in record:
        raise Unreadable(
            "the record was made for one seat and leaves out what it may not know: load the host's"
        )
    if wrong := misspelt(record, _KEYS):
        raise Unreadable(f"the record {wrong}")
    name, moves = record.get("game"), record.get("moves", [])
    if not isinstance(name, str) or name not in games.NAMES:
        raise Unreadable(f"the record's game must be one of {', '.join(games.NAMES)}")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise Unreadable("the record's moves must be a list of texts")
    timeline = _begin(name, record)
    for k, move in enumerate(moves, 1):
        try:
            timeline.play(move)
        except Refusal as why:
            why.text = f"move {k} of the record, {move[:60]!r}: {why.text}"
            raise
    return timeline


def _begin(name: str, record: Mapping[str, Any]) -> Timeline:
    game = games.game(name)
    start, seed = record.get("start"), record.get("seed")
    if start is not None:
        if not isinstance(start, Mapping):
            raise Unreadable("the record's start must be a position")
        if start.get("game", name) != name:
            raise PositionError((f"the record is of {name}, and its start of {shown(start.get('game'))}",))
        return Timeline.setup(game, start, 0)
    players, options = record.get("players"), record.get("options", {})
    if not isinstance(players, list) or not isinstance(options, Mapping) or not is_whole(seed):
        raise Unreadable("a record needs players, a seed and options, or a start")
    assert isinstance(seed, int)
    return Timeline.new(game, players, seed, options)
