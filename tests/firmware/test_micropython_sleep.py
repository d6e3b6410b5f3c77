"""The firmware in a real MicroPython falls asleep, is woken by being moved, and sleeps again; a dongle never does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge.samples import FusedPose
from hw_mock.cubes.hands import Hands
from hw_mock.cubes.mems import LSM6DSO, Sensor
from hw_mock.cubes.motion import Timeline
from tests.firmware.fifo_chips import CHIPS
from tests.firmware.on_micropython import Bench
from tests.parts import needs

pytestmark = needs("micropython")
TEMPERS = ("calm", "brisk", "hasty", "slow", "shaky", "sloppy")
AT_REST = [[0.5, -0.3, 0.2, 0.0, 0.0, 1.0]] * 4
MOVED = [[0.5, -0.3, 0.2, 0.9, 0.0, 1.0]] * 4


def rest(table: Bench, seconds: float) -> list[bool]:
    """Nobody moves the cube; the levels of INT1 meanwhile."""
    levels = []
    for _ in range(int(seconds / (4e-6 * table.period_us))):
        table.step(AT_REST)
        levels.append(bool(table.told["int1"]))
    return levels


def push(table: Bench) -> None:
    """Somebody does, for as long as two samples of a sleeping chip."""
    for samples in [MOVED] * 5 + [AT_REST] * 5:
        table.step(samples)


def feel(table: Bench, cube: Timeline, sensor: Sensor, seconds: float) -> None:
    """The board's chip measures what the cube does for so long."""
    until = table.clock.now() + seconds
    while table.clock.now() < until:
        times = table.clock.now() + (1 + np.arange(16)) * 1e-6 * table.period_us
        _, rates, forces = cube.sample(times)
        rates, forces = sensor.measure(times, rates, forces)
        table.step(np.hstack([rates, forces]).round(4).tolist())


@CHIPS
def test_a_push_wakes_a_cube_and_the_next_sleep_lasts_too(bench: Callable[..., Bench], who: int) -> None:
    """The chip keeps its power and its registers while the board sleeps: INT1 must be low again once it was awake."""
    table = bench("cube", 1, 4808, who=who, sleep_after_s=5)
    for round_ in (1, 2):
        rest(table, 7.0)
        assert (table.told["asleep"], table.told["slept"]) == (True, round_)
        heard = len(table.events)
        assert not any(rest(table, 8.0))
        assert (table.told["asleep"], len(table.events)) == (True, heard)
        push(table)
        assert not table.told["asleep"]
        push(table)  # somebody plays: a pin that says so now would do so at the next sleep as well
        assert not any(rest(table, 1.0))
    assert len([log for log in table.said(p.Log) if log.text == "asleep until moved"]) == 2
    assert table.said(p.Hello)


@CHIPS
@pytest.mark.parametrize("temper", TEMPERS)
def test_a_tilt_by_whatever_hands_wakes_a_cube(bench: Callable[..., Bench], who: int, temper: str) -> None:
    """Half a g, of a change that the chip halves, missed nearly all of them: benchmarks/waking.py."""
    table = bench("cube", 1, 4808, who=who, sleep_after_s=2)
    random = np.random.default_rng(TEMPERS.index(temper))
    cubes = {slot: Timeline() for slot in ("NW", "NE")}
    hands = Hands(cubes, table.clock, random, temper)
    sensor = Sensor(LSM6DSO, 208.0, random)
    for _ in range(3):
        feel(table, cubes["NW"], sensor, 4.0)
        assert table.told["asleep"]
        feel(table, cubes["NW"], sensor, hands.plan_tilt("n", "S") - table.clock.now() + 0.1)
        assert not table.told["asleep"]


@CHIPS
def test_knocks_on_the_table_wake_nobody_and_the_slowest_tilt_does(
    bench: Callable[..., Bench], who: int
) -> None:
    table = bench("cube", 1, 4808, who=who, sleep_after_s=2)
    random = np.random.default_rng(8)
    cube = Timeline()
    hands = Hands({"NW": cube}, table.clock, random)
    sensor = Sensor(LSM6DSO, 208.0, random)
    feel(table, cube, sensor, 4.0)
    for strength in (0.1, 0.3, 1.0):
        hands.plan_knock(strength)
        feel(table, cube, sensor, 0.6)
    assert table.told["asleep"]
    angles = np.radians(np.linspace(0.0, 90.0, 4000))  # in twenty seconds
    woken = 0
    for quarter in angles.reshape(-1, 4):
        table.step([[0.0, 4.7, 0.0, -np.sin(a), 0.0, np.cos(a)] for a in quarter.tolist()])
        woken += not table.told["asleep"]
    assert woken > 4


def test_a_dongle_obeys_no_configure_and_a_board_without_a_cell_is_not_low(
    bench: Callable[..., Bench],
) -> None:
    """`configure` to everybody is for cubes and igloos: a dongle that slept would take the whole table with it."""
    table = bench("dongle", 1, 20_000)
    rest(table, 0.5)
    table.send(lambda stamp: p.Configure(stamp, 0, 4, True, True, True, 5), node=0xFF)
    rest(table, 12.0)
    assert table.told["slept"] >= 1  # the cube's board
    assert table.told["base slept"] == 0
    dongle = [s for s in table.said(p.Status) if s.stamp.node == 0]
    assert [(s.battery_mv, s.low) for s in dongle] == [(0, False)] * 2


def test_a_board_that_nothing_can_wake_stays_awake_and_says_so(bench: Callable[..., Bench]) -> None:
    table = bench("cube", 1, sleep_after_s=5, can_sleep=False)
    rest(table, 7.0)
    assert table.told["slept"] == 0
    (log,) = table.said(p.Log)
    assert (log.level, log.text) == (2, "stays awake: no pin of this board could wake it")
    before = len(table.events)
    rest(table, 1.0)
    assert sum(isinstance(e, FusedPose) for e in table.events[before:]) == pytest.approx(10, abs=2)
