"""Takes in rows of one igloo, each a session of its own, are heard to be of sittings; sweeps are not, sorted or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.takes.features import Row
from calibration.traps.takes_in_rows import in_rows
from sensors.ear.frames.frontend import front_end_for
from sensors.ear.shakes.shake import Shake

FRONT = front_end_for("microphone", 44100)
NAMES = ("size.mean_low", "size.mean_high", "another")
COUNTS = (2, 5, 7, 9, 12)
Sitting = tuple[float, float]  # how loud, and its background, dB


def row(i: int, beads: int, sitting: Sitting, random: np.random.Generator, taken: str | None = None) -> Row:
    """A take a session, as far as its line tells."""
    loud, background = sitting
    values = np.array([*(loud + 0.1 * random.standard_normal(2)), random.standard_normal()])
    recording = Recording(
        Path(), f"{i}", "microphone", beads, player="anna", session=f"take {i}", taken=taken
    )
    shake = Shake(FRONT, NAMES, values, 0.0, 8, 0.0, 2.0)
    return Row(recording, 44100.0, shake, 40.0, False, background + 0.5 * float(random.standard_normal()))


def a_sitting(random: np.random.Generator) -> Sitting:
    return float(random.standard_normal()), -60.0 + 6.0 * float(random.standard_normal())


def in_blocks(
    seed: int, counts: Sequence[int] = COUNTS, taken: Callable[[int], str | None] = lambda i: None
) -> list[Row]:
    """Twice six takes of each igloo in a row."""
    random, out = np.random.default_rng(seed), list[Row]()
    for times in range(2):
        for beads in counts if times else counts[::-1]:
            sitting = a_sitting(random)
            for _ in range(6):
                out.append(row(len(out), beads, sitting, random, taken(len(out))))
    return out


def swept(seed: int, louder: float = 0.0) -> list[tuple[int, Row]]:
    """Four sittings of three sweeps each: which sitting, and the take; `louder`: by how much for each bead more."""
    random, out = np.random.default_rng(seed), list[tuple[int, Row]]()
    for which in range(4):
        loud, background = a_sitting(random)
        for _ in range(3):
            for beads in random.permutation(COUNTS):
                sitting = loud + louder * np.log(beads), background
                out.append((which, row(len(out), int(beads), sitting, random)))
    return out


def beads_of(one: tuple[int, Row]) -> int:
    return one[1].recording.beads or 0


def test_rows_of_one_igloo_are_heard() -> None:
    found = in_rows(in_blocks(1))
    assert found is not None
    assert "60 of 60 takes name a session of their own" in found.sentence()
    assert "nothing tells how many sittings these were" in found.sentence()


def test_takes_that_do_not_count_hide_no_rows() -> None:
    rows = in_blocks(1)
    aside = [replace(one, recording=replace(one.recording, beads=None)) for _, one in swept(1)]
    aside += [replace(one, recording=replace(one.recording, rejected="noise")) for _, one in swept(2)]
    assert in_rows([*rows, *aside]) == in_rows(rows)


def test_one_hour_for_all_takes_is_no_time() -> None:
    assert in_rows(in_blocks(1, taken=lambda i: "2026-11-20T18:00:00Z")) == in_rows(in_blocks(1))


def test_rows_are_heard_by_what_all_sensors_of_a_folder_measure() -> None:
    rows = [
        replace(one, shake=replace(one.shake, names=NAMES[::2], values=one.shake.values[::2]))
        if i % 3
        else one
        for i, one in enumerate(in_blocks(1))
    ]
    found = in_rows(rows)
    assert found is not None
    assert found.what == "loudness"


def test_sweeps_are_not_accused_in_whatever_order_they_are_listed() -> None:
    for seed in range(20):
        for louder in (0.0, 1.0):
            made = swept(seed, louder)
            assert in_rows([one for _, one in made]) is None
            assert in_rows([one for _, one in sorted(made, key=beads_of)]) is None
            by_sitting = sorted(made, key=lambda one: (one[0], beads_of(one)))
            assert in_rows([one for _, one in by_sitting]) is None


@pytest.mark.parametrize(
    "rows",
    [
        in_blocks(1, taken=lambda i: f"2026-11-20T18:{i:02d}:00Z"),  # the clock tells more
        in_blocks(1, counts=(3, 6, 9)),  # too few to say
        in_blocks(1)[:30],  # each igloo in one row: that may be its sound
        [],
    ],
)
def test_it_says_nothing_of_what_others_tell_or_nobody_knows(rows: list[Row]) -> None:
    assert in_rows(rows) is None


def test_takes_of_named_sessions_are_left_to_the_others() -> None:
    rows = in_blocks(1)
    named = [replace(r, recording=replace(r.recording, session=f"s{i // 30}")) for i, r in enumerate(rows)]
    assert in_rows(named) is None
