"""What is wrong with an accelerometer that is felt live: told of what it measured, a stretch at a time."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.frames.frontend import Array
from sensors.ear.sources.sensor_watch import STRETCH_S, SensorWatch
from tests.rattle import shaken_sensor

RATE, FRAME = 1600, 38


def evening(shakes: int, seed: int = 0) -> Array:
    """Shakes of 2 s, one after the other, with what lies still around each."""
    return np.concatenate([shaken_sensor(3 + n % 9, seed + n) for n in range(shakes)])


def told(samples: Array, watch: SensorWatch | None = None) -> list[tuple[float, str]]:
    """What is said when, in seconds, and of what kind it is."""
    watch, said = watch or SensorWatch(RATE), []
    for start in range(0, len(samples), FRAME):
        watch.add(samples[start : start + FRAME])
        said += [(start / RATE, fault.kind) for fault in watch.look()]
    return said


def without_x(samples: Array) -> Array:
    return samples * np.float32([0, 1, 1])


@pytest.mark.parametrize("seed", range(5))
def test_a_sound_sensor_is_never_blamed_and_what_is_kept_of_it_does_not_grow(seed: int) -> None:
    watch = SensorWatch(RATE)
    assert told(evening(20, 50 * seed), watch) == []
    assert sum(map(len, watch._felt)) <= STRETCH_S * RATE + 2 * FRAME


def test_a_dead_axis_and_coarse_steps_are_told_of_the_first_stretch() -> None:
    samples = evening(3)
    for bad, kind in ((without_x(samples), "dead"), (np.round(samples * 8) / 8, "coarse")):
        (at_s, first), *_ = told(bad.astype(np.float32))
        assert first == kind
        assert at_s < STRETCH_S + 0.1


@pytest.mark.parametrize("times", [0.5, 2.0])
def test_a_range_that_is_read_as_another_is_told_of_the_second_in_a_row(times: float) -> None:
    samples = evening(4)
    (at_s, kind), *_ = told((times * samples).astype(np.float32))
    assert kind == "gravity"
    assert 2 * STRETCH_S - 0.1 < at_s < 2 * STRETCH_S + 0.2
    once = samples.copy()
    once[: round(STRETCH_S * RATE)] *= np.float32(times)  # as an igloo that is on its way may seem
    assert told(once) == []


def test_an_axis_that_fails_in_the_midst_of_an_evening_is_told() -> None:
    samples = evening(12)
    fails_s = 20.0
    bad = samples.copy()
    bad[round(fails_s * RATE) :, 2] = bad[round(fails_s * RATE), 2]
    (at_s, kind), *_ = told(bad)
    assert kind == "dead"
    assert fails_s + 1.0 < at_s < fails_s + 2 * STRETCH_S + 0.1


@pytest.mark.parametrize("block", [1, 600, 4800, 5000, 9600, 12 * 4800])
def test_a_stretch_is_told_once_however_blocks_are_cut(block: int) -> None:
    """Of one large block nothing was said, for a range that is read as another wants two stretches in a row."""
    samples = np.random.default_rng(0).normal(0, 0.005, (8 * 4800, 3)).astype(np.float32)
    samples[:, 2] += 2.2
    watch, said = SensorWatch(RATE), []
    for start in range(0, len(samples), block):
        watch.add(samples[start : start + block])
        said += [fault.kind for fault in watch.look()]
    assert said == ["gravity"] * 7
    assert sum(map(len, watch._felt)) <= 4800 + min(block, 4800)


def test_what_was_felt_last_can_be_asked_about_at_any_time() -> None:
    watch = SensorWatch(RATE)
    assert watch.now() is None
    watch.add(without_x(shaken_sensor(5, 2))[: 2 * RATE])
    assert list(watch.look()) == []  # the stretch goes on
    fault = watch.now()
    assert fault is not None
    assert (fault.kind, fault.mend) == ("dead", "look at its wiring, and at what reads it")
