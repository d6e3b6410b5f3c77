"""Where an accelerometer's axis ends, told from strokes by hand: which peaks are one size, and which pile up."""

from __future__ import annotations

import pickle
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pytest

from sensors.ear.frames.axis_ends import AxisEnds


def strokes(tops: Iterable[float], stay: int = 3) -> npt.NDArray[np.float32]:
    """Up from rest to each top in turn, where it stays for so many samples, and back."""
    each = [np.concatenate([[0.0, 1.0], np.full(stay, top), [1.0]]) for top in tops]
    return np.concatenate(each).astype(np.float32)[:, None]


def cut_off(samples: npt.NDArray[np.float32]) -> int:
    return AxisEnds().push(samples)


@pytest.mark.parametrize("sign", [1, -1])
def test_tops_at_one_value_are_an_end_on_either_side_but_for_their_first_samples(sign: int) -> None:
    for stay in (2, 3, 9):
        assert cut_off(sign * strokes([2.0] * 8, stay)) == 8 * (stay - 1)


def test_an_end_that_rounding_moves_is_one() -> None:
    """An axis that a maker corrected in floats ends at 2 g, or a hair from it."""
    assert cut_off(strokes([2.0, 1.9995] * 8)) == 2 * 16


def test_strokes_that_end_some_thousandths_apart_are_no_end() -> None:
    """No two strokes end alike, though on a coarse chip each has a flat top."""
    assert cut_off(strokes(3.0 - 0.006 * np.array([3, 0, 2, 1, 5, 4, 6, 8, 7]))) == 0


def test_an_igloo_that_lies_still_is_not_cut_off() -> None:
    """Gravity's one g stays where it is for hours, or comes and goes by a coarse chip's step."""
    lying = np.tile(np.float32([1.0, 1.0, 1.0, 1.03, 1.03]), 400)[:, None]
    assert cut_off(lying) == 0


def test_the_furthest_of_a_coarse_chips_tops_is_no_end_where_as_many_come_nearly_as_far() -> None:
    random = np.random.default_rng(1)
    nearer = [*random.choice([2.5, 2.75, 3.0, 3.25, 3.5], 60), *[3.75] * 4]
    coarse = random.permutation([*nearer, *[4.0] * 5])
    assert cut_off(strokes(coarse)) == 0
    # where it is cut off most strokes end there, and a few before
    ends = random.permutation([1.9] * 3 + [2.0] * 12)
    assert cut_off(strokes(ends)) == 2 * 12


def test_where_some_went_further_it_takes_as_many_more_to_be_an_end() -> None:
    """Four strokes beyond 2 g tell that the axis goes on there: it would take twenty that end at it."""
    further = strokes([3.4, 3.3, 3.2, 3.1])
    assert cut_off(np.concatenate([further, strokes([2.0] * 12)])) == 0
    assert cut_off(np.concatenate([further, strokes([2.0] * 24)])) == 2 * 24


def blows(end: float = 99.0, seconds: float = 3.0, seed: int = 0) -> npt.NDArray[np.float32]:
    """Of a shell that rings nearly as high as it is asked 3,200 times a second, so that each top is one sample: three
    axes that feel unlike much of it, beside a hand, cut off at `end`."""
    random = np.random.default_rng(seed)
    n = round(3200 * seconds)
    out = (
        0.3 * np.sin(np.arange(n) / 130)[:, None] + np.array([0.0, 0.0, 1.0]) + random.normal(0, 0.01, (n, 3))
    )
    ring = np.exp(-np.arange(40) / 8) * np.cos(2.6 * np.arange(40))
    for at in random.integers(0, n - 40, round(40 * seconds)):
        out[at : at + 40] += ring[:, None] * random.exponential(2.0) * random.normal(0, 1.0, 3)
    return np.clip(out, -end, end).astype(np.float32)


def on_a_chip(samples: npt.NDArray[np.float32], bits: int) -> npt.NDArray[np.float32]:
    step = np.float32(32 / 2**bits)
    return np.round(samples / step) * step


