"""What the host tells a simulated node, and what both kinds of node do about it: the twin of `told` and `regular` in
firmware/node.py (docs/wire.md, "Host to node").

Hello when it is due or asked for, lights that end, sleep and what ends it are here. What `configure` changes in what a
node measures and streams is the node's own: `hear` hands those packets on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge import packets as p
from firmware_bridge.polar import BROADCAST, PolarDecoder
from hw_mock.dozing import Dozing

HELLO_S = 2.0
SLEEP_AFTER_S = 600  # as the firmware is loaded: a board that slept remembers nothing else
STARTS_S = (
    1.0  # a board that was woken starts MicroPython, its program and its radio before it measures: judgement
)
DARK = (0, 0, 0)
WHITE = (255, 255, 255)


@dataclass(slots=True)
class Commands:
    """What holds of what the host said to one node. All times are seconds of the node's own reckoning.

    `sleeps`: it has a cell, and is to sleep where nobody moves it; one on a cable never does. `can_sleep`: something
    on its board would wake it. `starts_s`: from the movement that wakes it until its program runs.
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
    _woken: float | None = None  # since when its board starts

    def begin_anew(self, now: float) -> None:
        """Its program begins: after sleep, or with another battery."""
        self.sleep_after_s, self.light, self.asleep = SLEEP_AFTER_S, DARK, False
        self._ears = PolarDecoder()
        self._hello_at = self._quiet_since = now
        self._light_off = self._woken = None

    def hear(self, data: bytes, number: int, now: float) -> list[p.Configure]:
        """Take bytes from the host; what they configure of node `number`. Asleep, its radio is off."""
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
        """Whether it is to say hello, which it then will not be for two seconds."""
        if now < self._hello_at:
            return False
        self._hello_at = now + HELLO_S
        return True

    def regular(self, now: float, resting: bool) -> tuple[int, str] | None:
        """End a light, fall asleep, when it is time to; what a log frame then says of it: its level and words."""
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
        """Whether at a sample, in g, that is felt in its sleep its program runs again: then it has to begin anew."""
        if self._woken is None and self._dozing.stirred(felt, now):
            self._woken = now
        return self._woken is not None and now >= self._woken + self.starts_s
