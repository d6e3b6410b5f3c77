"""A board for tests: firmware in a real MicroPython, its bytes through a real pseudo-terminal into a real link.

The IMU is simulated by hw_mock; everything from the sample on – node, wire, port, link, tracker – is what ships.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import numpy as np

from firmware_bridge import packets as p
from firmware_bridge.clock import VirtualClock
from firmware_bridge.link import Link
from firmware_bridge.opening import Wire, open_port
from firmware_bridge.samples import BridgeEvent, NodeSaid
from hw_mock.ports import PtyPort
from tests.parts import ROOT

PERIOD_US = 5000
HERE = ROOT / "tests" / "firmware"


class Bench:
    """MicroPython under node on one side of a pseudo-terminal, a link on the other, one virtual clock."""

    def __init__(self, kind: str, number: int = 1, period_us: int = PERIOD_US, **options: Any) -> None:
        self.period_us = period_us
        self.clock = VirtualClock()
        self.process = subprocess.Popen(
            ["node", str(HERE / "carrier.mjs"), str(ROOT / "firmware"), str(HERE / "bench.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.about = self._ask({"kind": kind, "number": number, "period_us": period_us, **options})
        self.port = PtyPort()
        self.events: list[BridgeEvent] = []
        self.link = Link(self.port.name, "auto", self.clock, self.events.append, opener=self._open)
        self._taken = self._given = 0
        self.link.open()
        self.told: dict[str, Any] = {}
        self._heard = self.heard = b""  # not heard yet; heard at the last step
        self._us = 0x3FFF0000  # just before the board's clock wraps

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def step(self, samples: list[list[float]], busy: bool = False, chip: str = "") -> None:
        """The time of these samples passes; a board that is `busy` elsewhere does not come to its node.

        `chip`: what befalls it before – deaf, well, flicker.
        """
        self._us += len(samples) * self.period_us
        self.clock.set(self.clock.now() + len(samples) * self.period_us * 1e-6)
        self.heard, self._heard = self._heard + self.port.read(), b""
        question = {"us": self._us, "samples": samples, "heard": self.heard.hex(), "busy": busy, "chip": chip}
        self.told = self._ask(question)
        sent = bytes.fromhex(self.told["sent"])
        self.port.write(sent)
        self._given += len(sent)
        while self._taken < self._given:  # the kernel hands bytes over in its own time
            self.link.step()

    def send(self, make: Callable[[p.Stamp], p.PolarPacket], node: int) -> None:
        """Have the link say something, and wait until it has come through the pseudo-terminal."""
        assert self.link.send(make, node)
        while self._heard[-1:] != b"\0" or len(self._heard) < 3:
            self._heard += self.port.read()

    def tell(self, data: bytes) -> None:
        """These bytes come from the host as well, after the samples of the next step."""
        self._heard += data

    def _open(self, port: str, baudrate: int) -> Wire:
        wire = open_port(port, baudrate)
        read = wire.read

        def counting(size: int = 1) -> bytes:
            data = read(size)
            self._taken += len(data)
            return data

        wire.read = counting  # type: ignore[method-assign]
        return wire

    def said(self, kind: type) -> list[Any]:
        return [e.packet for e in self.events if isinstance(e, NodeSaid) and isinstance(e.packet, kind)]

    def close(self) -> None:
        self.link.close()
        self.port.close()
        self.process.kill()
        self.process.wait()


def shaken(count: int, begins: int, ends: int, seed: int = 2) -> np.ndarray:
    """Acceleration of an igloo's shell, (count, 3) in g: quiet, shaken from one sample to another, quiet."""
    dice = np.random.default_rng(seed)
    size = np.full((count, 1), 0.004)
    size[begins:ends] = 1.5
    return dice.normal(size=(count, 3)) * size
