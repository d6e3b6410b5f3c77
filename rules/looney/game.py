"""IGLOO's referee: the object `GAME`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from rules.core.chance import Chance
from rules.core.game import Event, Game, Over
from rules.core.notation import LONGEST, complete, refusal
from rules.core.reading import Reader
from rules.core.refusal import Ambiguous, Illegal, NotNow, Refusal

from . import moves, windows
from .notation import EXAMPLES, VERBS, Move, kind_of_piece, parse
from .options import OPTIONS, SIDES, SIZES, read_setting
from .placing import can_place, check_stash, located, place
from .position import seen, whole
from .setup import read_state
from .state import AFTER, BEFORE, COMMIT, OVER, PLACE, REVEAL, STASH, State, capturable, to_act

Handler = Callable[[State, Move, list[Event]], State]
PHASE_RULES = {
    COMMIT: ("IG-2", "first both sides choose their real colour in secret"),
    BEFORE: ("IG-14", "first the open pieces are captured, or the window is ended with `done`"),
    PLACE: ("IG-9", "a piece is to be placed"),
    AFTER: ("IG-14", "first the open pieces are captured, or the window is ended with `done`"),
    REVEAL: ("IG-17", "no more pieces are placed: the real colours are to be revealed"),
}
SECRET_RULES = {
    "commit": ("D-83", "the real colours are chosen before the first piece, and nobody changes them"),
    "reveal": (
        "IG-17",
        "the real colours are revealed when all pieces are placed and the last windows are over",
    ),
}
COMPULSORY = ("IG-14", "first the open pieces are captured")
NOTHING_OPEN = ("IG-10", "no piece of the other side is open to capture")
NO_WINDOW = ("IG-14", "no window for captures is open now: a piece is to be placed")


def _place(state: State, move: Move, events: list[Event]) -> State:
    return windows.after_placing(place(state, move, events))


HANDLERS: dict[str, dict[str, Handler]] = {
    COMMIT: {"commit": windows.commit},
    BEFORE: {"capture": windows.capture, "done": windows.done},
    PLACE: {"place": _place, "pass": windows.skip},
    AFTER: {"capture": windows.capture, "done": windows.done},
    REVEAL: {"commit": windows.commit, "reveal": windows.reveal},
    OVER: {},
}


class Igloo(Game[State]):
    """Andrew Looney's IGLOO for two, or for two teams of two (rules IG-1 to IG-19)."""

    name = "igloo"
    players = "A and B; or four colours in their order round the table, partners opposite (team game)"
    options = OPTIONS

    def new(
        self, players: Sequence[str], seed: int | None, options: Mapping[str, Any]
    ) -> tuple[State, tuple[Event, ...]]:
        reader = Reader()
        setting = read_setting(reader, list(players), options)
        reader.finish()
        chance, first = Chance.of(seed or 0), 0
        if setting.options["first"] == "random":
            first, chance = chance.below(len(setting.seats))
        stash = ((STASH,) * 3,) * 4
        state = State(
            setting=setting,
            turn=first,
            phase=COMMIT,
            pieces={},
            measured=True,
            links={},
            open=frozenset(),
            stash=stash,
            prisoners=((), ()),
            real=(None, None),
            passes=0,
            threat=False,
            over=None,
            chance=chance,
        )
        a, b = setting.colours[:2], setting.colours[2:]
        text = f"side A has {' and '.join(a)}, side B {' and '.join(b)}, fifteen pieces of each"
        return state, (
            Event("set-up", "IG-1", text),
            Event(
                "begins", "IG-3", f"{setting.seats[first]} places first", None, {"seat": setting.seats[first]}
            ),
        )

    def setup(self, position: Mapping[str, Any], seed: int | None) -> State:
        return read_state(position, seed or 0)

    def seats(self, state: State) -> tuple[str, ...]:
        return state.setting.seats

    def to_act(self, state: State) -> tuple[str, ...]:
        return to_act(state)

    def phase(self, state: State) -> str:
        return state.phase

    def over(self, state: State) -> Over | None:
        return state.over

    def moves(self, state: State, seat: str | None = None) -> Iterator[str]:
        """All legal moves; tens of thousands of placements, in an order of which any prefix is a fair sample.

        With declared connections (D-84) there are as many as sets of pieces: take a prefix with `islice`.
        """
        return moves.legal_moves(state, seat)

    def count_moves(self, state: State) -> int:
        """The exact number of legal moves, without listing placements; see `moves.count_moves`."""
        return moves.count_moves(state)

    def random_move(self, state: State, below: Callable[[int], int]) -> str | None:
        """A uniformly random legal move, drawn without listing them; see `moves.random_move`."""
        return moves.random_move(state, below)

    def read(self, state: State, move: str, seat: str | None = None) -> str:
        return str(self._read(state, move, seat))

    def _read(self, state: State, text: str, seat: str | None) -> Move:
        found = parse(text) if len(text) <= LONGEST else None
        if found is None:
            found = self._without_place(state, text, seat)
        if found is None:
            rule, why = self._why_nothing(state, text, seat)
            found = parse(complete(text, VERBS, self._nameable(state, seat), rule, why, EXAMPLES))
            assert found is not None
        return located(state, self._coloured(state, _of_partner(state, found, seat), seat))

    def _nameable(self, state: State, seat: str | None) -> Iterator[str]:
        """The legal moves that a part can stand for; placements are too many, see `_without_place`."""
        if state.phase != PLACE:
            return self.moves(state, seat)
        passes = not (state.measured and can_place(state)) and seat in (None, *to_act(state))
        return iter(["pass"] if passes else [])

    def _without_place(self, state: State, text: str, seat: str | None) -> Move | None:
        """The one placement that `place red L` can stand for, as for the first piece; None if the text is no such part.

        A sample of the placements cannot show whether only one fits: they are counted, or, with declared connections,
        searched for.
        """
        kind = kind_of_piece(text) if len(text) <= LONGEST else None
        if kind is None or state.phase != PLACE or seat not in (None, *to_act(state)):
            return None
        (colour, size), colours = kind, state.setting.colours
        kinds = [
            one for one in state.kinds_left() if colour in ("", colours[one[0]]) and size in (None, one[1])
        ]
        count, some = moves.somewhere(state, kinds)
        if len(some) > 1:
            how = "several legal moves: say with ~ what the piece is connected to"
            if count is not None:
                how = f"{count} legal moves: say which"
            raise Ambiguous(f"{' '.join(text.split())!r} fits {how}", some)
        if some:
            return parse(some[0])
        wanted = Move("place", "", colour or colours[state.setting.own[state.turn][0]], size or 0, (0, 0))
        try:
            if not kinds:
                check_stash(state, wanted)
            raise Illegal("IG-9", f"no legal move fits {text.strip()!r} now")
        except Illegal as why:
            raise self._refused(state, wanted, seat, why) from None

    def _coloured(self, state: State, move: Move, seat: str | None) -> Move:
        """A placement without colour: the colour that the player has in that size, or a question to him."""
        if move.verb != "place" or move.colour:
            return move
        own = state.setting.own[state.turn]
        left = [colour for colour in own if state.stash[colour][move.size]] or own[:1]
        moves_meant = [move._replace(colour=state.setting.colours[colour]) for colour in left]
        if len(moves_meant) > 1 and state.phase == PLACE and seat in (None, *to_act(state)):
            raise Ambiguous(f"{move}: of which colour?", tuple(map(str, moves_meant)), "IG-9")
        return moves_meant[0]

    def play(self, state: State, move: str, seat: str | None = None) -> tuple[State, tuple[Event, ...]]:
        found = self._read(state, move, seat)
        handler = HANDLERS[state.phase].get(found.verb)
        if handler is None or (seat is not None and seat not in to_act(state)):
            raise NotNow(*self._why_not_now(state, found.verb, seat))
        if found.verb == "commit" and seat not in (None, found.seat):
            raise refusal(
                str(found), self.moves(state, seat), "IG-2", f"{seat} cannot choose for {found.seat}"
            )
        events: list[Event] = []
        try:
            after = handler(state, found, events)
        except Illegal as why:
            raise self._refused(state, found, seat, why) from None
        return after, tuple(events)

    def _refused(self, state: State, move: Move, seat: str | None, why: Illegal) -> Refusal:
        if move.verb == "pass":
            return NotNow(why.rule, why.text, tuple(islice(self.moves(state, seat), 5)))
        if move.verb != "place" or not state.measured:
            return refusal(str(move), self.moves(state, seat), why.rule, why.text)
        if not can_place(state):
            return NotNow(why.rule, why.text, ("pass",))
        return Illegal(why.rule, why.text, moves.nearest_placements(state, move))

    def _why_not_now(self, state: State, verb: str, seat: str | None) -> tuple[str, str]:
        """The rule and the sentence for a kind of move that is impossible at this moment."""
        if state.over is not None:
            return state.over.rule, f"the game is over: {state.over.text}"
        acting = to_act(state)
        if seat is not None and seat not in acting:
            return "IG-9", f"it is {' and '.join(acting)} who may act now"
        if state.phase in (BEFORE, PLACE, AFTER) and verb in SECRET_RULES:
            return SECRET_RULES[verb]
        if state.phase == PLACE and verb in ("capture", "done"):
            return NO_WINDOW if capturable(state, state.side) else NOTHING_OPEN
        # with compulsory captures `done` is refused as well (D-71)
        if state.phase in (BEFORE, AFTER) and not state.setting.captures_optional:
            return COMPULSORY
        return PHASE_RULES[state.phase]

    def _why_nothing(self, state: State, text: str, seat: str | None) -> tuple[str, str]:
        """The rule and the sentence for a part of a move that no legal move fits."""
        verb = text.split()[0].lower() if text.split() else ""
        if verb in HANDLERS[state.phase] and (seat is None or seat in to_act(state)):
            return PHASE_RULES[state.phase][0], f"no legal move fits {text.strip()!r} now"
        return self._why_not_now(state, verb, seat)

    def to_json(self, state: State) -> dict[str, Any]:
        return whole(state)

    def view(self, state: State, seat: str | None) -> dict[str, Any]:
        return seen(state, seat)

    def score(
        self, state: State, seat: str | None = None
    ) -> tuple[Mapping[str, int | float | None], dict[str, Any]]:
        """Points of each side (IG-17), None where the asking seat cannot know them yet (IG-19)."""
        setting = state.setting
        own = None if seat not in setting.seats else setting.side_of[setting.seats.index(seat)]
        totals: dict[str, int | float | None] = {}
        parts: dict[str, Any] = {}
        for side, name in enumerate(SIDES):
            real = state.real[1 - side]
            known = real is not None and (seat is None or state.phase == OVER or own == 1 - side)
            totals[name] = windows.worth(state, side, real) if known else None
            enemy = (2, 3) if side == 0 else (0, 1)
            parts[name] = {
                "prisoners": {
                    setting.colours[colour]: {
                        size: state.prisoners[side].count((colour, at)) for at, size in enumerate(SIZES)
                    }
                    for colour in enemy
                },
                "if_real": {setting.colours[colour]: windows.worth(state, side, colour) for colour in enemy},
            }
        return totals, parts

    def redact(self, state: State, move: str, seat: str | None) -> str:
        """The real colour in `commit A red` is visible to that side only."""
        found = parse(move)
        if found is None or found.verb != "commit":
            return move
        seats, side_of = state.setting.seats, state.setting.side_of
        side = side_of[seats.index(found.seat)] if found.seat in seats else None
        if seat in seats and side_of[seats.index(seat)] == side:
            return move
        return f"commit {found.seat} ?"


def _of_partner(state: State, move: Move, seat: str | None) -> Move:
    """A side's choice as that of the seat that tells it: either partner may, in the name of the other one too
    (IG-18)."""
    seats, side_of = state.setting.seats, state.setting.side_of
    if move.verb != "commit" or seat not in seats or move.seat not in seats:
        return move
    together = side_of[seats.index(seat)] == side_of[seats.index(move.seat)]
    return move._replace(seat=seat) if together else move


GAME = Igloo()
