"""Which nodes still have to be asked for a hello: a request can be lost, and so can its answer."""

from __future__ import annotations

from firmware_bridge import packets as p

ASK_S = 0.5
TRIES = 8  # then its periodic hello, every two seconds, must do: perhaps requests cannot reach it


class Asking:
    """For one connection: feed it the packets; `due` says when to ask everybody (again)."""

    def __init__(self) -> None:
        self._named: set[int] = set()
        self._nameless: set[int] = set()
        self._tries = 0
        self._next = 0.0

    def heard(self, packet: p.Packet) -> None:
        """A packet came."""
        if isinstance(packet, p.ChipAngles | p.ChipMotion):
            return  # a chip has no identity
        node = packet.stamp.node
        if isinstance(packet, p.Hello):
            self._named.add(node)
            self._nameless.discard(node)
        elif node not in self._named and node not in self._nameless:
            self._nameless.add(node)
            self._tries = min(self._tries, TRIES - 1)  # ask a newcomer at once

    def due(self, now: float) -> bool:
        """Whether to ask now: once in any case, and again while some node has not identified itself."""
        if self._tries == 0:
            return True
        return bool(self._nameless) and self._tries < TRIES and now >= self._next

    def asked(self, now: float) -> None:
        """Everybody was asked."""
        self._tries += 1
        self._next = now + ASK_S
