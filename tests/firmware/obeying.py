"""The firmware in a real MicroPython beside a simulated node: both feel the same samples and hear the same bytes."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from firmware_bridge import packets as p
from firmware_bridge import polar
from hw_mock.cubes.mems import LSM6DSO, Sensor
from hw_mock.cubes.motion import Timeline
from hw_mock.cubes.node import CubeNode
from hw_mock.igloo.node import IglooNode
from hw_mock.ports import FaultyWire
from tests.firmware.on_micropython import Bench

PUSH = np.array([0.9, 0.0, 0.0])
Colours = list[tuple[int, int, int]]


class Measured:
    """The simulated cube's own sensor; it also tells what it measured last."""

    def __init__(self, rate_hz: float) -> None:
        self._sensor = Sensor(LSM6DSO, rate_hz, np.random.default_rng(4))
        self.last: NDArray[np.float64] = np.zeros((0, 6))
        self.pushed = False

    @property
    def rate_hz(self) -> float:
        return self._sensor.rate_hz

    @rate_hz.setter
    def rate_hz(self, rate_hz: float) -> None:
        self._sensor.rate_hz = rate_hz

    def measure(
        self, t: NDArray[np.float64], rates: NDArray[np.float64], forces: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        rates, accels = self._sensor.measure(t, rates, forces)
        if self.pushed:
            accels += PUSH
        self.last = np.hstack([rates, accels])
        return rates, accels


class Pair(ABC):
    """What `firmware` and `mock` said since `forget`, what each showed at the end of each step, and who sleeps."""

    def __init__(self, board: Bench) -> None:
        self.board = board
        self._ears = (polar.PolarDecoder(), polar.PolarDecoder())
        self.firmware: list[p.Packet] = []
        self.mock: list[p.Packet] = []
        self.shown: tuple[Colours, Colours] = ([], [])
        self.asleep = (False, False)

    def tell(self, *said: p.PolarPacket | bytes) -> None:
        """Both hear it at the end of a step."""
        for one in said:
            self.board.tell(one if isinstance(one, bytes) else polar.encode(one))
        self.step()

    def forget(self) -> None:
        for heard in (self.firmware, self.mock, *self.shown):
            heard.clear()

    def said(self, kind: type[p.Packet]) -> tuple[list[p.Packet], list[p.Packet]]:
        """Of one kind: by the firmware, by the simulated node."""
        firmware, mock = (
            [one for one in said if isinstance(one, kind)] for said in (self.firmware, self.mock)
        )
        return firmware, mock

    @abstractmethod
    def step(self, pushed: bool = False) -> None:
        """A moment later, in which the cubes were pushed or not."""

    def push(self) -> None:
        """Long enough for two samples of a sleeping chip."""
        for pushed in (True,) * 8 + (False,) * 8:
            self.step(pushed)

    def run(self, seconds: float) -> None:
        end = self.board.clock.now() + seconds
        while self.board.clock.now() < end:
            self.step()

    def _note(self, mock: bytes, light: tuple[int, int, int], asleep: bool) -> None:
        told = self.board.told
        self.firmware += self._ears[0].feed(bytes.fromhex(told["sent"]))
        self.mock += self._ears[1].feed(mock)
        self.shown[0].append(tuple(told["light"]))
        self.shown[1].append(light)
        self.asleep = (told["asleep"], asleep)


class Cubes(Pair):
    """A cube at rest, 208 times a second until it is told otherwise; five samples a step."""

    def __init__(self, board: Bench) -> None:
        super().__init__(board)
        self.sensor = Measured(208.0)
        self.node = CubeNode(2, Timeline(), self.sensor, FaultyWire(), sleeps=True)  # type: ignore[arg-type]
        self.node.commands.starts_s = 0.0  # as the board of the tests
        self._now = 0.4 / 208

    def step(self, pushed: bool = False) -> None:
        self.sensor.pushed = pushed
        self._now += 5 / self.node.rate_hz
        said = self.node.advance(self._now)
        self.board.period_us = round(1e6 / self.node.rate_hz)
        self.board.step(self.sensor.last.round(5).tolist())
        said += self.node.advance(self._now, self.board.heard)
        self._note(said, self.node.light, self.node.commands.asleep)


class Igloos(Pair):
    """An igloo that lies, or is `shaken`; 1,660 times a second."""

    def __init__(self, board: Bench) -> None:
        super().__init__(board)
        self.node = IglooNode(17, 1e6 / board.period_us)
        self.node.commands.starts_s = 0.0
        self.shaken = False
        self._dice = np.random.default_rng(3)

    def step(self, pushed: bool = False) -> None:
        felt = np.array([0.0, 0.0, 1.0]) + self._dice.normal(size=(38, 3)) * (1.0 if self.shaken else 0.004)
        felt += PUSH * pushed
        felt = felt.round(4)
        said = self.node.feel(felt.astype(np.float32))
        self.board.step([[0.0, 0.0, 0.0, *sample] for sample in felt.tolist()])
        said += self.node.feel(np.zeros((0, 3), np.float32), self.board.heard)
        self._note(said, self.node.light, self.node.commands.asleep)
