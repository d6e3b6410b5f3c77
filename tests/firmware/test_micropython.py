"""The firmware in a real MicroPython, its bytes through a real pseudo-terminal into the real bridge and tracking.

The IMU is simulated by hw_mock; everything from the sample on – node, wire, port, link, tracker – is what ships.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar
from firmware_bridge.clock import VirtualClock
from firmware_bridge.link import Link
from firmware_bridge.opening import Wire, open_port
from firmware_bridge.samples import BridgeEvent, FusedPose, LinkChange, MotionBatch, NodeSaid
from hw_mock.cubes.hands import Hands
from hw_mock.cubes.mems import LSM6DSO, Sensor
from hw_mock.cubes.motion import Timeline
from hw_mock.igloo.node import IglooNode
from hw_mock.ports import PtyPort
from sensors.cubes.follow import CubeFollower
from sensors.evidence import CubePose, Turned
from tests.parts import ROOT, needs

pytestmark = needs("micropython")
PERIOD_US = 5000
HERE = ROOT / "tests" / "firmware"


class Bench:
    """MicroPython under node on one side of a pseudo-terminal, a link on the other, one virtual clock."""

    def __init__(self, kind: str, number: int = 1, period_us: int = PERIOD_US, **options: Any) -> None:
        self.period_us = period_us
        self.clock = VirtualClock()
        self.process = subprocess.Popen(
            ["node", str(HERE / "carrier.mjs"), str(ROOT / "firmware"), str(HERE / "bench.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.about = self._ask({"kind": kind, "number": number, "period_us": period_us, **options})
        self.port = PtyPort()
        self.events: list[BridgeEvent] = []
        self.link = Link(self.port.name, "auto", self.clock, self.events.append, opener=self._open)
        self._taken = self._given = 0
        self.link.open()
        self.told: dict[str, Any] = {}
        self._heard = b""
        self._us = 0x3FFF0000  # just before the board's clock wraps

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def step(self, samples: list[list[float]], busy: bool = False) -> None:
        """The time of these samples passes; a board that is `busy` elsewhere does not come to its node."""
        self._us += len(samples) * self.period_us
        self.clock.set(self.clock.now() + len(samples) * self.period_us * 1e-6)
        heard, self._heard = self._heard + self.port.read(), b""
        self.told = self._ask({"us": self._us, "samples": samples, "heard": heard.hex(), "busy": busy})
        sent = bytes.fromhex(self.told["sent"])
        self.port.write(sent)
        self._given += len(sent)
        while self._taken < self._given:  # the kernel hands bytes over in its own time
            self.link.step()

    def send(self, make: Callable[[p.Stamp], p.PolarPacket], node: int) -> None:
        """Have the link say something, and wait until it has come through the pseudo-terminal."""
        assert self.link.send(make, node)
        while self._heard[-1:] != b"\0" or len(self._heard) < 3:
            self._heard += self.port.read()

    def _open(self, port: str, baudrate: int) -> Wire:
        wire = open_port(port, baudrate)
        read = wire.read

        def counting(size: int = 1) -> bytes:
            data = read(size)
            self._taken += len(data)
            return data

        wire.read = counting  # type: ignore[method-assign]
        return wire

    def said(self, kind: type) -> list[Any]:
        return [e.packet for e in self.events if isinstance(e, NodeSaid) and isinstance(e.packet, kind)]

    def close(self) -> None:
        self.link.close()
        self.port.close()
        self.process.kill()
        self.process.wait()


@pytest.fixture
def bench() -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(*args: Any, **options: Any) -> Bench:
        made.append(Bench(*args, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


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


CHIPS = pytest.mark.parametrize(
    "who", [0x6A, 0x6C], ids=["LSM6DSL, words in a pattern", "LSM6DSO, words with tags"]
)


def shaken(count: int, begins: int, ends: int, seed: int = 2) -> np.ndarray:
    """Acceleration of an igloo's shell, (count, 3) in g: quiet, shaken from one sample to another, quiet."""
    dice = np.random.default_rng(seed)
    size = np.full((count, 1), 0.004)
    size[begins:ends] = 1.5
    return dice.normal(size=(count, 3)) * size


def fed(truth: np.ndarray) -> list[list[float]]:
    return np.hstack([np.zeros_like(truth), truth]).round(4).tolist()


def where(got: np.ndarray, truth: np.ndarray) -> int:
    """At which sample of the truth a burst begins: all of it must be there, in order, to a unit of the wire."""
    starts = [i for i in range(len(truth) - len(got) + 1) if np.allclose(truth[i], got[0], atol=1.1e-3)]
    return next(i for i in starts if np.allclose(truth[i : i + len(got)], got, atol=1.1e-3))


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
