"""Ridges with whole folds left out, against solving each of them anew; and what a session weighs."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.ridge import FULL_SESSION, SQUASH, Grams, Scaling, by_group, centred, session_weights

PENALTIES = (0.01, 1.0)


def slowly(z: Floats, y: Floats, weights: Floats, penalty: float) -> Floats:
    """Intercept and slopes that minimise Σ w (y − a − b·z)² / Σ w + penalty · unit · b², by a general solver."""
    share = weights / weights.sum()
    mean, middle = share @ z, share @ y
    unit = float((share @ np.square(z - mean)).mean())
    rows = np.sqrt(share)[:, None] * (z - mean)
    pull = np.sqrt(penalty * unit) * np.eye(z.shape[1])
    aim = np.concatenate([np.sqrt(share) * (y - middle), np.zeros(z.shape[1])])
    slopes = np.linalg.lstsq(np.vstack([rows, pull]), aim, rcond=None)[0]
    return np.array([middle - slopes @ mean, *slopes])


@pytest.mark.parametrize("features", [3, 40])  # 40: more than takes
def test_it_is_solved_as_by_a_general_solver_with_each_fold_left_out(features: int) -> None:
    random = np.random.default_rng(features)
    z, weights = random.normal(size=(24, features)), random.uniform(0.5, 2.0, 24)
    y = z[:, 0] + 0.3 * random.normal(size=24)
    folds = np.arange(24, dtype=np.intp) % 3
    grams = Grams(z, y, weights, folds)
    for penalty, told in zip(PENALTIES, grams.solve(None, PENALTIES), strict=True):
        np.testing.assert_allclose(told, slowly(z, y, weights, penalty), atol=1e-8)
    left_out = grams.left_out(PENALTIES)
    for fold in range(3):
        out = folds == fold
        for row, penalty in enumerate(PENALTIES):
            alone = slowly(z[~out], y[~out], weights[~out], penalty)
            np.testing.assert_allclose(left_out[row, out], alone[0] + z[out] @ alone[1:], atol=1e-8)


def test_a_session_weighs_by_its_different_counts_and_its_takes_alike() -> None:
    """A single count cannot be told from its sitting, however often it was taken."""
    sessions = np.repeat(np.arange(3, dtype=np.intp), (FULL_SESSION, 4, 2 * FULL_SESSION))
    counts = np.concatenate([np.arange(FULL_SESSION), np.full(4, 7), np.repeat(np.arange(FULL_SESSION), 2)])
    weights = session_weights(sessions, counts.astype(np.intp))
    of = np.bincount(sessions, weights)
    assert weights.sum() == pytest.approx(1.0)
    assert of[1] == pytest.approx(of[0] / FULL_SESSION)
    assert of[2] == pytest.approx(of[0])  # a sweep made twice is one sitting
    assert all(len(set(np.round(weights[sessions == session], 12))) == 1 for session in range(3))


def test_one_take_that_is_far_off_moves_no_score_beyond_its_bound() -> None:
    values = np.random.default_rng(1).normal(5.0, 2.0, (200, 1))
    scaling = Scaling.of(values)
    assert scaling.spread[0] == pytest.approx(2.0, rel=0.2)
    spoiled = np.vstack([values, [[1e9]]])
    assert Scaling.of(spoiled).spread[0] == pytest.approx(scaling.spread[0], rel=0.05)
    scores = scaling.apply(np.array([[5.0], [7.0], [1e9], [-1e9]]))[:, 0]
    assert scores == pytest.approx([0.0, 1.0, SQUASH, -SQUASH], abs=0.2)
    assert np.isfinite(Scaling.of(np.full((5, 1), 3.0)).apply(np.array([[3.0], [4.0]]))).all()


def test_groups_are_told_by_the_first_part_of_their_names() -> None:
    names = ("loc.a", "ons.b", "loc.c", "ons@4.b")
    told = {group: columns.tolist() for group, columns in by_group(names)}
    assert told == {"loc": [0, 2], "ons": [1], "ons@4": [3], "all": [0, 1, 2, 3]}


def test_what_is_centred_has_no_mean_in_any_group_and_the_values_stay_as_they_are() -> None:
    values, groups = np.arange(12.0).reshape(6, 2), np.array([0, 0, 1, 1, 1, 1])
    out = centred(values, groups)
    assert [out[groups == g].mean(axis=0).tolist() for g in (0, 1)] == [[0.0, 0.0], [0.0, 0.0]]
    assert values[0, 1] == 1.0
