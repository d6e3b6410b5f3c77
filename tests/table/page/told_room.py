"""For tests: a real page over a room that is told, line by line on standard input, what its senses heard."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from firmware_bridge.clock import SystemClock
from sensors.ear.seats.listener import ELSEWHERE_OR_SOFT
from sensors.evidence import Heard
from sensors.gesture.coach import Advice
from sensors.why import Reason, Why
from table.config import Settings
from table.desk.said import Choice, Question
from table.door.access import Access
from table.journal.store import Journal
from table.room.table_room import TableRoom
from table.senses.tap_wire import LiveTaps
from table.service.web import web
from table.service.web_service import address_of, listen, run
from tests.parts import ROOT

CARDS = ("5", "7-8", "9-10-11", "2", "3-4", "6", "12-13", "4-5-6", "11-12-13")
DEALT = [f"deal {slot} {cards}" for slot, cards in enumerate(CARDS, 1)]
SHAKE: dict[str, Any] = {
    "source": "", "start_s": 0.0, "end_s": 2.0, "verdict": "unsure", "probabilities": {2: 0.93, 3: 0.07},
    "snr_db": 30.0, "clipped": False, "profile": "", "strength": 1.0,
}  # fmt: skip
SOFT = {"verdict": "not-a-shake", "probabilities": {}, "reason": ELSEWHERE_OR_SOFT}


def heard(**more: Any) -> Heard:
    """A usual shake but for what is named."""
    values = SHAKE | more
    odds = {int(n): float(p) for n, p in values["probabilities"].items()}
    why, sentence = values.get("reason") or (Why.NONE, None)
    reason = None if sentence is None else Reason(Why(why), sentence)
    return Heard(**(values | {"probabilities": odds, "reason": reason}))


def _with_why(shake: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON carries it: what the reason is of stands beside its sentence."""
    reason: Reason | None = shake.get("reason")
    return {**shake, "reason": None if reason is None else [reason.why, reason]}


class ToldRoom:
    """The process seen from the test."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self._process, self.address = process, address

    def tell(self, what: str, **more: Any) -> None:
        """`play` moves, `ask` what they answer, `heard`, `softer` at a seat, `advice`, `counted` at the counting seat;
        done when it returns."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        lines = {key: _with_why(value) if isinstance(value, dict) else value for key, value in more.items()}
        self._process.stdin.write(json.dumps({"what": what} | lines) + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline().strip() == "done"


@contextlib.contextmanager
def told_room(settings: Path, *, seat: bool = False) -> Iterator[ToldRoom]:
    """A table as `settings` say; `seat`: with a counting seat."""
    command = [sys.executable, "-m", "tests.table.page.told_room", str(settings), *(["seat"] if seat else [])]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        try:
            assert process.stdout is not None
            yield ToldRoom(process, process.stdout.readline().strip())
        finally:
            process.terminate()


def _take(room: TableRoom, told: Mapping[str, Any]) -> None:
    match told["what"]:
        case "play":
            for move in told["moves"]:
                room.desk.play(move)
        case "ask":
            choices = tuple(Choice(move, (move,)) for move in told["moves"])
            room.desk.ask(Question(f"told-{room.desk.version}", told["text"], choices))
        case "heard":
            said = heard(**told["shake"])
            room.ear.heard, room.ear.seat, room.ear.strength = said, told["seat"], said.strength
            room.ear.version += 1
            room._heard(told["seat"], said)
        case "softer":
            said = heard(**_with_why(SOFT))
            room.ear.hear(told["seat"], "mic", said)
        case "advice":
            assert room.taps is not None
            room.taps.advice = Advice(told["step"], told["done"], 3, None, told["level"])
            room.taps.version += 1
        case "counted":
            assert room.taps is not None
            room.taps.heard = heard(**told["answer"])
            room.taps.version += 1


async def _serve(settings: Path, seat: bool) -> None:
    clock, loop = SystemClock(), asyncio.get_running_loop()
    access = Access(clock, lan=False)
    room = TableRoom(Settings.read(settings), clock, Journal(None), access)
    room.taps = LiveTaps() if seat else None
    sock = listen("127.0.0.1", 0)

    def take(line: str) -> None:
        _take(room, json.loads(line))
        print("done", flush=True)

    def lines() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(take, line)

    async def ready() -> None:
        threading.Thread(target=lines, daemon=True).start()
        print(address_of(sock), flush=True)

    await run(web(room, access, ("localhost", "127.0.0.1")), sock, ready)


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]), "seat" in sys.argv[2:]))
