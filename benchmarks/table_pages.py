"""Pages at one table: how soon fifty spectators' and six players' pages show a move, and what it costs the service.

    python -m benchmarks.table_pages [--spectators 50] [--moves 60]

Every page is a real client of the page's WebSocket (the same protocol as a browser's, without the drawing); one of them
is a real Chromium if it is installed. On a busy machine the delays are worse: use the CPU time per move, and the ratio
to six players' pages.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import psutil
import socketio

GAME = "igloo-pop"
SEATS = ("red", "yellow", "green", "blue", "white", "black")
CARDS = ["5", "7-8", "9-10-11", "2", "3-4", "6", "12-13", "4-5-6", "11-12-13"]


class Page:
    """One page without a screen: it does a browser's handshake and records when each sentence arrives."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = address, token
        self._socket = socketio.AsyncClient(reconnection=False)
        self.seen: list[tuple[float, str]] = []
        self.bytes = 0

    async def open(self, http: httpx.AsyncClient) -> None:
        cookie = {"cookie": f"polartable={self._token}"}
        text = (await http.get(self._address, headers=cookie)).text
        query = re.search(r"query: \{'client_id': '([^']+)', 'next_message_id': (\d+)", text)
        assert query is not None, text[:300]
        self._socket.on("update", self._update)
        asked = f"client_id={query[1]}&next_message_id={query[2]}&implicit_handshake=true"
        url = f"{self._address}?{asked}&document_id={query[1]}&tab_id={query[1]}"
        headers = cookie | {"origin": self._address.rstrip("/")}
        path = "_nicegui_ws/socket.io"
        await self._socket.connect(url, headers, transports=["websocket"], socketio_path=path)

    async def close(self) -> None:
        await self._socket.disconnect()

    async def _update(self, data: Any) -> None:
        now, text = time.monotonic(), json.dumps(data, ensure_ascii=False)
        self.bytes += len(text)
        if "says" in text:
            self.seen.append((now, text.lower()))


async def watched(
    address: str, code: str, host_code: str, count: int, moves: int, pid: int
) -> dict[str, Any]:
    """`count` spectators and six players watch `moves` moves; delays in s, CPU s per move, bytes per page and move."""
    service = psutil.Process(pid)
    async with httpx.AsyncClient(timeout=120, limits=httpx.Limits(max_connections=count + 20)) as http:

        async def pair(given: str) -> str:
            answer = await http.post(f"{address}api/pair", json={"code": given})
            return str(answer.json()["token"])

        host = {"authorization": f"Bearer {await pair(host_code)}"}
        tokens = [await pair(code) for _ in range(count + len(SEATS))]
        for token, seat in zip(tokens, SEATS, strict=False):
            headers = {"authorization": f"Bearer {token}"}
            await http.post(f"{address}api/sit", json={"seat": seat}, headers=headers)
        pages = [Page(address, token) for token in tokens]
        for page in pages:
            await page.open(http)
        for slot, card in enumerate(CARDS, 1):
            await http.post(f"{address}api/play", json={"move": f"deal {slot} {card}"}, headers=host)
        await http.post(f"{address}api/play", json={"move": "count"}, headers=host)
        await asyncio.sleep(2.0)
        delays, before = list[float](), sum(service.cpu_times()[:2])
        sent = sum(page.bytes for page in pages)
        idle_from = time.monotonic()
        await asyncio.sleep(2.0)
        idle = (sum(service.cpu_times()[:2]) - before) / (time.monotonic() - idle_from)
        before = sum(service.cpu_times()[:2])
        for number in range(moves):
            seat = SEATS[(number // 2) % len(SEATS)]
            move = f"grab {seat} A" if number % 2 == 0 else f"return {seat}"
            for page in pages:
                page.seen.clear()
            answer = await http.post(f"{address}api/play", json={"move": move, "seat": seat}, headers=host)
            told, sentence = time.monotonic(), answer.json()["said"][0]["text"].lower()
            end = told + 5.0
            while time.monotonic() < end:
                reached = [next((t for t, text in page.seen if sentence in text), None) for page in pages]
                if None not in reached:
                    break
                await asyncio.sleep(0.01)
            delays += [max(0.0, (t or end) - told) for t in reached]
            await asyncio.sleep(0.2)
        cpu = (sum(service.cpu_times()[:2]) - before) / moves
        sent = sum(page.bytes for page in pages) - sent
        for page in pages:
            await page.close()
    return {"delays": sorted(delays), "cpu": cpu, "idle": idle, "bytes": sent / len(pages) / moves}


def run(spectators: int, moves: int) -> dict[str, Any]:
    """Measure on a table of its own."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "table.toml"
        players = ", ".join(f'"{seat}"' for seat in SEATS)
        settings.write_text(f'[game]\nname = "{GAME}"\nplayers = [{players}]\n')
        command = [sys.executable, "-m", "table", "serve", "--port", "0", "--lan", "--json"]
        environment = os.environ | {"POLARTABLE_DATA": folder}
        with subprocess.Popen(
            [*command, "--config", str(settings)], stdout=subprocess.PIPE, text=True, env=environment
        ) as process:
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            port = ready["address"].rstrip("/").rsplit(":", 1)[1]
            try:
                return asyncio.run(
                    watched(
                        f"http://127.0.0.1:{port}/",
                        ready["code"],
                        ready["host_code"],
                        spectators,
                        moves,
                        process.pid,
                    )
                )
            finally:
                process.terminate()
                process.wait(30)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spectators", type=int, default=50)
    parser.add_argument("--moves", type=int, default=60)
    args = parser.parse_args()
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    found = {}
    for spectators in (0, args.spectators):
        found[spectators] = one = run(spectators, args.moves)
        delays = one["delays"]
        share = [1000 * delays[min(len(delays) - 1, int(len(delays) * p))] for p in (0.5, 0.95, 0.99)]
        print(
            f"{spectators} spectators and {len(SEATS)} players, {args.moves} moves: on the pages {share[0]:.0f} ms "
            f"(median), {share[1]:.0f} ms (95 %), {share[2]:.0f} ms (99 %) after it was acknowledged; "
            f"{1000 * one['cpu']:.0f} ms of CPU a move, {100 * one['idle']:.0f} % of a core while nothing happens, "
            f"{one['bytes'] / 1000:.1f} kB a page and move",
            flush=True,
        )
    few, many = found[0], found[args.spectators]
    pages = (args.spectators + len(SEATS)) / len(SEATS)
    print(
        f"{pages:.1f} times the pages cost {many['cpu'] / few['cpu']:.1f} times the CPU a move; median delay times "
        f"{statistics.median(many['delays']) / max(1e-3, statistics.median(few['delays'])):.1f}; "
        f"load of the machine before: {load:.1f} a core"
    )


if __name__ == "__main__":
    main()
