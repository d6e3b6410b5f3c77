"""Frames whose edges fall between samples: each is the mean of what it covers, however the stream is cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.frames.frame_means import FrameMeans


def covered(values: np.ndarray, hop: float) -> np.ndarray:
    """The same by the antiderivative of the steps that samples make: float64[frames, rows]."""
    edges = np.arange(int(values.shape[1] / hop + 1e-9) + 1) * hop
    at = np.arange(values.shape[1] + 1)
    return np.array([np.diff(np.interp(edges, at, np.append(0.0, np.cumsum(row)))) for row in values]).T / hop


@given(
    hop=st.one_of(st.sampled_from([1.0, 2.0, 4.0, 48000 / 2205, 1666 / 1600]), st.floats(1.0, 40.0)),
    cuts=st.lists(st.integers(0, 90), min_size=1, max_size=8),
    seed=st.integers(0, 2**32 - 1),
)
def test_each_frame_is_the_mean_of_what_it_covers(hop: float, cuts: list[int], seed: int) -> None:
    values = np.random.default_rng(seed).standard_normal((3, sum(cuts)))
    means, at, got = FrameMeans(hop, 3), 0, []
    for n in cuts:
        rows = means.rows_for(n)
        rows[:, 1:-1] = values[:, at : at + n]
        got.append(means.push(rows))
        at += n
    made = np.concatenate(got)
    wanted = covered(values, hop)
    assert made.shape == wanted.shape
    assert means.made == len(made)
    assert made == pytest.approx(wanted, abs=1e-5)
