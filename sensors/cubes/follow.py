"""Four cubes together: a tracker for each one in the slot where it is seated, and their evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from firmware_bridge.packets import Hello
from firmware_bridge.samples import BridgeEvent, FusedPose, MotionBatch, NodeSaid
from sensors.cubes import turns
from sensors.cubes.gestures import GestureReader
from sensors.cubes.seating import CUBES, NodeKey, Seat, Seating
from sensors.cubes.tracker import CubeTracker
from sensors.evidence import CubeEvidence

__all__ = ["CUBES", "CubeFollower", "NodeKey", "Seat"]

# s, to hear from all nodes of a shared port before they get slots in ascending order of their numbers
SETTLE_S = 1.2
_HELD = 4000
SILENT_S = 2.0  # a cube that has been silent for longer is not waited for


class CubeFollower:
    """Feed events of the bridge; get evidence.

    `seats` come from a saved calibration, by (port, node) or by a board's lasting number. In the second case its hello
    is waited for, and a later hello still corrects where it lies. Cubes without a seat take the free slots in order;
    `starts` tells by which turn of the table's frame the cube of a slot lies otherwise than when its sensor's axes
    pointed east, north and up (none: as then).
    """

    def __init__(
        self,
        ports: Sequence[str],
        seats: Mapping[NodeKey | str, Seat] | None = None,
        *,
        starts: Mapping[str, int] | None = None,
        filter_name: str | None = None,
    ) -> None:
        self._ports = list(ports)
        self._seating = Seating(ports, seats or {}, starts or {})
        self._filter_name = filter_name
        self.trackers: dict[str, CubeTracker] = {}
        self._gestures = GestureReader({}, lambda slot: slot in self.trackers and self.trackers[slot].stuck)
        self._held: list[MotionBatch | FusedPose] = []
        self._blind: set[tuple[NodeKey, type]] = set()  # whose first samples belong to an earlier time
        self._since: float | None = None
        self._settled = False
        self._newest = self._now = 0.0
        self._heard_at: dict[str, float] = {}  # slot → time of the last sample, on the clock of `settle`

    def feed(self, event: BridgeEvent) -> list[CubeEvidence]:
        """Take one event of the bridge; link events are ignored here."""
        if isinstance(event, NodeSaid):
            self._said((event.port, event.node), event)
            return []
        if not isinstance(event, MotionBatch | FusedPose):
            return []
        self._seating.heard((event.port, event.node), event.t)
        if not self._settled:
            return self._settle(event)
        return self._track(event)

    def settle(self, now: float) -> list[CubeEvidence]:
        """Time has passed: returns changes that waited for a partner and need not wait any longer."""
        if not self._settled:
            return []
        self._now, self._newest = max(self._now, now), max(self._newest, now)
        out = self._gestures.settle(self._heard_until(), self._moving())
        self._reorient()
        return out

    def finish(self) -> list[CubeEvidence]:
        """Nothing more comes: report the changes that waited for a partner which might have begun to move.

        A cube that is still moving, lies askew or was not heard to the end might have explained a change in an unknown
        way; such changes are not reported.
        """
        out = self._gestures.finish(self._heard_until(), self._moving())
        self._reorient()
        return out

    def _heard_until(self) -> float:
        """The time up to which every cube has been heard; samples still on the wire may explain what waits."""
        heard = [
            t.last_t
            for slot, t in self.trackers.items()
            # in a recording that is poured in at once, a cube may lag behind in its own time but not in ours
            if t.last_t is not None
            and (
                t.last_t > self._newest - SILENT_S or 0 < self._now < self._heard_at.get(slot, 0.0) + SILENT_S
            )
        ]
        return min(heard, default=self._newest)

    @property
    def seats(self) -> Mapping[NodeKey, Seat]:
        """Which node is seated in which slot now."""
        return self._seating.seats

    @property
    def heard_at(self) -> Mapping[str, float]:
        """Slot → when its cube was last heard, on the clock that `settle` is given."""
        return self._heard_at

    def correct(self, slot: str, up: str, north: str) -> None:
        """A person says how the cube in a slot lies. Raises ValueError for an impossible pose or an unknown slot."""
        tracker = self.trackers.get(slot)
        if tracker is None:
            raise ValueError(f"no cube is followed in slot {slot}")
        tracker.correct(turns.turn_named(up, north))
        self._gestures.forget(slot)

    def reorient(self, slot: str, quarters: int) -> None:
        """A person says that a cube's heading is so many quarter turns, counter-clockwise from above, off the last
        reported one.

        Unlike `correct`, this is allowed at any time, also while it moves. Raises ValueError for an unknown slot.
        """
        tracker = self.trackers.get(slot)
        if tracker is None:
            raise ValueError(f"no cube is followed in slot {slot}")
        tracker.reorient(quarters, known=True)
        self._gestures.forget(slot)

    def named_pose(self, slot: str) -> tuple[str, str] | None:
        """The body faces up and north of the cube in a slot at its last rest; None before its first."""
        tracker = self.trackers.get(slot)
        return None if tracker is None or tracker.pose is None else turns.up_north(tracker.pose)

    def _said(self, key: NodeKey, said: NodeSaid) -> None:
        if not isinstance(said.packet, Hello):
            return
        seating = self._seating
        seating.named(key, said.packet, said.t)
        for slot in self.trackers.keys() - seating.lives.keys():
            del self.trackers[slot]
            self._gestures.forget(slot)
        while seating.moved:
            moved = seating.moved.pop()
            self._blind |= {(moved, MotionBatch), (moved, FusedPose)}

    def _settle(self, event: MotionBatch | FusedPose) -> list[CubeEvidence]:
        self._held.append(event)
        if self._since is None:
            self._since = event.t
        cubes = self._seating.cubes
        each = len(self._ports) > 1 and all(any(k[0] == p for k in cubes) for p in self._ports)
        full = len(cubes) >= 4 or (each and len(self._ports) == 4)
        ready = full or event.t - self._since >= SETTLE_S
        if any(self._seating.waits(key, event.t) for key in cubes):
            ready = False
        if not ready and len(self._held) < _HELD:
            return []
        self._settled = True
        for key in sorted(cubes, key=self._seating.order):
            self._seat(key)
        out: list[CubeEvidence] = []
        held, self._held = self._held, []
        for earlier in held:
            out += self._track(earlier)
        return out

    def _seat(self, key: NodeKey) -> Seat | None:
        seat = self._seating.seat(key)
        if seat is not None:
            self.trackers[seat.slot] = CubeTracker(seat.mount, seat.start, self._filter_name)
            self._gestures.forget(seat.slot)
            self._gestures.names[seat.slot] = seat.cube
        return seat

    def _track(self, event: MotionBatch | FusedPose) -> list[CubeEvidence]:
        key = (event.port, event.node)
        seat = self.seats.get(key)
        if seat is None:
            seat = None if self._seating.waits(key, event.t) else self._seat(key)
            if seat is None:
                return []
        if (key, type(event)) in self._blind:
            self._blind.discard((key, type(event)))
            event = replace(event, anew=True)
        tracker = self.trackers[seat.slot]
        rests = tracker.motion(event) if isinstance(event, MotionBatch) else tracker.fused(event)
        out: list[CubeEvidence] = []
        for rest in rests:
            out += self._gestures.rest(seat.slot, rest, self._moving())
        self._newest, self._heard_at[seat.slot] = max(self._newest, event.t), self._now
        out = out or self._gestures.settle(self._heard_until(), self._moving())
        self._reorient()
        return out

    def _reorient(self) -> None:
        """A tilt revealed the heading of a cube that had lost it."""
        for found in self._gestures.found():
            if found.slot in self.trackers:
                self.trackers[found.slot].reorient(found.quarters, found.known)

    def _moving(self) -> dict[str, float]:
        return {slot: t.moving_since for slot, t in self.trackers.items() if t.moving and t.pose is not None}
