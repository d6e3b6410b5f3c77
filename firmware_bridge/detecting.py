"""Detects a port's protocol and speed by listening only: nothing is ever written to an unknown device."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from firmware_bridge.bno08x_rvc import RvcDecoder
from firmware_bridge.decoding import Decoder
from firmware_bridge.errors import UnknownProtocol
from firmware_bridge.packets import Packet
from firmware_bridge.polar import PolarDecoder
from firmware_bridge.witmotion import WitMotionDecoder

DECODERS: dict[str, Callable[[], Decoder]] = {
    "polar": PolarDecoder,
    "bno08x-rvc": RvcDecoder,
    "witmotion": WitMotionDecoder,
}
PROTOCOLS = ("auto", *DECODERS)
SPEEDS = (115200, 9600, 460800, 921600, 230400, 57600, 38400, 19200)
_ONE_SPEED = ("polar", "bno08x-rvc")  # fixed: by docs/wire.md, and by the chip's data sheet
# whole frames that prove a protocol: a CRC-16 passes one damaged frame in 65,536, an eight-bit sum one in 256
_ENOUGH = {"polar": 2, "bno08x-rvc": 4, "witmotion": 6}
_CAREFUL = 6  # for a protocol not listed above
_GIVE_UP_BYTES = 1024  # at one speed
GIVE_UP_S = 1.5
# of the protocols that are read only WitMotion's leaves it to the owner what is sent
NO_READINGS = (
    "sends no readings – have it send both acceleration and angular velocity; the maker's program sets that"
)


def make_decoder(protocol: str) -> Decoder:
    """The decoder of a named protocol; raises UnknownProtocol."""
    if protocol not in DECODERS:
        raise UnknownProtocol(f"there is no protocol {protocol!r}", f"use one of {', '.join(PROTOCOLS)}")
    return DECODERS[protocol]()


def speeds_of(protocol: str) -> tuple[int, ...]:
    """The speeds to try for a protocol, the likeliest first."""
    return SPEEDS[:1] if protocol in _ONE_SPEED else SPEEDS


class Detector:
    """Listens with all decoders at once, or with the named ones, at a speed that has to be found. Is itself a decoder,
    which holds packets back until the protocol is known."""

    name = "auto"

    def __init__(self, names: Sequence[str] = tuple(DECODERS)) -> None:
        self._names = tuple(names)
        self.frames = 0
        self.bad = 0
        self.skipped = 0
        self.chosen: Decoder | None = None
        self._begin()

    def _begin(self) -> None:
        self._tried = {name: make_decoder(name) for name in self._names}
        self._held: dict[str, deque[Packet]] = {name: deque(maxlen=256) for name in self._names}
        self.heard = 0
        self.since: float | None = None

    def feed(self, data: bytes) -> list[Packet]:
        """Nothing until the protocol is known; then all of its packets since listening began."""
        if self.chosen is not None:
            return self.chosen.feed(data)
        self.heard += len(data)
        for name, decoder in self._tried.items():
            self._held[name].extend(decoder.feed(data))
        best = max(self._tried, key=lambda name: self._merit(name))
        if self._merit(best) < 1.0:
            return []
        self.chosen = self._tried[best]
        self.name = best
        return list(self._held[best])

    def _merit(self, name: str) -> float:
        """At least 1 when enough whole frames came, and most recent bytes belong to them."""
        decoder = self._tried[name]
        explained = self.heard - decoder.skipped
        enough = _ENOUGH.get(name, _CAREFUL)
        if decoder.frames < enough or explained < 0.5 * self.heard:
            return 0.0
        return decoder.frames / enough * explained / self.heard

    def wrong_speed(self, now: float) -> bool:
        """Whether bytes keep coming that make no frame in any protocol: time to try another speed."""
        if self.chosen is not None or self.heard == 0:
            return False
        if self.since is None:
            self.since = now
        return self.heard >= _GIVE_UP_BYTES or now - self.since > GIVE_UP_S

    def start_over(self) -> None:
        """Forget what was heard (the speed has changed)."""
        self.bad += 1
        self.skipped += self.heard
        self._begin()
