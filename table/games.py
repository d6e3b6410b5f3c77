"""The four games of the table: by name, each imported when it is first needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules import games
from rules.core.game import Game


class Games(Mapping[str, Game[Any]]):
    """All games by their names."""

    def __getitem__(self, name: str) -> Game[Any]:
        return games.game(name)

    def __iter__(self) -> Iterator[str]:
        return iter(games.NAMES)

    def __len__(self) -> int:
        return len(games.NAMES)


GAMES = Games()


def has_own_pieces(game: str) -> bool:
    """Whether it can be played with the players' own pieces. Then it has the option `mode`, which others refuse."""
    return "mode" in {option.name for option in GAMES[game].options}
