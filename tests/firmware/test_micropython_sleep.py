"""The firmware in a real MicroPython falls asleep, is woken by a knock, and sleeps again; a dongle never does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_bridge import packets as p
from firmware_bridge.samples import FusedPose
from tests.firmware.fifo_chips import CHIPS
from tests.firmware.on_micropython import Bench
from tests.parts import needs

pytestmark = needs("micropython")
AT_REST = [[0.5, -0.3, 0.2, 0.0, 0.0, 1.0]] * 4
KNOCK = [[0.5, -0.3, 0.2, 0.9, 0.0, 1.0], *AT_REST[:3]]


def rest(table: Bench, seconds: float) -> list[bool]:
    """Nobody moves the cube; the levels of INT1 meanwhile."""
    levels = []
    for _ in range(int(seconds / (4e-6 * table.period_us))):
        table.step(AT_REST)
        levels.append(bool(table.told["int1"]))
    return levels


@CHIPS
def test_a_knock_wakes_a_cube_and_the_next_sleep_lasts_too(bench: Callable[..., Bench], who: int) -> None:
    """The chip keeps its power and its registers while the board sleeps: INT1 must be low again once it was awake."""
    table = bench("cube", 1, 4808, who=who, sleep_after_s=5)
    for round_ in (1, 2):
        rest(table, 7.0)
        assert (table.told["asleep"], table.told["slept"]) == (True, round_)
        heard = len(table.events)
        assert not any(rest(table, 8.0))
        assert (table.told["asleep"], len(table.events)) == (True, heard)
        table.step(KNOCK)
        assert not table.told["asleep"]
        table.step(AT_REST)
        table.step(KNOCK)  # somebody plays: a pin that says so now would do so at the next sleep as well
        assert not any(rest(table, 1.0))
    assert len([log for log in table.said(p.Log) if log.text == "asleep until moved"]) == 2
    assert table.said(p.Hello)


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
