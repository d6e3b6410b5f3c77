"""The table service: time to the first page, sentences to fifty spectators, cost of durability, memory over an evening.

The service runs in its own process, on loopback. `python -m benchmarks.table` runs all parts,
`python -m benchmarks.table spectators` one. On a busy machine the figures are worse: use the ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import atexit
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil

from table.journal.store import Journal


def start(args: argparse.Namespace) -> None:
    """From the command to the first page, wall clock and CPU."""
    for what in ("demo", "serve"):
        began = time.monotonic()
        process, address = _service(what)
        httpx.get(address, timeout=60).raise_for_status()
        wall, cpu = time.monotonic() - began, sum(psutil.Process(process.pid).cpu_times()[:2])
        print(f"{what}: first page after {wall:.1f} s ({cpu:.1f} s of CPU)")
        _end(process)


def spectators(args: argparse.Namespace) -> None:
    """The delay from a move's acknowledgement until its sentence reaches each of many spectators."""
    process, address = _service("serve")
    delays, memory = asyncio.run(_watch(address, args.spectators, args.moves, process.pid))
    delays.sort()
    share = [delays[int(len(delays) * p)] * 1000 for p in (0.5, 0.95, 0.99)]
    print(
        f"{args.spectators} spectators, {args.moves} moves: sentence after {share[0]:.0f} ms (median), "
        f"{share[1]:.0f} ms (95 %), {share[2]:.0f} ms (99 %); memory {memory[0]:.0f} → {memory[1]:.0f} MB"
    )
    _end(process)


def durable(args: argparse.Namespace) -> None:
    """Entries per second, each on disk before it is acknowledged, compared with SQLite without waiting for the disk."""
    body = {"move": "use NE pool", "seat": "red", "by": "hand", "after": "0123456789abcdef"}
    with tempfile.TemporaryDirectory() as folder:
        with Journal(Path(folder) / "book.sqlite") as journal:
            ours = _rate(lambda: journal.append("game", "play", body), args.entries)
        peer = sqlite3.connect(Path(folder) / "peer.sqlite", isolation_level=None)
        peer.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE e (body TEXT)")
        text = json.dumps(body)
        theirs = _rate(lambda: peer.execute("INSERT INTO e VALUES (?)", (text,)), args.entries)
        peer.close()
    print(
        f"journal {ours:,.0f} durable entries/s; SQLite without waiting {theirs:,.0f}/s: ratio {ours / theirs:.3f}"
    )


async def _watch(address: str, count: int, moves: int, pid: int) -> tuple[list[float], tuple[float, float]]:
    delays: list[float] = []
    told: dict[str, float] = {}  # a sentence's time on the table's clock → when its move was acknowledged
    ready = asyncio.Semaphore(0)
    limits = httpx.Limits(max_connections=count + 10)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as client:

        async def listen() -> None:
            async with client.stream("GET", "/api/events") as events:
                async for line in events.aiter_lines():
                    if line == ": hello":
                        ready.release()
                    elif line.startswith("data: "):
                        delays.append(time.monotonic() - told.get("now", time.monotonic()))

        tasks = [asyncio.create_task(listen()) for _ in range(count)]
        for _ in range(count):
            await ready.acquire()
        before = psutil.Process(pid).memory_info().rss / 2**20
        for _ in range(moves):
            legal = (await client.get("/api/moves")).json()["moves"]
            if not [m for m in legal if m != "abandon"]:
                await client.post(
                    "/api/new", json={"game": "ice-cult", "players": ["yellow", "red"], "options": {}}
                )
                continue
            told["now"] = time.monotonic()
            await client.post("/api/play", json={"move": legal[0]})
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        after = psutil.Process(pid).memory_info().rss / 2**20
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return delays, (before, after)


def _rate(act: Callable[[], object], count: int) -> float:
    began = time.perf_counter()
    for _ in range(count):
        act()
    return count / (time.perf_counter() - began)


def _service(what: str) -> tuple[subprocess.Popen[str], str]:
    import os

    command = [sys.executable, "-m", "table", what, "--port", "0", "--no-browser", "--json"]
    data = tempfile.TemporaryDirectory()
    atexit.register(data.cleanup)
    environment = os.environ | {"POLARTABLE_DATA": data.name}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())["address"]


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.wait(30)


PARTS = {"start": start, "spectators": spectators, "durable": durable}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", choices=PARTS)
    parser.add_argument("--spectators", type=int, default=50)
    parser.add_argument("--moves", type=int, default=150)
    parser.add_argument("--entries", type=int, default=500)
    args = parser.parse_args()
    for name, part in PARTS.items():
        if args.part in (None, name):
            part(args)


if __name__ == "__main__":
    main()
