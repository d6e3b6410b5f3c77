"""Files of an accelerometer whose steps are too coarse to count by are believed by a profile that knows such alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sensors.ear.profiles.profile import load, load_shipped
from sensors.ear.verdicts.lacking import counts_by, judge
from sensors.evidence import Heard
from sensors.why import Reason, Why
from table.cli import run
from tests.rattle import write_sweeps
from tests.table.listening.lacking_files import COARSE


def test_a_profile_of_such_takes_is_believed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_sweeps(tmp_path / "own", sessions=2, counts=(3, 6, 10), sensor="accelerometer")
    COARSE.take_from(tmp_path / "own")
    out = tmp_path / "own.profile"
    assert run(["calibrate", "igloos", "fit", str(tmp_path / "own"), "--out", str(out)]) == 0
    told = f"of 6 of 6 recordings (s0/3.wav and others), {COARSE.sentence}"
    assert told[-160:] in capsys.readouterr().err
    own = load(out)
    assert own.fitted_on.coarse_takes == 6
    heard = Heard("a.wav", 0.0, 1.0, "sure", {3: 1.0}, 30.0, False, own.digest)
    coarse = Reason(Why.COARSE, "coarse: mend it")
    assert judge(heard, coarse, own) == heard
    fine = replace(own, fitted_on=replace(own.fitted_on, coarse_takes=0))
    doubted = judge(heard, coarse, fine)
    assert (doubted.verdict, doubted.why, doubted.doubt) == ("unsure", Why.COARSE, "sensor")
    assert judge(heard, None, fine) == heard
    before = replace(own, fitted_on=replace(own.fitted_on, coarse_takes=None))
    assert counts_by(before, coarse)
    assert not counts_by(load_shipped("accelerometer"), coarse)
