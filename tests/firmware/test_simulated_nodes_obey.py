"""The host says the same to the firmware, in a real MicroPython, and to a simulated node: both do the same."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar
from tests.firmware.obeying import Cubes, Igloos, Pair
from tests.firmware.on_micropython import Bench
from tests.parts import needs

pytestmark = needs("micropython")
ALL = 0xFF
DARK, WHITE = (0, 0, 0), (255, 255, 255)


@pytest.fixture
def cubes(bench: Callable[..., Bench]) -> Cubes:
    return Cubes(bench("cube", 2, 4808, who=0x6C))


@pytest.fixture
def igloos(bench: Callable[..., Bench]) -> Igloos:
    return Igloos(bench("igloo", 17, 602, who=0x6C))


@pytest.fixture(params=["cubes", "igloos"])
def both(request: pytest.FixtureRequest) -> Pair:
    pair: Pair = request.getfixturevalue(request.param)
    return pair


def to(node: int) -> p.Stamp:
    return p.Stamp(node, 1, 0)


def number(pair: Pair) -> int:
    return 2 if isinstance(pair, Cubes) else 17


def shown(pair: Pair) -> list[tuple[int, int, int]]:
    """The colours one after the other, which both have shown within a step of one another."""
    runs = []
    for colours in pair.shown:
        found = [(colour, len(list(steps))) for colour, steps in itertools.groupby(colours)]
        runs.append(found)
    firmware, mock = ([colour for colour, _ in run] for run in runs)
    assert firmware == mock
    for (_, one), (_, other) in zip(*runs, strict=True):
        assert abs(one - other) <= 1
    return mock


def same_motion(pair: Cubes) -> list[p.Motion]:
    """The simulated node's frames; the firmware's are their equals, sample by sample and moment by moment."""
    firmware, mock = pair.said(p.Motion)
    assert firmware
    assert len(firmware) == len(mock)
    for ours, one in zip(firmware, mock, strict=True):
        assert isinstance(ours, p.Motion)
        assert isinstance(one, p.Motion)
        assert len(ours.rates) == len(one.rates)
        assert ours.period_us == pytest.approx(one.period_us, rel=0.002)
        assert ours.stamp.us - firmware[0].stamp.us == pytest.approx(
            one.stamp.us - mock[0].stamp.us, abs=3000
        )
        assert np.allclose(ours.rates, one.rates, atol=0.1)
        assert np.allclose(ours.accels, one.accels, atol=2e-3)
    return mock


def test_lights_are_shown_for_as_long_as_was_said(both: Pair) -> None:
    node = number(both)
    both.tell(p.Light(to(node), 1, 2, 3, 100))
    both.tell(p.Light(to(node + 1), 9, 9, 9, 0))  # somebody else's
    both.run(0.5)
    assert shown(both) == [(1, 2, 3), DARK]
    both.forget()
    both.tell(p.Identify(to(ALL), 1))
    both.run(1.5)
    assert shown(both) == [WHITE, DARK]
    assert len(both.shown[0]) / 2 < both.shown[0].index(DARK)  # not for the half of it
    both.forget()
    both.tell(p.Light(to(node), 4, 5, 6, 200))
    both.tell(p.Light(to(node), 7, 8, 9, 0))  # until told otherwise
    both.run(1.0)
    both.tell(p.Identify(to(node), 0))
    both.run(0.2)
    assert shown(both) == [(4, 5, 6), (7, 8, 9), WHITE, DARK]


def test_a_node_that_is_asked_says_hello_at_once_and_then_every_two_seconds(both: Pair) -> None:
    both.run(0.3)
    both.forget()
    both.tell(p.HelloRequest(to(number(both))))
    both.tell(p.HelloRequest(to(number(both) + 1)))
    both.run(0.3)
    for hellos in both.said(p.Hello):
        assert len(hellos) == 1
    both.run(1.5)
    assert [len(hellos) for hellos in both.said(p.Hello)] == [1, 1]
    both.run(0.5)
    assert [len(hellos) for hellos in both.said(p.Hello)] == [2, 2]


def test_what_is_damaged_or_longer_than_its_type_says_is_no_command(both: Pair) -> None:
    both.tell(p.HelloRequest(to(ALL)))
    both.run(0.3)
    both.forget()
    good = polar.encode(p.Light(to(ALL), 1, 2, 3, 0))
    both.tell(good[:-3] + bytes((good[-3] ^ 1,)) + good[-2:])
    for kind, content in ((0x81, b"?"), (0x82, bytes(5)), (0x83, bytes(6)), (0x84, b""), (0x85, b"")):
        both.tell(polar.frame(bytes((kind, ALL)) + bytes(6) + content))
    both.run(0.3)
    assert both.said(p.Hello) == ([], [])
    assert shown(both) == [DARK]
    assert both.said(p.Motion)[0] or isinstance(both, Igloos)


def test_a_cube_measures_and_sends_what_it_was_told_to(cubes: Cubes) -> None:
    cubes.run(0.2)
    cubes.forget()
    cubes.run(1.0)
    assert {len(m.rates) for m in same_motion(cubes)} == {4}
    cubes.tell(p.Configure(to(2), 0, 7, True, True, False, 0))
    cubes.forget()
    cubes.run(0.6)  # some samples wait for a frame
    assert {len(m.rates) for m in same_motion(cubes)[1:]} == {7}
    # the chip loses what it holds when its rate is set: frames begin together again after some of one sample
    cubes.tell(p.Configure(to(2), 100, 1, True, False, False, 0))
    cubes.step()
    cubes.tell(p.Configure(to(2), 0, 30, True, False, False, 0))
    cubes.forget()
    cubes.run(2.5)
    motion = same_motion(cubes)
    assert {len(m.rates) for m in motion} == {19}
    assert {m.period_us for m in motion} == {9615}  # the chip knows 104, not 100
    assert cubes.said(p.Pose) == ([], [])
    for hellos in cubes.said(p.Hello):
        assert {h.rate_hz for h in hellos if isinstance(h, p.Hello)} == {100}
    cubes.tell(p.Configure(to(3), 0, 4, False, False, False, 0))
    cubes.tell(p.Configure(to(ALL), 0, 0, False, True, True, 0))
    cubes.forget()
    cubes.run(2.0)
    assert cubes.said(p.Motion) == ([], [])
    for poses in cubes.said(p.Pose):
        # at the first step after a tenth of a second, which takes the board of the tests a twentieth
        assert 13 <= len(poses) <= 20
    cubes.tell(p.Configure(to(2), 0, 0, True, True, True, 0))
    cubes.step()
    cubes.forget()
    cubes.run(0.3)
    assert {len(m.rates) for m in same_motion(cubes)} == {1}


def test_samples_of_two_rates_never_share_a_frame(cubes: Cubes) -> None:
    """Who reads it counts from the first one's time, by one period."""
    cubes.run(0.5)
    cubes.tell(p.Configure(to(2), 0, 19, True, True, False, 0))
    cubes.run(0.2)
    cubes.forget()
    cubes.tell(p.Configure(to(2), 416, 19, True, True, False, 0))
    cubes.run(0.3)
    for said in cubes.said(p.Motion):
        motion = [m for m in said if isinstance(m, p.Motion)]
        for one, after in itertools.pairwise(motion):
            lasts = one.period_us * len(one.rates)
            # what the chip holds when its rate is set is lost: a step of five samples
            assert lasts - 3000 < after.stamp.us - one.stamp.us < lasts + 15_000
        assert {round(m.period_us, -2) for m in motion} == {4800, 2400}


