"""The firmware in a real MicroPython and an IMU that fails: it is said, tried again, and nothing false follows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge.samples import FusedPose, MotionBatch
from tests.firmware.fifo_chips import CHIPS, fed, where
from tests.firmware.on_micropython import Bench, shaken
from tests.parts import needs

pytestmark = needs("micropython")
AT_REST = [[0.5, -0.3, 0.2, 0.0, 0.0, 1.0]] * 4
TURNING = [[0.0, 0.0, 90.0, 0.0, 0.0, 1.0]] * 4


def logs(table: Bench) -> list[tuple[int, str]]:
    return [(log.level, log.text.partition(":")[0]) for log in table.said(p.Log)]


def poses(table: Bench) -> int:
    """Those that stood in a frame of their own, not in a hello."""
    return sum(isinstance(e, FusedPose) for e in table.events) - len(table.said(p.Hello))


def last_motion(table: Bench) -> float:
    return max(
        (e.t + e.period_s * (len(e.rates) - 1) for e in table.events if isinstance(e, MotionBatch)),
        default=0.0,
    )


@CHIPS
@pytest.mark.parametrize("seconds", [0.0, 3.0], ids=["one reading fails", "three seconds of it"])
def test_an_imu_that_fails_for_a_while_comes_back(
    bench: Callable[..., Bench], who: int, seconds: float
) -> None:
    """What turned meanwhile the node does not know: it begins anew, so that its own pose is not believed over it."""
    table = bench("cube", 1, 4808, who=who)
    for _ in range(150):
        table.step(AT_REST)
    said = poses(table)
    assert said > 20
    table.step(TURNING, chip="deaf")
    for _ in range(int(seconds / 0.0192)):
        table.step(TURNING)
    assert logs(table) == [(3, "IMU does not answer")]
    assert poses(table) == said  # it does not know its pose
    assert len([h for h in table.said(p.Hello) if not h.resting]) >= seconds / 2 - 1  # but it is there
    table.step(AT_REST, chip="flicker" if seconds else "well")
    for _ in range(150):
        table.step(AT_REST)
    assert logs(table) == [(3, "IMU does not answer"), (1, "IMU answers again")]
    assert last_motion(table) == pytest.approx(table.clock.now(), abs=0.1)
    anew = [e for e in table.events if isinstance(e, FusedPose | MotionBatch) and e.anew]
    assert anew


def test_a_chip_that_lost_its_settings_is_set_up_again(bench: Callable[..., Bench]) -> None:
    """Its supply flickered between two readings: the bus answers, the FIFO stays empty."""
    table = bench("cube", 1, 4808, who=0x6C)
    for _ in range(100):
        table.step(AT_REST)
    table.step(AT_REST, chip="flicker")
    for _ in range(150):
        table.step(AT_REST)
    assert logs(table) == [(3, "IMU does not answer"), (1, "IMU answers again")]
    assert last_motion(table) == pytest.approx(table.clock.now(), abs=0.1)


def test_a_node_whose_imu_is_dead_from_the_beginning_says_so(bench: Callable[..., Bench]) -> None:
    table = bench("cube", 1, 4808, who=0x6C, deaf=True)
    for _ in range(300):
        table.step(AT_REST)
    assert logs(table) == [(3, "IMU does not answer")]
    assert {h.uid for h in table.said(p.Hello)} == {"c0be000000000001"}
    assert not any(h.resting for h in table.said(p.Hello))
    table.step(AT_REST, chip="well")
    for _ in range(60):
        table.step(AT_REST)
    assert last_motion(table) == pytest.approx(table.clock.now(), abs=0.1)


def test_an_igloos_burst_ends_where_its_imu_failed(bench: Callable[..., Bench]) -> None:
    table = bench("igloo", 18, 610, who=0x6C)
    truth = shaken(5000, 600, 4400)
    for i in range(0, 5000, 40):
        table.step(fed(truth[i : i + 40]), chip={1600: "deaf", 2400: "well"}.get(i, ""))
    bursts = table.said(p.Burst)
    pieces = [np.array([a for b in bursts if b.burst == n for a in b.accels]) for n in (1, 2)]
    first, second = (where(piece, truth) for piece in pieces)
    assert first + len(pieces[0]) <= 1640
    assert second >= 2400
    assert [b.index for b in bursts if b.burst == 2] == [38 * i for i in range(len(pieces[1]) // 38)]
    assert all(a.stamp.seq != b.stamp.seq for a, b in pairwise(bursts))