@pytest.mark.parametrize("bits", [10, 12, 13, 16])
@pytest.mark.parametrize("end", [2.0, 4.0])
def test_pointed_tops_that_pile_up_are_cut_off(end: float, bits: int) -> None:
    """All of them, and nearly nothing else: a flat top has more than one sample there."""
    samples = on_a_chip(blows(end), bits)
    at_the_end = int((np.abs(samples) == end).sum())
    assert at_the_end > 60
    assert 0.8 * at_the_end < cut_off(samples) <= at_the_end


@pytest.mark.parametrize("bits", [10, 12, 13, 16])
def test_pointed_tops_that_end_where_they_like_are_none_that_a_range_cut(bits: int) -> None:
    """For minutes, and however little came before."""
    for seed in range(3):
        assert cut_off(on_a_chip(blows(seconds=60, seed=seed), bits)) == 0
    for seed in range(3, 20):
        assert cut_off(on_a_chip(blows(seconds=1, seed=seed), bits)) == 0


def test_a_pile_nearer_than_any_range_is_none() -> None:
    """Nor is one further off than any: who writes no g has other troubles."""
    assert cut_off(blows(1.6)) == 0
    assert cut_off(500 * blows()) == 0


def test_a_few_pointed_tops_are_no_pile() -> None:
    """Whatever is hit but now and then comes to its furthest once, or a few times, and nobody knows it for an end."""
    still = on_a_chip(blows(1.0), 12)
    for hits, told in ((1, 0), (5, 0), (6, 6)):
        hit = still.copy()
        hit[100 : 100 + 50 * hits : 50, 0] = 4.0
        assert cut_off(hit) == told


def test_an_axis_that_lies_on_one_value_has_no_pile() -> None:
    """Gravity along one axis, a step to and fro, on a chip that came to the table a little off."""
    for bits in (10, 12, 16):
        lying = np.tile(np.float32([1.0, 1.0 + 32 / 2**bits, 1.0, 1.0]), 3000)[:, None]
        assert cut_off(1.05 * lying) == 0


def test_a_chip_of_steps_that_swallow_differences_has_no_pile() -> None:
    """What lies between two steps of eight bits ends at one of them."""
    random = np.random.default_rng(2)
    gentle = strokes(random.uniform(1.97, 2.03, 12), 1)
    fidget = np.tile(np.float32([0.0, 0.13]), 10)[:, None]  # so that its steps are known
    assert cut_off(on_a_chip(np.concatenate([fidget, gentle]), 8)) == 0


def test_a_pile_that_lies_between_two_sizes_is_one() -> None:
    """Its peaks differ by less than their sizes are told apart, and half of them are taken for the next size."""
    fidget = np.tile(np.float32([0.0, 0.01]), 10)[:, None]
    for end in np.linspace(2.0, 2.004, 9):  # wherever the sizes part
        tops = strokes([end, end * 1.0009] * 3, 1)
        assert cut_off(np.concatenate([fidget, tops])) == 6


def test_a_pile_that_some_go_beyond_is_the_end_only_where_it_is_much_higher() -> None:
    """A fault on the wire hides no end; a shell that rings on beyond has none."""
    cut = blows(4.0, 10.0)
    faulty = cut.copy()
    faulty[[50, 3000], 0] = 9.0, 15.9
    assert cut_off(faulty) > 0.9 * cut_off(cut)
    assert cut_off(np.concatenate([blows(30.0), blows(2.0, 0.5)])) == 0


def test_it_matters_not_how_pointed_tops_are_cut_into_blocks() -> None:
    samples = on_a_chip(blows(4.0, 1.0), 12)
    for block in (1, 7, 32, 999):
        ends = AxisEnds()
        parts = [ends.push(samples[at : at + block]) for at in range(0, len(samples), block)]
        assert sum(parts) == cut_off(samples) > 0


def test_an_evening_of_hits_takes_no_more_memory_than_one() -> None:
    ends, sizes = AxisEnds(), []
    for seed in range(6):
        ends.push(blows(seconds=10, seed=seed))
        sizes.append(len(pickle.dumps(ends)))
    assert max(sizes) - min(sizes) < 3000
