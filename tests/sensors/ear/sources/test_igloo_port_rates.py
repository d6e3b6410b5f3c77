"""A chip whose rate is not what it was: warmth moves it, who wakes has not measured it yet, and it may be set."""

from __future__ import annotations

import numpy as np
import pytest

from hw_mock.igloo.node import IglooNode
from sensors.ear.errors import CaptureLost
from sensors.ear.sources.igloo_capture import IglooCapture
from tests.dongle import PIECE, Dongle, Felt


def woken(rate: float) -> IglooNode:
    return IglooNode(17, rate)


def awake(rate: float) -> IglooNode:
    """One that has been on for long enough to have measured its rate."""
    node = IglooNode(17, rate)
    node.feel(np.tile(np.float32([0, 0, 1]), (round(3 * rate), 1)))
    return node


def given(capture: IglooCapture, seconds: float) -> np.ndarray:
    blocks: list[np.ndarray] = []
    for block in capture.blocks():
        blocks.append(block)
        if sum(map(len, blocks)) > seconds * capture.rate:
            break
    return np.concatenate(blocks)


def is_whole(came: np.ndarray, felt: Felt) -> bool:
    """Is the middle of the shake there, sample after sample?"""
    middle = felt.samples[round(1.4 * felt.rate) : round(3.0 * felt.rate)]
    starts = (
        i for i in range(len(came) - len(middle)) if np.allclose(came[i : i + 50], middle[:50], atol=3e-4)
    )
    return any(np.allclose(came[i : i + len(middle)], middle, atol=3e-4) for i in starts)


def test_a_shake_at_another_rate_is_given_whole_before_it_is_begun_anew(port: Dongle, felt: Felt) -> None:
    port.write(awake(felt.rate).feel(felt.samples[:PIECE]))
    blocks: list[np.ndarray] = []
    with IglooCapture(port.name) as capture:
        port.shake(felt, awake(1.05 * felt.rate))
        with pytest.raises(CaptureLost, match=f"measures at {int(1.05 * felt.rate)}.* Hz now"):
            blocks.extend(capture.blocks())
    assert is_whole(np.concatenate(blocks), felt)
    port.write(awake(1.05 * felt.rate).feel(felt.samples[:PIECE]))
    with IglooCapture(port.name) as capture:
        assert capture.rate == pytest.approx(1.05 * felt.rate, rel=1e-3)


def test_who_wakes_and_has_not_measured_yet_is_heard_at_the_rate_that_was_known(
    port: Dongle, felt: Felt
) -> None:
    port.write(awake(felt.rate).feel(felt.samples[:PIECE]))
    with IglooCapture(port.name) as capture:
        port.shake(felt, woken(1.05 * felt.rate))  # the first two seconds
        assert is_whole(given(capture, 4.6), felt)
        assert capture.rate == felt.rate


def test_a_rate_that_was_set_is_begun_with_anew_at_once(port: Dongle, felt: Felt) -> None:
    port.write(awake(felt.rate).feel(felt.samples[:PIECE]))
    blocks: list[np.ndarray] = []
    with IglooCapture(port.name) as capture:
        port.shake(felt, woken(2 * felt.rate))
        with pytest.raises(CaptureLost, match="Hz"):
            blocks.extend(capture.blocks())
    assert not is_whole(np.concatenate([felt.samples[:0], *blocks]), felt)
