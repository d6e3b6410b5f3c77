"""Folders in which the sitting gives the count away are recognised; sweeps are not accused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.traps.confounding import ByEar, by_its_name, look
from tests.calibration.traps.rattled import row


def test_ten_takes_of_each_igloo_in_a_row_are_a_trap() -> None:
    random = np.random.default_rng(2)
    rows, seed = [], 0
    for beads in (2, 5, 8, 11):
        for sitting in range(2):
            gain = float(np.exp(1.2 * random.standard_normal()))
            for _ in range(6):
                seed += 1
                rows.append(
                    row(
                        beads,
                        f"b{beads}-{sitting}",
                        seed,
                        gain * float(np.exp(0.03 * random.standard_normal())),
                    )
                )
    (trap, *_) = look(rows, None)
    assert isinstance(trap, ByEar)
    assert trap.what == "loudness"
    assert trap.inside > trap.across + 0.12
    assert "record sweeps" in trap.sentence()
    assert [found.what for found in look(rows)] == ["the name of the session", trap.what]


def test_two_sittings_are_enough_for_a_trap() -> None:
    """Each of two igloos, so that no name tells the count, and loudness does."""
    held = {"monday": (2, 5), "tuesday": (8, 11)}
    rows = [
        row(beads, session, 10 * beads + i, 0.1 * beads**1.5)
        for session, both in held.items()
        for beads in both
        for i in range(6)
    ]
    assert [found.what for found in look(rows)] == ["loudness"]
    one = [replace(r, recording=replace(r.recording, session="monday")) for r in rows]
    assert look(one) == []  # across sittings nothing can be asked


def test_sweeps_are_no_trap() -> None:
    random = np.random.default_rng(2)
    rows = [
        row(beads, f"sweep {sweep}", 100 * sweep + beads, float(np.exp(0.4 * random.standard_normal())))
        for sweep in range(6)
        for beads in (2, 4, 6, 8, 10, 12)
    ]
    assert look(rows) == []


def takes(*sessions: tuple[str | None, list[int]], player: str = "anna") -> list[Recording]:
    return [
        Recording(Path(), f"{name}-{i}", "microphone", beads, player=player, session=name)
        for name, held in sessions
        for i, beads in enumerate(held)
    ]


ROWS = [(f"of {n}", [n, n]) for n in range(2, 14)]


def test_two_takes_of_one_igloo_a_session_are_told_by_its_name() -> None:
    found = by_its_name(takes(*ROWS))
    assert found is not None
    assert "24 of 24 takes are of a session that holds one or two of the counts" in found.sentence()
    assert "--test-on" in found.sentence()
    assert by_its_name(takes(*((f"{n}", [n, n + 1] * 2) for n in range(2, 14, 2)))) is not None
    assert by_its_name(takes(*ROWS, *((f"sweep {i}", list(range(2, 14))) for i in range(3)))) is None


def test_takes_that_do_not_count_hide_no_sessions_of_one_igloo() -> None:
    swept = takes(*((f"sweep {i}", list(range(2, 14))) for i in range(3)))
    aside = [replace(r, beads=None) for r in swept] + [replace(r, rejected="noise") for r in swept]
    assert by_its_name(takes(*ROWS) + aside) == by_its_name(takes(*ROWS))


def test_players_of_whole_sweeps_are_not_accused_of_sessions_of_one_igloo() -> None:
    both = takes(*ROWS) + takes(*ROWS, player="bela")
    assert by_its_name(both, "player") is None
    assert by_its_name(both, "session") is not None


@pytest.mark.parametrize(
    "sessions",
    [
        [(None, [n, n]) for n in range(2, 14)],  # nobody named them
        [(f"take {n}", [n]) for n in range(2, 14)],  # each take a session: a sweep, for all that is known
        [(f"night {i}", [3, 8, 8, 3]) for i in range(6)],  # a game with two igloos
        [(f"night {i}", [2 + i, 5 + i, 8 + i, 5 + i]) for i in range(4)],
        [(f"{i}", [2, 5, 8]) for i in range(8)],  # a small set
        [("one", [7] * 12)],
    ],
)
def test_sessions_of_few_counts_are_no_trap_by_themselves(
    sessions: list[tuple[str | None, list[int]]],
) -> None:
    assert by_its_name(takes(*sessions)) is None
