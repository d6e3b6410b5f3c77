"""The figures of docs/contracts.md 3, beside sums done by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.recordings.whole_sets import SetMade
from calibration.scores import Told, by_sessions, calibration_error, of_shares, summary, wilson

MADE = SetMade(12, 12, (1, 1), False)
TOLD = [
    Told(3, 3, 0.9, True, 3, "a", made=MADE),
    Told(4, 5, 0.6, False, 4, "a", made=MADE),
    Told(5, 5, 0.8, True, None, "b"),
    Told(10, 7, 0.5, True, 9, "b", made=MADE),
]


def test_what_was_told_is_counted() -> None:
    figures = summary(TOLD)
    assert (figures["n"], figures["exact"], figures["within_one"], figures["mae"]) == (4, 0.5, 0.75, 1.0)
    assert (figures["exact_in_sets"], figures["within_one_in_sets"]) == (0.6667, 1.0)
    assert figures["sets"]["whole"] is True
    assert (figures["sure_share"], figures["sure_right"]) == (0.75, 0.666667)
    assert figures["ece"] == pytest.approx((0.1 + 0.6 + 0.2 + 0.5) / 4)
    assert figures["sessions"] == 2
    joined = summary([one for one in TOLD if one.in_set is not None])
    assert figures["interval"]["exact_in_sets"] == joined["interval"]["exact_in_sets"]
    assert figures["confusion"] == {"3": {"3": 1}, "4": {"5": 1}, "5": {"5": 1}, "10": {"7": 1}}
    assert list(figures["confusion"]) == ["3", "4", "5", "10"]
    assert "different_shakes" not in figures
    assert "shakes" not in figures
    with pytest.raises(ValueError, match="nothing was told"):
        summary([])


def test_what_no_recording_has_is_none() -> None:
    alone = [replace(one, in_set=None, made=None, sure=False) for one in TOLD]
    figures = summary(alone)
    for key in (
        "exact_in_sets",
        "within_one_in_sets",
        "exact_in_shakes",
        "within_one_in_shakes",
        "sure_right",
    ):
        assert figures[key] is None
    assert figures["sure_share"] == 0.0
    assert set(figures["interval"]) == {"exact", "within_one"}
    assert "sets" not in figures


def test_shakes_of_one_igloo_and_pairs_are_counted_where_there_are_some() -> None:
    more = [
        replace(TOLD[0], in_shakes=4, shakes=2, in_pair=3),
        replace(TOLD[1], in_shakes=4, shakes=5, in_pair=6),
        replace(TOLD[2], in_pair=5, again=True),
        TOLD[3],
    ]
    figures = summary(more)
    assert (figures["exact_in_shakes"], figures["within_one_in_shakes"]) == (0.5, 1.0)
    assert figures["shakes"] == [2, 5]
    assert (figures["exact_in_pairs"], figures["within_one_in_pairs"]) == (0.6667, 0.6667)
    assert figures["different_shakes"] == 3
    assert {"exact_in_shakes", "exact_in_pairs", "exact_in_sets"} <= set(figures["interval"])


def test_what_is_as_often_right_as_it_says_is_calibrated() -> None:
    right = np.array([True, True, True, False] * 5 + [True] * 5)
    assert calibration_error(np.array([0.75] * 20 + [1.0] * 5), right) == pytest.approx(0.0)
    assert calibration_error(np.array([0.75] * 20 + [1.0] * 5), ~right) == pytest.approx(0.6)
    # one that is too sure is not made good by one that is not sure enough
    assert calibration_error(np.array([0.95, 0.15]), np.array([False, True])) == pytest.approx(0.9)


def test_takes_of_one_session_count_as_far_as_sessions_differ() -> None:
    """Sessions of which all takes are alike, beside Cochran's sum with Student's t done by hand."""
    low, high = by_sessions(["a"] * 10 + ["b"] * 10, [1.0] * 10 + [0.0] * 10)
    assert (low, high) == pytest.approx((0.5 - 12.706 * 0.5, 0.5 + 12.706 * 0.5), rel=1e-3)
    thirds = by_sessions([*"abc"] * 10, [1.0, 0.5, 0.0] * 10)
    assert thirds == pytest.approx((0.5 - 4.3027 * 0.75**0.5 / 3, 0.5 + 4.3027 * 0.75**0.5 / 3), rel=1e-3)
    assert by_sessions(["a"] * 9, [1.0] * 9) == (-math.inf, math.inf)
    assert by_sessions(list("abcd"), [0.25] * 4) == pytest.approx((0.25, 0.25))


@pytest.mark.parametrize(
    "sizes", [[24] * 5, [120, 120, 14, 14, 14, 14], [60, 60, 12, 12, 12], [120, 120, *[3] * 6]]
)
def test_an_interval_holds_the_truth_however_unlike_sessions_are_in_size(sizes: list[int]) -> None:
    """Shares of sessions are spread by .14 around .4; two long sessions do not become eight by six crumbs."""
    random = np.random.default_rng(7)
    sessions = [str(i) for i, size in enumerate(sizes) for _ in range(size)]
    held = 0
    for _ in range(400):
        shares = random.beta(0.4 * 11.2, 0.6 * 11.2, len(sizes))
        low, high = by_sessions(sessions, random.random(len(sessions)) < np.repeat(shares, sizes))
        held += low <= 0.4 <= high
    assert 0.93 * 400 <= held < 400


def test_a_share_has_wilsons_interval() -> None:
    assert wilson(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)  # Newcombe, 1998
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_another_sensors_recording_of_a_shake_is_no_shake_more() -> None:
    """Ten sessions that agree, of one shake each that two sensors heard: as wide as ten tries are (Newcombe, 1998)."""
    sessions, hits, again = [*"abcdefghij"] * 2, np.array([True, False]).repeat(10), [False, True] * 10
    assert of_shares(sessions, hits, again) == pytest.approx([0.237, 0.763])
    assert of_shares(sessions, hits)[0] > 0.26


@pytest.mark.parametrize("shakes", [1, 3])
def test_sets_that_are_all_right_are_no_surer_than_so_many_sets(shakes: int) -> None:
    """An igloo told wrongly takes another's count, so a wrong set has two wrong answers at least. Were a third of the
    sets so, all nine would still be right once in forty times (0.664 ** 9 = 0.025)."""
    made = SetMade(6, 6, (shakes, shakes), False)
    told = [
        Told(n, n, 0.9, True, n, session, made=made)
        for session in "abc"
        for _ in range(3)
        for n in range(2, 8)
        for _ in range(shakes)
    ]
    low, high = summary(told)["interval"]["exact_in_sets"]
    assert (low, high) == (pytest.approx(wilson(1.0, 27)[0], abs=1e-3), 1.0)
    assert low < 1 - (1 - 0.025 ** (1 / 9)) * 2 / 6


def test_recordings_whose_shakes_another_sensor_heard_elsewhere_are_of_a_shake_each() -> None:
    """Of a folder's pairs only the second sensor's can be asked about: they are as many shakes."""
    others = [replace(one, again=True, in_pair=one.best) for one in TOLD]
    figures = summary(others)
    assert figures["interval"]["exact"] == summary(TOLD)["interval"]["exact"]
    assert figures["different_shakes"] == 4


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_an_interval_holds_its_share_and_is_no_narrower_for_another_sensor(
    takes: list[tuple[str, bool, bool]],
) -> None:
    sessions, hits = [s for s, _, _ in takes], np.array([h for _, h, _ in takes])
    again = [a and i > 0 for i, (_, _, a) in enumerate(takes)]
    low, high = of_shares(sessions, hits, again)
    assert 0.0 <= low <= hits.mean() + 1e-3
    assert hits.mean() - 1e-3 <= high <= 1.0
    every = of_shares(sessions, hits)
    assert low <= every[0] <= every[1] <= high
