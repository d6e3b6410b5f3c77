"""The host's commands to a simulated node, as far as both kinds of node obey them alike.

It is the twin of `told` and `regular` in firmware/node.py (docs/wire.md, "Host to node"): hello when it is due or
requested, lights that end, sleep and waking. What CONFIGURE changes in a node's measurements and streams is left to the
node: `hear` returns those packets.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge import packets as p
from firmware_bridge.polar import BROADCAST, PolarDecoder
from hw_mock.dozing import Dozing

HELLO_S = 2.0
SLEEP_AFTER_S = 600  # the firmware's default: a board that slept remembers nothing else
STARTS_S = 1.0  # a woken board first starts MicroPython, its program and its radio, and only then measures: judgement
DARK = (0, 0, 0)
WHITE = (255, 255, 255)


@dataclass(slots=True)
class Commands:
    """The state that the host's commands put one node in. All times are seconds of the node's own clock.

    `sleeps`: the node has a cell, and should sleep when nobody moves it; one on a cable never does. `can_sleep`:
    something on its board would wake it. `starts_s`: from the movement that wakes it until its program runs.
    """

    sleeps: bool = True
    can_sleep: bool = True
    starts_s: float = STARTS_S
    sleep_after_s: int = SLEEP_AFTER_S
    light: tuple[int, int, int] = DARK
    asleep: bool = False
    _ears: PolarDecoder = field(default_factory=PolarDecoder)
    _hello_at: float = 0.0
    _light_off: float | None = None
    _quiet_since: float = 0.0
    _dozing: Dozing = field(default_factory=Dozing)
    _woken: float | None = None  # when its board began to start

    def begin_anew(self, now: float) -> None:
        """Its program restarts: after sleep, or with a new battery."""
        self.sleep_after_s, self.light, self.asleep = SLEEP_AFTER_S, DARK, False
        self._ears = PolarDecoder()
        self._hello_at = self._quiet_since = now
        self._light_off = self._woken = None

    def hear(self, data: bytes, number: int, now: float) -> list[p.Configure]:
        """Take bytes from the host; returns the CONFIGURE packets for node `number`. Asleep, its radio is off."""
        if not data or self.asleep:
            return []
        out = []
        for packet in self._ears.feed(data):
            if not isinstance(packet, p.HelloRequest | p.Configure | p.Light | p.Identify):
                continue
            if packet.stamp.node not in (number, BROADCAST):
                continue
            if isinstance(packet, p.HelloRequest):
                self._hello_at = now
            elif isinstance(packet, p.Light):
                self.light = (packet.red, packet.green, packet.blue)
                self._light_off = now + packet.duration_ms / 1000 if packet.duration_ms else None
            elif isinstance(packet, p.Identify):
                self.light, self._light_off = WHITE, now + packet.seconds
            else:
                self.sleep_after_s = packet.sleep_after_s
                out.append(packet)
        return out

    def hello_due(self, now: float) -> bool:
        """Whether a hello is due now; if so, the next one is due in two seconds."""
        if now < self._hello_at:
            return False
        self._hello_at = now + HELLO_S
        return True

    def regular(self, now: float, resting: bool) -> tuple[int, str] | None:
        """Switch a light off and fall asleep when it is time; returns level and text of the log frame about it."""
        if self._light_off is not None and now >= self._light_off:
            self.light, self._light_off = DARK, None
        if not resting or not self.sleeps:
            self._quiet_since = now
            return None
        if not self.sleep_after_s or now - self._quiet_since <= self.sleep_after_s:
            return None
        self._quiet_since = now
        if not self.can_sleep:
            return 2, "stays awake: no pin of this board could wake it"
        self.asleep, self.light, self._light_off = True, DARK, None
        self._dozing = Dozing()
        return 1, "asleep until moved"

    def wakes(self, felt: p.Vector, now: float) -> bool:
        """Feed a sample, in g, while asleep. True when the program runs again: then the node must `begin_anew`."""
        if self._woken is None and self._dozing.stirred(felt, now):
            self._woken = now
        return self._woken is not None and now >= self._woken + self.starts_s
