"""The desk of one game: every act passes here, is written down, and only then counts.

The order is always the same: the rules decide, the journal writes, the new position stands, the listeners are told. If
the journal cannot write, the act is refused with the journal's own sentence and nothing changes. Only seating and
declining a proposal work without it: a full disk must not keep anybody in a seat or bind anybody to a proposal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from firmware_bridge.clock import Clock
from rules.core.game import Event
from rules.core.refusal import NotNow, Refusal
from table.desk.back import Back, correcting, reopening, stepping
from table.desk.hiding import hides_nothing
from table.desk.minutes import Minutes
from table.desk.opened import opened_after
from table.desk.refusing import refusing
from table.desk.said import Question, Said, from_event
from table.desk.telling import public, shown, telling
from table.journal.entries import Act
from table.journal.errors import NoSuchGame
from table.journal.fold import Registry, Sitting, Step, begin, fold
from table.journal.store import Journal
from table.version import version

ANOTHER = "another game was begun"  # why a game is closed for the next one


class Desk(Minutes):
    """One game at the table. Not thread-safe: everything runs on the table's event loop."""

    def __init__(self, sitting: Sitting, journal: Journal, clock: Clock) -> None:
        super().__init__(sitting, journal, clock)
        self.question: Question | None = None
        self.opened_after: Step | None = None  # the last step when all agreed to reveal what was hidden

    @classmethod
    def new(
        cls,
        journal: Journal,
        games: Registry,
        clock: Clock,
        *,
        name: str,
        game: str,
        players: Sequence[str],
        seed: int,
        options: Mapping[str, Any],
        instead_of: Desk | None = None,
    ) -> Desk:
        """Open a game. Raises a `PositionError` for players or options that it does not take, a `JournalError`.

        `instead_of`: the desk whose game is closed for it. If this game cannot be opened, that one stays as it was.
        """
        body = {"game": game, "players": list(players), "seed": seed, "options": dict(options)}
        sitting = begin(name, games, body)
        told = telling(sitting, public(sitting.opening))
        # a game that another version cannot replay can be replayed by the version that recorded it
        recorded = body | {"after": sitting.fingerprint(), "version": version()}
        acts = [Act(name, "new", recorded, told)]
        if instead_of is not None and instead_of.sitting.closed is None:
            acts.insert(0, instead_of.closing(ANOTHER))
        journal.append_all(acts)
        if instead_of is not None:
            instead_of.closed(ANOTHER)
        desk = cls(sitting, journal, clock)
        for event in sitting.opening:
            desk.say(from_event(clock.now(), event))
        return desk

    @classmethod
    def resume(cls, journal: Journal, games: Registry, clock: Clock, name: str | None = None) -> Desk:
        """Restore a desk: of the game `name`, or of the one that was begun last, also if it was closed."""
        game = journal.begun_last() if name is None else name
        if game is None:
            raise NoSuchGame("the journal holds no game yet", "start one")
        sitting = fold(journal.entries(game), games)
        desk = cls(sitting, journal, clock)
        desk.opened_after = opened_after(sitting, journal.entries(game))
        events = sitting.steps[-1].events if sitting.steps else sitting.opening
        for event in events:
            desk.say(from_event(clock.now(), event))
        return desk

    # what is shown

    def view(self, seat: str | None) -> dict[str, Any]:
        """What `seat` (None: a spectator) may see. The only way in which a position reaches a screen."""
        if self.opened and self.sitting.over is not None:
            whole = self.sitting.game.to_json(self.sitting.state)
            whole.pop("chance", None)
            return whole
        return self.sitting.game.view(self.sitting.state, seat)

    @property
    def opened(self) -> bool:
        """Whether all agreed, after this end, to reveal what was hidden; undoing a move hides it again."""
        steps = self.sitting.steps
        return bool(steps) and steps[-1] is self.opened_after

    # acts

    def play(
        self, move: str, seat: str | None = None, by: str = "hand", evidence: Mapping[str, Any] | None = None
    ) -> bool:
        """Make a move. False if it was refused (people were told why, with the rule and the nearest legal moves)."""
        return self._made((move,), seat, by, evidence)

    def undo(self, by: str = "host") -> bool:
        """Take back the last move, or the closing of the game (the host's tool). False if there is neither."""
        if self.sitting.closed is not None:
            return self._go_back(reopening(self.sitting, by, self.now))
        back = stepping("undo", self.sitting, self.sitting.taken_back(), by, self.now)
        return back is not None and self._go_back(back)

    def redo(self, by: str = "host") -> bool:
        try:
            self._still_open()
        except NotNow as refusal:
            self.say(Said(self._clock.now(), "refused", "refused", refusal.text))
            return False
        back = stepping("redo", self.sitting, self.sitting.redone(), by, self.now)
        return back is not None and self._go_back(back)

    def correct(self, at: int, move: str, by: str = "host") -> bool:
        """Replace step `at` by another move, also after the end.

        Later moves that no longer fit, or would refer to something else, are named. Raises an `IndexError` if there is
        no such step, in a closed game too.
        """
        try:
            self._still_open()
            move = self._as_read(at, move)
            after, dropped = self.sitting.corrected(at, move, by)
        except Refusal as refusal:
            open_game = hides_nothing(self.sitting.game.name, self.view(None))
            seat = None if open_game else self.sitting.steps[at].seat
            self._refused(move, seat, refusal, at=at)
            return False
        if not self._go_back(correcting(self.sitting, after, dropped, at, move, by, self.now)):
            return False
        over = after.over
        if over is not None:
            self.say(Said(self._clock.now(), "over", "over", over.text, over.rule, data=over.to_json()))
        return True

    def _as_read(self, at: int, move: str) -> str:
        """The move typed for step `at`, in the game's notation. Raises a `Refusal`."""
        steps, game = self.sitting.steps, self.sitting.game
        if not 0 <= at < len(steps):
            return move  # `corrected` reports that
        return game.read(steps[at - 1].state if at else self.sitting.start, move, steps[at].seat)

    def close(self, why: str) -> None:
        """Accept no more moves in this game. Raises a `JournalError`."""
        self._append([self.closing(why)])
        self.closed(why)

    def closing(self, why: str) -> Act:
        """What `close` writes."""
        return Act(self.name, "close", {"why": why}, telling(self.sitting))

    def closed(self, why: str) -> None:
        """What `closing` returned is written: nothing of this game is open any more."""
        if self.sitting.closed is None:
            self.sitting, self.question = replace(self.sitting, closed=why), None

    # evidence

    def sensed(self, move: str, what: str, by: str) -> bool:
        """Make the one move that explains what was sensed (`what`, in words).

        False: it was refused, people were told the broken rule, and no legal move was made in its place.
        """
        return self._made((move,), None, by, {"what": what, "odds": {move: 1.0}}, what)

    def ask(self, question: Question) -> None:
        """Put a question on the table; a later one replaces it."""
        self.question = question
        self.say(
            Said(
                self._clock.now(), "asks", "question", question.text, to=question.to, data=question.to_json()
            )
        )

    def withdraw(self, kind: str) -> None:
        """Withdraw the open question if its key begins with `kind`: it no longer needs an answer."""
        if self.question is not None and self.question.key.startswith(f"{kind}-"):
            self.question = None
            self.version += 1

    def answer(self, key: str, index: int, seat: str | None = None, by: str = "hand") -> bool:
        """Answer the open question with its choice `index`. False if it is no longer open or a move is refused.

        The moves of a choice are made all or none. If none is made, the question stays open and whoever asked is not
        told; the same answer, or another one, may follow.
        """
        question = self.question
        if question is None or question.key != key or not 0 <= index < len(question.choices):
            return False
        if not question.is_for(seat):
            return False
        choice = question.choices[index]
        if choice.instead_of is not None:
            done = self.correct(choice.instead_of, choice.moves[0], by)
        elif choice.moves:
            # a question that anybody may answer can be answered by somebody who is not to act
            done = self._made(choice.moves, None if question.to is None else seat, by)
        else:
            done, self.question = True, None
            self.version += 1
        if done and choice.then is not None:
            choice.then()
        return done

    # inside

    def _made(
        self,
        moves: Sequence[str],
        seat: str | None,
        by: str,
        evidence: Mapping[str, Any] | None = None,
        what: str | None = None,
    ) -> bool:
        """Make the moves one after the other, all or none. False if one was refused or could not be written.

        `what`: what was sensed, as a refusal words it.
        """
        after, acts, events = self.sitting, list[Act](), list[Event]()
        for move in moves:
            whose = seat if seat is not None else self._whose(move, after)
            try:
                self._still_open()
                read = after.game.read(after.state, move, whose)
                after = after.played(read, whose, by, evidence)
            except Refusal as refusal:
                if acts:  # a later `play` would try it in a position without the moves before it
                    self.say(refusing(self.sitting, move, whose, refusal, self.now).said)
                else:
                    self._refused(move, whose, refusal, what)
                return False
            body: dict[str, Any] = {"move": read, "seat": whose, "by": by, "after": after.fingerprint()}
            if evidence is not None:
                body["evidence"] = dict(evidence)
            came = after.steps[-1].events
            told = telling(after, public(came), shown(after, len(after.steps) - 1))
            acts.append(Act(self.name, "play", body, told))
            events += came
        if not self._all_written(acts):
            return False
        self.sitting = after
        self.question = None
        self.version += 1  # also if nothing is said: the end of a window in IGLOO changes whose turn it is
        for event in events:
            self.say(from_event(self._clock.now(), event))
        return True

    def _still_open(self) -> None:
        if self.sitting.closed is not None:
            raise NotNow(None, "this game was closed; another one can be begun")

    def _go_back(self, back: Back) -> bool:
        told = telling(back.after, [back.said], back.move)
        if not self._written(back.kind, back.body, told):
            return False
        self.sitting, self.question = back.after, None
        self.say(back.said)
        return True

    def _whose(self, move: str, sitting: Sitting) -> str | None:
        """The seat that a move without one is for, where hands are hidden: only that seat may hear a refusal's
        reason."""
        if hides_nothing(self.sitting.game.name, self.view(None)):
            return None
        acting = sitting.game.to_act(sitting.state)
        named = [seat for seat in acting if seat in move.split()]
        return next(iter([*named, *acting]), None)

    def _refused(
        self, move: str, seat: str | None, refusal: Refusal, what: str | None = None, at: int | None = None
    ) -> None:
        """Record a refusal and say why. `what`: what was sensed; `at`: the step that it should have corrected."""
        no = refusing(self.sitting, move, seat, refusal, self.now, what=what, at=at)
        self._written("refused", no.body, no.told)
        self.say(no.said)
