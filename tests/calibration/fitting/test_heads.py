"""What a head keeps of the one that it was started from: the band of its strengths, and how strange a shake may be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.fitting.fit import fit, head_of
from calibration.takes.features import Row
from sensors.ear.profiles.profile import load, load_shipped, save

Rows = list[list[Row]]


def as_strong(heard: Rows, strength: float) -> Rows:
    """The takes of one narrow sweep: all shaken alike."""
    return [[replace(row, shake=replace(row.shake, strength=strength)) for row in of_one] for of_one in heard]


@pytest.mark.parametrize("above", [0.0, 1.0])
def test_one_narrow_sweep_narrows_no_band_that_it_started_from(heard: Rows, above: float) -> None:
    """In the middle of what is known already, or as strong as nobody shook before."""
    start = load_shipped("microphone")
    before = head_of(start, heard[0][0].front)
    assert before is not None
    strength = (before.strength_middle, before.strength_high)[above > 0] + above
    (head,) = fit(as_strong(heard[:12], strength), start_from=start).profile.heads
    assert head.strength_middle == pytest.approx(strength)
    assert head.strength_low <= before.strength_low
    assert head.strength_high >= max(before.strength_high, strength)
    (alone,) = fit(as_strong(heard[:12], strength)).profile.heads
    assert alone.strength_low > before.strength_low  # which of nothing is known
    assert alone.strength_low < strength < alone.strength_high  # nobody shakes again exactly as hard


def test_how_strange_a_shake_may_be_is_known_of_one_set_alone(heard: Rows) -> None:
    """Several sets lie apart, and what is strange to one of them may be another's."""
    start = load_shipped("microphone")
    two = [
        [replace(row, recording=replace(row.recording, device=f"D{i % 2}")) for row in of_one]
        for i, of_one in enumerate(heard)
    ]
    (own,) = fit(heard, start_from=start).profile.heads
    (both,) = fit(two, start_from=start).profile.heads
    assert own.strange_from is not None
    assert both.strange_from is None


def test_takes_unlike_all_that_was_learned_make_a_profile_that_can_be_read(
    heard: Rows, tmp_path: Path
) -> None:
    """Such as matches in a tin, through a microphone that distorts."""
    start, chance = load_shipped("microphone"), np.random.default_rng(1)

    def unlike(row: Row) -> Row:
        values = row.shake.values
        return replace(row, shake=replace(row.shake, values=values * chance.uniform(-30, 30, values.shape)))

    mine = fit([[unlike(row) for row in of_one] for of_one in heard], start_from=start).profile
    strange = mine.heads[0].strange_from
    assert strange is not None
    assert strange > 100
    save(mine, tmp_path / "mine.profile")
    assert load(tmp_path / "mine.profile").heads[0].strange_from == strange
