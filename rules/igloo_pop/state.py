"""An Igloo Pop position as a value (IP-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.core.chance import Chance
from rules.core.game import Over

from .deck import Card

COLOURS = ("red", "yellow", "green", "blue", "white", "black")
LETTERS = "ABCDEFGHIJKL"
SLOTS = 9
TALERS = 10
VALUES = tuple(range(2, 14))
COUNTDOWN, SHAKING, RESOLVING, OVER = "countdown", "shaking", "resolving", "over"
# where an igloo is: in the village; a player's number: in his hand; ON_CARD · (slot + 1) + player
VILLAGE = -1
ON_CARD = 10


@dataclass(frozen=True, slots=True)
class Setting:
    """The constants of a game, shared by all its positions."""

    players: tuple[str, ...]
    options: Mapping[str, Any] = field(hash=False)
    deck: tuple[Card, ...]
    physical: bool
    own_wrong_taler: str  # box, back, captured (D-3)


class State(NamedTuple):
    """`values`: beads of each letter, 0 where undetermined; `passed`, `stopped`: one bit for each player.

    A None in `deck` is an undetermined card; in physical play the whole deck is.
    """

    setting: Setting
    phase: str
    round: int
    last_round: bool
    empty_rounds: int
    table: tuple[Card | None, ...]
    deck: tuple[Card | None, ...]
    won: tuple[tuple[Card, ...], ...]
    own: tuple[int, ...]
    captured: tuple[int, ...]
    box: int
    where: tuple[int, ...]
    values: tuple[int, ...]
    passed: int
    stopped: int
    over: Over | None
    chance: Chance


def held(state: State, player: int) -> int | None:
    """The igloo in a player's hand."""
    return state.where.index(player) if player in state.where else None


def placed(state: State) -> Iterator[tuple[int, int, int]]:
    """Igloo, slot and player of every igloo on a card."""
    for igloo, at in enumerate(state.where):
        if at >= ON_CARD:
            yield igloo, at // ON_CARD - 1, at % ON_CARD


def shaking_ended(state: State) -> bool:
    """IP-7: every hand is empty, and either the village is too, or nobody who has talers wants to go on."""
    where = state.where
    if any(0 <= at < ON_CARD for at in where):
        return False
    return VILLAGE not in where or all(
        not own or state.passed >> player & 1 for player, own in enumerate(state.own)
    )


def to_act(state: State) -> tuple[str, ...]:
    """All players who can act now."""
    if state.phase == OVER:
        return ()
    players = state.setting.players
    if state.phase != SHAKING:
        return players
    return tuple(name for k, name in enumerate(players) if state.own[k] or k in state.where)


def unseen(state: State) -> Counter[Card]:
    """Cards of the deck that are neither on the table nor won, nor known in the deck."""
    left = out_of_sight(state)
    left.subtract(card for card in state.deck if card)
    return +left


def out_of_sight(state: State) -> Counter[Card]:
    """Cards that are neither on the table nor won: all that anybody can know of the deck (IP-13)."""
    left = Counter(state.setting.deck)
    left.subtract(card for card in state.table if card)
    left.subtract(card for cards in state.won for card in cards)
    return +left


def to_be_dealt(state: State) -> tuple[int, ...]:
    """Empty slots that the deck can still fill."""
    empty = [slot for slot, card in enumerate(state.table) if card is None]
    return tuple(empty) if state.deck else ()
