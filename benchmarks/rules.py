"""Speed of the referees, relative to python-chess in the same run, and of `polartable referee`, relative to an echo.

    python benchmarks/rules.py [--seconds 2] [--rounds 5] [--json]

Each rate is the number of random legal moves made per second, including the list of all legal moves (IGLOO: one legal
move drawn at random instead of a list of tens of thousands). The engines take turns, round after round, so that other
load on the machine affects all of them; the median over the rounds is printed. Ratios are to python-chess
(`pip install chess`).
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import random
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__" and Path(sys.path[0]) == Path(__file__).parent:
    del sys.path[0]  # this file has the name of the package that it measures

from rules import games
from rules.protocol.timeline import Timeline

PLAYERS = {
    "ice-cult": ["yellow", "red"],
    "igloo-pop": ["red", "blue", "green"],
    "igloo-igloo": ["red", "blue"],
    "igloo": ["A", "B"],
}  # any other game: its default players
TARGETS = {"ice-cult": 1.0, "igloo-pop": 1.0, "igloo-igloo": 1.0, "igloo": 0.5}
ECHO = """
import json, sys
for line in sys.stdin.buffer:
    sys.stdout.write(json.dumps(json.loads(line)) + "\\n")
    sys.stdout.flush()
"""


def players_of(name: str) -> list[str]:
    if name in PLAYERS:
        return PLAYERS[name]
    from table.commands import play

    return play.PLAYERS[name].split(",")


def chess_moves(rng: random.Random) -> Iterator[None]:
    """One random legal move of chess after another; games end after 200 moves a side."""
    import chess

    while True:
        board = chess.Board()
        while True:
            legal = list(board.legal_moves)
            if not legal or board.fullmove_number > 200:
                break
            board.push(rng.choice(legal))
            yield


def listed_moves(name: str) -> Callable[[random.Random], Iterator[None]]:
    """One random legal move of a game after another, chosen from the list of all."""

    def moves(rng: random.Random) -> Iterator[None]:
        game = games.game(name)
        while True:
            state, _ = game.new(players_of(name), rng.getrandbits(32), {})
            while True:
                legal = list(game.moves(state))
                if not legal:
                    break
                state, _ = game.play(state, rng.choice(legal))
                yield

    return moves


def drawn_moves(name: str) -> Callable[[random.Random], Iterator[None]]:
    """One random legal move of a game after another, drawn without a list."""

    def moves(rng: random.Random) -> Iterator[None]:
        game = games.game(name)
        while True:
            state, _ = game.new(players_of(name), rng.getrandbits(32), {})
            while (move := game.random_move(state, rng.randrange)) is not None:
                state, _ = game.play(state, move)
                yield

    return moves


def rate(moves: Iterator[None], seconds: float) -> float:
    """Moves per second."""
    count, start = 0, time.perf_counter()
    while (took := time.perf_counter() - start) < seconds:
        for _ in range(20):
            next(moves)
        count += 20
    return count / took


def rates(seconds: float, rounds: int) -> dict[str, float]:
    """Medians over the rounds; every engine runs once per round."""
    engines: dict[str, Callable[[random.Random], Iterator[None]]] = {
        name: drawn_moves(name) if name == "igloo" else listed_moves(name) for name in games.NAMES
    }
    if importlib.util.find_spec("chess") is not None:
        engines["python-chess"] = chess_moves
    running = {name: engine(random.Random(1)) for name, engine in engines.items()}
    seen: dict[str, list[float]] = {name: [] for name in running}
    for _ in range(rounds):
        for name, moves in running.items():
            seen[name].append(rate(moves, seconds / rounds))
    return {name: statistics.median(values) for name, values in seen.items()}


def answers(command: list[str], lines: list[str]) -> float:
    """Median time in ms from a request line to its answer."""
    took = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in lines:
            start = time.perf_counter()
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            process.stdout.readline()
            took.append(1000 * (time.perf_counter() - start))
        process.stdin.close()
    return statistics.median(took[1:])


def conversation(name: str, moves: int) -> list[str]:
    """The requests of a random game: `new`, then `play` and `play`."""
    rng, game = random.Random(2), games.game(name)
    lines = [json.dumps({"id": 0, "do": "new", "game": name, "players": players_of(name), "seed": 1})]
    state, _ = game.new(players_of(name), 1, {})
    for k in range(1, moves + 1):
        move = game.random_move(state, rng.randrange)
        if move is None:
            break
        lines.append(json.dumps({"id": k, "do": "play", "move": move}))
        state, _ = game.play(state, move)
    return lines


def memory(name: str, moves: int) -> tuple[float, int]:
    """Bytes per stored state of a game (position, move, events), and the number of stored states."""
    rng, game = random.Random(3), games.game(name)
    gc.collect()
    tracemalloc.start()
    timelines: list[Timeline] = []
    kept = 0
    before = tracemalloc.get_traced_memory()[0]
    while kept < moves:
        timeline = Timeline.new(game, players_of(name), len(timelines), {})
        timelines.append(timeline)
        while kept < moves and (move := game.random_move(timeline.state, rng.randrange)) is not None:
            timeline.play(move)
            kept += 1
    gc.collect()
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return used / kept, kept


def measure(seconds: float, rounds: int) -> dict[str, Any]:
    found = rates(seconds, rounds)
    peer = found.pop("python-chess", None)
    out: dict[str, Any] = {"python-chess": {"moves_per_second": peer}}
    referee = [sys.executable, "-c", "from table.cli import main; main(['referee'])"]
    for name, speed in found.items():
        lines = conversation(name, 300)
        ours, echo = answers(referee, lines), answers([sys.executable, "-c", ECHO], lines)
        kept, moments = memory(name, 1000)
        out[name] = {
            "moves_per_second": speed,
            "ratio_to_chess": None if peer is None else speed / peer,
            "target": TARGETS.get(name),
            "play_ms": ours,
            "echo_ms": echo,
            "bytes_per_moment": kept,
            "moments": moments,
        }
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=5.0, help="for each engine")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = measure(arguments.seconds, arguments.rounds)
    if arguments.json:
        print(json.dumps(found))
        return
    peer = found.pop("python-chess")["moves_per_second"]
    print(
        "python-chess: " + ("not installed (pip install chess)" if peer is None else f"{peer:,.0f} moves/s")
    )
    print(
        f"{'game':12} {'moves/s':>10} {'of chess':>9} {'wanted':>7} {'play ms':>8} {'echo ms':>8} {'bytes kept':>11}"
    )
    for name, row in found.items():
        ratio = "–" if row["ratio_to_chess"] is None else f"{row['ratio_to_chess']:.2f}"
        target = "–" if row["target"] is None else f"{row['target']:.1f}"
        print(
            f"{name:12} {row['moves_per_second']:>10,.0f} {ratio:>9} {target:>7} "
            f"{row['play_ms']:>8.3f} {row['echo_ms']:>8.3f} {row['bytes_per_moment']:>11,.0f}"
        )


if __name__ == "__main__":
    main()
