"""A seat's igloos weighed, and others asked for: of what nobody weighed nothing is promised."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from calibration.recordings.folder import read
from calibration.seat.fit import evaluate_taps_left_out, fit_taps
from calibration.seat.taps import listen
from sensors.ear.errors import FitError
from table.cli import run
from tests.calibration.seat.weighed import Write


def test_counts_of_which_none_was_weighed_are_refused_in_one_sentence(
    written: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written()
    out = folder / "seat.profile"
    wanted = ["--counts", "20-24"]
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(out), *wanted]) == 2
    why = (
        "no igloo that was weighed holds any of the counts that are asked for – weigh such ones, or ask for those that "
        "were weighed (--counts 3,6,9,12)"
    )
    assert why in capsys.readouterr().err
    assert not out.exists()
    taps = list(listen(read(folder, pytest.fail), pytest.fail))
    others = [replace(t, recording=replace(t.recording, session="s2")) for t in taps]
    with pytest.raises(FitError, match=r"without session .*: no igloo that was weighed"):
        list(evaluate_taps_left_out([*taps, *others], "session", counts=(20, 21, 22, 23, 24)))


def test_a_single_igloo_of_those_asked_for_weighs_like_no_other(
    written: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written()
    out, page = folder / "seat.profile", folder / "seat.html"
    wanted = ["--counts", "12-14"]
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(out), *wanted]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{out}: 4 gestures on 1 seat"]
    assert run(["calibrate", "igloos", "report", str(folder), "--profile", str(out), "--out", str(page)]) == 0
    assert "weigh most alike" not in page.read_text()
    assert "D01" in page.read_text()


def test_a_profile_tells_the_counts_that_the_wizard_asked_for_and_what_was_weighed_beyond(
    written: Write,
) -> None:
    """Its sweep stands in every line; of an igloo that it passed over nothing is sure."""
    index = written() / "recordings.jsonl"
    lines = [json.loads(line) | {"counts": [3, 6, 7, 9]} for line in index.read_text().splitlines()]
    index.write_text("".join(json.dumps(line) + "\n" for line in lines))
    profile = fit_taps(list(listen(read(index.parent, pytest.fail), pytest.fail)))
    assert profile.counts == (3, 6, 7, 9, 12)


def test_a_set_of_none_of_the_counts_asked_for_leaves_the_others_figure(written: Write) -> None:
    written("D01", counts=(3, 6, 9))
    taps = list(listen(read(written("D02", counts=(10, 11, 12)), pytest.fail), pytest.fail))
    both = fit_taps(taps, (3, 6, 9))
    alone = fit_taps([t for t in taps if t.recording.device == "D01"], (3, 6, 9))
    assert both.accuracy["exact"] == alone.accuracy["exact"]
    assert set(both.accuracy["apart"]) == {"D01"}
