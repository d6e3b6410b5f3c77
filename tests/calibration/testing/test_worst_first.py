"""A report names the takes that fit least, and the counts that are confused most, first: it lists a few of many."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from calibration.testing.gather import MOST_PAIRS, odd_takes, pairs_of


def take(name: str, p: float, *, refused: bool = False, clipped: bool = False, counted: bool = True) -> Any:
    """A take of seven beads, to which that probability was given."""
    row = SimpleNamespace(clipped=clipped, recording=SimpleNamespace(beads=7))
    heard, odds = SimpleNamespace(reason="a knock"), {7: p, 8: 1 - p}
    return SimpleNamespace(
        name=name, counted=counted, refused=refused, best=8, probabilities=odds, heard=heard, row=row
    )


def test_takes_that_fit_least_come_first() -> None:
    takes = [
        take("fits", 0.4),
        take("far", 0.005),
        take("farther", 1e-5),
        take("overdriven", 0.4, clipped=True),
        take("no shake", 0.4, refused=True),
        take("thrown out", 1e-5, counted=False),
    ]
    found = odd_takes(takes)
    assert [t.name for t, _ in found] == ["no shake", "farther", "overdriven", "far"]
    assert [why for _, why in found] == [
        "a knock", "sounds like 8, said to hold 7", "overdriven", "sounds like 8, said to hold 7",
    ]  # fmt: skip


def test_counts_that_are_confused_most_come_first_whichever_was_said() -> None:
    told = [(6, 7)] * 2 + [(7, 6)] * 3 + [(4, 5)] * 4 + [(9, 9)] * 20
    assert pairs_of(told) == [(6, 7, 5), (4, 5, 4)]
    many = [(n, n + 1) for n in range(2, 12) for _ in range(n)]
    assert pairs_of(many) == [(n, n + 1, n) for n in range(11, 11 - MOST_PAIRS, -1)]
