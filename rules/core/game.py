"""The interface of a game. Each of the four games is one object of this kind, in `rules.<game>.game.GAME`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

State = TypeVar("State")
MOST_MOVES = 2000  # listed at once (docs/contracts.md 2)


@dataclass(frozen=True, slots=True)
class Event:
    """What happened, for a person (`text`) and for a program (`event`, `data`); `to` None: for everybody."""

    event: str
    rule: str | None
    text: str
    to: tuple[str, ...] | None = None
    data: Mapping[str, Any] | None = field(default=None, hash=False)

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "event": self.event,
            "rule": self.rule,
            "to": None if self.to is None else list(self.to),
        }
        out["text"] = self.text
        if self.data:
            out.update(self.data)
        return out


@dataclass(frozen=True, slots=True)
class Over:
    """How a game ended: the winners (none, one or several), the rule that ended it, and the points or None."""

    winners: tuple[str, ...]
    rule: str
    text: str
    scores: Mapping[str, int | float] | None = field(default=None, hash=False)

    def to_json(self) -> dict[str, Any]:
        scores = None if self.scores is None else dict(self.scores)
        return {"winners": list(self.winners), "rule": self.rule, "text": self.text, "scores": scores}


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game: its name, default, allowed values, and meaning (with its D-number)."""

    name: str
    default: Any
    values: str
    meaning: str
    choices: tuple[Any, ...] = ()  # the value must be one of them (and of the same type)
    # or an integer from `least` to `most`; with neither, the game checks the value itself
    least: int | None = None
    most: int | None = None

    def to_json(self) -> dict[str, Any]:
        out = {"name": self.name, "default": self.default, "values": self.values, "meaning": self.meaning}
        if self.choices:
            out["choices"] = list(self.choices)
        if self.least is not None and self.most is not None:
            out |= {"least": self.least, "most": self.most}
        return out


class Game(Protocol[State]):
    """A referee. It has no state of its own: every call takes a state, and states are immutable values.

    `play` raises a `Refusal` and `new`/`setup` a `PositionError`; no other exception may escape, whatever the input.
    `seat` None stands for the host: then nothing is hidden and no seat is checked.
    """

    name: str
    players: str  # a sentence: how many players, and their possible names
    options: tuple[Option, ...]

    def new(
        self, players: Sequence[str], seed: int | None, options: Mapping[str, Any]
    ) -> tuple[State, tuple[Event, ...]]: ...

    def setup(self, position: Mapping[str, Any], seed: int | None) -> State: ...

    def seats(self, state: State) -> tuple[str, ...]:
        """All seats that may ask."""
        ...

    def to_act(self, state: State) -> tuple[str, ...]: ...

    def phase(self, state: State) -> str: ...

    def over(self, state: State) -> Over | None: ...

    def moves(self, state: State, seat: str | None = None) -> Iterator[str]:
        """All legal moves in the notation of docs/contracts.md, lazily, in an order that depends on the state alone.

        Where there are very many, the first 2,000 should be a fair sample: those are what the protocol shows.
        """
        ...

    def read(self, state: State, move: str, seat: str | None = None) -> str:
        """The canonical notation of this move, as in a record. Raises a `Refusal` if it is unreadable or ambiguous.

        It need not check whether the move is legal: `play` does.
        """
        return " ".join(move.split())

    def play(self, state: State, move: str, seat: str | None = None) -> tuple[State, tuple[Event, ...]]: ...

    def to_json(self, state: State) -> dict[str, Any]:
        """The whole state, hidden parts and `chance` included; `setup` with it continues exactly as before."""
        ...

    def view(self, state: State, seat: str | None) -> dict[str, Any]:
        """Like `to_json`, with None for what that seat (None: a spectator) may not know, and without `chance`."""
        ...

    def score(
        self, state: State, seat: str | None = None
    ) -> tuple[Mapping[str, int | float | None], dict[str, Any]]:
        """Totals and their parts, without anything secret from `seat`."""
        ...

    def redact(self, state: State, move: str, seat: str | None) -> str:
        """A move (as `read` wrote it) played in `state`, as `seat` (None: a spectator) may see it in a record."""
        return move

    def random_move(self, state: State, below: Callable[[int], int]) -> str | None:
        """A uniformly random legal move; None if there is none. A game with very many moves need not list them for it.

        `below(n)` returns an integer from 0 to n - 1, such as `random.Random(…).randrange`.
        """
        legal = list(self.moves(state))
        return legal[below(len(legal))] if legal else None
