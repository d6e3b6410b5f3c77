"""A report names the counts that are confused most first: it lists a few of many."""

from __future__ import annotations

from calibration.testing.gather import MOST_PAIRS, pairs_of


def test_counts_that_are_confused_most_come_first_whichever_was_said() -> None:
    told = [(6, 7)] * 2 + [(7, 6)] * 3 + [(4, 5)] * 4 + [(9, 9)] * 20
    assert pairs_of(told) == [(6, 7, 5), (4, 5, 4)]
    many = [(n, n + 1) for n in range(2, 12) for _ in range(n)]
    assert pairs_of(many) == [(n, n + 1, n) for n in range(11, 11 - MOST_PAIRS, -1)]
