"""The state of Igloo Igloo: one immutable value. Squares are numbers (`board.INDEX`), sets of squares are bits."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeVar

from rules.core.chance import Chance
from rules.core.game import Over

from . import mix
from .board import RING, WATER, spread
from .options import Rules

T = TypeVar("T")
UNKNOWN = 0  # the value of a token in a supply that nobody reported (physical play)
PHASES = ("place", "pre-melt", "drift", "displace", "draws", "action", "animals", "attack", "flee", "over")


class Pending(NamedTuple):
    """An unfinished effect. Its `kind` decides which fields are used; the others have their empty value.

    `square`: start of the push, where tokens are drawn, or where a bear attacks · `asked`: players who were asked for a
    harpoon, the present one last, and `waiting`: those who follow · `fleeing`: colours of the Inuits that stand nowhere
    until they are put on land · `points`: of `animals` still to be moved, or tokens to be drawn · `back`: the phase to
    return to · `refuge`: where all animals in the way of a push must go (only without `refuge_per_token`).
    """

    kind: str
    mover: int
    square: int | None = None
    direction: str | None = None
    asked: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    fleeing: tuple[int, ...] = ()
    points: int = 0
    back: str = "action"
    refuge: int | None = None


class Prey(NamedTuple):
    """The animals that a player has hunted: values of fish and foxes, number of bears (4 points each, II-3)."""

    fish: tuple[int, ...] = ()
    foxes: tuple[int, ...] = ()
    bears: int = 0

    def points(self) -> int:
        return sum(self.fish) + sum(self.foxes) + 4 * self.bears


class State(NamedTuple):
    """One position. Tuples by player follow `rules.players`.

    `hidden`, `pack`: ice face down, face up · `tiles`: for each of the 64 squares the kind, "" without a tile, None if
    unknown · `fish`, `foxes`: one number for each token, 4 × square + value, sorted · `inuits`: the squares of a tribe,
    sorted · `hands`: kinds, None if unknown (physical play) · `reserve`: Inuits and igloos not yet on the board ·
    `supply_fish`, `supply_foxes`: values, drawn from the front (in physical play sorted, because the order is unknown,
    and UNKNOWN where a position did not give them).
    """

    rules: Rules
    turn: int
    phase: str
    ap: int
    hidden: int
    pack: int
    tiles: tuple[str | None, ...]
    fish: tuple[int, ...]
    foxes: tuple[int, ...]
    bears: int
    inuits: tuple[tuple[int, ...], ...]
    igloos: tuple[int, ...]
    hands: tuple[tuple[str | None, ...], ...]
    played: tuple[str, ...]
    prey: tuple[Prey, ...]
    reserve: tuple[tuple[int, int], ...]
    supply_fish: tuple[int, ...]
    supply_foxes: tuple[int, ...]
    supply_bears: int
    out_open: tuple[str, ...]
    out_thawed: tuple[str | None, ...]
    pending: Pending | None
    over: Over | None
    chance: Chance

    @property
    def ice(self) -> int:
        return self.hidden | self.pack

    @property
    def sea(self) -> int:
        return WATER & ~(self.hidden | self.pack)

    def all_igloos(self) -> int:
        return sum(self.igloos)  # at most one stands on a square, so the sum is the union

    def all_inuits(self) -> int:
        out = 0
        for tribe in self.inuits:
            for square in tribe:
                out |= 1 << square
        return out

    def colour(self, player: int) -> str:
        return self.rules.players[player]


def effect(state: State) -> Pending:
    """The unfinished effect, in a phase that has one."""
    assert state.pending is not None
    return state.pending


def where(pending: Pending) -> int:
    """The square of an effect that has one."""
    assert pending.square is not None
    return pending.square


def actor(state: State) -> int | None:
    """The one player who acts now; None when the game is over."""
    if state.phase == "over":
        return None
    pending = state.pending
    if pending is None:
        return state.turn
    return pending.asked[-1] if state.phase == "attack" else pending.mover


def meltable(state: State) -> int:
    """The tiles that can be melted: empty, face down, beside sea; or else on the outer ring (II-7, D-38)."""
    return _meltable(state.hidden, state.pack, state.bears, state.igloos, state.inuits, state.foxes)


@lru_cache(maxsize=16)  # needed at the start of a turn, for the list of moves and for the melt
def _meltable(
    hidden: int,
    pack: int,
    bears: int,
    igloos: tuple[int, ...],
    inuits: tuple[tuple[int, ...], ...],
    foxes: tuple[int, ...],
) -> int:
    free = hidden & ~bears & ~sum(igloos)
    for tribe in inuits:
        for square in tribe:
            free &= ~(1 << square)
    for code in foxes:
        free &= ~(1 << (code >> 2))
    beside_sea = free & spread(WATER & ~(hidden | pack))
    return beside_sea if beside_sea else free & RING


def thawable(state: State) -> int:
    """The tiles that a thaw can take: face down, beside sea, without an igloo (II-12)."""
    return state.hidden & spread(state.sea) & ~state.all_igloos()


def set_of(codes: tuple[int, ...]) -> int:
    """The squares of fish or fox codes."""
    out = 0
    for code in codes:
        out |= 1 << (code >> 2)
    return out


def replaced(row: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The tuple with another value at one index."""
    return row[:at] + (value,) + row[at + 1 :]  # noqa: RUF005 (half the time of unpacking; once or twice a move)


def added(codes: tuple[int, ...], code: int) -> tuple[int, ...]:
    """The sorted tuple with one more number."""
    return tuple(sorted((*codes, code)))


def removed(row: tuple[T, ...], value: T) -> tuple[T, ...]:
    """The tuple without the first occurrence of this value."""
    at = row.index(value)
    return row[:at] + row[at + 1 :]


def left_of(state: State, player: int) -> list[int]:
    """The players clockwise from the one left of `player`; `player` himself last (II-14)."""
    count = len(state.rules.players)
    return [(player + step) % count for step in range(1, count + 1)]


def kinds_left(state: State, hand: tuple[str | None, ...] = ()) -> dict[str, int]:
    """Physical play: how many tiles of each kind may still turn up, for somebody who knows this hand (II-25)."""
    left = dict(state.rules.mix.tiles)
    for kind in (*state.out_open, *hand, *(["pack"] * state.pack.bit_count())):
        if kind is not None:
            left[kind] = left.get(kind, 0) - 1
    return left


def holds(state: State, player: int, kind: str) -> bool:
    """Whether the player can play a tile of this kind: he has one, or (physical play) an unknown one may be one.

    What others hold does not count, even if it is known, because the answer must not give it away.
    """
    hand = state.hands[player]
    return kind in hand or (None in hand and kinds_left(state, hand).get(kind, 0) > 0)


def red_left(state: State) -> int:
    """Physical play: red-bordered tiles that are not in a hand and were not played."""
    gone = sum(len(hand) for hand in state.hands) + sum(mix.is_red(kind) for kind in state.out_open)
    return state.rules.mix.red_tiles() - gone
