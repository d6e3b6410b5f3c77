"""Envelopes: the same whatever the blocks, whatever the rate, and blind to gravity."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import butter, sosfilt

from sensors.ear.errors import SoundError
from sensors.ear.frames.frontend import (
    FRONT_ENDS,
    HAND_RATE,
    Envelopes,
    FrontEnd,
    Sensor,
    front_end_for,
    join_frames,
)
from sensors.ear.frames.mixing import Mixer
from tests.rattle import RATE, rattle, shaken_sensor


@given(cuts=st.lists(st.integers(1, 9000), min_size=1, max_size=12))
@settings(max_examples=15)
def test_envelopes_do_not_depend_on_how_the_stream_is_cut(cuts: list[int]) -> None:
    sound = rattle(5, 1, seconds=0.8)[:, None]
    front = front_end_for("microphone", RATE)
    whole = Envelopes(front, RATE, 1).push(sound)
    running = Envelopes(front, RATE, 1)
    parts, at = [], 0
    for length in [*cuts, len(sound)]:
        parts.append(running.push(sound[at : at + length]))
        at += length
    joined = join_frames(front, parts)
    assert joined.energy.shape == whole.energy.shape
    np.testing.assert_allclose(joined.energy, whole.energy, rtol=2e-3, atol=1e-12)


@pytest.mark.parametrize("second", [-1.0, 0.0, 1.0])
def test_two_channels_tell_what_one_does_also_where_they_undo_each_other(second: float) -> None:
    """A balanced microphone on a stereo socket: the second channel is the first upside down, or has nothing."""
    sound = rattle(5, 1, seconds=0.8)[:, None]
    front = front_end_for("microphone", RATE)
    one = Envelopes(front, RATE, 1).push(sound).energy
    two = Envelopes(front, RATE, 2).push(np.hstack([sound, second * sound])).energy
    gain = {-1.0: 1.0, 0.0: 0.25, 1.0: 1.0}[second]
    np.testing.assert_allclose(two, gain * one, rtol=1e-3, atol=1e-12)


@given(cuts=st.lists(st.integers(1, 9000), min_size=1, max_size=12))
@settings(max_examples=15, deadline=None)
def test_channels_that_undo_each_other_are_told_however_the_stream_is_cut(cuts: list[int]) -> None:
    """Also where nearly as much is left as where they do not: it is not decided anew for each block."""
    sound = rattle(5, 1, seconds=0.8)[:, None]
    rest = np.where(np.arange(len(sound)) // 2000 % 2, -0.83, -0.79)[:, None].astype(np.float32)
    front = front_end_for("microphone", RATE)
    for second in (-sound, rest * sound):
        both = np.hstack([sound, second])
        whole = Envelopes(front, RATE, 2).push(both)
        running = Envelopes(front, RATE, 2)
        edges = np.minimum(np.cumsum(cuts), len(both))
        joined = join_frames(front, [running.push(part) for part in np.split(both, edges)])
        np.testing.assert_allclose(joined.energy, whole.energy, rtol=2e-3, atol=1e-12)


def test_where_channels_no_longer_undo_each_other_both_are_heard_again() -> None:
    """Another microphone was plugged in: what the first channel alone gave is no reason to leave the second out."""
    sound = rattle(5, 1, seconds=0.8)
    mixer = Mixer()
    undone = mixer.push(np.column_stack([0.1 * sound, -0.1 * sound]))
    assert np.abs(undone).max() > 0.09 * np.abs(sound).max()
    heard = mixer.push(np.column_stack([np.zeros_like(sound), sound]))
    assert np.abs(heard).max() == pytest.approx(np.abs(sound).max() / 2, rel=1e-6)


def test_once_a_shake_was_heard_the_channels_are_mixed_alike_for_good() -> None:
    """Noise of each channel's own, and hum that both have, are left in the mean; the shake is not."""
    sound = rattle(5, 1, seconds=0.8)
    t = np.arange(20 * RATE) / RATE
    quiet = 1e-4 * np.random.default_rng(0).standard_normal((len(t), 2)) + 3e-3 * np.sin(314 * t)[:, None]
    mixer = Mixer()
    quiet = quiet.astype(np.float32)
    np.testing.assert_array_equal(mixer.push(quiet)[100:], quiet.mean(axis=1)[100:])
    heard = mixer.push(np.column_stack([sound, -sound]))
    assert np.abs(heard).max() > 0.9 * np.abs(sound).max()
    np.testing.assert_array_equal(mixer.push(quiet), quiet[:, 0])


def test_a_frame_lasts_the_same_at_every_rate() -> None:
    front = front_end_for("microphone", 48000)
    for rate in (44100.0, 48000.0, 47130.0, 96000.0):
        frames = Envelopes(front, rate, 1).push(np.zeros((round(3 * rate), 1), np.float32))
        assert abs(len(frames.energy) - 3 * front.frame_rate) <= 1


def test_a_tone_of_one_is_half_in_its_band_and_nothing_elsewhere() -> None:
    front = front_end_for("microphone", 48000)
    t = np.arange(48000) / 48000
    frames = Envelopes(front, 48000, 1).push(np.sin(2 * np.pi * 7000 * t).astype(np.float32)[:, None])
    mean = frames.energy[500:].mean(axis=0)
    assert mean[3] == pytest.approx(0.5, rel=0.05)  # 5.5–9 kHz
    assert mean[0] < 1e-3 * mean[3]  # 0.3–1.2 kHz


