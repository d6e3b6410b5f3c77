"""Four cubes on serial ports: simulated ones moved by simulated hands in real time, or real ones moved by a person."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from firmware_bridge.clock import SystemClock
from hw_mock.bench.person import Person
from hw_mock.cubes import LSM6DSO, Hands, SensorModel, SimulatedTable
from hw_mock.cubes.turns import SLOTS

_PUMP_S = 0.01
_AFTER_S = 0.3  # how long a reader needs to see that a cube lies still
_TOLD_BY_POLAR = {"wrong_node", "slow_clock"}
_SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}
_PAIRS = {"n": "northern", "s": "southern", "w": "western", "e": "eastern"}


class CubeSet(Protocol):
    """`ports` in the order NW, NE, SE, SW (only one if a dongle carries all). Every action returns when it is done."""

    ports: Sequence[str]
    simulated: bool

    def tilt(self, pair: str, to: str) -> None:
        """Tilt a pair (n, s, w, e) a quarter turn towards a side (N, E, S, W)."""

    def turn(self, slot: str, to: str) -> None:
        """Turn the cube of a slot (NW …) a quarter cw or ccw, seen from above."""

    def look_through(self, slot: str) -> None:
        """Lift a cube, look through it, put it back as it was."""

    def unplug(self, slot: str) -> None:
        """Pull the cable of a slot's cube (or of the dongle)."""

    def plug(self, slot: str) -> None:
        """Plug it in again."""

    def close(self) -> None:
        """May be called twice."""


class SimulatedCubes:
    """Four cubes on pseudo-terminals. `links` is the folder of the ports' stable names; `table` is the full simulator.

    A thread lets the nodes send in real time, because pseudo-terminals have no speed of their own. Raises ValueError
    for what cannot be simulated.
    """

    simulated = True

    def __init__(
        self,
        links: Path,
        *,
        seed: int = 1,
        temper: str = "brisk",
        protocol: str = "polar",
        wiring: str = "ports",
        model: SensorModel = LSM6DSO,
    ) -> None:
        if wiring == "none":
            raise ValueError("without ports cubes are simulated in virtual time: use SimulatedTable")
        links.mkdir(parents=True, exist_ok=True)
        self.clock = SystemClock()
        self.table = SimulatedTable(
            self.clock, seed=seed, temper=temper, protocol=protocol, wiring=wiring, links=links, model=model
        )
        self.ports: Sequence[str] = self.table.ports
        self._protocol = protocol
        self._broken: Exception | None = None  # the error that ended the thread
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._pump, name="simulated cubes", daemon=True)
        self._thread.start()

    def _pump(self) -> None:
        try:
            while not self._stop.wait(_PUMP_S):
                with self._lock:
                    self.table.advance(self.clock.now())
        except Exception as error:
            self._broken = error
            raise

    def plan(self, act: Callable[[Hands], float]) -> float:
        """Let the hands start `act`; returns the time at which the last cube will lie still.

        Raises RuntimeError if the cubes have stopped sending, by a defect of ours or of the machine.
        """
        if self._broken is not None:
            raise RuntimeError(f"the simulated cubes fell silent ({self._broken})") from self._broken
        with self._lock:
            return act(self.table.hands)

    def do(self, act: Callable[[Hands], float]) -> None:
        """Let the hands do `act`, and wait until it is done."""
        self._stop.wait(max(0.0, self.plan(act) - self.clock.now()) + _AFTER_S)

    def tilt(self, pair: str, to: str, **how: Any) -> None:
        """As CubeSet.tilt; `how`: further arguments of Hands.plan_tilt (times, temper)."""
        self.do(lambda hands: hands.plan_tilt(pair, to, **how))

    def turn(self, slot: str, to: str, **how: Any) -> None:
        """As CubeSet.turn; `how`: further arguments of Hands.plan_turn."""
        self.do(lambda hands: hands.plan_turn(slot, to, **how))

    def look_through(self, slot: str) -> None:
        self.do(lambda hands: hands.plan_handling(slot, 2.0))

    def knock(self, strength_g: float = 0.5) -> None:
        """Knock on the table."""
        self.do(lambda hands: hands.plan_knock(strength_g))

    def pose(self, slot: str) -> tuple[str, str]:
        """The true body faces up and north."""
        return self.table.pose(slot)

    def faults(self, **shares: float) -> None:
        """From now on, lose, damage, … these shares of the frames: `faults(drop=0.05)` (hw_mock.ports.Faults).

        Raises TypeError for an unknown fault, ValueError for a number that is no share and for a fault that this wire
        cannot carry.
        """
        if self._protocol != "polar" and not _TOLD_BY_POLAR.isdisjoint(shares):
            raise ValueError(f"{self._protocol} carries neither node number nor clock")
        with self._lock:
            for slot in SLOTS:
                self.table.wire(slot).set(**shares)

    def unplug(self, slot: str) -> None:
        with self._lock:
            self.table.port(slot).unplug()

    def plug(self, slot: str) -> None:
        with self._lock:
            self.table.port(slot).plug()

    def close(self) -> None:
        self._stop.set()
        self._thread.join(timeout=2)
        self.table.close()


class RealCubes:
    """The set on the desk."""

    simulated = False

    def __init__(self, ports: Sequence[str], person: Person) -> None:
        self.ports: Sequence[str] = list(ports)
        self._person = person

    def tilt(self, pair: str, to: str) -> None:
        self._person.do(f"Tilt the {_PAIRS[pair]} pair to the {_SIDES[to]}")

    def turn(self, slot: str, to: str) -> None:
        way = "clockwise" if to == "cw" else "counter-clockwise"
        self._person.do(f"Turn the cube in {slot} a quarter {way}, seen from above")

    def look_through(self, slot: str) -> None:
        self._person.do(f"Lift the cube in {slot}, look through it, put it back as it was")

    def unplug(self, slot: str) -> None:
        self._person.do(f"Unplug the cable of the cube in {slot} (or of the dongle)")

    def plug(self, slot: str) -> None:
        self._person.do("Plug the cable in again")

    def close(self) -> None:
        """Nothing to do: the ports belong to the program under test."""
