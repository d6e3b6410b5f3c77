"""The wizard's sweeps: whose they are, when one goes on and when another begins, and what is said at their end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calibration.recordings.folder import Recording
from sensors.evidence import COUNTS
from table import cli
from table.commands import record_begin
from table.commands.record_words import fit_command, what_next
from tests.calibration.recordings.wizard import KEPT, lines


@pytest.mark.parametrize("sweeps", [1, 2])
def test_q_after_the_last_igloo_says_that_the_sweep_is_complete(
    sweeps: int, tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*KEPT, "", "q", sweeps=sweeps)
    assert [r.rejected for r in lines(tmp_path)] == [None, None]
    said = capsys.readouterr().err
    assert "is complete: 2 of 2." in said
    # the same command would begin another one
    assert ("the same command goes on" in said, "with --sweeps 1 goes on from here" in said) == (
        False,
        sweeps == 2,
    )
    assert ("2 counts, and a profile takes 3: record other igloos too" in said) == (sweeps == 1)
    assert "Fit what is there with" not in said


def test_a_sweep_that_a_profile_can_be_fitted_on_ends_with_how(
    tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*KEPT * 4, counts=(2, 3, 4, 5))
    said = capsys.readouterr().err
    assert f"polartable calibrate igloos fit {tmp_path}" in said
    assert "record other igloos too" not in said


def test_takes_that_are_too_few_for_a_fit_end_with_another_sweep(
    tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """It named the command, which then refused them."""
    run(*KEPT * 3, counts=(2, 3, 4))
    said = capsys.readouterr().err
    assert "That is 3 takes, and a profile takes 4: record another sweep." in said
    assert "Fit what is there with" not in said
    assert cli.run(["calibrate", "igloos", "fit", str(tmp_path / "mine"), "--out", str(tmp_path / "x")]) == 2
    assert (
        "3 takes of 3 counts are too few to fit on – record another sweep: at least 4 takes"
        in capsys.readouterr().err
    )
    run(*KEPT * 3, counts=(2, 3, 4))
    assert "Fit what is there with" in capsys.readouterr().err


@pytest.mark.parametrize(("gesture", "least"), [(None, 4), ("knock", 12), ("seat-tap", 3)])
def test_how_many_takes_a_profile_takes_depends_on_the_gesture(gesture: str | None, least: int) -> None:
    more = {} if gesture is None else {"gesture": gesture}
    have = [Recording(Path("F"), f"{k}.wav", "microphone", 2 + k % 3, more=more) for k in range(least)]
    assert what_next(Path("F"), have, gesture).startswith("Fit what is there with: ")
    assert "Fit what" not in what_next(Path("F"), have[:-1], gesture)


def test_a_sweep_is_one_persons(tmp_path: Path, run: Callable[..., list[str]]) -> None:
    run(*KEPT)
    run(*KEPT, player="bert")
    run(*KEPT * 2)
    had = lines(tmp_path)
    assert [r.player for r in had] == ["anna", "bert", "anna"]
    assert had[0].set == had[2].set != had[1].set
    assert {r.beads for r in had if r.player == "anna"} == {3, 6}
    assert len({r.occasion for r in had}) == 1  # they sat together, so they are left out together


def test_the_next_day_goes_on_with_the_half_sweep_unless_a_session_is_named(
    tmp_path: Path,
    run: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    days = iter(["2026-11-20", "2026-11-21"])
    monkeypatch.setattr(record_begin, "_today", lambda: next(days))
    run(*KEPT)
    run(*KEPT, session="fair")
    assert "unfinished" not in capsys.readouterr().err
    run("", "", sweeps=1, session="fair")  # finishes that one
    run(*KEPT * 2, sweeps=2)
    assert "Going on with anna's unfinished sweep D/2026-11-20/1: 1 igloo " in capsys.readouterr().err
    assert [(r.session, r.set) for r in lines(tmp_path)] == [
        ("2026-11-20", "D/2026-11-20/1"),
        *[("fair", "D/fair/1")] * 2,
        ("2026-11-20", "D/2026-11-20/1"),
        ("2026-11-21", "D/2026-11-21/1"),
    ]


def test_a_sweep_of_other_igloos_is_not_unfinished(tmp_path: Path, run: Callable[..., list[str]]) -> None:
    run(*KEPT * 2, counts=(3, 6))
    run(*KEPT, counts=(3, 6, 9))
    assert len({r.set for r in lines(tmp_path)}) == 2


def test_who_stops_in_the_second_of_two_sweeps_is_told_that_one_is_left(
    tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*KEPT * 2, "q", sweeps=2)
    assert "Stopped; the same command with --sweeps 1 goes on from here." in capsys.readouterr().err
    run(*KEPT * 2, "q", sweeps=1)
    assert len({line.set for line in lines(tmp_path)}) == 2


def test_of_two_sensors_in_one_folder_each_is_fitted_by_itself() -> None:
    """`fit` refused the one, mixed the other, and both profiles were called mine."""

    def takes(sensor: Any, **more: str) -> list[Recording]:
        return [Recording(Path("F"), f"{sensor}{n}.wav", sensor, n, more=more) for n in COUNTS]

    felt, contact, table = takes("accelerometer"), takes("microphone", place="shell"), takes("microphone")
    said = {
        "--out F.profile": felt,
        "--sensor accelerometer --out F-accelerometer.profile": [*contact, *felt],
        "--sensor microphone --out F-contact.profile": [*felt, *contact],
        "--only place=shell --out F-contact.profile": [*table, *contact],
        "--sensor microphone --only place=shell --out F-contact.profile": [*felt, *table, *contact],
    }
    for options, have in said.items():
        assert f"polartable calibrate igloos fit F {options}`; " in what_next(Path("F"), have)
    assert "1 count, and a profile takes 3" in what_next(Path("F"), [*contact, *felt[:1]])


def test_a_profile_is_called_as_its_folder_is() -> None:
    """The page fits without asking for a name: a second set's profile replaced the first one's."""
    have = [Recording(Path("F"), f"{n}.wav", "accelerometer", n) for n in range(2, 8)]
    for folder, name in (("sets/red", "red"), (".", Path.cwd().name), ("/", "mine")):
        assert (fit_command(Path(folder), have) or [])[-1] == f"{name}.profile"