def test_an_igloo_that_is_told_to_sends_no_bursts_and_counts_on(igloos: Igloos) -> None:
    igloos.run(0.3)
    igloos.tell(p.Configure(to(17), 0, 4, True, True, False, 600))
    for wanted in (False, True):
        igloos.forget()
        igloos.tell(p.Configure(to(17), 0, 4, False, False, wanted, 600))
        igloos.shaken = True
        igloos.run(0.5)
        igloos.shaken = False
        igloos.run(1.0)
        firmware, mock = (
            [(b.burst, b.index) for b in said if isinstance(b, p.Burst)] for said in igloos.said(p.Burst)
        )
        assert firmware == mock
        assert {burst for burst, _ in mock} == ({2} if wanted else set())


def test_a_node_that_nobody_moves_sleeps_hears_nothing_and_wakes_as_it_was_loaded(both: Pair) -> None:
    node = number(both)
    both.run(1.0)
    both.tell(p.Configure(to(node), 416, 8, True, False, False, 3), p.Light(to(node), 1, 2, 3, 0))
    both.run(1.0)
    assert both.asleep == (False, False)
    both.run(2.5)
    assert both.asleep == (True, True)
    for logs in both.said(p.Log):
        assert [log.text for log in logs if isinstance(log, p.Log)] == ["asleep until moved"]
    assert [colours[-1] for colours in both.shown] == [DARK, DARK]
    both.forget()
    both.tell(p.HelloRequest(to(node)), p.Light(to(node), 1, 2, 3, 0))
    both.run(1.0)
    assert both.asleep == (True, True)
    assert (both.firmware, both.mock) == ([], [])
    both.push()
    assert both.asleep == (False, False)
    both.run(4.0)  # three seconds of sleep were its old host's wish
    assert both.asleep == (False, False)
    assert shown(both)[-1] == DARK
    for hellos in both.said(p.Hello):
        assert len(hellos) >= 2
    if isinstance(both, Cubes):
        assert {len(m.rates) for said in both.said(p.Motion) for m in said if isinstance(m, p.Motion)} == {4}
        assert all(both.said(p.Pose))
        for said in both.said(p.Motion):
            # one may be awake a step earlier, at the rate that the other still sleeps with
            assert {round(m.period_us, -2) for m in said if isinstance(m, p.Motion)} == {4800}
