"""Perft: how many sequences of n legal moves a position has. `python -m tests.rules.perft FILE` prints a table anew.

A table is a JSON file: positions, each with the counts for depths 1, 2, 3, … A resolution of Igloo Pop ends a sequence,
for what lies open after it is chance.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rules import games

HERE = Path(__file__).parent


def file_of(game: str) -> Path:
    return HERE / f"perft_{game.replace('-', '_')}.json"


def table(game: str) -> list[dict[str, Any]]:
    """Nothing where there is no file."""
    entries: list[dict[str, Any]] = json.loads(file_of(game).read_text()) if file_of(game).exists() else []
    return entries


def count(
    state: Any, depth: int, legal: Callable[[Any], Iterable[str]], play: Callable[[Any, str], Any]
) -> int:
    moves = list(legal(state))
    if depth == 1:
        return len(moves)
    ending = [move for move in moves if move == "resolve"]
    return len(ending) + sum(
        count(play(state, move), depth - 1, legal, play) for move in moves if move not in ending
    )


def by_engine(position: dict[str, Any], depth: int) -> int:
    game = games.game(position["game"])
    return count(game.setup(position, 1), depth, game.moves, lambda state, move: game.play(state, move)[0])


if __name__ == "__main__":
    path = Path(sys.argv[1])
    entries = json.loads(path.read_text())
    for entry in entries:
        entry["counts"] = [by_engine(entry["position"], depth + 1) for depth in range(len(entry["counts"]))]
        print(entry["name"], entry["counts"], file=sys.stderr)
    path.write_text("[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]\n")
