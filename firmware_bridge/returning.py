"""Decides whether the device on a port that came back is the one that was lost. Until then none of its packets pass."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge import packets as p
from firmware_bridge.identity import Identity

PROOF_S = 2.5  # s, for a port that is not plainly the old one to prove that it is
HOLD_S = 1.0  # s, for a port that plainly is the old one to say that it is not
_KEPT = 2000  # packets that are held until the identity is known


class Returning:
    """One connection after a loss. A newcomer has to prove its identity. A port that plainly is the old one is believed
    after a while, but is still thrown out when a later hello names another device."""

    def __init__(self, identity: Identity, now: float, *, newcomer: bool) -> None:
        self.newcomer = newcomer
        self._identity = identity
        self._doubted = newcomer or identity.known
        self._held: list[tuple[p.Packet, float]] | None = [] if self._doubted else None
        self._until = now + (PROOF_S if newcomer else HOLD_S)

    @property
    def holds(self) -> bool:
        """Whether packets are being held back."""
        return self._held is not None

    def hold(self, packet: p.Packet, now: float) -> None:
        """Hold a packet, with its time of arrival."""
        assert self._held is not None
        self._held.append((packet, now))
        del self._held[:-_KEPT]

    def let_go(self) -> list[tuple[p.Packet, float]]:
        """The held packets, the oldest first; from now on none are held."""
        held, self._held = self._held, None
        return held or []

    def overdue(self, now: float) -> bool:
        """Whether its time to say who it is has passed."""
        return self.holds and now > self._until

    def plain(self, packet: p.Packet, speaks_alone: Callable[[], bool]) -> bool | None:
        """Whether a packet proves it to be the old device (True, only once) or another one (False); None where it
        proves nothing.

        `speaks_alone`: whether a newcomer without an identity can only be the lost port.
        """
        if not self._doubted:
            return None
        if isinstance(packet, p.Hello):
            told = self._identity.says(packet)
        else:
            told = True if self.newcomer and speaks_alone() else None
        self._doubted = not told
        return told
