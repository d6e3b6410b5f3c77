"""A chip that fuses by itself loses its power: the heading that it tells afterwards has nothing to do with before."""

from __future__ import annotations

import pytest

from firmware_bridge import bno08x_rvc
from firmware_bridge.nodes import NodeBook
from firmware_bridge.samples import MotionBatch
from sensors.cubes import turns
from sensors.cubes.follow import CubeFollower
from sensors.cubes.rest import Rest
from sensors.cubes.tracker import CubeTracker
from sensors.evidence import CubeEvidence, CubePose, Turned


class Chip:
    """A BNO08x and all that listens to it; `events` since they were last looked at."""

    def __init__(self) -> None:
        self.now, self._index, self._yaw, self._roll = 0.0, 0, 0.0, 0.0
        self._decoder, self._book, self._follower = (
            bno08x_rvc.RvcDecoder(),
            NodeBook("p"),
            CubeFollower(["p"]),
        )
        self._events: list[CubeEvidence] = []

    @property
    def events(self) -> list[CubeEvidence]:
        out, self._events = self._events, []
        return out

    def goes(self, seconds: float, yaw: float | None = None, roll: float | None = None) -> None:
        """Frames for so long; the angles go evenly to where they are wanted."""
        count, way = round(seconds * 100), (self._yaw, self._roll)
        to = tuple(old if new is None else new for old, new in zip(way, (yaw, roll), strict=True))
        for i in range(1, count + 1):
            self._yaw, self._roll = (a + (b - a) * i / count for a, b in zip(way, to, strict=True))
            gravity = (0.0, 0.0, 1.0) if not self._roll else (0.0, 1.0, 0.0)
            frame = bno08x_rvc.encode(self._index, self._yaw, 0.01 * (i % 2), self._roll, gravity)
            for packet in self._decoder.feed(frame):
                for event in self._book.receive(packet, self.now):
                    self._events += self._follower.feed(event)
            self._index, self.now = self._index + 1 & 0xFF, self.now + 0.01
            self._events += self._follower.settle(self.now - 0.25)

    def is_put_back(self, after_s: float, roll: float = 0.0) -> None:
        """It had no power for so long; its yaw and its numbers begin at 0."""
        self.now, self._index, self._yaw, self._roll = self.now + after_s, 0, 0.0, roll


@pytest.mark.parametrize("gone_s", [0.5, 0.9, 3.0, 10.0])
@pytest.mark.parametrize("before_s", [2.0, 2.3, 2.9, 4.1])
def test_a_chip_that_lost_its_power_invents_no_turn(gone_s: float, before_s: float) -> None:
    chip = Chip()
    chip.goes(3.0)
    chip.goes(0.6, yaw=-90)
    chip.goes(before_s)
    assert [e.to for e in chip.events if isinstance(e, Turned)] == ["cw"]
    chip.is_put_back(gone_s)
    chip.goes(4.0)
    assert chip.events == []  # nobody touched it
    chip.goes(0.6, yaw=90)
    chip.goes(3.0)
    told = chip.events
    (pose,) = (e for e in told if isinstance(e, CubePose))
    assert (pose.up, pose.north) == ("U", "N")
    assert pose.margin_deg > 80
    assert pose.t == pytest.approx(chip.now - 3.0, abs=0.2)
    assert [e.to for e in told if isinstance(e, Turned)] == ["ccw"]


def test_the_side_of_a_chip_that_lost_its_power_is_known_and_its_heading_doubted() -> None:
    chip = Chip()
    chip.goes(3.0)
    assert len(chip.events) == 1
    chip.is_put_back(3.0, roll=90.0)
    chip.goes(3.0)
    (pose,) = (e for e in chip.events if isinstance(e, CubePose))
    assert pose.up == "N"
    assert pose.margin_deg < 10  # the referee asks


def test_a_clock_that_is_put_right_makes_no_rest_late() -> None:
    """The times of a stream that was read late run a second ahead at first; then they are set back."""
    tracker, told = CubeTracker(), list[Rest]()
    for i in range(200):
        rate = (0.0, 0.0, -180.0) if 100 <= i < 125 else (0.0, 0.0, 0.0)
        t = i * 0.02 - (1.0 if i >= 128 else 0.0)
        came = tracker.motion(MotionBatch("p", 1, t, 0.005, (rate,) * 4, ((0.0, 0.0, 1.0),) * 4))
        told += came
        if came and not came[0].first:
            assert i < 145
    assert [turns.up_north(r.after) for r in told] == [("U", "N"), ("U", "W")]
    assert told[-1].since <= told[-1].t == pytest.approx(1.56, abs=0.15)
