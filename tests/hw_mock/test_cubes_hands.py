"""The simulated hands, sensors and ports: physics that holds together, and faults that do what their names say."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from firmware_bridge import packets as p
from firmware_bridge import polar
from firmware_bridge.clock import SystemClock, VirtualClock
from hw_mock.cubes import BMI270, LSM6DSO, TEMPERS, SimulatedTable
from hw_mock.cubes.hands import Hands
from hw_mock.cubes.mems import Sensor
from hw_mock.cubes.motion import Timeline
from hw_mock.cubes.turns import quarter, up_north
from hw_mock.ports import Faults, FaultyWire, PtyPort


def hands(seed: int = 1, temper: str = "brisk") -> Hands:
    cubes = {slot: Timeline() for slot in ("NW", "NE", "SE", "SW")}
    return Hands(cubes, VirtualClock(), np.random.default_rng(seed), temper)


def test_a_tilt_north_brings_the_south_face_up() -> None:
    """IC-4, by a matrix that shares nothing with the one of sensors/."""
    assert up_north(quarter("N")) == ("S", "U")
    assert up_north(quarter("cw")) == ("U", "W")


@pytest.mark.parametrize("temper", TEMPERS)
def test_what_the_sensor_feels_is_what_the_cube_does(temper: str) -> None:
    """The rates summed up give the turn from rest to rest; at rest it feels one g upwards."""
    from scipy.spatial.transform import Rotation

    human = hands(3, temper)
    human.plan_tilt("n", "S", at=0.5)
    end = human.plan_turn("NW", "cw", times=2, at=5.0)
    times = np.arange(0.0, end + 1, 0.001)
    quats, rates, forces = human.cubes["NW"].sample(times)
    turned = Rotation.from_quat(quats)
    total = turned[0]
    for rate in rates:
        total = total * Rotation.from_rotvec(np.radians(rate) * 0.001)
    assert np.degrees((total.inv() * turned[-1]).magnitude()) < 1.0
    for at in (0, -1):
        assert turned[at].apply(forces[at]) == pytest.approx((0, 0, 1), abs=1e-6)
    assert np.linalg.norm(rates, axis=1).max() < 2000 * 1.5


def test_moves_take_as_long_as_the_temper_says() -> None:
    for temper in TEMPERS.values():
        human = hands(5, temper.name)
        took = [human.plan_turn("NE", "cw", at=20.0 * i) - 20.0 * i for i in range(1, 20)]
        assert min(took) > temper.quarter[0] * 0.5
        assert max(took) < temper.quarter[1] * 1.1 + 1.3


def test_the_same_seed_moves_the_same() -> None:
    first, second = (hands(9).plan_tilt("w", "E", at=1.0) for _ in range(2))
    assert first == second


def test_put_back_as_it_was_after_looking_through_it() -> None:
    human = hands(2)
    before = up_north(human.cubes["SW"].pose)
    end = human.plan_handling("SW", 4.0)
    _, rates, forces = human.cubes["SW"].sample(np.arange(0, end, 0.005))
    assert np.abs(rates).max() > 50
    assert up_north(human.cubes["SW"].pose) == before
    assert forces.shape == rates.shape


@pytest.mark.parametrize("model", [LSM6DSO, BMI270], ids=lambda m: m.name)
def test_a_chip_at_rest_is_as_noisy_as_its_data_sheet(model: object) -> None:
    assert model in (LSM6DSO, BMI270)
    chip = Sensor(model, 200.0, np.random.default_rng(1))  # type: ignore[arg-type]
    times = np.arange(4000) / 200
    rates, accels = chip.measure(times, np.zeros((4000, 3)), np.tile([0.0, 0.0, 1.0], (4000, 1)))
    assert rates.std(axis=0) == pytest.approx([model.rate_noise * 10] * 3, rel=0.1)
    assert accels.std(axis=0) == pytest.approx([model.accel_noise * 10] * 3, rel=0.1)
    assert np.abs(rates.mean(axis=0)).max() < model.rate_bias + model.rate_warmth
    fast, _ = chip.measure(times[:10], np.full((10, 3), 5000.0), np.zeros((10, 3)))
    assert fast.max() == model.rate_range  # saturated


def frames(count: int) -> list[bytes]:
    return [polar.encode(p.Button(p.Stamp(1, i, i), 1, True)) for i in range(count)]


def test_a_good_wire_carries_everything() -> None:
    assert FaultyWire().carry(frames(5), 0.0) == b"".join(frames(5))


@pytest.mark.parametrize(
    ("fault", "heard", "bad"),
    [
        ("drop", (850, 950), 0),
        ("flip", (850, 950), 60),
        ("repeat", (1050, 1150), 0),
        ("reorder", (999, 1000), 0),
    ],
)
def test_faults_do_what_they_are_called(fault: str, heard: tuple[int, int], bad: int) -> None:
    wire = FaultyWire(seed=3)
    wire.set(**{fault: 0.1})
    ear = polar.PolarDecoder()
    got = ear.feed(wire.carry(frames(1000), 0.0))
    assert heard[0] <= len(got) <= heard[1]
    assert ear.bad >= bad
    numbers = [x.stamp.seq for x in got if isinstance(x, p.Button)]
    assert (numbers == sorted(numbers)) == (fault != "reorder")
    with pytest.raises(TypeError):
        wire.set(nonsense=1.0)


def test_a_stalled_wire_gives_it_all_at_once() -> None:
    wire = FaultyWire()
    wire.stall(until=2.0)
    assert wire.carry(frames(3), 1.0) == b""
    assert wire.carry([], 2.0) == b"".join(frames(3))
    assert wire.faults == Faults()


def test_a_pulled_cable_and_one_that_nobody_reads() -> None:
    port = PtyPort()
    for _ in range(300):
        port.write(b"x" * 100)
    assert port.overflowed > 0
    port.unplug()
    port.unplug()
    port.write(b"lost")
    assert port.read() == b""
    assert not port.plugged
    assert port.plug()
    port.close()


async def test_a_table_of_cubes_speaks_through_real_ports() -> None:
    """Four pseudo-terminals, real pySerial on them, hands on a clock that jumps."""
    import serial

    clock = VirtualClock()
    async with SimulatedTable(clock, seed=4, temper="brisk") as table:
        readers = [serial.Serial(port, timeout=1.0) for port in table.ports]
        heard = [b""] * 4
        moving = asyncio.ensure_future(table.hands.tilt("s", "N"))
        for _ in range(100):
            await clock.advance(0.02)
            for i, reader in enumerate(readers):
                heard[i] += reader.read(reader.in_waiting)
        wall = SystemClock()
        while any(r.in_waiting for r in readers) and wall.now() < 2:
            for i, reader in enumerate(readers):
                heard[i] += reader.read(reader.in_waiting)
        await clock.advance(5)
        await moving
        assert table.pose("SW") == table.pose("SE") == ("S", "U")
        assert table.pose("NW") == ("U", "N")
        for i, data in enumerate(heard):
            packets = polar.PolarDecoder().feed(data)
            assert {x.stamp.node for x in packets if isinstance(x, p.Motion | p.Hello)} == {i + 1}
            motions = [x for x in packets if isinstance(x, p.Motion)]
            assert len(motions) > 80
            fastest = max(max(map(abs, rate)) for m in motions for rate in m.rates)
            assert (fastest > 90) == (i in (2, 3))
        for reader in readers:
            reader.close()
