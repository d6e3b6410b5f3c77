"""What every decoder has in common: bytes in, packets out, and counts of what was no packet."""

from __future__ import annotations

from typing import Protocol

from firmware_bridge.packets import Packet


class Decoder(Protocol):
    """Bytes in pieces of any size in, whole packets out; never raises on any byte; holds a bounded rest.

    `frames` good frames so far, `bad` frames that were damaged, `skipped` bytes that belonged to no good frame.
    """

    name: str
    frames: int
    bad: int
    skipped: int

    def feed(self, data: bytes) -> list[Packet]: ...
