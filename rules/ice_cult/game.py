"""Ice Cult's referee: the object `GAME`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from rules.core.chance import Chance
from rules.core.game import Event, Game, Over
from rules.core.notation import is_part, refusal, several, understood, words
from rules.core.reading import Reader
from rules.core.refusal import Forbidden, NotNow

from . import play, resync
from .cubeset import COLOURS
from .moves import iterate
from .notation import EXAMPLES, VERBS, Correct, Move, Step, Tilt, Turn, Word, parse
from .parts import guesses
from .position import OPTIONS, read_setting, write
from .setup import read_state
from .state import LETTERS, OVER, PAWNS, TILT_1, Setting, State, mover


class IceCult(Game[State]):
    """Ice Cult for two to four (rules IC-1 to IC-21)."""

    name = "ice-cult"
    players = "two to four of red, yellow, green, blue, clockwise; the other colours are neutral"
    options = OPTIONS

    def new(
        self, players: Sequence[str], seed: int | None, options: Mapping[str, Any]
    ) -> tuple[State, tuple[Event, ...]]:
        read = Reader()
        setting = read_setting(read, players, options)
        read.finish()
        chance, first = Chance.of(seed or 0), 0
        if setting.options["first"] == "random":
            first, chance = chance.below(len(setting.players))
        state = _start(setting, first, chance)
        neutral = [colour for colour in COLOURS if colour not in setting.players]
        text = "the arcs on the four cubes make a circle, and all pawns wait in the pool"
        if neutral:
            text += f"; {' and '.join(neutral)} {'is' if len(neutral) == 1 else 'are'} neutral"
        return state, (
            Event("set-up", "IC-2", text),
            Event("begins", "D-16", f"{mover(state)} begins", None, {"seat": mover(state)}),
        )

    def setup(self, position: Mapping[str, Any], seed: int | None) -> State:
        return read_state(position, seed or 0)

    def seats(self, state: State) -> tuple[str, ...]:
        return state.setting.players

    def to_act(self, state: State) -> tuple[str, ...]:
        return () if state.phase == OVER else (state.setting.players[state.turn],)

    def phase(self, state: State) -> str:
        return state.phase

    def over(self, state: State) -> Over | None:
        return state.over

    def moves(self, state: State, seat: str | None = None) -> Iterator[str]:
        return iterate(state, seat)

    def read(self, state: State, move: str, seat: str | None = None) -> str:
        found = self._read(state, move, seat)
        if isinstance(found, Step) and found.nth and 0 < found.space <= state.setting.length:
            top = state.tops[found.arrow]
            # `3#2` is normalised to `3` where it names the topmost pawn of the arrow's colour
            if 0 <= top < 16:
                stack = state.paths[top % 4 * state.setting.length + found.space - 1]
                if stack.rfind(LETTERS[top // 4]) == found.nth - 1:
                    found = found._replace(nth=0)
        return str(found)

    def _read(self, state: State, text: str, seat: str | None) -> Move:
        whole = understood(
            text,
            parse,
            VERBS,
            lambda: self.moves(state, seat),
            lambda: self._why(state, text, seat),
            EXAMPLES,
        )
        return cast(Move, whole)

    def play(self, state: State, move: str, seat: str | None = None) -> tuple[State, tuple[Event, ...]]:
        found = self._read(state, move, seat)
        if state.over is not None:
            raise NotNow(state.over.rule, f"the game is over: {state.over.text}")
        try:
            return _done(state, found, seat)
        except Forbidden as why:
            raise refusal(str(found), self.moves(state, seat), why.rule, why.text) from None

    def _why(self, state: State, text: str, seat: str | None) -> tuple[str | None, str]:
        """The reason for a part of a move that no legal move fits: what forbids the moves that it may stand for."""
        if state.over is not None:
            return state.over.rule, f"the game is over: {state.over.text}"
        typed = words(text)
        if is_part(typed, VERBS) and typed[0].lower() == "correct":
            # any seat may correct, and `moves` never lists it: several always fit
            raise several(typed, resync.completions(state, typed))
        try:
            _check_turn(state, seat)
            for guess in guesses(state, text):
                _done(state, guess, seat)
        except Forbidden as why:
            return why.rule, why.text
        return None, f"no legal move fits {text.strip()!r} now"

    def to_json(self, state: State) -> dict[str, Any]:
        return write(state, chance=True)

    def view(self, state: State, seat: str | None) -> dict[str, Any]:
        return write(state, chance=False)

    def score(self, state: State, seat: str | None = None) -> tuple[dict[str, int | float], dict[str, Any]]:
        """IC-19 has no points; returns the number of pawns that are home."""
        home = {player: state.home[COLOURS.index(player)] for player in state.setting.players}
        return dict(home), {player: {"home": count} for player, count in home.items()}


def _start(setting: Setting, first: int, chance: Chance) -> State:
    cubes = setting.cubes.start
    tops = tuple(setting.cubes.tops[code] for code in cubes)
    empty = ("",) * (4 * setting.length)
    return State(
        setting=setting,
        turn=first,
        phase=TILT_1,
        cubes=cubes,
        tops=tops,
        first=None,
        spent=0,
        pool=(PAWNS,) * 4,
        paths=empty,
        home=(0,) * 4,
        over=None,
        chance=chance,
    )


def _done(state: State, move: Move, seat: str | None) -> tuple[State, tuple[Event, ...]]:
    """Raises Forbidden, or a Refusal where listing legal moves would not help."""
    if isinstance(move, Correct):
        return resync.correct(state, move)
    if isinstance(move, Word) and move.word == "abandon":
        return resync.abandon(state)
    _check_turn(state, seat)
    if isinstance(move, Tilt):
        return play.tilt(state, move)
    if isinstance(move, Step):
        return play.step(state, move)
    if isinstance(move, Turn):
        return play.turn(state, move)
    return play.end(state)


def _check_turn(state: State, seat: str | None) -> None:
    if seat is not None and seat != mover(state):
        raise Forbidden("D-16", f"it is {mover(state)}'s turn")


GAME = IceCult()
