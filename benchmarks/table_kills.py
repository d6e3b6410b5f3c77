"""The plug pulled at random moments of a game: is any acknowledged move lost, and how soon is the table back?

    python -m benchmarks.table_kills [--kills 20] [--seed 1]

Each time `polartable serve` is started on the same journal, compared with what was last acknowledged, played over HTTP
as fast as it answers, and killed (SIGKILL) after a random time. Exits with 1 if a single move was lost.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

import httpx


class Evening:
    """One journal over many runs of the service. `told`: the acknowledged positions, the latest last."""

    def __init__(self, folder: str, seed: int) -> None:
        self._folder, self._chance = folder, random.Random(seed)
        self.moves = self.lost = 0
        self.starts: list[float] = []
        self._acknowledged: str | None = None
        self._asked: list[str] = []

    def life(self) -> None:
        began = time.monotonic()
        command = [sys.executable, "-m", "table", "serve", "--port", "0", "--json"]
        environment = os.environ | {"POLARTABLE_DATA": self._folder}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            address = json.loads(process.stdout.readline())["address"]
            try:
                with httpx.Client(base_url=address, timeout=30) as table:
                    stands = table.get("/api/table").json()
                    self.starts.append(time.monotonic() - began)
                    self._compare(table, stands)
                    timer = threading.Timer(self._chance.uniform(0.0, 0.8), process.kill)
                    timer.start()
                    self._play(table)
                    timer.join()
            finally:
                process.kill()

    def _play(self, table: httpx.Client) -> None:
        """Play until the connection breaks."""
        self._asked = []
        try:
            while True:
                legal = [m for m in table.get("/api/moves").json()["moves"] if m != "abandon"]
                if not legal:
                    self._asked = ["new"]
                    players = {"game": "ice-cult", "players": ["yellow", "red"]}
                    table.post("/api/new", json=players).raise_for_status()
                else:
                    move = self._chance.choice(legal)
                    self._asked = [move]
                    table.post("/api/play", json={"move": move}).raise_for_status()
                    self.moves += 1
                self._acknowledged = _position(table.get("/api/table").json())
                self._asked = []
        except (httpx.HTTPError, ValueError):
            return

    def _compare(self, table: httpx.Client, stands: dict[str, Any]) -> None:
        """Check that the position is the last acknowledged one, or one action further: that action was being written
        when the plug was pulled. Taking it back must lead to the acknowledged position."""
        before, self._acknowledged = self._acknowledged, _position(stands)
        if before is None or before == self._acknowledged or self._asked == ["new"]:
            return
        found = self._acknowledged
        if self._asked:
            table.post("/api/undo").raise_for_status()
            found = _position(table.get("/api/table").json())
            table.post("/api/redo").raise_for_status()
        if found != before:
            self.lost += 1
            print(f"lost: {before} became {found}", file=sys.stderr)


def _position(table: dict[str, Any]) -> str:
    return json.dumps([table["name"], table["view"]], sort_keys=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(folder, args.seed)
        for _ in range(args.kills + 1):
            evening.life()
    again = sorted(evening.starts[1:])
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(
        f"{args.kills} kills, {evening.moves} moves acknowledged, {evening.lost} lost; from process start to "
        f"the answered position {again[len(again) // 2]:.1f} s (median), {again[int(len(again) * 0.95)]:.1f} s (95 %), "
        f"{again[-1]:.1f} s (longest); load of the machine {load:.1f} a core"
    )
    raise SystemExit(1 if evening.lost else 0)


if __name__ == "__main__":
    main()
