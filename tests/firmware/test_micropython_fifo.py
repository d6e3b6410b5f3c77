"""The firmware in a real MicroPython empties the IMU's FIFO: no sample is lost, and none comes twice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge.samples import MotionBatch
from tests.firmware.fifo_chips import CHIPS, fed, where
from tests.firmware.on_micropython import Bench, shaken
from tests.parts import needs

pytestmark = needs("micropython")


@CHIPS
def test_an_igloos_shake_waits_in_the_chip_while_the_board_is_busy(
    bench: Callable[..., Bench], who: int
) -> None:
    """1,640 samples a second, the board comes to the chip some fifty times a second: every sample is there, once."""
    table = bench("igloo", 18, 610, who=who)
    truth = shaken(6600, 4000, 5200)
    for i in range(0, 6600, 33):
        table.step(fed(truth[i : i + 33]))
    bursts = table.said(p.Burst)
    assert {b.burst for b in bursts} == {1}
    assert [b.index for b in bursts] == [38 * i for i in range(len(bursts))]
    got = np.array([a for b in bursts for a in b.accels])
    start = where(got, truth)
    assert 3800 < start < 4000 < 5200 < start + len(got)
    assert bursts[0].rate_hz == pytest.approx(1e6 / 610, rel=0.002)  # as measured; 1,660 by name


@CHIPS
def test_what_overflows_the_chip_ends_a_burst(bench: Callable[..., Bench], who: int) -> None:
    """The board is away for longer than the FIFO lasts: two bursts without a gap in either, not one with a hole."""
    table = bench("igloo", 18, 610, who=who)
    truth = shaken(5000, 600, 4400)
    for i in range(0, 5000, 40):
        table.step(fed(truth[i : i + 40]), busy=1200 <= i < 2800)
    bursts = table.said(p.Burst)
    assert [b.burst for b in bursts] == sorted(b.burst for b in bursts)
    pieces = [np.array([a for b in bursts if b.burst == n for a in b.accels]) for n in (1, 2)]
    first, second = (where(piece, truth) for piece in pieces)
    assert first < 600
    assert first + len(pieces[0]) <= 1200
    assert 2000 < second < second + len(pieces[1])
    assert {b.burst for b in bursts} == {1, 2}


@CHIPS
def test_a_cubes_samples_come_through_the_chips_fifo(bench: Callable[..., Bench], who: int) -> None:
    """Rates and accelerations of one moment stay together, also after an overflow, which shows as samples missed."""
    table = bench("cube", 1, 4808, who=who)
    t = np.arange(2600)
    truth = np.stack(
        [t % 100, -(t % 70), (t % 90) * 2, t % 100 / 100, -(t % 70) / 100, np.ones(2600)], axis=1
    )
    for i in range(0, 2600, 4):
        table.step(truth[i : i + 4].tolist(), busy=800 <= i < 1500)
    batches = [e for e in table.events if isinstance(e, MotionBatch)]
    got = np.array([[*r, *a] for b in batches for r, a in zip(b.rates, b.accels, strict=True)])
    assert np.allclose(got[:, 0], got[:, 3] * 100, atol=0.2)
    assert np.allclose(got[:, 1], got[:, 4] * 100, atol=0.2)
    assert np.allclose(got[:790, 0], truth[:790, 0], atol=0.1)
    holes = [b.missing for b in batches if b.missing > 20]
    assert len(holes) == 1
    assert len(got) + holes[0] == pytest.approx(2600, abs=12)
    assert batches[-1].period_s == pytest.approx(4808e-6, rel=0.005)
