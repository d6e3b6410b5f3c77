"""The mock capture stream: blocks as a sound card gives them, never before their time, and with its faults."""

import asyncio

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from hw_mock.sound import Faults, MockCapture, MockUnplugged


def _ramp(seconds: float) -> np.ndarray:
    return np.linspace(0, 1, round(seconds * 48000), dtype=np.float32)


def _capture(clock: VirtualClock, sound, **wishes) -> MockCapture:
    return MockCapture(sound, clock, wait=lambda s: clock.set(clock.now() + s), **wishes)


def test_what_goes_in_comes_out_in_blocks_of_20_ms():
    clock = VirtualClock()
    with _capture(clock, [_ramp(0.05), _ramp(0.05)]) as capture:
        blocks = list(capture.blocks())
    assert [b.shape for b in blocks] == [(960, 1)] * 5
    assert blocks[0].dtype == np.float32
    assert np.array_equal(np.concatenate(blocks)[:2400, 0], _ramp(0.05))


def test_a_block_never_comes_before_its_last_sample_has_happened():
    clock = VirtualClock(7.0)
    for k, _ in enumerate(_capture(clock, [_ramp(0.5)]).blocks()):
        assert clock.now() == pytest.approx(7.0 + 0.02 * (k + 1), abs=1e-6)


@pytest.mark.parametrize("rate", [833.0, 1666.0, 3332.0, 11025.0, 44100.0, 48000.0])
def test_a_minute_takes_a_minute_at_every_rate(rate: float):
    clock, samples = VirtualClock(), 0
    for block in _capture(clock, [np.zeros(round(60 * rate), np.float32)], rate=rate).blocks():
        samples += len(block)
        assert clock.now() == pytest.approx(samples / rate, abs=1e-6)
    assert 60 * rate <= samples < 60 * rate + len(block)


def test_a_sound_stays_as_it_was_whatever_is_done_to_its_blocks():
    sound, clock = _ramp(0.1), VirtualClock()
    for block in _capture(clock, [sound[:, None]]).blocks():
        block *= 0.5
    assert np.array_equal(sound, _ramp(0.1))


def test_who_asks_late_finds_the_blocks_waiting_and_loses_the_oldest_after_four_seconds():
    clock = VirtualClock()
    capture = _capture(clock, [_ramp(6.0)])
    stream = capture.blocks()
    next(stream)
    clock.set(3.0)
    next(stream)
    assert capture.overflows == 0
    clock.set(5.5)
    block = next(stream)
    assert capture.overflows > 0
    assert block[0, 0] == pytest.approx((5.5 - 4.0) / 6.0, abs=0.01)


def test_two_channels_an_endless_stream_and_mono_spread_over_both():
    clock = VirtualClock()
    stream = _capture(clock, [_ramp(0.02)], channels=2, endless=True).blocks()
    first, second = next(stream), next(stream)
    assert first.shape == (960, 2)
    assert np.array_equal(first[:, 0], first[:, 1])
    assert not second.any()
    with pytest.raises(ValueError, match="a piece of 3 channels in a stream of 2"):
        next(_capture(clock, [np.zeros((960, 3), np.float32)], channels=2).blocks())


def test_faults_lost_blocks_a_dead_cable_and_the_plug_pulled():
    clock = VirtualClock()
    faults = Faults(lost=((0.04, 0.08),), silent=((0.1, 0.14),), unplugged_at=0.2)
    capture = _capture(clock, [_ramp(1.0)], faults=faults)
    heard = []
    with pytest.raises(MockUnplugged, match="mock was unplugged"):
        heard.extend(capture.blocks())
    assert len(heard) == 8
    assert capture.overflows == 2
    assert sum(not b.any() for b in heard) == 2
    capture.close()
    capture.close()


async def test_a_task_sleeps_on_the_clock_between_blocks():
    clock = VirtualClock()
    got = []

    async def listen() -> None:
        async for block in MockCapture([_ramp(0.1)], clock).stream():
            got.append(clock.now())
            assert block.shape == (960, 1)

    task = asyncio.create_task(listen())
    await clock.advance(0.05)
    assert len(got) == 2
    await clock.advance(0.1)
    await task
    assert len(got) == 5


def test_without_a_way_to_wait_blocks_say_so():
    with pytest.raises(ValueError, match="a way to wait"):
        next(MockCapture([_ramp(0.1)], VirtualClock()).blocks())
