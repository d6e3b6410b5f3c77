"""What leaves this room: samples with a time on the host's clock, link changes, and the counts of a wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from firmware_bridge.packets import Packet, Quaternion, Vector


@dataclass(frozen=True, slots=True)
class MotionBatch:
    """Samples `period_s` apart (host seconds, clock fit applied), the first at `t`; °/s and g, shape (n, 3) each."""

    port: str
    node: int
    t: float
    period_s: float
    rates: Sequence[Vector]
    accels: Sequence[Vector]
    missing: int = 0  # samples lost just before these
    anew: bool = False  # the node restarted before these: what it did meanwhile is unknown


@dataclass(frozen=True, slots=True)
class FusedPose:
    """An orientation (w, x, y, z) computed by a chip or a node itself; `accel` in g where the wire has it."""

    port: str
    node: int
    t: float
    pose: Quaternion
    accel: Vector | None
    bridging: bool  # True: sent beside rates and accelerations, to show the rotation during losses
    resting: bool = False  # the node reports that it lies still
    anew: bool = False  # the node restarted: this has no relation to earlier poses


@dataclass(frozen=True, slots=True)
class NodeSaid:
    """Any other packet of a node (hello, status, button, burst, log), with the host time of its stamp."""

    port: str
    node: int
    t: float
    packet: Packet


@dataclass(frozen=True, slots=True)
class LinkChange:
    """A port was opened, lost, or came back. `now`: its present name, where that is not `port`."""

    port: str
    state: Literal["open", "lost", "back"]
    protocol: str | None
    why: str
    t: float
    now: str | None = None
    deaf: bool = False  # bytes come, and nothing can be read from them

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"event": "link", "port": self.port, "state": self.state}
        out |= {"protocol": self.protocol, "why": self.why, "t": round(self.t, 3)}
        return out if self.now in (None, self.port) else out | {"now": self.now}


@dataclass(frozen=True, slots=True)
class LinkCount:
    """The quality of a wire so far: whole frames, damaged ones, and by sequence number lost ones and so on."""

    port: str
    frames: int = 0
    bad: int = 0
    lost: int = 0
    repeated: int = 0
    reordered: int = 0
    overrun: int = 0  # events discarded because nobody took them
    packets: int = 0  # what the good frames were understood as

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"event": "count", "port": self.port, "frames": self.frames, "bad": self.bad}
        out |= {"lost": self.lost, "repeated": self.repeated, "reordered": self.reordered}
        return out | {"overrun": self.overrun} if self.overrun else out


BridgeEvent = MotionBatch | FusedPose | NodeSaid | LinkChange
