"""One conversation with the referee: a line in, a line out. It holds one game at a time, and does no I/O."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from rules import games
from rules.core.game import MOST_MOVES, Event, Game
from rules.core.reading import did_you_mean, is_whole, misspelt, shown
from rules.core.refusal import NotNow, PositionError, Refusal, Unreadable

from . import lines, record
from .timeline import Timeline

Answer = dict[str, Any]


def _any_seed() -> int:
    return random.SystemRandom().getrandbits(48)


class Session:
    """Answers the requests of docs/contracts.md 2; `seeds` supplies a seed where none is given."""

    def __init__(self, seeds: Callable[[], int] = _any_seed) -> None:
        self._seeds = seeds
        self._timeline: Timeline | None = None

    def answer(self, line: str | bytes) -> str:
        """The answer to any line, one line without line end."""
        request: dict[str, Any] = {}
        try:
            doubled: list[str] = []
            request = lines.read(line, doubled)
            if doubled:  # it is unknown which of the two was meant
                raise Unreadable(f"the line says {doubled[0]}: say it once")
            reply = {"ok": True, **self._do(request)}
        except Refusal as why:
            reply = {"ok": False, "error": why.to_json()}
        except PositionError as wrong:
            error = {"kind": "illegal", "rule": None, "text": str(wrong), "defects": list(wrong.defects)}
            reply = {"ok": False, "error": error}
        return lines.write({"id": request.get("id"), **reply})

    def _do(self, request: Mapping[str, Any]) -> Answer:
        verb = request.get("do")
        if not isinstance(verb, str) or verb not in _DO:
            hint = did_you_mean(verb, _DO) if isinstance(verb, str) else ""
            raise Unreadable(f"do is {shown(verb)}, and must be one of {', '.join(_DO)}{hint}")
        if wrong := misspelt(request, _TAKES.get(verb, ()), _KEYS):  # what it says must not be lost
            raise Unreadable(f"{verb} {wrong}")
        return _DO[verb](self, request)

    # what can be asked

    def _games(self, request: Mapping[str, Any]) -> Answer:
        known = map(games.game, games.NAMES)
        return {
            "games": [
                {
                    "name": game.name,
                    "players": game.players,
                    "options": [one.to_json() for one in game.options],
                }
                for game in known
            ]
        }

    def _new(self, request: Mapping[str, Any]) -> Answer:
        game = games.game(self._name(request.get("game")))
        players, options = request.get("players"), request.get("options")
        if players is not None and not isinstance(players, list):
            raise Unreadable(f"players must be a list, and is {shown(players)}")
        if options is not None and not isinstance(options, Mapping):
            raise Unreadable(f"options must be an object, and is {shown(options)}")
        for option in game.options:
            if option.name in request and option.name not in (options or {}):
                raise Unreadable(f"{option.name} is an option of {game.name}: say it in options")
        timeline = Timeline.new(game, players or [], self._seed(request), options or {})
        self._timeline = timeline
        return self._standing(timeline.past[0].events)

    def _setup(self, request: Mapping[str, Any]) -> Answer:
        position = request.get("state")
        if not isinstance(position, Mapping):
            raise Unreadable(f"state must be a position (an object), and is {shown(position)}")
        name = self._name(request.get("game", position.get("game")))
        if position.get("game", name) != name:
            raise PositionError((f"game is {name}, and the position's game {shown(position['game'])}",))
        timeline = Timeline.setup(games.game(name), position, self._seed(request))
        self._timeline = timeline
        return self._standing(timeline.past[0].events)

    def _moves(self, request: Mapping[str, Any]) -> Answer:
        timeline, seat = self._going_on(), self._seat(request)
        found = list(islice(timeline.game.moves(timeline.state, seat), MOST_MOVES + 1))
        return {"moves": found[:MOST_MOVES], "complete": len(found) <= MOST_MOVES}

    def _play(self, request: Mapping[str, Any]) -> Answer:
        timeline, seat, move = self._going_on(), self._seat(request), request.get("move")
        if not isinstance(move, str):
            raise Unreadable(f"move must be a text, and is {shown(move)}")
        return self._standing(timeline.play(move, seat), seat)

    def _undo(self, request: Mapping[str, Any]) -> Answer:
        return self._standing((self._going_on().undo(),))

    def _redo(self, request: Mapping[str, Any]) -> Answer:
        return self._standing(self._going_on().redo())

    def _state(self, request: Mapping[str, Any]) -> Answer:
        timeline = self._going_on()
        return {"state": timeline.game.to_json(timeline.state)}

    def _view(self, request: Mapping[str, Any]) -> Answer:
        timeline = self._going_on()
        return {"view": timeline.game.view(timeline.state, self._seat(request))}

    def _score(self, request: Mapping[str, Any]) -> Answer:
        timeline, seat = self._going_on(), self._seat(request)
        game, state = timeline.game, timeline.state
        if seat is None and "seat" in request:
            scores, parts = spectators_score(game, state)
            return {"scores": scores, "parts": parts}
        scores, parts = game.score(state, seat)
        return {"scores": scores, "parts": parts}

    def _record(self, request: Mapping[str, Any]) -> Answer:
        timeline = self._going_on()
        if "seat" not in request:
            return {"record": record.write(timeline)}
        return {"record": record.write(timeline, self._seat(request))}

    def _load(self, request: Mapping[str, Any]) -> Answer:
        timeline = record.read(request.get("record"))
        self._timeline = timeline
        count = len(timeline.past) - 1
        return self._standing((Event("loaded", None, f"{count} moves played again"),))

    # what they need

    def _standing(self, events: tuple[Event, ...], seat: str | None = None) -> Answer:
        timeline = self._going_on()
        game, state = timeline.game, timeline.state
        over = game.over(state)
        return {
            "to_act": list(game.to_act(state)),
            "phase": game.phase(state),
            "over": over.to_json() if over else None,
            "events": [
                event.to_json() for event in events if seat is None or event.to is None or seat in event.to
            ],
        }

    def _going_on(self) -> Timeline:
        if self._timeline is None:
            raise NotNow(None, "there is no game: begin one with new, setup or load")
        return self._timeline

    def _seat(self, request: Mapping[str, Any]) -> str | None:
        seat = request.get("seat")
        timeline = self._going_on()
        known = timeline.game.seats(timeline.state)
        if seat is None:
            return None
        if not isinstance(seat, str) or seat not in known:
            raise Unreadable(f"seat is {shown(seat)}, and must be one of {', '.join(known)}")
        return seat

    def _seed(self, request: Mapping[str, Any]) -> int:
        seed = request.get("seed")
        if seed is None:
            return self._seeds()
        if not is_whole(seed):
            raise Unreadable(f"seed must be a whole number, and is {shown(seed)}")
        return int(seed)

    def _name(self, name: Any) -> str:
        if not isinstance(name, str) or name not in games.NAMES:
            hint = did_you_mean(name, games.NAMES) if isinstance(name, str) else ""
            raise Unreadable(f"game is {shown(name)}, and must be one of {', '.join(games.NAMES)}{hint}")
        return name


def spectators_score(game: Game[Any], state: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Totals and parts as far as everybody knows them; None for what somebody may not know."""
    scores, parts = common([list(game.score(state, seat)) for seat in game.seats(state)])
    return scores, parts


def common(seen: list[Any]) -> Any:
    """What all of them show alike; None where they differ."""
    first = seen[0]
    if all(isinstance(one, dict) and one.keys() == first.keys() for one in seen):
        return {key: common([one[key] for one in seen]) for key in first}
    if all(isinstance(one, list) and len(one) == len(first) for one in seen):
        return [common([one[k] for one in seen]) for k in range(len(first))]
    return first if all(one == first for one in seen) else None


_DO: dict[str, Callable[[Session, Mapping[str, Any]], Answer]] = {
    "games": Session._games,
    "new": Session._new,
    "setup": Session._setup,
    "moves": Session._moves,
    "play": Session._play,
    "undo": Session._undo,
    "redo": Session._redo,
    "state": Session._state,
    "view": Session._view,
    "score": Session._score,
    "record": Session._record,
    "load": Session._load,
}

_TAKES: dict[str, tuple[str, ...]] = {
    "new": ("game", "players", "seed", "options"),
    "setup": ("game", "state", "seed"),
    "moves": ("seat",),
    "play": ("move", "seat"),
    "view": ("seat",),
    "score": ("seat",),
    "record": ("seat",),
    "load": ("record",),
}
_KEYS = {"id", "do"}.union(*_TAKES.values())
