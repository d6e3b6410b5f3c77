"""A small vocabulary for telling games in tests: a table that hears moves and shows what stands where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from rules import games
from rules.core.refusal import Refusal

COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "W": "white", "K": "black"}
SLOTS = ("NW", "NE", "SE", "SW")


class Table:
    """One game going on; `play` takes several moves, `refuses` one that must not be taken."""

    def __init__(self, game: str, state: Any) -> None:
        self.game = games.game(game)
        self.state = state

    @property
    def json(self) -> dict[str, Any]:
        return self.game.to_json(self.state)

    @property
    def phase(self) -> str:
        return self.game.phase(self.state)

    @property
    def over(self) -> dict[str, Any] | None:
        over = self.game.over(self.state)
        return over.to_json() if over else None

    def moves(self, seat: str | None = None) -> list[str]:
        return list(self.game.moves(self.state, seat))

    def play(self, *moves: str, seat: str | None = None) -> Table:
        for move in moves:
            self.state, _ = self.game.play(self.state, move, seat)
        return self

    def refuses(self, move: str, rule: str | None, kind: str, seat: str | None = None) -> Refusal:
        before = self.state
        with pytest.raises(Refusal) as caught:
            self.game.play(self.state, move, seat)
        why = caught.value
        assert (why.kind, why.rule) == (kind, rule), why
        assert self.state == before
        if kind == "illegal":
            legal = self.moves(seat)
            assert 1 <= len(why.nearest) <= 5
            assert set(why.nearest) <= set(legal)
        return why


def ice_cult(
    mover: str,
    tops: Sequence[str | None],
    paths: Mapping[str, str] = {},
    *,
    pool: str = "",
    home: str = "",
    players: str = "RYGB",
    phase: str = "move",
    **rest: Any,
) -> Table:
    """A position from a book: tops in NW, NE, SE, SW; stacks like {"N1": "GYR"}; pool and home as letters."""
    length = rest.get("length", 5)
    stacks: dict[str, list[list[str]]] = {side: [[] for _ in range(length)] for side in "NESW"}
    for space, pawns in paths.items():
        stacks[space[0]][int(space[1:]) - 1] = [COLOURS[pawn] for pawn in pawns]
    position = {
        "game": "ice-cult",
        "players": [COLOURS[player] for player in players],
        "to_act": [COLOURS[mover]],
        "phase": phase,
        "tops": {slot: top for slot, top in zip(SLOTS, tops, strict=True) if top},
        "pool": {colour: pool.count(letter) for letter, colour in list(COLOURS.items())[:4]},
        "home": {colour: home.count(letter) for letter, colour in list(COLOURS.items())[:4]},
        "paths": stacks,
        **rest,
    }
    return Table("ice-cult", games.game("ice-cult").setup(position, 1))


def stacks(table: Table) -> dict[str, str]:
    """The stacks of an Ice Cult table that are not empty: {"N1": "GY"}."""
    letters = {colour: letter for letter, colour in COLOURS.items()}
    return {
        f"{side}{k}": "".join(letters[pawn] for pawn in stack)
        for side, path in table.json["paths"].items()
        for k, stack in enumerate(path, 1)
        if stack
    }


def new(game: str, players: Sequence[str], seed: int = 1, **options: Any) -> Table:
    state, _ = games.game(game).new(list(players), seed, options)
    return Table(game, state)


def igloo_pop(
    cards: Mapping[int, Sequence[int]],
    igloos: Sequence[tuple[int, int, str]] = (),
    *,
    players: str = "RBGY",
    own: Mapping[str, int] = {},
    captured: Mapping[str, int] = {},
    where: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Table:
    """Cards by slot; igloos as (slot, value, letter of the colour); supplies 10 less what is staked, unless stated."""
    names = [COLOURS[player] for player in players]
    staked = {player: sum(by == player for _, _, by in igloos) for player in players}
    position: dict[str, Any] = {
        "game": "igloo-pop",
        "players": names,
        "phase": "resolving" if igloos else "countdown",
        "table": [list(cards[slot]) if slot in cards else None for slot in range(1, 10)],
        "talers": {
            COLOURS[p]: {"own": own.get(p, 10 - staked[p]), "captured": captured.get(p, 0)} for p in players
        },
        "igloos": where
        or {
            letter: {"at": "card", "slot": slot, "by": COLOURS[by]}
            for letter, (slot, _, by) in zip("ABCDEFGHIJKL", igloos, strict=False)
        },
        "values": {letter: value for letter, (_, value, _) in zip("ABCDEFGHIJKL", igloos, strict=False)},
        **rest,
    }
    return Table("igloo-pop", games.game("igloo-pop").setup(position, 1))
