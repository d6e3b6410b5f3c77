"""What is cut off: at a sensor's end wherever that is, at a microphone's full scale, however it comes in."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.frames.clipping import SHARE, ClipCounter, Counts, overdriven
from sensors.ear.frames.frontend import Frames, Sensor, front_end_for
from sensors.ear.frames.last_frames import LastFrames

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


def sound(seed: int, seconds: float = 2.0, hz: float = 6000.0) -> npt.NDArray[np.float32]:
    """Hits in a room that ring at about `hz`, at 48 kHz, the loudest of them at full scale: float32[samples, 1]."""
    random = np.random.default_rng(seed)
    out = np.zeros(round(seconds * 48000))
    t = np.arange(400) / 48000
    for at in random.integers(0, len(out) - 400, round(80 * seconds)):
        ring = np.sin(2 * np.pi * hz * random.uniform(0.5, 1.5) * t + random.uniform(0, 6.28))
        out[at : at + 400] += random.exponential() * ring * np.exp(-t / 0.002)
    return (out / np.abs(out).max())[:, None].astype(np.float32)


def counted(samples: npt.NDArray[np.float32], sensor: Sensor, block: int) -> int:
    cut_off = ClipCounter(sensor)
    return int(sum(cut_off.push(samples[i : i + block])[0] for i in range(0, len(samples), block)))


def these(cut_off: int) -> list[Counts]:
    return [np.array([cut_off])]


def test_a_chip_of_coarse_steps_is_not_overdriven() -> None:
    for seed in range(20):
        shaken = rattle(seed, hand_g=(1.5, 6.0)[seed % 2])  # so hard that only strokes reach the furthest
        coarse = np.round(shaken / STEP_G).astype(np.float32) * np.float32(STEP_G)
        for block in (128, len(coarse)):
            assert not overdriven(
                these(counted(coarse, "accelerometer", block)), len(coarse), "accelerometer"
            )


def test_the_end_of_an_accelerometer_is_found_wherever_it_is() -> None:
    for end in (2.0, 4.0):
        loud = rattle(3, hand_g=6.0) * np.float32(2.0)
        cut = np.clip(loud, -end, end * 2047 / 2048)  # whole numbers of a chip reach one further below
        for block in (32, 128, len(cut)):
            assert overdriven(these(counted(cut, "accelerometer", block)), len(cut), "accelerometer")


def shaken_hard(seed: int) -> npt.NDArray[np.float32]:
    """Of all three axes much lies beyond ±2 g."""
    return rattle(seed, hand_g=6.0)[:, [0, 0, 0]] * np.array([1.0, -0.9, 0.7], np.float32)


def test_faults_on_the_wire_hide_no_end() -> None:
    """One sample that is further off, or a few of an evening, or an axis stuck at its rail or dead."""
    cut = np.clip(shaken_hard(3), -2, 2)
    as_clean = counted(cut, "accelerometer", 128)
    for faults in (
        {5: 4.0},
        {5: 4.0, 900: -3.0, 905: 6.0},
        {at: 3.0 + at / 1000 for at in range(5, 2000, 250)},
    ):
        faulty = cut.copy()
        faulty[list(faults), 0] = list(faults.values())
        assert counted(faulty, "accelerometer", 128) > 0.8 * as_clean
    for stuck in (0.0, -16.0):
        faulty = np.column_stack([cut[:, :2], np.full(len(cut), stuck, np.float32)])
        assert overdriven(these(counted(faulty, "accelerometer", 128)), len(cut), "accelerometer")
        assert counted(faulty, "accelerometer", 128) == counted(faulty[:, :2], "accelerometer", 128)


@pytest.mark.parametrize("faults", [2, 6, 8])
def test_many_faults_of_a_gentle_evening_hide_no_end_later(faults: int) -> None:
    """Each further off than any, before anything reached the end."""
    gentle = rattle(5, hand_g=0.3) * np.float32(0.1)
    at = np.arange(faults) * 400 + 100
    for sign in (1, -1):
        gentle[at + 50 * sign] = (sign * (3.0 + 1.7 * np.arange(faults)))[:, None]
    cut = np.clip(np.concatenate([shaken_hard(seed) for seed in range(6, 9)]), -2, 2)
    evening = np.concatenate([gentle, cut]).astype(np.float32)
    assert counted(evening, "accelerometer", 128) > 0.8 * counted(cut, "accelerometer", 128)


def test_axes_that_a_maker_corrected_end_each_by_itself() -> None:
    gain, offset = np.array([1.03, 1.0, 0.97]), np.array([0.06, -0.04, 0.08])
    right = (np.clip(shaken_hard(4), -2, 2) * gain - offset).astype(np.float32)
    for axis in range(3):
        alone = right * (np.arange(3) == axis).astype(np.float32)
        assert overdriven(these(counted(alone, "accelerometer", 128)), len(right), "accelerometer")


def test_an_end_that_was_none_is_forgotten() -> None:
    """Four strokes that happened to end alike, and then harder ones."""
    strokes = np.repeat(np.tile(np.array([0.0, 3.0], np.float32), 4), 3)
    harder = np.repeat([[0.0, 3.1 + 0.1 * n] for n in range(9)], 2)
    stream = np.concatenate([strokes, harder, strokes, [0.0]]).astype(np.float32)[:, None]
    assert counted(stream[: len(strokes) + 1], "accelerometer", 7) == 8
    assert counted(stream, "accelerometer", 7) == 8


@given(st.integers(0, 50), st.lists(st.integers(1, 900), min_size=1, max_size=12))
def test_it_matters_not_how_a_stream_is_cut_into_blocks(seed: int, blocks: list[int]) -> None:
    samples = np.clip(np.round(rattle(seed, 1.0) * 50) / 50, -3, 3).astype(np.float32)
    ends = np.clip(np.concatenate([samples[:, :1], 2 * samples[:, :1]]) / 5, -0.5, 0.4)
    for sensor, of in (
        ("accelerometer", samples),
        ("microphone", samples[:, :1] / 2.5),
        ("microphone", ends),
        ("microphone", (sound(seed, 0.05) * 4).clip(-0.6, 0.6)),
        ("microphone", (sound(seed, 0.05) * 4).clip(-1.0, 1.4)),
    ):
        in_parts, at, cut_off = 0, 0, ClipCounter(sensor)  # type: ignore[arg-type]
        for block in [*blocks, len(of)]:
            in_parts += int(cut_off.push(of[at : at + block])[0])
            at += block
        assert in_parts == counted(of, sensor, len(of))  # type: ignore[arg-type]


@pytest.mark.parametrize("hiss", [0.0, 2e-4])
@pytest.mark.parametrize("dc", [0.0, 0.1, -0.3])
@pytest.mark.parametrize("end", [0.69, 0.5, 0.15])
def test_a_preamplifier_that_ends_below_full_scale_is_overdriven(end: float, dc: float, hiss: float) -> None:
    """So is a file that was turned down after it had been cut off."""
    full = np.clip(sound(1) * 8, -1, 1)
    as_loud = counted(full, "microphone", len(full))
    assert overdriven(these(as_loud), len(full), "microphone")
    noise = hiss * np.random.default_rng(7).normal(size=full.shape)
    lower = np.round((end * (full + noise) + dc) * 32768).astype(np.float32) / np.float32(32768)
    for block in (960, len(lower)):
        told = counted(lower, "microphone", block)
        assert overdriven(these(told), len(lower), "microphone")
        assert told <= 1.1 * as_loud


def test_a_side_alone_that_is_cut_off_is_enough() -> None:
    loud = np.clip(sound(2) * 4, -0.7, 0.3)
    assert overdriven(these(counted(loud, "microphone", 960)), len(loud), "microphone")


def test_what_is_loud_and_whole_is_not_overdriven() -> None:
    """Hits of any pitch, a hum and a whistle that come as far each time, a limiter, and a chip of eight bits."""
    t = np.arange(96000) / 48000
    tones = [0.8 * np.sin(2 * np.pi * hz * t)[:, None] for hz in (50.0, 440.0, 1999.7, 6000.0, 12000.0)]
    hits = [0.9 * sound(seed, hz=(300.0, 2000.0, 6000.0)[seed % 3]) for seed in range(9)]
    limited = [0.4 * np.tanh(x / 0.4) for x in hits]
    coarse = [np.round(x * 127) / 127 for x in hits]
    rumble = np.cumsum(np.random.default_rng(0).normal(size=(96000, 1)), axis=0)
    for whole in (*tones, *hits, *limited, *coarse, rumble / (1.2 * np.abs(rumble).max())):
        samples = whole.astype(np.float32)
        assert not overdriven(these(counted(samples, "microphone", 960)), len(samples), "microphone")


@pytest.mark.parametrize("phase", [0, 1 / 8, 1 / 6, 1 / 4, 1 / 3, 1 / 2])
@pytest.mark.parametrize("hz", [3000, 4000, 6000, 8000, 9600, 12000, 16000])
def test_a_tone_that_is_locked_to_the_samples_is_not_overdriven(hz: int, phase: float) -> None:
    """A whine of the bus, or what is played from the same card, has two samples as far at each top, or has not."""
    tone = 0.3 * np.sin(2 * np.pi * hz * np.arange(24000) / 48000 + phase * np.pi)[:, None]
    hiss = 1e-4 * np.random.default_rng(3).normal(size=tone.shape)
    for whole in (tone, tone + hiss, 3 * tone - 0.05):
        assert counted(whole.astype(np.float32), "microphone", 960) == 0


@pytest.mark.parametrize("hz", [1000, 3000, 4000, 6000])
def test_a_tone_that_is_locked_to_the_samples_and_cut_off_is_overdriven(hz: int) -> None:
    for phase in (0, 1 / 8, 1 / 4, 1 / 2):
        tone = np.sin(2 * np.pi * hz * np.arange(24000) / 48000 + phase * np.pi)[:, None]
        cut = np.clip(1.5 * tone, -0.5, 0.5).astype(np.float32)  # three samples of each top, or more
        assert overdriven(these(counted(cut, "microphone", 960)), len(cut), "microphone")


def test_hits_that_ring_too_high_for_long_tops_are_overdriven() -> None:
    for seed in range(3):
        loud = np.clip(4 * sound(seed, hz=13000), -0.6, 0.6)
        assert overdriven(these(counted(loud, "microphone", 960)), len(loud), "microphone")


def test_a_quiet_sound_beside_a_great_offset_is_not_overdriven() -> None:
    quiet = np.round((0.001 * sound(3) + 0.4) * 32768).astype(np.float32) / np.float32(32768)
    assert counted(quiet, "microphone", 960) == 0


@pytest.mark.parametrize("times", [1.5, 20.0])
def test_floats_that_go_beyond_full_scale_are_cut_off_only_where_they_stay(times: float) -> None:
    """Whoever turns a recording up afterwards, or writes pascals, cuts nothing off."""
    whole = times * sound(4)
    assert not overdriven(these(counted(whole, "microphone", 960)), len(whole), "microphone")
    cut = np.clip(4 * sound(4), -1, 1) * np.float32(times)
    for block in (960, len(cut)):
        assert overdriven(these(counted(cut, "microphone", block)), len(cut), "microphone")


def test_who_turned_the_gain_down_behind_the_converter_is_told_again() -> None:
    """And one pop beyond full scale makes no ear deaf to what is cut off."""
    cut = np.clip(8 * sound(1), -1, 1).astype(np.float32)
    for before, now in ((cut, 0.5 * cut), (1.3 * cut[:9], cut)):
        cut_off = ClipCounter("microphone")
        cut_off.push(before.astype(np.float32))
        cut_off.begin()
        assert overdriven([cut_off.push(now.astype(np.float32))], len(now), "microphone")


@pytest.mark.parametrize("channels", [1, 2, 4])
def test_what_is_written_on_several_channels_is_as_much_overdriven_as_on_one(channels: int) -> None:
    """And one capsule of two that is overdriven is enough."""
    for at_the_end, enough in ((7, False), (12, True)):  # of 48,000: below and above what costs nothing
        heard = np.random.default_rng(1).uniform(-0.2, 0.2, (48000, 1)).astype(np.float32)
        heard[::4000][:at_the_end] = 1.0
        alike = np.tile(heard, (1, channels))
        for block in (alike, np.concatenate([heard, 0.3 * alike[:, 1:]], axis=1)):
            assert overdriven([ClipCounter("microphone").push(block)], len(block), "microphone") is enough


def test_an_end_is_believed_once_sound_came_there_four_times_and_stayed() -> None:
    hit = [0.0, 0.0, 0.5, 0.5, 0.5, 0.0]
    told = [
        int(ClipCounter("microphone").push(np.array(hit * times, np.float32)[:, None])[0])
        for times in range(1, 6)
    ]
    assert told == [0, 0, 0, 12, 15]  # then all that stayed there count, those of the first three as well


def test_peaks_of_two_samples_are_those_of_a_tone_unless_it_comes_to_them_from_different_places() -> None:
    tone = np.array([0.0, 0.0, 0.5, 0.5] * 12, np.float32)[:, None]
    hits = np.array([0.0, 0.0, 0.5, 0.5, 0.0, 0.3, 0.5, 0.5] * 6, np.float32)[:, None]
    assert ClipCounter("microphone").push(tone) == 0
    assert ClipCounter("microphone").push(hits) == 24


def test_two_samples_that_are_cut_off_are_chance_however_short_a_sound_is() -> None:
    assert [overdriven([np.array([n])], 100, "microphone") for n in (0, 1, 2, 3)] == [
        False,
        False,
        False,
        True,
    ]
    assert not overdriven([], 0, "microphone")


@pytest.mark.parametrize("before", [0, 10, 50])
def test_what_came_before_a_shake_makes_it_no_longer(before: int) -> None:
    """As many clipped samples are many, whether it is the first thing heard or comes after a silence."""
    front, step, long = front_end_for("microphone", 48000), 40, 125
    bound = int(np.ceil(SHARE["microphone"] * long * 960))
    for clipped in (bound - 1, bound):
        last = LastFrames(front)
        for n in range(before + long):
            frames = Frames(np.zeros((step, len(front.bands)), np.float32), np.zeros((0, 3), np.float32))
            last.append(frames, 960, np.array([clipped if n == before + 7 else 0]))
        assert last.clipped(before * step, last.seen) == (clipped == bound)
