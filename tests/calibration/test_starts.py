"""Where a fit starts, and what becomes of starts that can hardly be told from one another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration import recordings as store
from calibration.evaluate import answer
from calibration.fit import fit
from calibration.prior import ALIKE, fit_from
from calibration.takes import Row, fronts_of, rows
from sensors.ear import profile as profiles
from sensors.ear.listener import Listener
from sensors.ear.profile import load_shipped
from sensors.evidence import Heard
from tests.rattle import RATE, rattle

Rows = list[list[Row]]


@pytest.fixture(scope="module")
def heard(sweeps: Path) -> Rows:
    complaints: list[Exception] = []
    chosen = list(store.read(sweeps, complaints.append))
    read = list(rows(chosen, complaints.append, fronts_of(chosen)))
    assert not complaints
    return read


def test_starts_that_cannot_be_told_apart_all_count(heard: Rows, tmp_path: Path) -> None:
    alone = fit(heard).profile
    shipped = load_shipped("microphone")
    near = fit_from(heard, starts=(None, None))
    assert [head.front.name for head in near.heads] == ["microphone-44100"] * 2
    kept = profiles.save(near, tmp_path / "two.profile")
    read = profiles.load(tmp_path / "two.profile")
    assert read.digest == kept.digest
    assert len(read.heads_for("microphone", RATE)) == 2
    for row in heard[:5]:  # both say the same, so nobody is surer for it
        said, both = answer(alone, row).probabilities, answer(read, row).probabilities
        np.testing.assert_allclose(
            list(both.values()), list(said.values()), atol=0.01
        )  # profiles are written rounded
    started = fit(heard, start_from=shipped).profile
    away = float(alone.accuracy["log_score"]) - float(started.accuracy["log_score"])
    far = fit_from(heard, starts=(shipped, shipped, None))
    # rattles of this test are like no igloo, so standing alone is better by far, and it alone counts
    assert away > 2 * ALIKE
    assert len(far.heads) == 1
    assert "started_from" not in far.fitted_on
    twice = fit_from(heard, starts=(shipped, shipped))
    # its figures, and from when it is sure, are of what both say together: no surer than one, for they are alike
    assert twice.accuracy["log_score"] == pytest.approx(started.accuracy["log_score"])
    assert twice.heads[0].sure_from == pytest.approx(started.heads[0].sure_from)
    doubting = replace(
        shipped, heads=tuple(replace(head, sure_from=0.9999) for head in shipped.heads), digest="doubts"
    )
    cautious = fit_from(heard, starts=(shipped, doubting))
    assert len(cautious.heads) == 2 * len(started.heads)
    assert cautious.heads[0].sure_from > max(0.999, started.heads[0].sure_from)
    assert twice.fitted_on["started_from"] == [shipped.digest] * 2  # of each that counts
    assert far.accuracy["log_score"] == alone.accuracy["log_score"]


def test_live_two_heads_of_one_front_end_are_averaged(heard: Rows) -> None:
    alone, started = fit(heard).profile, fit(heard, start_from=load_shipped("microphone")).profile
    others = tuple(head for head in started.heads if head.front == alone.heads[0].front)
    both = replace(alone, heads=alone.heads + others)
    sound = np.concatenate([rattle(6, 0, 1.6), np.zeros(RATE, np.float32)])[:, None]
    told = []
    for profile in (alone, started, both):
        (said,) = [s for s in Listener(profile, RATE, 1, "test").push(sound) if isinstance(s, Heard)]
        told.append(np.array(list(said.probabilities.values())))
    average = np.sqrt(told[0] * told[1])
    np.testing.assert_allclose(told[2], average / average.sum(), atol=1e-3)
    assert np.abs(told[0] - told[1]).max() > 0.05


def test_a_microphone_is_heard_through_the_shells_front_end_where_it_may_sit_there(sweeps: Path) -> None:
    (one,) = [r for r in store.read(sweeps, lambda e: None) if r.file == "s0-02.wav"]
    both = ["microphone-44100", "contact-44100"]
    assert [f.name for f in fronts_of([one])] == both  # nobody says
    one.more["place"] = "shell"
    assert [f.name for f in fronts_of([one])] == both
    one.more["place"] = "table"
    assert [f.name for f in fronts_of([one])] == both[:1]


def test_nobody_says_how_a_microphone_sits(heard: Rows) -> None:
    both = [load_shipped("contact").heads[i].front.name for i in (0, 1)]
    assert all([row.front.name for row in of_one] == both for of_one in heard)
    # from a contact microphone's profile its two heads are taught, from others and from nothing one
    assert [h.front.name for h in fit(heard, start_from=load_shipped("contact")).profile.heads] == both
    assert [h.front.name for h in fit(heard, start_from=load_shipped("microphone")).profile.heads] == both[:1]
    assert [h.front.name for h in fit(heard).profile.heads] == both[:1]
    there = [
        [replace(row, recording=replace(row.recording, more={"place": "shell"})) for row in r] for r in heard
    ]
    fitted = fit(there).profile
    assert [h.front.name for h in fitted.heads] == both
    # its figures, and from when it is sure, are of what both say together
    assert fitted.accuracy["log_score"] not in {head["log_score"] for head in fitted.accuracy["heads"]}
