"""What leaves this room: samples with a time on the host's clock, link changes, and the counts of a wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from firmware_bridge.packets import Packet, Quaternion, Vector


@dataclass(frozen=True, slots=True)
class MotionBatch:
    """Samples `period_s` apart (true seconds, clock fit applied), the first at `t`; °/s and g, shape (n, 3) each."""

    port: str
    node: int
    t: float
    period_s: float
    rates: Sequence[Vector]
    accels: Sequence[Vector]
    missing: int = 0  # samples that were lost just before these
    anew: bool = False  # the node began anew before these: nobody knows what it did meanwhile


@dataclass(frozen=True, slots=True)
class FusedPose:
    """An orientation (w, x, y, z) that a chip or a node worked out by itself; `accel` in g where the wire has it."""

    port: str
    node: int
    t: float
    pose: Quaternion
    accel: Vector | None
    bridging: bool  # True: comes beside rates and accelerations, to tell what happened while they were lost
    resting: bool = False  # the node says that it lies still
    anew: bool = False  # the node began anew: this has nothing to do with what it said before


@dataclass(frozen=True, slots=True)
class NodeSaid:
    """Any other packet of a node (hello, status, button, burst, log), with the host's time of its stamp."""

    port: str
    node: int
    t: float
    packet: Packet


@dataclass(frozen=True, slots=True)
class LinkChange:
    """A port was opened, lost, or came back. `now` is where it is found today, if not under `port`."""

    port: str
    state: Literal["open", "lost", "back"]
    protocol: str | None
    why: str
    t: float
    now: str | None = None

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"event": "link", "port": self.port, "state": self.state}
        out |= {"protocol": self.protocol, "why": self.why, "t": round(self.t, 3)}
        return out if self.now in (None, self.port) else out | {"now": self.now}


@dataclass(frozen=True, slots=True)
class LinkCount:
    """How good a wire has been so far: whole frames, damaged ones, and by sequence number lost and so on."""

    port: str
    frames: int = 0
    bad: int = 0
    lost: int = 0
    repeated: int = 0
    reordered: int = 0
    overrun: int = 0  # events thrown away because nobody took them

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"event": "count", "port": self.port, "frames": self.frames, "bad": self.bad}
        out |= {"lost": self.lost, "repeated": self.repeated, "reordered": self.reordered}
        return out | {"overrun": self.overrun} if self.overrun else out


BridgeEvent = MotionBatch | FusedPose | NodeSaid | LinkChange
