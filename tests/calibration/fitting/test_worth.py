"""What a start is worth is asked of takes that its fits never met, for what a fit says of its own flatters it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.fitting import worth as module
from calibration.fitting.fit import Fit, fit
from calibration.fitting.prior import AS_GOOD_NATS, FRESH_MUST_GAIN, fit_from
from calibration.fitting.worth import few_sessions, worth
from calibration.recordings import folder as store
from calibration.takes.features import Row, fronts_of, rows
from sensors.ear.profiles.profile import load_shipped

Rows = list[list[Row]]
LN_12 = float(np.log(12))


def shifted(heard: Rows, seed: int) -> Rows:
    """Numbers that tell ln N, each kind of them shifted by the sitting: another hand."""
    random, out = np.random.default_rng(seed), list[list[Row]]()
    shifts: dict[tuple[str, str], float] = {}
    for of_one in heard:
        out.append([])
        for row in of_one:
            kinds = [name.split(".")[0] for name in row.shake.names]
            for kind in sorted(set(kinds)):
                shifts.setdefault((row.recording.occasion, kind), random.normal(0, 0.6))
            own = np.array([shifts[row.recording.occasion, kind] for kind in kinds])
            assert row.recording.beads is not None
            values = np.log(row.recording.beads) + random.normal(0, 0.25, len(kinds)) + own
            out[-1].append(replace(row, shake=replace(row.shake, values=values)))
    return out


@pytest.mark.parametrize("seed", [0, 1])
def test_a_fit_from_nothing_that_flatters_itself_is_not_chosen(heard: Rows, seed: int) -> None:
    """A dozen experts have shares under which the shifts of three sittings cancel out, and those of a fourth do not: by
    their own figures such fits stood alone, and were all but sure of wrong counts."""
    takes, shipped = shifted(heard, seed), load_shipped("microphone")
    alone, started = fit(takes).profile, fit(takes, start_from=shipped).profile
    own = float(alone.accuracy["log_score"])
    assert own > float(started.accuracy["log_score"]) + FRESH_MUST_GAIN + AS_GOOD_NATS
    told = worth(takes, None, None, None)
    assert told is not None
    assert told < min(own - 1, -LN_12)  # it knows less than who knows nothing
    assert fit_from(takes, starts=(None, shipped)).fitted_on.started_from == shipped.digest


def test_where_too_few_are_left_without_a_part_fits_are_chosen_by_their_own_figures(few: Path) -> None:
    """Four igloos a session: two sessions are too few takes to fit on from nothing."""
    chosen, shipped = list(store.read(few, pytest.fail)), load_shipped("microphone")
    takes = list(rows(chosen, pytest.fail, fronts_of(chosen)))
    assert worth(takes, None, None, None) is None
    assert worth(takes, None, None, shipped) is not None
    own = [float(fit(takes, start_from=start).profile.accuracy["log_score"]) for start in (None, shipped)]
    assert own[0] > own[1] + FRESH_MUST_GAIN + AS_GOOD_NATS
    assert fit_from(takes, starts=(None, shipped)).fitted_on.started_from is None


def test_however_many_sessions_there_are_five_fits_are_made(
    heard: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them takes a second or more, and a start is asked for every fold of a test."""
    takes = [
        [replace(row, recording=replace(row.recording, session=f"s{i % 11:02d}")) for row in of_one]
        for i, of_one in enumerate(heard[:33])
    ]
    assert few_sessions(takes)
    fitted_on: list[set[str]] = []

    def counted(others: Rows, *given: object, **more: object) -> Fit:
        fitted_on.append({of_one[0].recording.session or "" for of_one in others})
        return Fit(load_shipped("microphone"), (), 0)

    monkeypatch.setattr(module, "fit", counted)
    assert worth(takes, None, "session", None) is not None
    sessions = {of_one[0].recording.session or "" for of_one in takes}
    assert sorted(len(sessions - others) for others in fitted_on) == [2, 2, 2, 2, 3]
    assert set.union(*(sessions - others for others in fitted_on)) == sessions


def test_of_many_sessions_a_fit_is_believed(heard: Rows) -> None:
    assert few_sessions(heard)
    many = [
        [replace(row, recording=replace(row.recording, session=f"s{i % 12}")) for row in of_one]
        for i, of_one in enumerate(heard)
    ]
    assert not few_sessions(many)
    thrown_out = [
        [
            replace(row, recording=replace(row.recording, session=f"t{i}", rejected="thrown out"))
            for row in of_one
        ]
        for i, of_one in enumerate(heard)
    ]
    assert few_sessions([*heard, *thrown_out])  # nothing is fitted on those
