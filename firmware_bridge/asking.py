"""Who is still to be asked for a hello: a request can be lost, and so can its answer."""

from __future__ import annotations

from firmware_bridge import packets as p

ASK_S = 0.5
TRIES = 8  # then its hello of every two seconds must do: perhaps the way to it is not wired


class Asking:
    """For one connection: feed its packets; `due` says when everybody is to be asked (again)."""

    def __init__(self) -> None:
        self._named: set[int] = set()
        self._nameless: set[int] = set()
        self._tries = 0
        self._next = 0.0

    def heard(self, packet: p.Packet) -> None:
        """Something came."""
        if isinstance(packet, p.ChipAngles | p.ChipMotion):
            return  # a chip has no name
        node = packet.stamp.node
        if isinstance(packet, p.Hello):
            self._named.add(node)
            self._nameless.discard(node)
        elif node not in self._named and node not in self._nameless:
            self._nameless.add(node)
            self._tries = min(self._tries, TRIES - 1)  # a newcomer is asked at once

    def due(self, now: float) -> bool:
        """Whether to ask now: once in any case, and again while somebody has not said who it is."""
        if self._tries == 0:
            return True
        return bool(self._nameless) and self._tries < TRIES and now >= self._next

    def asked(self, now: float) -> None:
        """Everybody was asked."""
        self._tries += 1
        self._next = now + ASK_S
