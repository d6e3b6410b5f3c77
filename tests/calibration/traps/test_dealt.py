"""Takes in a row that were dealt to sessions are known by their loudness; sweeps of no igloos are accused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.takes.features import Row
from calibration.traps.dealt import MOST_COMPARED, dealt, measured
from calibration.traps.given_away import given_away, refusals
from sensors.ear.frames.frontend import Floats, front_end_for
from sensors.ear.shakes.shake import Shake

FRONT = front_end_for("microphone", 44100)
BANDS = 6
NAMES = tuple(f"size.mean_{band}" for band in range(BANDS))
COUNTS = range(2, 14)


def row(beads: int, session: object, loud: Floats, random: np.random.Generator, place: str = "table") -> Row:
    values = loud + 0.5 * np.log(beads) + 0.3 * random.standard_normal() + 0.2 * random.standard_normal(BANDS)
    recording = Recording(
        Path(),
        f"{session}-{beads}",
        "microphone",
        beads,
        player="anna",
        session=str(session),
        more={"place": place},
    )
    return Row(recording, 44100.0, Shake(FRONT, NAMES, values, 0.0, 8, 0.0, 2.0), 40.0, False, -60.0)


def in_rows(seed: int = 1, place: str = "table", times: int = 8, sessions: int = 4) -> list[Row]:
    """A sitting an igloo, whose takes name so many sessions in turn."""
    random = np.random.default_rng(seed)
    sittings = {beads: 0.5 * random.standard_normal(BANDS) for beads in COUNTS}
    return [
        row(beads, i % sessions, sittings[beads], random, place) for beads in COUNTS for i in range(times)
    ]


def swept(
    seed: int, own: float = 0.0, place: str = "table", times: int = 2, day: float = 0.4, sessions: int = 4
) -> list[Row]:
    """Sweeps on other days; `own`: how unlike the igloos are by themselves; `day`: and the days."""
    random = np.random.default_rng(seed)
    igloos = {beads: own * random.standard_normal(BANDS) for beads in COUNTS}
    out = []
    for session in range(sessions):
        sitting = day * random.standard_normal(BANDS)
        for _ in range(times):
            out += [row(beads, session, sitting + igloos[beads], random, place) for beads in COUNTS]
    return out


def test_takes_that_are_all_alike_are_nearer_to_none() -> None:
    """Half of the time is what equal distances count for, as with Mann and Whitney."""
    rows = swept(1)
    seen = measured([replace(r, shake=rows[0].shake) for r in rows])
    assert seen is not None
    assert seen.session == 0.5


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("sessions", [2, 4])
def test_sittings_that_were_dealt_are_known(seed: int, sessions: int) -> None:
    found = dealt(in_rows(seed, sessions=sessions))
    assert found is not None
    assert "96 of 96 takes do not say at what time they were made" in found.sentence()
    assert found.told > 0.2


def test_igloos_that_each_sound_a_little_of_their_own_on_days_that_are_alike_are_no_other() -> None:
    """So nothing is refused for it."""
    found = [one for seed in range(4) if (one := dealt(swept(seed, own=0.2, day=0.0))) is not None]
    assert found
    assert not any(one.refuses for one in found)
    assert "unless each igloo has a sound or a sensor of its own" in found[0].sentence()


@pytest.mark.parametrize("own", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("place", ["table", "shell"])
def test_sweeps_are_no_trap_whatever_the_igloos_sound_like(own: float, place: str) -> None:
    for seed in range(10):
        assert dealt(swept(seed, own, place)) is None
        assert dealt(swept(seed, own, place, times=8, sessions=2)) is None
        assert dealt(swept(seed, own, place, times=1, sessions=8)) is None


def test_days_that_are_all_alike_are_no_trap_either() -> None:
    for seed in range(20):
        assert dealt(swept(seed, day=0.0)) is None


def timed(rows: list[Row], when: Callable[[int, Row], str]) -> list[Row]:
    return [replace(r, recording=replace(r.recording, taken=when(i, r))) for i, r in enumerate(rows)]


def test_where_times_are_noted_the_clock_tells() -> None:
    assert dealt(timed(in_rows(), lambda i, r: f"2026-11-20T18:{i % 60:02d}:00Z")) is None
    # one time of a whole folder is none
    assert dealt(timed(in_rows(), lambda i, r: "2026-11-20T18:00:00Z")) is not None
    assert dealt(timed(in_rows(), lambda i, r: "2026-11-20")) is not None


def test_sessions_of_different_days_are_sittings() -> None:
    rows = in_rows()
    assert dealt(timed(rows, lambda i, r: f"2026-11-{10 + int(r.recording.session or 0)}")) is None


def test_only_what_is_tested_counts() -> None:
    rows = in_rows()
    other = [replace(r, recording=replace(r.recording, device="other")) for r in swept(1)]
    assert dealt([*rows, *other], rows) is not None
    assert dealt([*rows, *other], other) is None


def test_of_few_counts_or_takes_nothing_is_said() -> None:
    rows = in_rows()
    assert dealt([r for r in rows if (r.recording.beads or 0) < 7]) is None
    assert dealt(rows[::5]) is None
    assert dealt([]) is None


def test_of_very_many_takes_a_sample_is_compared() -> None:
    found = dealt(in_rows(times=MOST_COMPARED // 12 + 20))
    assert found is not None
    assert found.takes > MOST_COMPARED


def test_it_is_said_beside_the_figures_where_sessions_are_left_out() -> None:
    heard = [[r] for r in in_rows()]
    (trap, *_) = given_away(heard)
    assert "dealt to several sessions" in trap.sentence()
    assert refusals([trap]) == []
    assert given_away(heard, None) == []
