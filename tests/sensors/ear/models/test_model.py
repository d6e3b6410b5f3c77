"""From a predicted ln N to probabilities, how opinions are joined, and how wide the noise of a fit is said to be."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.models.fitting import fit_model
from sensors.ear.models.labels import Labels
from sensors.ear.models.model import blended, joined, likelihood, posterior, shares_of

COUNTS = tuple(range(2, 14))


def told(m: float, offset: float = 0.2, slope: float = 0.7, sigma: float = 0.1) -> dict[int, float]:
    p = posterior(likelihood(np.array([m]), COUNTS, offset, slope, sigma))[0]
    return dict(zip(COUNTS, p.tolist(), strict=True))


@pytest.mark.parametrize("beads", [2, 5, 13])
def test_the_likeliest_count_is_that_under_which_the_prediction_was_to_be_expected(beads: int) -> None:
    """A regression shrinks towards the middle: 13 beads are predicted as fewer, and are told as 13."""
    p = told(0.2 + 0.7 * np.log(beads))
    assert max(p, key=lambda n: p[n]) == beads
    assert sum(p.values()) == pytest.approx(1.0)


def test_no_prediction_excludes_a_count() -> None:
    """One shake in fifty may be something else altogether."""
    p = told(0.2 + 0.7 * np.log(2), sigma=0.02)
    assert 0.001 < min(p.values()) < 0.01


def test_a_prediction_beyond_all_counts_says_no_more_than_the_last_of_them() -> None:
    assert told(99.0) == told(9.0)
    assert told(-99.0) == told(-9.0)
    assert [max(p, key=lambda n: p[n]) for p in (told(99.0), told(-99.0))] == [13, 2]
    assert told(-9.0)[2] > 0.5 < told(9.0)[13]
    assert told(99.0, sigma=1.0)[12] > 0.01  # a wide noise stays wide


def test_a_blend_is_the_weighted_mean_of_both_and_never_excludes_a_count() -> None:
    one, other = np.log(np.array([[0.7, 0.2, 0.1]])), np.log(np.array([[0.1, 0.2, 0.7]]))
    np.testing.assert_allclose(posterior(blended(one, other, 0.0)), np.exp(one), rtol=1e-9)
    np.testing.assert_allclose(posterior(blended(one, other, 1.0)), np.exp(other), atol=0.02)
    assert posterior(blended(one, other, 0.8))[0].argmax() == 2
    certain = posterior(blended(one, np.array([[0.0, -800.0, -800.0]]), 1.0))[0]
    assert 0.001 < certain.min() < 0.01


def test_heads_that_hear_through_one_front_end_are_no_surer_than_one_and_those_of_two_are_somewhat() -> None:
    heard = np.log(np.array([[0.6, 0.4]]))
    np.testing.assert_allclose(joined([heard, heard], ["a", "a"]), np.exp(heard), rtol=1e-9)
    both = joined([heard, heard], ["a", "b"])[0, 0]
    assert 0.6 < both < 0.36 / (0.36 + 0.16)
    alone, twice, again = shares_of(["a", "b", "b"])
    assert (alone, twice + again) == pytest.approx(tuple(shares_of(["a", "b"])))


@pytest.mark.parametrize("folds", [2, 4, 12])
def test_the_fewer_folds_show_the_noise_the_wider_it_is_taken_to_be(folds: int) -> None:
    """An error that is known from two folds may be far larger in a third."""
    random = np.random.default_rng(3)
    beads = np.tile(COUNTS, 6).astype(np.intp)
    values = np.log(beads)[:, None] + random.normal(0, 0.3, (len(beads), 3))
    sessions = np.zeros(len(beads), np.intp)
    labels = Labels(beads, sessions, np.arange(len(beads), dtype=np.intp) % folds)
    fitted = fit_model(("loc.a", "loc.b", "ons.c"), values, labels, COUNTS)
    model = fitted.model
    missed = fitted.left_out - (model.offset + model.slope * np.log(beads))
    assert model.sigma**2 / float(np.square(missed).mean()) == pytest.approx(1 + 1 / folds, rel=0.02)
