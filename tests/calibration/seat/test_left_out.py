"""What is told of a seat's gestures while whole sessions are left out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.errors import NothingToTest
from calibration.recordings.folder import read
from calibration.seat.fit import evaluate_taps_left_out, fit_taps
from calibration.seat.taps import listen
from sensors.gesture.profile import save
from table.cli import run
from tests.calibration.seat.weighed import Write


def test_what_is_told_with_sessions_left_out_names_its_folds_profile(written: Write) -> None:
    """As with shakes: contracts 3 and 4, and nobody keeps that profile."""
    taps = list(listen(read(written(), pytest.fail), pytest.fail))
    others = [replace(t, recording=replace(t.recording, session="s2")) for t in taps]
    folds = list(evaluate_taps_left_out([*taps, *others], "session"))
    digests = [{a.to_json()["profile"] for a in fold} for fold in folds]
    assert [len(one) for one in digests] == [1, 1]
    assert all(digest.startswith("sha256:") for one in digests for digest in one)
    kept = save(fit_taps(others), taps[0].recording.folder / "kept.profile")
    assert digests[0] == {kept.digest}


def test_only_the_sessions_that_are_asked_for_are_tested_and_it_is_said_where_there_are_none(
    written: Write,
) -> None:
    taps = list(listen(read(written(), pytest.fail), pytest.fail))
    others = [replace(t, recording=replace(t.recording, session="s2")) for t in taps]
    (fold,) = evaluate_taps_left_out([*taps, *others], "session", "*2")
    assert {a.tapped.recording.session for a in fold} == {"s2"}
    with pytest.raises(NothingToTest, match="no session is named like 'x'"):
        list(evaluate_taps_left_out([*taps, *others], "session", "x"))


@pytest.mark.parametrize("how", ["as it is", "left out", "without a count"])
def test_recordings_that_could_not_be_heard_are_counted_beside_the_figures(
    how: str, written: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written()
    index, profile = folder / "recordings.jsonl", tmp_path / "seat.profile"
    lines = index.read_text()
    index.write_text(lines + lines.replace('"session": "s1"', '"session": "s2"'))
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(profile)]) == 0
    with index.open("a") as more:
        more.write(lines.splitlines()[0].replace("D01-03.wav", "gone.wav") + "\n")
    if how == "without a count":
        unlabelled = [
            json.dumps(json.loads(line) | {"beads": None}) for line in index.read_text().splitlines()
        ]
        index.write_text("\n".join(unlabelled) + "\n")
    capsys.readouterr()
    tested = ["--leave-out", "session"] if how == "left out" else ["--profile", str(profile)]
    evaluate = ["calibrate", "igloos", "evaluate", str(folder), *tested, "--test-on", "s1", "--json"]
    assert run(evaluate) == 2
    *told, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (len(told), last["summary"]["unheard"]) == (4, 1)
