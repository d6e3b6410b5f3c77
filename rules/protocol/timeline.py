"""One game with its history: states are values, so taking back is returning to an earlier one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules.core.game import Event, Game
from rules.core.refusal import NotNow


class Moment(NamedTuple):
    """A position, and the move that led to it (as in a record; empty for the first position)."""

    state: Any
    move: str
    events: tuple[Event, ...]


class Timeline:
    """The moments of one game; `origin`: what a record needs to start it again."""

    def __init__(
        self, game: Game[Any], state: Any, events: Sequence[Event], origin: Mapping[str, Any]
    ) -> None:
        self.game = game
        self.origin = dict(origin)
        self._moments = [Moment(state, "", tuple(events))]
        self._now = 0

    @classmethod
    def new(cls, game: Game[Any], players: Sequence[str], seed: int, options: Mapping[str, Any]) -> Timeline:
        """Raises PositionError."""
        state, events = game.new(players, seed, options)
        chosen = game.to_json(state).get("options", dict(options))
        origin = {"players": list(players), "seed": seed, "options": chosen}
        return cls(game, state, events, origin)

    @classmethod
    def setup(cls, game: Game[Any], position: Mapping[str, Any], seed: int) -> Timeline:
        """Raises PositionError."""
        state = game.setup(position, seed)
        text = "the position is set up"
        return cls(game, state, (Event("set-up", None, text),), {"start": game.to_json(state)})

    @property
    def state(self) -> Any:
        return self._moments[self._now].state

    @property
    def past(self) -> list[Moment]:
        """All moments from the first to the present one."""
        return self._moments[: self._now + 1]

    def play(self, move: str, seat: str | None = None) -> tuple[Event, ...]:
        """Returns what happened, and drops moments that were taken back. Raises Refusal without any change."""
        before = self.state
        written = self.game.read(before, move, seat)
        state, events = self.game.play(before, written, seat)
        self._now += 1
        self._moments[self._now :] = [Moment(state, written, events)]
        return events

    def undo(self) -> Event:
        if not self._now:
            raise NotNow(None, "there is no move to take back")
        self._now -= 1
        return Event("undone", None, f"{self._as_all_know(self._now + 1)} is taken back")

    def redo(self) -> tuple[Event, ...]:
        if self._now + 1 >= len(self._moments):
            raise NotNow(None, "there is no move that was taken back")
        self._now += 1
        moment = self._moments[self._now]
        return (Event("redone", None, f"{self._as_all_know(self._now)} is done again"), *moment.events)

    def _as_all_know(self, at: int) -> str:
        """The move that led to a moment, reduced to what everybody may know, because it is announced to all."""
        return self.game.redact(self._moments[at - 1].state, self._moments[at].move, None)
