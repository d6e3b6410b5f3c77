"""The wizard behind `polartable calibrate cubes`: questions on standard error, answers from standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, Protocol

from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError, UsageError
from firmware_bridge.host.shown import shown
from firmware_bridge.packets import Hello
from firmware_bridge.samples import BridgeEvent, FusedPose, MotionBatch, NodeSaid
from sensors.cubes import calibration, turns
from sensors.cubes.follow import CUBES, NodeKey
from sensors.cubes.quats import Quat
from sensors.cubes.teaching import OFF_BOUND_DEG, SHOWN, STILL_S, Teacher
from table.terminal.answering import read_answer
from table.terminal.width import at_spaces

FIND_S = 30.0  # time to find and shake the requested cube
_MOVED_DPS = 120.0  # °/s: a hand that shakes a cube reaches this, a bumped table does not
_SHAKEN_S = 1.5  # from then on it is clear which cube turns most
_PLACES = {"NW": "north-west", "NE": "north-east", "SE": "south-east", "SW": "south-west"}


class NoCubeMoved(PolartableError):
    """Nobody moved a cube within the time allowed."""

    number = 502


class Source(Protocol):
    """Source of the samples: a Bridge."""

    def take(self, timeout: float = 0.0) -> list[BridgeEvent]: ...


class Maker(Protocol):
    """Simulated hands that do what the wizard asks of a person."""

    def shake(self, slot: str) -> None: ...

    def lay(self, slot: str, face: str) -> None: ...


class Wizard:
    """Asks on standard error; reads Enter (or `r` to repeat the previous step) from standard input."""

    def __init__(
        self,
        bridge: Source,
        as_json: bool,
        clock: Clock,
        ask: Callable[[str], str] | None = None,
        maker: Maker | None = None,
    ) -> None:
        self._bridge = bridge
        self._clock = clock
        self._as_json = as_json
        self._ask = ask or _ask
        self._maker = maker
        self._uids: dict[NodeKey, str] = {}
        self._taught: dict[NodeKey, str] = {}  # node → slot, in this run

    def teach(self, slot: str) -> calibration.CubeTeaching:
        """One cube: find it, see its faces, fit, check. Raises NoCubeMoved."""
        key = self._which(slot)
        teacher, at = Teacher(), 0
        fitted: tuple[Quat, float] | None = None
        while fitted is None:
            name = CUBES[turns.SLOTS.index(slot)]
            face = SHOWN[at]
            question = (
                f"Lay cube {name} with its face {face} up, let go, press Enter (r: the step before again)."
            )
            if self._ask(question) == "r":
                if at == 0:
                    key = self._which(slot)
                at = max(0, at - 1)
                continue
            if self._maker is not None:
                self._maker.lay(slot, face)
            at += self._face(teacher, face, key)
            if at == len(SHOWN):
                fitted = self._fit(teacher)
                teacher, at = (Teacher(), 0) if fitted is None else (teacher, at)
        self._taught[key] = slot
        name = CUBES[turns.SLOTS.index(slot)]
        return calibration.CubeTeaching(name, slot, fitted[0], key[0], key[1], self._uids.get(key), fitted[1])

    def _which(self, slot: str) -> NodeKey:
        """Have a cube shaken until it is one that was not taught for another slot in this run."""
        name = CUBES[turns.SLOTS.index(slot)]
        while True:
            self._ask(
                f"Cube {name} of slot {slot}, {_PLACES[slot]}: press Enter, then shake that cube alone."
            )
            self._take(0.0)  # movement before Enter does not count
            if self._maker is not None:
                self._maker.shake(slot)
            key = self._find()
            other = self._taught.get(key, slot)
            entry: dict[str, Any] = {"step": "found", "ok": other == slot, "slot": slot}
            entry |= {"port": key[0], "node": key[1], "uid": self._uids.get(key)}
            if other == slot:
                where = board_at(key, self._uids.get(key))
                say(entry, self._as_json, f"cube {name} of slot {slot} is found: {where}")
                return key
            text = f"that is the cube that you have just taught for {other}: shake the one of {slot}"
            say(entry | {"text": text}, self._as_json)

    def _face(self, teacher: Teacher, face: str, key: NodeKey) -> bool:
        step = teacher.show(face, self._listen(key))
        entry = {"step": "face", "face": face, "ok": step.ok, "shake_g": round(step.shake_g, 4)}
        say(entry | {"text": step.text}, self._as_json)
        return step.ok

    def _fit(self, teacher: Teacher) -> tuple[Quat, float] | None:
        """The mounting, and how far the faces deviate from it; None: too far, start with the faces again."""
        fitted = teacher.mounting()
        assert fitted is not None
        off = fitted[1]
        ok = off <= OFF_BOUND_DEG
        text = f"the faces fit to {off:.1f}° (at most {OFF_BOUND_DEG:.0f}°)"
        say({"step": "fit", "ok": ok, "off_deg": round(off, 2), "text": text}, self._as_json)
        return fitted if ok else None

    def _find(self) -> NodeKey:
        """The node of the cube that is being shaken: once one turns, the one that turns most within 1.5 seconds."""
        clock = self._clock
        turned: dict[NodeKey, float] = {}
        end, moved = clock.now() + FIND_S, False
        while clock.now() < end:
            for event in self._take(0.1):
                if isinstance(event, MotionBatch):
                    key = (event.port, event.node)
                    fastest = max(max(abs(v) for v in rate) for rate in event.rates)
                    turned[key] = turned.get(key, 0.0) + fastest * event.period_s * len(event.rates)
                    if fastest > _MOVED_DPS and not moved:
                        end, moved = clock.now() + _SHAKEN_S, True
                elif isinstance(event, FusedPose) and not event.bridging:
                    raise UsageError(
                        "this chip sends angles only, no rates",
                        "it needs no teaching: let it lie as it should when the first rest comes",
                    )
        if not moved:
            raise NoCubeMoved(
                f"no cube was shaken in {FIND_S:.0f} s",
                "check with `polartable devices` that its node speaks",
            )
        return max(turned, key=lambda k: turned[k])

    def _listen(self, key: NodeKey) -> list[MotionBatch]:
        """The samples of one node during one second."""
        self._take(0.0)
        out: list[MotionBatch] = []
        end = self._clock.now() + STILL_S
        while self._clock.now() < end:
            out += [e for e in self._take(0.1) if isinstance(e, MotionBatch) and (e.port, e.node) == key]
        return out

    def _take(self, timeout: float) -> list[BridgeEvent]:
        events = self._bridge.take(timeout)
        for event in events:
            if isinstance(event, NodeSaid) and isinstance(event.packet, Hello):
                self._uids[event.port, event.node] = event.packet.uid
        return events


def _ask(question: str) -> str:
    print(at_spaces(question, sys.stderr), file=sys.stderr, flush=True)
    line = read_answer()
    if not line:
        raise UsageError("the input ended before the teaching did", "run it in a terminal")
    return line.strip().lower()


def board_at(key: NodeKey, uid: str | None) -> str:
    """A cube's board in words. `uid`: its lasting number, None on a wire that has none."""
    port, node = key
    return f"node {node} at {port}" + ("" if uid is None else f" (board {uid})")


def say(entry: dict[str, Any], as_json: bool, words: str | None = None) -> None:
    """Tell programs `entry`, or people `words` (None: the text of `entry`, which then has one)."""
    if as_json:
        print(json.dumps(entry, ensure_ascii=False), flush=True)
    else:
        print(at_spaces(shown(entry["text"] if words is None else words), sys.stdout), flush=True)
