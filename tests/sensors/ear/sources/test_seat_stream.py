"""A counting seat's burst does not end: its stream is what its ring felt, and where some is missing is known."""

from __future__ import annotations

import numpy as np
import pytest

from firmware_bridge.packets import Burst
from firmware_bridge.polar import PolarDecoder
from hw_mock.igloo.seat_node import PER_FRAME, SeatNode
from sensors.ear.sources.bursts import LEAD_S, BurstStream

RATE = 833.0


class Told:
    """A node whose packets come to a stream as they are said."""

    def __init__(self) -> None:
        self.node, self.decoder = SeatNode(RATE), PolarDecoder()
        self.stream = BurstStream(RATE, 0.0)

    def feel(self, felt: np.ndarray, hears: bool = True) -> None:
        for sample in felt:
            for packet in self.decoder.feed(self.node.feel(sample[None])):
                now = self.node.now_s
                if isinstance(packet, Burst):
                    if hears:
                        self.stream.add(packet, now, now)
                elif hears:
                    self.stream.note(packet.stamp)
            self.stream.still(self.node.now_s)


def felt(count: int) -> np.ndarray:
    return (np.array([0.0, 0.0, 1.0]) + np.random.default_rng(3).normal(size=(count, 3)) * 0.02).astype(
        np.float32
    )


def test_what_was_felt_is_there_whole_for_as_long_as_its_numbers_last_and_beyond() -> None:
    """The index of a frame goes round after 65,536 samples."""
    told, ring = Told(), felt(68_000)
    told.feel(ring)
    came = told.stream.take()
    lead = round(LEAD_S * RATE)
    assert np.allclose(came[lead:], ring[: len(came) - lead], atol=1e-3)
    assert len(ring) - (len(came) - lead) < PER_FRAME
    assert (told.stream.holes(), told.stream.overflows) == ([], 0)


@pytest.mark.parametrize("lost", ["on the way", "in the chip"])
def test_where_samples_are_missing_is_known(lost: str) -> None:
    told, ring = Told(), felt(3000)
    hole, size = 20 * PER_FRAME, 3 * PER_FRAME
    told.feel(ring[:hole])
    if lost == "on the way":
        told.feel(ring[hole : hole + size], hears=False)
    else:
        told.node.overrun(ring[hole : hole + size])
    told.feel(ring[hole + size :])
    came = told.stream.take()
    ((first, last),) = told.stream.holes()
    assert last - first == pytest.approx(size, abs=2)
    assert np.allclose(came[first - 30 : first], ring[hole - 30 : hole], atol=1e-3)
    assert np.allclose(came[last : last + 30], ring[hole + size : hole + size + 30], atol=1e-3)
    assert told.stream.overflows == (3 if lost == "on the way" else 0)