def test_stereo_is_mixed_to_one() -> None:
    sound = rattle(4, 2, seconds=0.5)
    front = front_end_for("microphone", RATE)
    mono = Envelopes(front, RATE, 1).push(sound[:, None])
    stereo = Envelopes(front, RATE, 2).push(np.column_stack([sound, sound]))
    np.testing.assert_allclose(mono.energy, stereo.energy, rtol=1e-5)


def test_an_accelerometer_at_rest_feels_no_hand_however_it_lies() -> None:
    front = front_end_for("accelerometer", 1600)
    resting = np.tile(np.array([0.3, -0.5, 0.81], np.float32), (1600, 1))
    frames = Envelopes(front, 1600, 3).push(resting)
    assert np.abs(frames.hand).max() < 1e-6
    assert frames.energy.max() < 1e-4  # nor does it click when it is felt first


@pytest.mark.parametrize(
    ("sensor", "rate", "channels"), [("microphone", 48000, 1), ("accelerometer", 3200, 3)]
)
def test_true_silence_leaves_nothing_in_the_filters(sensor: Sensor, rate: int, channels: int) -> None:
    """Numbers too small to be heard make processors slow."""
    ear = Envelopes(front_end_for(sensor, rate), rate, channels)
    sound = 0.1 * np.random.default_rng(0).standard_normal((rate, channels)).astype(np.float32)
    sound[0] = 0  # an accelerometer rests where it was first
    ear.push(sound)
    for _ in range(100):
        ear.push(np.zeros((rate // 10, channels), np.float32))
    assert not any(state.any() for state in ear._states)


def test_the_hand_is_felt_and_its_beads_apart() -> None:
    front = front_end_for("accelerometer", 1600)
    frames = Envelopes(front, 1600, 3).push(shaken_sensor(6, 1))
    assert frames.hand.shape[1] == 3
    assert 0.4 < np.sqrt(np.square(frames.hand[60:180]).sum(axis=1).mean()) < 1.5


@pytest.mark.parametrize(("sensor", "rate"), [("microphone", 8000.0), ("accelerometer", 400.0)])
def test_a_source_that_is_too_slow_is_refused_in_one_sentence(sensor: str, rate: float) -> None:
    with pytest.raises(SoundError, match="too slow to hear beads – record at"):
        front_end_for(sensor, rate)  # type: ignore[arg-type]


def test_an_endless_rate_is_none() -> None:
    front = front_end_for("microphone", np.inf)
    with pytest.raises(SoundError, match="inf Hz is no rate"):
        Envelopes(front, np.inf, 1)


def test_an_accelerometer_with_two_axes_is_refused() -> None:
    with pytest.raises(SoundError, match="three channels, this one has 2"):
        Envelopes(front_end_for("accelerometer", 1600), 1600, 2)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 400), min_size=4, max_size=30), st.floats(0.97, 1.03), st.integers(0, 40))
def test_the_hand_stands_beside_its_hits_wherever_a_stretch_begins(
    blocks: list[int], off: float, first: int
) -> None:
    """Its frames are ten milliseconds long: what begins between two of them must not stand beside others' hits."""
    rate = 1600 * off
    front = front_end_for("accelerometer", rate)
    sound = shaken_sensor(4, 2, 3.0)[: sum(blocks)].astype(np.float32)
    whole = Envelopes(front, rate, 3).push(sound)
    stream = Envelopes(front, rate, 3)
    parts = [stream.push(part) for part in np.split(sound, np.cumsum(blocks)[:-1])]
    gone = sum(len(part.energy) for part in parts[:2])
    stretch = join_frames(front, parts[2:]).cut(front, first, 10_000)
    hand, ahead = stretch.hand, stretch.ahead
    at = (gone + first) * HAND_RATE / front.frame_rate  # where the stretch begins, in the hand's frames
    begin = round(at - ahead)
    assert begin + ahead == pytest.approx(at, abs=1e-6)
    np.testing.assert_allclose(hand, whole.hand[begin : begin + len(hand)], atol=1e-5)


@pytest.mark.parametrize(
    ("front", "rate"), [(f, r) for f in FRONT_ENDS for r in (f.least_rate, 48e3, 192e3) if r >= f.least_rate]
)
def test_bands_lose_nothing_for_want_of_sections(front: FrontEnd, rate: float) -> None:
    """The lowest bands of the fastest sources are where a filter of fourth order would."""
    channels = 3 if front.hand else 1
    x = np.random.default_rng(1).standard_normal((round(rate), channels)).astype(np.float32)
    energy = Envelopes(front, rate, channels).push(x).energy.mean(axis=0)
    heard = x - x[:1]
    for (low, high), told in zip(front.bands, energy, strict=True):
        sections = butter(2, [low, min(high, 0.47 * rate)], "bandpass", fs=rate, output="sos")
        exact = np.square(sosfilt(sections, heard.astype(np.float64), axis=0)).sum(axis=1).mean()
        assert told == pytest.approx(exact, rel=1e-3)
