"""Igloo Pop's referee: the object `GAME`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.core.chance import Chance
from rules.core.game import Event, Game, Over
from rules.core.notation import refusal, understood
from rules.core.reading import Reader
from rules.core.refusal import Forbidden, NotNow

from . import resolving, shaking
from .moves import legal
from .notation import EXAMPLES, VERBS, Move, guesses, parse
from .position import OPTIONS, read_setting, write
from .setup import read_state
from .state import COUNTDOWN, LETTERS, SLOTS, TALERS, VILLAGE, State, to_act


class IglooPop(Game[State]):
    """Igloo Pop for two to six (rules IP-1 to IP-15)."""

    name = "igloo-pop"
    players = "two to six of red, yellow, green, blue, white, black"
    options = OPTIONS

    def new(
        self, players: Sequence[str], seed: int | None, options: Mapping[str, Any]
    ) -> tuple[State, tuple[Event, ...]]:
        read = Reader()
        setting = read_setting(read, players, options)
        read.finish()
        chance, n = Chance.of(seed or 0), len(setting.players)
        cards, chance = chance.shuffled(setting.deck)
        state = State(
            setting=setting,
            phase=COUNTDOWN,
            round=1,
            last_round=False,
            empty_rounds=0,
            table=(None,) * SLOTS,
            deck=(None,) * len(cards) if setting.physical else cards,
            won=((),) * n,
            own=(TALERS,) * n,
            captured=(0,) * n,
            box=0,
            where=(VILLAGE,) * len(LETTERS),
            values=(0,) * len(LETTERS),
            passed=0,
            stopped=0,
            over=None,
            chance=chance,
        )
        text = f"twelve igloos in the village, {len(cards)} cards, ten talers for each of {', '.join(setting.players)}"
        if setting.physical:
            text += "; lay nine cards into the ring and report each with deal"
        else:
            state = resolving.shuffled(resolving.refilled(state))
        return state, (Event("set-up", "IP-2", text),)

    def setup(self, position: Mapping[str, Any], seed: int | None) -> State:
        return read_state(position, seed or 0)

    def seats(self, state: State) -> tuple[str, ...]:
        return state.setting.players

    def to_act(self, state: State) -> tuple[str, ...]:
        return to_act(state)

    def phase(self, state: State) -> str:
        return state.phase

    def over(self, state: State) -> Over | None:
        return state.over

    def moves(self, state: State, seat: str | None = None) -> Iterator[str]:
        return iter(legal(state, seat))

    def read(self, state: State, move: str, seat: str | None = None) -> str:
        return str(self._read(state, move, seat))

    def _read(self, state: State, text: str, seat: str | None) -> Move:
        return understood(
            text,
            parse,
            VERBS,
            lambda: self.moves(state, seat),
            lambda: self._why(state, text, seat),
            EXAMPLES,
        )

    def _why(self, state: State, text: str, seat: str | None) -> tuple[str | None, str]:
        """The reason for a part of a move that no legal move fits: what forbids the moves that it may stand for."""
        if state.over is not None:
            return state.over.rule, f"the game is over: {state.over.text}"
        for guess in guesses(text, (seat,) if seat else state.setting.players):
            try:
                self._done(state, guess, seat)
            except Forbidden as why:
                return why.rule, why.text
        return None, f"no legal move fits {text.strip()!r} now"

    def play(self, state: State, move: str, seat: str | None = None) -> tuple[State, tuple[Event, ...]]:
        found = self._read(state, move, seat)
        if state.over is not None:
            raise NotNow(state.over.rule, f"the game is over: {state.over.text}")
        try:
            return self._done(state, found, seat)
        except Forbidden as why:
            raise refusal(str(found), self.moves(state, seat), why.rule, why.text) from None

    def _done(self, state: State, move: Move, seat: str | None) -> tuple[State, tuple[Event, ...]]:
        if move.colour and move.colour not in state.setting.players:
            raise Forbidden("IP-2", f"nobody plays {move.colour} in this game")
        if seat is not None and move.colour not in ("", seat) and move.verb != "found":
            raise Forbidden("IP-6", f"{seat} cannot act for {move.colour}")
        if move.verb == "count":
            return shaking.count(state)
        if move.verb == "resolve":
            return resolving.resolve(state)
        if move.verb == "deal":
            return shaking.deal(state, move)
        if move.verb == "found":
            return shaking.found(state, move)
        if move.verb == "stop":
            new, event, all_said = shaking.stop(state, move)
            if not all_said:
                return new, (event,)
            return resolving.finish(new, [event], "D-13", "all wish to stop")
        return shaking.in_shaking(state, move)

    def to_json(self, state: State) -> dict[str, Any]:
        return write(state, hidden=True)

    def view(self, state: State, seat: str | None) -> dict[str, Any]:
        return write(state, hidden=False)

    def score(self, state: State, seat: str | None = None) -> tuple[dict[str, int | float], dict[str, Any]]:
        return resolving.scores(state), dict(resolving.parts(state))


GAME = IglooPop()
