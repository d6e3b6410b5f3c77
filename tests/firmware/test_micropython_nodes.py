"""The firmware's nodes in a real MicroPython: a cube is followed, an igloo sends its shake, the host is obeyed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar
from firmware_bridge.samples import FusedPose, LinkChange, MotionBatch
from hw_mock.cubes.hands import Hands
from hw_mock.cubes.mems import LSM6DSO, Sensor
from hw_mock.cubes.motion import Timeline
from hw_mock.igloo.node import IglooNode
from sensors.cubes.follow import CubeFollower
from sensors.evidence import CubePose, Turned
from tests.firmware.on_micropython import PERIOD_US, Bench, shaken
from tests.parts import needs

pytestmark = needs("micropython")
AT_REST = [[0.5, -0.3, 0.2, 0.0, 0.0, 1.0]] * 4


def test_it_is_a_real_micropython(bench: Callable[..., Bench]) -> None:
    about = bench("cube").about
    assert about["implementation"] == "micropython"


@pytest.mark.parametrize("kind", ["cube", "dongle"])
def test_a_cube_is_followed_from_micropython_to_evidence(bench: Callable[..., Bench], kind: str) -> None:
    """Two quarter turns made by simulated hands on a simulated IMU; with a dongle between, too."""
    table = bench(kind, 1)
    cube = Timeline()
    hands = Hands({"NW": cube}, table.clock, np.random.default_rng(3), "brisk")
    sensor = Sensor(LSM6DSO, 1e6 / PERIOD_US, np.random.default_rng(4))
    hands.plan_turn("NW", "cw", at=2.0)
    end = hands.plan_turn("NW", "cw", at=4.0)
    follower = CubeFollower([table.port.name])
    evidence = []
    seen = 0
    while table.clock.now() < end + 0.5:
        times = table.clock.now() + (1 + np.arange(4)) * PERIOD_US * 1e-6
        _, rates, forces = cube.sample(times)
        rates, forces = sensor.measure(times, rates, forces)
        table.step(np.hstack([rates, forces]).round(4).tolist())
        for event in table.events[seen:]:
            evidence += follower.feed(event)
        seen = len(table.events)
    assert [(e.slot, e.to) for e in evidence if isinstance(e, Turned)] == [("NW", "cw"), ("NW", "cw")]
    poses = [(e.up, e.north) for e in evidence if isinstance(e, CubePose)]
    assert poses == [("U", "N"), ("U", "W"), ("U", "S")]
    assert [e.state for e in table.events if isinstance(e, LinkChange)] == ["open"]
    count = table.link.count()
    assert (count.bad, count.lost, count.repeated) == (0, 0, 0)
    (uid,) = {h.uid for h in table.said(p.Hello) if h.kind == "cube"}
    assert uid == "c0be000000000001"


def test_the_host_speaks_and_the_node_obeys(bench: Callable[..., Bench]) -> None:
    table = bench("cube", 2)
    for _ in range(5):
        table.step(AT_REST)
    table.send(lambda stamp: p.Light(stamp, 1, 2, 3, 100), node=2)
    table.step(AT_REST)
    table.send(lambda stamp: p.Light(stamp, 9, 9, 9, 100), node=3)  # somebody else's
    table.step(AT_REST)
    assert table.told["light"] == [1, 2, 3]
    for _ in range(6):
        table.step(AT_REST)
    assert table.told["light"] == [0, 0, 0]
    before = len(table.said(p.Hello))
    table.send(p.HelloRequest, node=2)
    table.step(AT_REST)
    table.step(AT_REST)
    assert len(table.said(p.Hello)) == before + 1
    table.send(lambda stamp: p.Configure(stamp, 100, 8, True, False, False, 0), node=2)
    before_poses = sum(isinstance(e, FusedPose) for e in table.events)
    for _ in range(60):
        table.step(AT_REST)
    batches = [e for e in table.events if isinstance(e, MotionBatch)]
    assert len(batches[-1].rates) == 8
    assert batches[-1].period_s == pytest.approx(0.01, rel=0.01)
    assert sum(isinstance(e, FusedPose) for e in table.events) <= before_poses + 1


def test_nobody_plays_and_the_node_falls_asleep(bench: Callable[..., Bench]) -> None:
    table = bench("cube", 1, sleep_after_s=5)
    for _ in range(300):
        table.step(AT_REST)
        if table.told["slept"]:
            break
    assert 5.0 < table.clock.now() < 6.0
    assert [log.text for log in table.said(p.Log)] == ["asleep until moved"]
    for _ in range(3):
        table.step(AT_REST)  # awake again: it says hello at once
    assert table.said(p.Hello)


def test_an_igloo_sends_its_shake_as_one_burst(bench: Callable[..., Bench]) -> None:
    table = bench("igloo", 17)
    dice = np.random.default_rng(1)
    truth: list[list[float]] = []
    for i in range(40):
        shaking = 10 <= i < 20
        piece = (dice.normal(size=(40, 3)) * (1.0 if shaking else 0.005)).round(3).tolist()
        truth += piece
        table.step(piece)
    bursts = table.said(p.Burst)
    assert {b.burst for b in bursts} == {1}
    assert [b.index for b in bursts] == [38 * i for i in range(len(bursts))]
    got = np.array([a for b in bursts for a in b.accels])
    start = next(
        i for i in range(250, 420) if np.allclose(np.array(truth[i : i + len(got)])[:50], got[:50], atol=1e-3)
    )
    assert start < 400  # with what came before the shake
    assert np.allclose(np.array(truth[start : start + len(got)]), got, atol=1e-3)
    assert start + len(got) > 800
    assert {h.kind for h in table.said(p.Hello)} == {"igloo"}


def test_the_simulated_igloo_node_says_what_the_firmware_says(bench: Callable[..., Bench]) -> None:
    table = bench("igloo", 17)
    truth = shaken(3200, 900, 1700)
    for i in range(0, len(truth), 40):
        table.step(truth[i : i + 40].round(3).tolist())
    said = table.said(p.Burst)
    node, decoder = IglooNode(17, said[0].rate_hz), polar.PolarDecoder()
    packets = decoder.feed(node.feel(truth.round(3).astype(np.float32)))
    mock = [packet for packet in packets if isinstance(packet, p.Burst)]
    assert [(b.burst, b.index, b.rate_hz) for b in mock] == [(b.burst, b.index, b.rate_hz) for b in said]
    assert np.allclose([b.accels for b in mock], [b.accels for b in said], atol=1.1 / 2048)
