"""Several sets of igloos in one folder: a profile for these, or for others by what these have in common."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.fitting.asked import for_others
from calibration.fitting.prior import automatic
from calibration.recordings import folder as store
from calibration.recordings.folds import inner_folds
from calibration.takes.features import Row, fronts_of, rows
from sensors.ear.profiles.profile import load_shipped
from table.cli import run
from tests.calibration.folders import rewritten
from tests.rattle import write_sweeps

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sets of four igloos, two sessions each."""
    folder = tmp_path_factory.mktemp("two")
    lines = [
        json.dumps(line | {"device": "D1" if line["session"] in ("s0", "s1") else "D2"})
        for line in write_sweeps(folder, sessions=4, counts=range(2, 14, 3))
    ]
    (folder / "recordings.jsonl").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="module")
def heard(two: Path) -> list[list[Row]]:
    complaints: list[Exception] = []
    chosen = list(store.read(two, complaints.append))
    read = list(rows(chosen, complaints.append, fronts_of(chosen)))
    assert not complaints
    return read


def test_a_profile_for_others_says_how_to_measure_it(two: Path, tmp_path: Path, capsys: Capture) -> None:
    two = rewritten(two, tmp_path / "two", lambda i, line: line | {"place": "table"})
    fit = ["calibrate", "igloos", "fit", str(two), "--out", str(tmp_path / "p.profile"), "--json"]
    assert run([*fit, "--for-others"]) == 0
    others = json.loads(capsys.readouterr().out)
    assert others["fitted_on"]["for_others"] is True
    assert others["accuracy"]["left_out_by"] == "device"
    assert others["left_out"]["interval_by"] == "device"
    assert others["left_out"]["devices"] == 2
    assert not [sentence for sentence in others["warnings"] if "--for-others" in sentence]
    page = tmp_path / "p.html"
    report = ["calibrate", "igloos", "report", str(two), "--out", str(page)]
    assert run([*report, "--profile", str(tmp_path / "p.profile")]) == 0
    assert "very set of igloos was left out in turn" in capsys.readouterr().err
    assert "Every set of igloos was left out in turn" in page.read_text()
    test = ["calibrate", "igloos", "evaluate", str(two), "--profile", str(tmp_path / "p.profile"), "--json"]
    assert run(test) == 0
    said = json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]["flattering"]
    assert said.endswith("on other sets of igloos, or leave whole sets of igloos out with --leave-out device")
    assert run(fit) == 0
    these = json.loads(capsys.readouterr().out)
    assert these["fitted_on"]["for_others"] is False
    assert these["left_out"]["interval_by"] == "session"
    assert [sentence for sentence in these["warnings"] if "for these 2 sets" in sentence]
    assert these["profile"] != others["profile"]


def test_one_set_has_nothing_in_common_with_others(two: Path, tmp_path: Path, capsys: Capture) -> None:
    fit = ["calibrate", "igloos", "fit", str(two), "--out", str(tmp_path / "p.profile")]
    assert run([*fit, "--for-others", "--only", "device=D1"]) == 2
    assert "one set of igloos" in capsys.readouterr().err
    assert not (tmp_path / "p.profile").exists()


def as_many(heard: list[list[Row]], devices: int) -> list[list[Row]]:
    """The same takes under the names of so many sets."""

    def named(row: Row, k: int) -> Row:
        r = row.recording
        return replace(row, recording=replace(r, device=f"{k}{r.device}", session=f"{k}{r.session}"))

    return [[named(row, k) for row in of_one] for k in range(devices // 2) for of_one in heard]


def whole_sweeps(heard: list[list[Row]]) -> list[list[Row]]:
    """Twelve sweeps, each of twelve counts, of six sets."""
    return [
        [replace(row, recording=replace(row.recording, beads=2 + i % 12)) for row in of_one]
        for i, of_one in enumerate(as_many(heard * 3, 6))
    ]


def test_many_sweeps_of_several_sets_are_for_others(heard: list[list[Row]]) -> None:
    lots = heard, as_many(heard, 6), whole_sweeps(heard)
    flat = [[row for of_one in lot for row in of_one] for lot in lots]
    # four igloos are no sweep that tells a set from an occasion
    assert [for_others(lot, None) for lot in flat] == [False, False, True]
    assert [for_others(lot, "device") for lot in flat] == [True, True, True]
    assert not for_others(flat[2], "session")


def test_many_sweeps_stand_on_their_own_or_on_what_ships(heard: list[list[Row]]) -> None:
    starts = automatic(whole_sweeps(heard))
    shipped = {load_shipped(kind).digest for kind in ("microphone", "contact")}
    assert None in starts
    assert {start.digest for start in starts if start} == shipped


def test_devices_are_left_out_where_two_are_asked_about(heard: list[list[Row]]) -> None:
    recordings = [of_one[0].recording for of_one in heard]
    folds, unit = inner_folds(recordings, "device")
    assert unit == "device"
    assert {(r.device, int(fold)) for r, fold in zip(recordings, folds, strict=True)} == {
        ("D1", 0),
        ("D2", 1),
    }
    assert inner_folds(recordings, None)[1] == "player"
