"""What makers asked about their folders and pages: counts left over, sessions unnamed, where a test began."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from calibration.evaluate import Tested as Answer
from calibration.gather import by_length, by_number_of_shakes
from calibration.prior import ASKED_START, automatic
from calibration.recordings import Recording
from sensors.ear.profile import load, load_shipped
from table.cli import run
from table.commands.igloo_report import starts_of
from table.commands.record_source import opener
from tests.rattle import write_sweeps

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("few")
    write_sweeps(folder, counts=(1, 3, 5, 7, 20))
    return folder


def test_counts_that_are_not_told_apart_are_told(few: Path, tmp_path: Path, capsys: Capture) -> None:
    own = tmp_path / "own.profile"
    fit = ["calibrate", "igloos", "fit", str(few), "--out", str(own), "--start-from", "nothing"]
    assert run(fit) == 0
    said = capsys.readouterr().err
    assert "6 recordings of 1 or 20 beads are learned from, but neither told apart" in said
    assert "--counts 1-20" in said
    assert (
        run(["calibrate", "igloos", "evaluate", str(few), "--profile", str(own), "--only", "session=s0"]) == 0
    )
    assert "not tested: the profile tells 3, 5 or 7 apart" in capsys.readouterr().err


def test_the_report_begins_its_tests_where_the_fit_began(few: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.profile"
    fit = ["calibrate", "igloos", "fit", str(few), "--out", str(own)]
    assert run([*fit, "--start-from", "nothing"]) == 0
    starts, elsewhere = starts_of(load(own))
    assert (starts([]), elsewhere) == ((None,), None)
    assert run([*fit, "--start-from", "microphone"]) == 0
    (start,) = starts_of(load(own))[0]([])
    assert start is not None
    assert start.digest == load_shipped("microphone").digest
    assert run(fit) == 0
    assert starts_of(load(own)) == (automatic, None)
    foreign = replace(load(own), fitted_on={ASKED_START: "sha256:of-somebody"})
    assert "--start-from" in (starts_of(foreign)[1] or "")


def test_no_session_named_is_not_one_session(few: Path, tmp_path: Path, capsys: Capture) -> None:
    lines = [json.loads(line) for line in (few / "recordings.jsonl").read_text().splitlines()]
    bare = [{key: line[key] for key in ("file", "sensor", "beads")} for line in lines]
    folder = tmp_path / "bare"
    folder.mkdir()
    for line in bare:
        original = few / line["file"]
        line["file"] = line["file"].replace("/", "-")
        (folder / line["file"]).symlink_to(original)
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in bare))
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / "own.profile")]) == 0
    assert "no line names its session" in capsys.readouterr().out


def test_the_wizard_does_not_record_a_recording(few: Path) -> None:
    with pytest.raises(Exception, match="recorded already"):
        opener(str(few), 2.0)


class Take:
    """As much of a `calibration.evaluate.Tested` as curves look at."""

    counted = True

    def __init__(self, file: str, beads: int, best: int, player: str = "anna") -> None:
        recording = Recording(
            Path(), file, "microphone", beads, None, "D", player, "s", None, None, None, None, {}
        )
        self.row: Any = type("Row", (), {"recording": recording})()
        self.best, self.probabilities = best, {best: 0.9, best + 1: 0.1}


def several(*takes: Take) -> list[Answer]:
    return cast(list[Answer], list(takes))


def test_a_curve_over_shakes_is_of_the_same_igloos() -> None:
    """Twice were shaken only those that are told; the others make no first point of another height."""
    twice = [Take(f"{n}-{i}", n, n) for n in range(2, 8) for i in range(2)]
    once = [Take(f"{n}-0", n, n + 1) for n in range(8, 14)]
    assert by_number_of_shakes(several(*twice, *once)) == {1: (1.0, 6), 2: (1.0, 6)}
    again = [Take(f"{n}-0", n, n) for n in range(2, 8)] * 2
    assert by_number_of_shakes(several(*again)) == {1: (1.0, 6)}  # a file that is listed twice
    two = [Take(f"{n}-{who}", n, n, who) for n in range(2, 8) for who in ("anna", "bela")]
    assert list(by_number_of_shakes(several(*two))) == [1]
    assert by_number_of_shakes(several(*twice[:4])) == {}


def test_a_length_that_hardly_a_take_lasts_is_left_out() -> None:
    long, middling, short = (
        dict(zip((1.0, 2.0, 3.0)[:n], several(Take("a", 3, 3), *[Take("a", 3, 4)] * (n - 1)), strict=True))
        for n in (3, 2, 1)
    )
    told = by_length([long, *[short] * 6, {}, middling, long])
    assert told == {1.0: (1.0, 9), 2.0: (0.0, 3)}
