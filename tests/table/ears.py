"""Ears of a table's seats, which hear what a test says, and the live view that they share."""

from __future__ import annotations

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles import profile as profiles
from sensors.evidence import Heard, Hearing
from table.senses.ear_wire import EarWire
from table.senses.live import LiveEar
from table.senses.watchdog import Senses

PORT = "socket://box:7000"


class Ears:
    """Wires that share one live view; `signals` are the seats for which "listening" was played."""

    def __init__(self, **devices: str) -> None:
        self.clock, self.live = VirtualClock(), LiveEar()
        self.signals: list[str] = []
        told = (lambda seat, heard: None), self.signals.append, self.live
        self.told: list[tuple[str, ...]] = []  # of devices
        senses = Senses(lambda c: self.told.append((c.source, c.state, c.why, c.mend)))
        known = profiles.load_shipped("microphone")
        self.wires = {
            seat: EarWire(seat, device, known, *told, senses, self.clock) for seat, device in devices.items()
        }

    def hearing(
        self,
        seat: str,
        source: str,
        strength: float = 1.0,
        level_db: float = -30.0,
        set_louder_db: float = 0.0,
    ) -> None:
        now = self.clock.now()
        said = Hearing(source, now, now, {7: 1.0}, level_db, strength, set_louder_db=set_louder_db)
        self.wires[seat]._take(said)

    def heard(self, seat: str, source: str) -> None:
        self.wires[seat]._take(Heard(source, 0.0, 2.0, "sure", {7: 1.0}, 30.0, False, "", strength=0.8))

    def blocks(self, seat: str, source: str, seconds: float) -> None:
        for _ in range(round(seconds * 50)):
            self.clock.set(self.clock.now() + 0.02)
            self.wires[seat]._block(source, -60.0)
