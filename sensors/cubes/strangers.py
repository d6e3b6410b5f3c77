"""Ports at which only boards of another kind speak: the igloos' dongle in the place of the cubes'."""

from __future__ import annotations

from firmware_bridge.node_words import NodeTold
from firmware_bridge.packets import Hello
from firmware_bridge.samples import BridgeEvent, FusedPose, MotionBatch, NodeSaid

PATIENT_S = 4.0  # every board says hello each two seconds, and radio loses some of that
# its dongle may be the right one all the same: all boards of a table are on one channel, and cubes sleep
MEND = "tilt a cube, which wakes it, or name the port of the cubes' dongle (polartable devices)"


class Strangers:
    """Feed every event; get what a person should know, once a port. Boards that are heard beside cubes are in order."""

    def __init__(self) -> None:
        self._with_cubes: set[str] = set()
        self._since: dict[str, float] = {}  # port → when the first board of another kind was heard

    def heard(self, event: BridgeEvent) -> list[NodeTold]:
        """The report that follows from it, if any."""
        hello = event.packet if isinstance(event, NodeSaid) and isinstance(event.packet, Hello) else None
        if isinstance(event, MotionBatch | FusedPose) or (hello is not None and hello.kind == "cube"):
            self._with_cubes.add(event.port)
        if hello is None or hello.kind not in ("igloo", "seat") or event.port in self._with_cubes:
            return []
        assert isinstance(event, NodeSaid)
        if event.t - self._since.setdefault(event.port, event.t) < PATIENT_S:
            return []
        self._with_cubes.add(event.port)  # told once
        text = f"{hello.kind} {event.node} speaks there, and no cube"
        return [NodeTold(event.port, event.node, event.t, "error", text, MEND)]
