"""A counting seat's firmware in a real MicroPython: its ring is felt without a gap, and counted by."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar
from hw_mock.igloo.seat_node import SeatNode
from tests.firmware.fifo_chips import CHIPS, fed, where
from tests.firmware.on_micropython import Bench
from tests.parts import needs

pytestmark = needs("micropython")
PERIOD_US = 1200


def trembling(count: int, seed: int = 5) -> np.ndarray:
    """What a ring feels, (count, 3) in g: gravity and some hundredths of it, no two samples alike."""
    return np.array([0.0, 0.0, 1.0]) + np.random.default_rng(seed).normal(size=(count, 3)) * 0.05


@CHIPS
def test_it_is_felt_without_a_gap_from_its_first_sample_on(bench: Callable[..., Bench], who: int) -> None:
    table = bench("seat", 33, PERIOD_US, who=who)
    truth = trembling(4000)
    for i in range(0, 4000, 20):
        table.step(fed(truth[i : i + 20]))
    bursts = table.said(p.Burst)
    assert {b.burst for b in bursts} == {1}
    assert [b.index for b in bursts] == [1 + 38 * i for i in range(len(bursts))]
    got = np.array([a for b in bursts for a in b.accels])
    assert where(got, truth) <= 40
    assert len(got) > 3900
    assert bursts[-1].rate_hz == pytest.approx(1e6 / PERIOD_US, rel=0.002)
    hellos = {(h.kind, h.accel_range_g, h.gyro_range_dps, h.resting) for h in table.said(p.Hello)}
    assert hellos == {("seat", 4, 0, False)}


@CHIPS
def test_what_overflows_the_chip_is_told_as_missing(bench: Callable[..., Bench], who: int) -> None:
    table = bench("seat", 33, PERIOD_US, who=who)
    truth = trembling(6000)
    for i in range(0, 6000, 40):
        table.step(fed(truth[i : i + 40]), busy=2000 <= i < 4400)
    bursts = table.said(p.Burst)
    assert {b.burst for b in bursts} == {1, 2}
    first, second = (np.array([a for b in bursts if b.burst == n for a in b.accels]) for n in (1, 2))
    assert where(first, truth) + len(first) <= 2040
    assert where(second, truth) > 2040
    assert all(b.index > 0 for b in bursts)  # none says that nothing was before it


def test_it_never_sleeps_whatever_everybody_is_told(bench: Callable[..., Bench]) -> None:
    table = bench("seat", 33, PERIOD_US, sleep_after_s=2)
    for i in range(0, 8000, 40):
        table.step(trembling(8000)[i : i + 40].tolist())
    assert not table.told["slept"]


def test_a_chip_that_fails_and_answers_again_begins_another_burst(bench: Callable[..., Bench]) -> None:
    table = bench("seat", 33, PERIOD_US, who=0x6C)
    truth = trembling(6000)
    for i in range(0, 6000, 40):
        table.step(fed(truth[i : i + 40]), chip={2000: "deaf", 3000: "well"}.get(i, ""))
    assert [log.text.split(":")[0] for log in table.said(p.Log)] == [
        "IMU does not answer",
        "IMU answers again",
    ]
    assert {b.burst for b in table.said(p.Burst)} == {1, 2}


def test_the_simulated_seat_says_what_the_firmware_says(bench: Callable[..., Bench]) -> None:
    table = bench("seat", 33, PERIOD_US)
    truth = trembling(1600).round(3)
    for i in range(0, 1600, 40):
        table.step(truth[i : i + 40].tolist())
    said = table.said(p.Burst)
    node, decoder = SeatNode(said[0].rate_hz), polar.PolarDecoder()
    packets = decoder.feed(node.feel(truth.astype(np.float32)))
    mock = [packet for packet in packets if isinstance(packet, p.Burst)]
    assert [(b.burst, b.index, b.rate_hz) for b in mock] == [(b.burst, b.index, b.rate_hz) for b in said]
    assert np.allclose([b.accels for b in mock], [b.accels for b in said], atol=1.1 / 2048)
