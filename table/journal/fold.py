"""The game according to the journal: entries folded into a position, its history, and the undone moves.

Undo, redo and corrections are entries; nothing is ever removed. A correction at step *n* plays another move there and
then replays all later moves, for as long as they are legal and refer to the same things (`meaning`). Moves that no
longer fit are named, never adapted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.core.game import Event, Game, Over
from rules.core.refusal import PositionError, Refusal
from table.journal.entries import Entry, digest
from table.journal.errors import JournalDamaged, NoSuchGame, ReplayDiffers
from table.journal.meaning import means_another


@dataclass(frozen=True, slots=True)
class Step:
    """One move that was made: its notation, who made it, who told us (`by`: hand, cubes, ear, button), its events."""

    move: str
    seat: str | None
    by: str
    state: Any
    events: tuple[Event, ...]
    evidence: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Sitting:
    """A game as it stands. Immutable: every change returns a new one."""

    name: str
    game: Game[Any]
    start: Any
    opening: tuple[Event, ...]
    steps: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()
    closed: str | None = None

    @property
    def state(self) -> Any:
        return self.steps[-1].state if self.steps else self.start

    @property
    def over(self) -> Over | None:
        return self.game.over(self.state)

    def played(
        self, move: str, seat: str | None, by: str, evidence: Mapping[str, Any] | None = None
    ) -> Sitting:
        """The sitting after one more move. Raises a `Refusal`; then nothing has changed."""
        state, events = self.game.play(self.state, move, seat)
        step = Step(move, seat, by, state, events, evidence)
        return replace(self, steps=(*self.steps, step), undone=())

    def taken_back(self) -> Sitting:
        """The sitting without the last move; unchanged if there is none."""
        if not self.steps:
            return self
        return replace(self, steps=self.steps[:-1], undone=(*self.undone, self.steps[-1]))

    def reopened(self) -> Sitting:
        """The sitting reopened; every move stands."""
        return replace(self, closed=None)

    def redone(self) -> Sitting:
        if not self.undone:
            return self
        return replace(self, steps=(*self.steps, self.undone[-1]), undone=self.undone[:-1])

    def corrected(
        self, at: int, move: str, by: str = "hand", fitting: int | None = None
    ) -> tuple[Sitting, tuple[str, ...]]:
        """The sitting with `move` instead of step `at` (counted from 0), and the later moves that no longer fit.

        `fitting`: how many later moves fit, if a record says how many were kept; None: find out. Raises a `Refusal` if
        `move` is not legal there, `IndexError` if there is no such step.
        """
        if not 0 <= at < len(self.steps):
            raise IndexError(f"there is no step {at}; the game has {len(self.steps)}")
        sitting = replace(self, steps=self.steps[:at], undone=())
        sitting = sitting.played(move, self.steps[at].seat, by)
        later = self.steps[at + 1 :]
        for index, step in enumerate(later):
            if fitting is not None and index >= fitting:
                return sitting, tuple(s.move for s in later[index:])
            try:
                after = sitting.played(step.move, step.seat, step.by, step.evidence)
            except Refusal:
                if fitting is not None:
                    raise
                return sitting, tuple(s.move for s in later[index:])
            then = self.steps[at + index].state
            if fitting is None and means_another(self.game, then, sitting.state, step.move):
                return sitting, tuple(s.move for s in later[index:])
            sitting = after
        return sitting, ()

    def fingerprint(self) -> str:
        return digest(self.game.to_json(self.state))


Registry = Mapping[str, Game[Any]]


def begin(name: str, games: Registry, body: Mapping[str, Any]) -> Sitting:
    """The sitting that a `new` entry opens. Raises NoSuchGame, or the game's `PositionError`."""
    game = games.get(str(body["game"]))
    if game is None:
        raise NoSuchGame(
            f"the journal holds a game of {body['game']!r}", f"known games are {', '.join(games)}"
        )
    state, opening = game.new(tuple(body["players"]), body["seed"], body["options"])
    return Sitting(name, game, state, opening)


def apply(sitting: Sitting, entry: Entry) -> Sitting:
    """The sitting after one more entry. Raises a `Refusal` if the entry's move is not legal."""
    body = entry.body
    match entry.kind:
        case "play":
            return sitting.played(
                body["move"], body.get("seat"), body.get("by", "hand"), body.get("evidence")
            )
        case "undo":  # in books of earlier versions, an undo after the end took back a move
            return sitting.reopened() if body.get("reopens") else sitting.taken_back()
        case "redo":
            return sitting.redone()
        case "correct":
            # drop exactly what was dropped at the table, even if the book's version judged differently
            dropped = body.get("dropped")
            fitting = None if dropped is None else len(sitting.steps) - body["at"] - 1 - len(dropped)
            return sitting.corrected(body["at"], body["move"], body.get("by", "hand"), fitting)[0]
        case "close":
            return replace(sitting, closed=str(body.get("why", "")))
        case "new" | "refused" | "note":
            return sitting


def fold(
    entries: Iterable[Entry], games: Registry, check: Callable[[Entry, Sitting], None] | None = None
) -> Sitting:
    """The sitting that a game's entries lead to; `check` is called after each.

    Raises `JournalDamaged` if they do not begin with `new`, NoSuchGame, `ReplayDiffers` if a move is refused now.
    """
    sitting: Sitting | None = None
    for entry in entries:
        try:
            sitting = _next(sitting, entry, games)
        except (Refusal, IndexError, PositionError) as error:
            raise ReplayDiffers(
                f"entry {entry.seq} ({entry.kind} {entry.body.get('move', '')}) is not taken any more: {error}",
                "replay it with the version that recorded it",
            ) from error
        except KeyError as error:
            raise JournalDamaged(
                f"entry {entry.seq} ({entry.kind}) lacks {error}", "restore the file from a copy"
            ) from error
        except (TypeError, ValueError, AttributeError) as error:  # Python's own message would help nobody
            raise JournalDamaged(
                f"entry {entry.seq} ({entry.kind}) is not as the journal writes such entries",
                "restore the file from a copy",
            ) from error
        if check is not None:
            check(entry, sitting)
    if sitting is None:
        raise NoSuchGame("there are no entries of that game", "see: polartable journal list")
    return sitting


def _next(sitting: Sitting | None, entry: Entry, games: Registry) -> Sitting:
    if entry.kind == "new":
        return begin(entry.game, games, entry.body)
    if sitting is None:
        raise JournalDamaged(
            f"game {entry.game} does not begin with its set-up", "restore the file from a copy"
        )
    return apply(sitting, entry)
