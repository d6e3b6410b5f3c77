"""Files of a microphone without treble, of a headset or a telephone: heard as far as they go, told by the wizard, and
believed by a profile that knows such alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from calibration.recordings.recorder import TakeHeard
from sensors.ear.profiles.profile import load, load_shipped
from sensors.ear.verdicts.lacking import counts_by, judge
from sensors.evidence import Heard
from sensors.why import Reason, Why
from table.cli import run
from table.commands.record_way import Shaken, doubt_of
from tests.rattle import RATE, rattle, write_sweeps
from tests.table.listening.lacking_files import NARROW, shakes

Capture = pytest.CaptureFixture[str]


def test_what_breaks_off_is_heard_up_to_there(tmp_path: Path, capsys: Capture) -> None:
    file = NARROW.write(tmp_path) / "7.wav"
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) - 20_000])
    assert run(["listen", str(file), "--json"]) == 2
    said = capsys.readouterr()
    assert NARROW.sentence in said.err
    assert "breaks off in the middle" in said.err
    assert len(shakes(said.out)) == 1


def test_the_wizard_tells_of_the_first_take() -> None:
    way = Shaken(load_shipped("microphone"), 2.0)
    whole = rattle(7, 1)
    for sound, doubt in ((NARROW.lacking(whole, RATE), NARROW.sentence), (whole, None)):
        assert doubt_of(TakeHeard(sound[:, None], None, None, 0), RATE, way) == doubt


def test_a_profile_of_such_takes_is_believed(tmp_path: Path, capsys: Capture) -> None:
    write_sweeps(tmp_path / "own", sessions=2, counts=(3, 6, 10))
    NARROW.take_from(tmp_path / "own")
    out = tmp_path / "own.profile"
    assert run(["calibrate", "igloos", "fit", str(tmp_path / "own"), "--out", str(out)]) == 0
    assert f"of 6 of 6 recordings (s0-03.wav and others), {NARROW.sentence}" in capsys.readouterr().err
    own = load(out)
    assert (own.fitted_on.narrow_takes, own.fitted_on.coarse_takes) == (6, 0)
    heard = Heard("a.wav", 0.0, 1.0, "sure", {3: 1.0}, 30.0, False, own.digest)
    narrow = Reason(Why.NARROW, "narrow: mend it")
    assert judge(heard, narrow, own) == heard
    whole = replace(own, fitted_on=replace(own.fitted_on, narrow_takes=0))
    doubted = judge(heard, narrow, whole)
    assert (doubted.verdict, doubted.why, doubted.doubt) == ("unsure", Why.NARROW, "sensor")
    assert judge(heard, None, whole) == heard
    assert counts_by(replace(own, fitted_on=replace(own.fitted_on, narrow_takes=None)), narrow)
    assert not any(counts_by(load_shipped(kind), narrow) for kind in ("microphone", "contact"))
