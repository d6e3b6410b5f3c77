"""What the wizard's page has made: in processes of this installation, whatever lies beside the recordings."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from firmware_bridge.clock import SystemClock
from table.cli import run
from table.recording.fitting import Fitting
from tests.rattle import write_sweeps

PATIENCE_S = 60.0
FIT = ["polartable", "calibrate", "igloos", "fit", "mine", "--out", "mine.profile"]


@pytest.fixture
def fitting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fitting:
    """Of a folder with a profile that was fitted on another day, beside it."""
    monkeypatch.chdir(tmp_path)
    write_sweeps(Path("mine"), counts=range(2, 5), place="table")
    assert run(FIT[1:]) == 0
    return Fitting(Path("mine"), lambda: FIT, SystemClock())


def test_a_file_of_the_maker_s_own_is_not_taken_for_a_part_of_polartable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins where the maker is, and he may keep a typer.py there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "typer.py").write_text("raise SystemExit('a file of my own')")
    command = ["polartable", "calibrate", "igloos", "fit", "none", "--out", "mine.profile"]
    fitting = Fitting(Path("none"), lambda: command, SystemClock())
    fitting.begin()
    fitting.wait(PATIENCE_S)
    assert fitting.state == "failed"
    assert "PT-211: none is no folder" in " ".join(fitting.said)
    assert not fitting.reportable()


def test_one_thing_is_made_at_a_time(fitting: Fitting) -> None:
    assert fitting.reportable()
    fitting.make_report()
    assert (fitting.state, fitting.possible(), fitting.reportable()) == ("reports", False, False)
    fitting.begin()
    fitting.make_report()
    assert fitting.state == "reports"
    fitting.wait(PATIENCE_S)
    assert (fitting.state, fitting.possible(), fitting.reportable()) == ("reported", True, False)
    assert fitting.report == Path("mine.html")


def test_how_far_it_is_is_known_and_is_no_sentence(fitting: Fitting) -> None:
    seen = set[tuple[str, int]]()
    fitting.begin()
    while fitting.busy:
        if (steps := fitting.steps) is not None:
            assert 0 <= steps.done <= steps.of
            seen.add((steps.text, steps.of))
        time.sleep(0.001)
    assert {("listening", 9), ("leaving each session out", 3), ("fitting and testing", 3)} <= seen
    assert fitting.steps is None
    assert not any("listening" in line or not line.isprintable() for line in fitting.said)


def test_a_take_thrown_out_while_it_fits_is_still_in_the_profile_and_that_is_told(fitting: Fitting) -> None:
    fitting.begin()
    os.utime("mine/recordings.jsonl")
    fitting.wait(PATIENCE_S)
    assert fitting.state == "fitted"
    assert fitting.outdated()
    assert fitting.possible()


def test_a_take_while_the_report_is_made_is_not_in_it(fitting: Fitting) -> None:
    listed = Path("mine/recordings.jsonl")
    fitting.make_report()
    os.utime(listed)
    fitting.wait(PATIENCE_S)
    assert fitting.outdated()
    assert fitting.reportable()
    # where this machine's clock was set back meanwhile, a list from its future is not newer for ever
    os.utime(listed, (time.time() + 3600, time.time() + 3600))
    fitting.make_report()
    fitting.wait(PATIENCE_S)
    assert not fitting.outdated()


def test_the_report_of_another_day_is_there_in_another_run(fitting: Fitting) -> None:
    fitting.make_report()
    fitting.wait(PATIENCE_S)
    later = Fitting(Path("mine"), lambda: FIT, SystemClock())
    assert later.report == Path("mine.html")
    assert not later.outdated()
    assert not later.reportable()
    assert run(FIT[1:]) == 0  # another profile, by the command
    assert later.outdated()
    assert later.reportable()


@pytest.mark.usefixtures("fitting")
def test_a_long_list_is_not_gone_through_each_time_that_a_page_looks() -> None:
    asked = list[int]()

    def command() -> list[str]:
        asked.append(1)
        return FIT

    later = Fitting(Path("mine"), command, SystemClock())
    for _ in range(3):
        assert later.report is None
        assert later.possible()
    os.utime("mine/recordings.jsonl")
    assert later.reportable()
    assert len(asked) == 2


@pytest.mark.usefixtures("fitting")
def test_the_profile_of_another_sensor_is_not_reported_on_with_these_takes() -> None:
    """Once a second sensor's takes are there, the next profile has another name."""
    commands = [FIT]
    fitting = Fitting(Path("mine"), lambda: commands[-1], SystemClock())
    fitting.begin()
    fitting.wait(PATIENCE_S)
    commands.append([*FIT[:-1], "mine-contact.profile"])
    os.utime("mine/recordings.jsonl")
    assert fitting.report == Path("mine.html")  # it is as good as it was
    assert not fitting.reportable()


def test_what_is_being_made_is_ended(fitting: Fitting) -> None:
    fitting.make_report()
    time.sleep(0.1)
    fitting.close()
    fitting.wait(PATIENCE_S)
    assert fitting.state == "unreported"
    assert not Path("mine.html").exists()
