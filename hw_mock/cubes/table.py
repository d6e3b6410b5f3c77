"""Four simulated cubes on a table, behind real pseudo-terminals: the cubes of tests, the demo or a laptop.

async with SimulatedTable(clock, seed=7, temper="brisk") as table:
    reader = … table.ports …
    await table.hands.tilt("n", "S")
    table.pose("NW")                      # the truth: ("N", "D")
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import numpy as np

from firmware_bridge.clock import Clock
from hw_mock.choices import one_of
from hw_mock.cubes.hands import Hands
from hw_mock.cubes.mems import LSM6DSO, Sensor, SensorModel
from hw_mock.cubes.motion import Timeline
from hw_mock.cubes.node import PROTOCOLS, CubeNode
from hw_mock.cubes.turns import SLOTS, up_north
from hw_mock.ports import FaultyWire, PtyPort

WIRINGS = {"ports": 4, "dongle": 1, "none": 0}  # how many pseudo-terminals
_PUMP_S = 0.01


class SimulatedTable:
    """Cubes 1…4 in NW, NE, SE, SW, first pose up U, north N.

    `wiring` is "ports" (one pseudo-terminal per cube), "dongle" (all on one) or "none" (`advance` returns the bytes:
    for a run in virtual time). Only cubes behind a dongle fall asleep, because only those have a cell. `links` is a
    folder for stable names of the ports, `copies` one for copies of what was sent.
    Time passes by `advance`, or, inside `async with`, by the clock. Raises ValueError for what cannot be simulated.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        seed: int = 0,
        temper: str = "brisk",
        rate_hz: float | None = None,
        model: SensorModel = LSM6DSO,
        protocol: str = "polar",
        wiring: str = "ports",
        links: Path | None = None,
        copies: Path | None = None,
    ) -> None:
        one_of("protocol", protocol, PROTOCOLS)
        one_of("wiring", wiring, WIRINGS)
        if wiring == "dongle" and protocol != "polar":  # other protocols carry no node number
            raise ValueError(f"{protocol} carries no node number; use ports with it, not a dongle")
        random = np.random.default_rng(seed)
        rate = rate_hz or (200.0 if protocol == "polar" else 100.0)
        self._clock = clock
        self.nodes: dict[str, CubeNode] = {}
        for i, slot in enumerate(SLOTS):
            cube = Timeline(arm=random.normal(size=3) * 0.006)
            sensor = Sensor(model, rate, np.random.default_rng([seed, i]))
            wire = FaultyWire(seed=seed * 10 + i)
            self.nodes[slot] = CubeNode(
                i + 1, cube, sensor, wire, protocol, started=clock.now(), sleeps=wiring == "dongle"
            )
        self.hands = Hands({s: n.cube for s, n in self.nodes.items()}, clock, random, temper)
        names = [None if links is None else links / f"cube-{i + 1}" for i in range(WIRINGS[wiring])]
        self._ptys = [PtyPort(link=name) for name in names]
        self._copies = [] if copies is None else [(copies / f"cube-{i + 1}.bin").open("wb") for i in range(4)]
        self._task: asyncio.Task[None] | None = None

    @property
    def ports(self) -> list[str]:
        """The paths to open, in the order NW, NE, SE, SW."""
        return [pty.name for pty in self._ptys]

    def port(self, slot: str) -> PtyPort:
        """The pseudo-terminal of a slot's cube: `unplug()` and `plug()` are a pulled cable."""
        return self._ptys[SLOTS.index(slot) % len(self._ptys)]

    def wire(self, slot: str) -> FaultyWire:
        """The wire of a slot's cube, for faults by command: `set(drop=0.05)`, `stall(until)`."""
        return self.nodes[slot].wire

    def pose(self, slot: str) -> tuple[str, str]:
        """The true body faces up and north of the cube that lies in a slot now."""
        return up_north(self.hands.cubes[slot].pose)

    def advance(self, now: float) -> dict[str, bytes]:
        """Let all nodes send up to time `now`; returns the bytes by slot (also written to the ports, if any)."""
        out: dict[str, bytes] = {}
        heard = [pty.read() for pty in self._ptys]
        for i, (slot, node) in enumerate(self.nodes.items()):
            out[slot] = node.advance(now, heard[i % len(heard)] if heard else b"")
            if self._copies:
                self._copies[i].write(out[slot])
            if self._ptys:
                self._ptys[i % len(self._ptys)].write(out[slot])
        return out

    async def __aenter__(self) -> SimulatedTable:
        self._task = asyncio.create_task(self._pump())
        return self

    async def __aexit__(self, *_: object) -> None:
        try:
            if self._task is not None:
                self._task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await self._task
        finally:
            self.close()

    async def speaking(self) -> None:
        """Wait for ever; raises OSError when the cubes' bytes can no longer be written, because the cubes are then
        silent."""
        assert self._task is not None, "only inside `async with`"
        await asyncio.shield(self._task)

    def close(self) -> None:
        """Pull all cables; may be called twice."""
        # if a full disk makes one fail, the others are closed all the same
        with contextlib.ExitStack() as stack:
            for file in self._copies:
                stack.callback(file.close)
            for pty in self._ptys:
                stack.callback(pty.close)

    async def _pump(self) -> None:
        while True:
            self.advance(self._clock.now())
            await self._clock.sleep(_PUMP_S)
