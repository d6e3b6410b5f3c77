"""The interface of all decoders: bytes in, packets out, and counts of what was not a packet."""

from __future__ import annotations

from typing import Protocol

from firmware_bridge.packets import Packet


class Decoder(Protocol):
    """Takes bytes in pieces of any size and returns whole packets; no byte makes it raise; its buffer is bounded.

    `frames` is the number of good frames so far, `bad` of damaged ones, `skipped` of bytes that belonged to no good
    frame.
    """

    name: str
    frames: int
    bad: int
    skipped: int

    def feed(self, data: bytes) -> list[Packet]: ...
