"""What is cut off: at a microphone's full scale, at an accelerometer's end wherever that is, however it comes in."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.clipping import CutOff, overdriven
from sensors.ear.frontend import Sensor

RATE = 1600
STEP_G = 16 / 1024  # a chip of ten bits, ±8 g


def rattle(seed: int, seconds: float = 2.5, hand_g: float = 1.5) -> npt.NDArray[np.float32]:
    """Three axes in g of a hand's strokes, no two alike, and blows on a shell, that stay below 7 g."""
    random = np.random.default_rng(seed)
    t = np.arange(round(seconds * RATE)) / RATE
    ends = np.arange(0, seconds + 1, 0.12)
    strong = np.interp(t, ends, random.uniform(0.6, 1.0, len(ends)))
    hand = (hand_g * strong * np.sin(2 * np.pi * 4 * t))[:, None] * np.array([1.0, 0.4, 0.2])
    ring = np.exp(-np.arange(60) / 12)[:, None] * np.sin(np.arange(60) * 1.9)[:, None]
    out = hand + np.array([0.0, 0.0, 1.0])
    for at in random.integers(0, len(t) - 60, 200):
        out[at : at + 60] += ring * random.exponential(0.8) * random.normal(0, 0.6, 3)
    return np.clip(out, -6.9, 6.9).astype(np.float32)


def counted(samples: npt.NDArray[np.float32], sensor: Sensor, block: int) -> int:
    cut_off = CutOff(sensor)
    return sum(cut_off.push(samples[i : i + block]) for i in range(0, len(samples), block))


def test_a_chip_of_coarse_steps_is_not_overdriven() -> None:
    for seed in range(20):
        shaken = rattle(seed, hand_g=(1.5, 6.0)[seed % 2])  # so hard that only strokes reach the furthest
        coarse = np.round(shaken / STEP_G).astype(np.float32) * np.float32(STEP_G)
        for block in (32, 128, 800, len(coarse)):
            assert not overdriven(counted(coarse, "accelerometer", block), len(coarse), "accelerometer")


def test_the_end_of_an_accelerometer_is_found_wherever_it_is() -> None:
    for end in (2.0, 4.0):
        loud = rattle(3, hand_g=6.0) * np.float32(2.0)
        cut = np.clip(loud, -end, end * 2047 / 2048)  # whole numbers of a chip reach one further below
        for block in (32, 128, len(cut)):
            assert overdriven(counted(cut, "accelerometer", block), len(cut), "accelerometer")


@given(st.integers(0, 50), st.lists(st.integers(1, 900), min_size=1, max_size=12))
def test_it_matters_not_how_a_stream_is_cut_into_blocks(seed: int, blocks: list[int]) -> None:
    samples = np.clip(np.round(rattle(seed, 1.0) * 50) / 50, -3, 3).astype(np.float32)
    for sensor, of in (("accelerometer", samples), ("microphone", samples[:, :1] / 2.5)):
        in_parts, at, cut_off = 0, 0, CutOff(sensor)  # type: ignore[arg-type]
        for block in [*blocks, len(of)]:
            in_parts += cut_off.push(of[at : at + block])
            at += block
        assert in_parts == counted(of, sensor, len(of))  # type: ignore[arg-type]
