"""`polartable calibrate cubes`: which cube is which, how its sensor sits in it; one cube after another, in steps.

Each step can be repeated and says a number and its bound; nothing is saved until a cube is whole, then at once.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from firmware_bridge.bridge import Bridge
from firmware_bridge.clock import Clock, SystemClock
from firmware_bridge.errors import PolartableError, UsageError
from firmware_bridge.packets import Hello
from firmware_bridge.samples import BridgeEvent, FusedPose, MotionBatch, NodeSaid
from sensors.cubes import calibration, turns
from sensors.cubes.follow import CUBES, NodeKey, Seat
from sensors.cubes.teaching import OFF_BOUND_DEG, SHOWN, STILL_S, Teacher

EXAMPLE = "Example: polartable calibrate cubes /dev/ttyACM0 /dev/ttyACM1 --slot NW"
app = typer.Typer(rich_markup_mode=None, add_completion=False)
FIND_S = 30.0
_MOVED_DPS = 120.0
_PLACES = {"NW": "north-west", "NE": "north-east", "SE": "south-east", "SW": "south-west"}


class NoCubeMoved(PolartableError):
    """Nobody moved a cube in the time that was allowed."""

    number = 502


def default_path() -> Path:
    """Where the calibration of the cubes is kept: with the table's data where there is one on this machine."""
    import platformdirs

    from table import config

    if config.data_directory() == config.STATE:
        return config.STATE / "cubes.json"
    return Path(platformdirs.user_config_dir("polartable")) / "cubes.json"


def saved_seats(path: Path | None = None) -> dict[NodeKey | str, Seat]:
    """The seats of the saved calibration, by the board's lasting number or by port and node; empty without one."""
    return calibration.seats(calibration.load(path or default_path()))


@app.command(epilog=EXAMPLE)
def cubes(
    ports: Annotated[list[str], typer.Argument(help="The serial ports of the cubes, or of their dongle.")],
    slot: Annotated[
        list[str] | None, typer.Option(help="Only the cubes of these slots; may be given again.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to save; without it where `cubes` looks.")] = None,
    protocol: Annotated[str, typer.Option(help="auto, polar or witmotion.")] = "auto",
    show: Annotated[bool, typer.Option("--show", help="Only say what was saved.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a step.")] = False,
) -> None:
    """Teach the table which cube is which, and how the sensor sits in each."""
    path = out or default_path()
    known = calibration.load(path)
    slots = list(slot or turns.SLOTS)
    for name in slots:
        if name not in turns.SLOTS:
            raise UsageError(f"there is no slot {name!r}", f"use {', '.join(turns.SLOTS)}")
    if show:
        for cube in known:
            _say(cube.to_json(), as_json)
        return
    clock = SystemClock()
    with Bridge(ports, protocol, clock) as bridge:
        wizard = Wizard(bridge, as_json, clock)
        for name in slots:
            taught = wizard.teach(name)
            known = [
                c for c in known if c.slot != name and (c.port, c.node) != (taught.port, taught.node)
            ] + [taught]
            calibration.save(path, sorted(known, key=lambda c: turns.SLOTS.index(c.slot)))
            _say({"step": "saved", "slot": name, "file": str(path)}, as_json)


class Source(Protocol):
    """Where samples come from: a Bridge."""

    def take(self, timeout: float = 0.0) -> list[BridgeEvent]: ...


class Wizard:
    """Asks on standard error, reads Enter (or `r` to repeat the step before) from standard input."""

    def __init__(
        self, bridge: Source, as_json: bool, clock: Clock, ask: Callable[[str], str] | None = None
    ) -> None:
        self._bridge = bridge
        self._clock = clock
        self._as_json = as_json
        self._ask = ask or _ask
        self._uids: dict[NodeKey, str] = {}

    def teach(self, slot: str) -> calibration.CubeTeaching:
        """One cube: find it, see its faces, fit, check. Raises NoCubeMoved."""
        name = CUBES[turns.SLOTS.index(slot)]
        self._ask(f"Cube {name} of slot {slot}, {_PLACES[slot]}: press Enter, then shake that cube alone.")
        key = self._find()
        _say(
            {"step": "found", "slot": slot, "port": key[0], "node": key[1], "uid": self._uids.get(key)},
            self._as_json,
        )
        teacher = Teacher()
        at = 0
        while at < len(SHOWN):
            face = SHOWN[at]
            if (
                self._ask(
                    f"Lay cube {name} with its face {face} up, let go, press Enter (r: the step before again)."
                )
                == "r"
            ):
                at = max(0, at - 1)
                continue
            step = teacher.show(face, self._listen(key))
            _say(
                {
                    "step": "face",
                    "face": face,
                    "ok": step.ok,
                    "shake_g": round(step.shake_g, 4),
                    "text": step.text,
                },
                self._as_json,
            )
            at += step.ok
            if at == len(SHOWN):
                fitted = teacher.mounting()
                assert fitted is not None
                mount, off = fitted
                ok = off <= OFF_BOUND_DEG
                text = f"the faces fit to {off:.1f}° (at most {OFF_BOUND_DEG:.0f}°)"
                _say({"step": "fit", "ok": ok, "off_deg": round(off, 2), "text": text}, self._as_json)
                if not ok:
                    teacher, at = Teacher(), 0
        return calibration.CubeTeaching(name, slot, mount, key[0], key[1], self._uids.get(key), off)

    def _find(self) -> NodeKey:
        """The node whose cube is being shaken: the one that turned most in a second and a half, once one did."""
        clock = self._clock
        turned: dict[NodeKey, float] = {}
        give_up = end = clock.now() + FIND_S
        while clock.now() < end:
            for event in self._take(0.1):
                if isinstance(event, MotionBatch):
                    key = (event.port, event.node)
                    fastest = max(max(abs(v) for v in rate) for rate in event.rates)
                    turned[key] = turned.get(key, 0.0) + fastest * event.period_s * len(event.rates)
                    if fastest > _MOVED_DPS:
                        end = min(end, clock.now() + 1.5)
                elif isinstance(event, FusedPose) and not event.bridging:
                    raise UsageError(
                        "this chip sends angles only, no rates",
                        "it needs no teaching: let it lie as it should when the first rest comes",
                    )
        if end == give_up:
            raise NoCubeMoved(
                f"no cube was shaken in {FIND_S:.0f} s",
                "check with `polartable devices` that its node speaks",
            )
        return max(turned, key=lambda k: turned[k])

    def _listen(self, key: NodeKey) -> list[MotionBatch]:
        """The samples of one node for a second."""
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
    print(question, file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise UsageError("the input ended before the teaching did", "run it in a terminal")
    return line.strip().lower()


def _say(entry: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(entry, ensure_ascii=False), flush=True)
    else:
        print(
            entry.get("text") or ", ".join(f"{k} {v}" for k, v in entry.items() if v is not None), flush=True
        )
