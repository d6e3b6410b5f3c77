"""A test rig for cubes: simulated hands, cubes and wires; the real decoders, tracking and gestures; virtual time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from firmware_bridge.clock import VirtualClock
from firmware_bridge.decoding import Decoder
from firmware_bridge.detecting import Detector
from firmware_bridge.nodes import NodeBook
from hw_mock.cubes import LSM6DSO, SensorModel, SimulatedTable
from hw_mock.cubes.turns import PAIRS, SLOTS
from sensors.cubes.follow import CubeFollower
from sensors.evidence import CubeEvidence, CubePose, Odd, Tilted, Turned

_BACK = {"N": "S", "S": "N", "E": "W", "W": "E", "cw": "ccw", "ccw": "cw"}
TOLERANCE_S = 1.5  # between the end of a simulated move and the time of its event


@dataclass(slots=True)
class Tally:
    """Events compared with the truth."""

    moves: int = 0
    missing: int = 0
    invented: int = 0
    odd: int = 0
    wrong_poses: int = 0
    seconds: float = 0.0
    reader_s: float = 0.0
    delays: list[float] = field(default_factory=list)

    @property
    def wrong(self) -> int:
        return self.missing + self.invented + self.odd

    def add(self, other: Tally) -> None:
        for name in ("moves", "missing", "invented", "odd", "wrong_poses", "seconds", "reader_s"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.delays += other.delays


class Rig:
    """One table. `run` lets time pass, `events` lists the events with the times they came, `tally` compares."""

    def __init__(
        self,
        *,
        seed: int = 0,
        temper: str = "brisk",
        model: SensorModel = LSM6DSO,
        protocol: str = "polar",
        rate_hz: float | None = None,
        step_s: float = 0.04,
        filter_name: str | None = None,
        timed: bool = False,
        **faults: float,
    ) -> None:
        self.clock = VirtualClock()
        self.table = SimulatedTable(
            self.clock,
            seed=seed,
            temper=temper,
            model=model,
            protocol=protocol,
            rate_hz=rate_hz,
            wiring="none",
        )
        self.hands = self.table.hands
        self.random = np.random.default_rng([seed, 99])
        self.events: list[tuple[float, CubeEvidence]] = []
        self.reader_s = 0.0  # CPU time of decoders, tracking and gestures, if `timed`
        self._cpu: Callable[[], float] = time.process_time if timed else lambda: 0.0
        self._step = step_s
        self._decoders: dict[str, Decoder] = {s: Detector() for s in SLOTS}
        self._books = {s: NodeBook(s) for s in SLOTS}
        self.follower = CubeFollower(SLOTS, filter_name=filter_name)
        self.run(2.0)
        for slot in SLOTS:
            self.table.wire(slot).set(**faults)

    def run(self, until: float) -> None:
        """Let time pass until `until`."""
        while self.clock.now() < until:
            self.clock.set(self.clock.now() + self._step)
            now = self.clock.now()
            data = self.table.advance(now)
            began = self._cpu()
            for slot, piece in data.items():
                for packet in self._decoders[slot].feed(piece):
                    for event in self._books[slot].receive(packet, now):
                        self.events += [(now, e) for e in self.follower.feed(event)]
            self.events += [(now, e) for e in self.follower.settle(now - 0.1)]
            self.reader_s += self._cpu() - began

    def wait(self, seconds: float) -> None:
        """Let `seconds` pass."""
        self.run(self.clock.now() + seconds)

    def moves(self, count: int, tempers: Sequence[str] | None = None) -> None:
        """Random tilts and turns: some by half a turn, some in quick succession."""
        quick, last = False, ("", "")
        for _ in range(count):
            temper = str(self.random.choice(list(tempers))) if tempers else self.hands.temper
            times = 2 if self.random.random() < 0.06 else 1
            if self.random.random() < 0.6:
                pair = str(self.random.choice(list(PAIRS)))
                to = str(self.random.choice(list("NS" if pair in "ns" else "EW")))
                if quick and last == (pair, _BACK[to]):
                    to = _BACK[to]  # a move that is undone at once is no move
                end = self.hands.plan_tilt(pair, to, times=times, temper=temper)
            else:
                pair, to = str(self.random.choice(SLOTS)), str(self.random.choice(["cw", "ccw"]))
                if quick and last == (pair, _BACK[to]):
                    to = _BACK[to]
                end = self.hands.plan_turn(pair, to, times=times, temper=temper)
            quick, last = self.random.random() < 0.1, (pair, to)
            self.run(end + (self.random.uniform(0.15, 0.3) if quick else self.random.uniform(0.4, 1.5)))

    def handling(self, seconds: float) -> None:
        """Fidgeting, carrying, looking through, dropping, knocking: every cube is put back as it was."""
        until = self.clock.now() + seconds
        while self.clock.now() < until:
            slot, what = str(self.random.choice(SLOTS)), self.random.random()
            temper = str(self.random.choice(["calm", "brisk", "shaky", "sloppy", "slow"]))
            if what < 0.45:
                end = self.hands.plan_handling(slot, float(self.random.uniform(1, 8)), temper=temper)
            elif what < 0.6:
                end = self.hands.plan_drop(slot, float(self.random.uniform(0.01, 0.1)))
            elif what < 0.8:
                end = self.hands.plan_knock(float(self.random.uniform(0.1, 3)))
            else:
                end = self.hands.plan_slide(slot, float(self.random.uniform(0.002, 0.03)))
            self.run(end + float(self.random.uniform(0.2, 2)))

    def tally(self) -> Tally:
        """Compare the events with what was done. Ends with three seconds of rest."""
        self.wait(3.0)
        out = Tally(moves=len(self.hands.done), seconds=self.clock.now(), reader_s=self.reader_s)
        said = [(now, e.t, words(e)) for now, e in self.events if isinstance(e, Tilted | Turned)]
        free = [True] * len(said)
        low = 0
        for t, word in sorted(self.hands.done):
            while low < len(said) and said[low][1] < t - 30:
                low += 1
            near = (
                (abs(said[i][1] - t), i)
                for i in range(low, min(len(said), low + 60))
                if free[i] and said[i][2] == word and abs(said[i][1] - t) < TOLERANCE_S
            )
            best = min(near, default=None)
            if best is None:
                out.missing += 1
            else:
                free[best[1]] = False
                out.delays.append(said[best[1]][0] - t)
        out.invented = sum(free)
        out.odd = sum(isinstance(e, Odd) for _, e in self.events)
        last = {e.slot: (e.up, e.north) for _, e in self.events if isinstance(e, CubePose)}
        out.wrong_poses = sum(last.get(s) != self.table.pose(s) for s in SLOTS)
        return out


def words(event: Tilted | Turned) -> str:
    """An event in the game's notation."""
    if isinstance(event, Tilted):
        return f"tilt {event.pair}>{event.to}"
    return f"turn {event.slot} {event.to}"
