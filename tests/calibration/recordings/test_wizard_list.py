"""The wizard's list while it records: taken away, broken by other programs, written by another run at the same time."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibration.errors import RecordingsError
from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.recordings.occasion import now
from calibration.recordings.sweep import too_soon
from firmware_bridge.errors import UsageError
from sensors.ear.profiles.profile import load_shipped
from table.cli import run as run_cli
from table.commands import calibrate_record
from table.commands.record_way import Shaken
from table.recording.asking import Question
from tests.calibration.recordings.wizard import unhurried

CONTACT, MICROPHONE = (Shaken(load_shipped(kind), 2.0) for kind in ("contact", "microphone"))
Play = Callable[..., int]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "mine"


@pytest.fixture
def play(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """The wizard with these answers, `q` when they end; one that is no text is done first, and what it says is given,
    or Enter."""
    monkeypatch.setattr(calibrate_record, "opener", unhurried)

    def play(*answers: Any, way: Shaken = CONTACT, player: str = "anna", session: str = "s") -> int:
        given: Iterator[Any] = iter(answers)

        def ask(question: Question) -> str:
            answer = next(given, "q")
            if isinstance(answer, str):
                return answer
            said = answer()
            return said if isinstance(said, str) else ""

        return calibrate_record.record(
            folder, "mock", way, (3, 6, 9), 1, "D", player, session, 2.0, False, ask
        )

    return play


def lines(folder: Path) -> list[Recording]:
    return list(store.read(folder, lambda error: pytest.fail(str(error))))


def kept(folder: Path) -> list[tuple[int | None, str, str | None]]:
    return [(r.beads, r.kind, r.player) for r in lines(folder) if r.rejected is None]


@pytest.mark.parametrize("at", ["take", "keep"])
def test_a_folder_that_is_renamed_is_not_begun_anew(
    at: str, folder: Path, tmp_path: Path, play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    def rename() -> None:
        folder.rename(tmp_path / "gone")

    with pytest.raises(RecordingsError, match="is gone, removed or renamed"):
        play("", "", *([""] if at == "keep" else []), rename, "", "")
    assert not folder.exists()
    (take,) = lines(tmp_path / "gone")
    assert take.path.exists()
    assert ("under way is not kept" in capsys.readouterr().err) == (at == "keep")


@pytest.mark.parametrize("older", [False, True])
def test_a_list_that_is_gone_or_older_is_not_begun_anew(
    older: bool, folder: Path, play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    def spoil() -> None:
        path = folder / store.LIST
        first = path.read_text().splitlines(keepends=True)[0]
        path.unlink()
        if older:
            path.write_text(first)

    said = "names 1 take of the sweep no more" if older else "is gone"
    with pytest.raises(RecordingsError, match=said):
        play("", "", "", "", "", spoil)
    assert len(list(folder.rglob("*.wav"))) == 3  # the sound of the take under way as well
    assert "no line names it" in capsys.readouterr().err
    assert len(lines(folder)) == 1 if older else not (folder / store.LIST).exists()


def as_csv(told: list[dict[str, Any]], delimiter: str) -> str:
    out = io.StringIO()
    table = csv.DictWriter(out, list(told[0]), delimiter=delimiter)
    table.writeheader()
    table.writerows(told)
    return out.getvalue()


BROKEN: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "semicolons": lambda told: as_csv(told, ";"),
    "quoted": lambda told: as_csv([{"line": json.dumps(one)} for one in told], ",").partition("\n")[2],
    "texts": lambda told: "".join(json.dumps(one | {"beads": str(one["beads"])}) + "\n" for one in told),
    "commas": lambda told: "".join(json.dumps(one) + ",\n" for one in told),
}


@pytest.mark.parametrize("how", BROKEN)
def test_nothing_is_added_to_a_list_that_another_program_broke(
    how: str, folder: Path, play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    play("", "", "", "")
    path = folder / store.LIST
    path.write_text(BROKEN[how]([json.loads(line) for line in path.read_text().splitlines()]))
    broken = path.read_bytes()
    capsys.readouterr()
    with pytest.raises(RecordingsError, match="put back the copy from before") as refused:
        play("", "")
    assert "\n" not in str(refused.value)
    assert capsys.readouterr().err == ""  # told once, and nothing was begun
    assert path.read_bytes() == broken


def test_a_table_in_place_of_a_list_is_refused_in_one_sentence(
    folder: Path, play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    play("", "", "", "")
    path = folder / store.LIST
    path.write_text(as_csv([json.loads(line) for line in path.read_text().splitlines()], ";"))
    capsys.readouterr()
    words = ["calibrate", "igloos", "fit", str(folder), "--out", str(folder / "x.profile")]
    assert run_cli(words) == 2
    err = capsys.readouterr().err
    assert "is no list of JSON lines, a spreadsheet may have saved it" in err
    assert len(err.splitlines()) == 1


def test_a_damaged_line_is_told_once(folder: Path, play: Play, capsys: pytest.CaptureFixture[str]) -> None:
    play("", "")
    path = folder / store.LIST
    path.write_text(path.read_text() + '{"file": "D/s/1-0\n')  # cut short by a pulled plug
    capsys.readouterr()
    assert play("", "", "", "") == 2
    assert capsys.readouterr().err.count("line 2, is no JSON") == 1


@pytest.mark.parametrize("at", ["take", "keep"])
@pytest.mark.parametrize(
    ("other", "said"),
    [
        (
            {"way": MICROPHONE},
            "microphone, and this is microphone, place shell – go on with --source mock --profile microphone",
        ),
        ({"player": "bela"}, "was begun meanwhile by another run, for another person"),
    ],
)
def test_a_sweep_that_another_run_began_meanwhile_stays_its_own(
    at: str, other: dict[str, Any], said: str, folder: Path, play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    def beside() -> None:
        assert play("", "", **other) == 1

    with pytest.raises(UsageError, match=said):
        play(*([""] if at == "keep" else []), beside, "", "")
    assert len(kept(folder)) == 1
    assert kept(folder)[0][1:] == ("microphone" if "way" in other else "contact", other.get("player", "anna"))
    mine = lines(folder)[1:]  # what was shaken before that could be seen is there, and does not count
    assert [(r.rejected, r.path.exists()) for r in mine] == (
        [(calibrate_record.BESIDE, True)] if at == "keep" else []
    )
    assert (calibrate_record.BESIDE in capsys.readouterr().err) == (at == "keep")


@pytest.mark.parametrize("answer", ["", "r"])
def test_whoever_was_first_goes_on_in_that_sweep(answer: str, folder: Path, play: Play) -> None:
    def beside() -> str:
        assert play("", "") == 1
        return answer

    with pytest.raises(UsageError, match="was begun meanwhile by another run"):
        play("", beside, player="bela")
    assert [(r.player, r.rejected) for r in lines(folder)] == [
        ("anna", None),
        ("bela", calibrate_record.BESIDE),
    ]
    assert play(*[""] * 4) == 2
    assert sorted(beads or 0 for beads, *_ in kept(folder)) == [3, 6, 9]
    assert {r.set for r in lines(folder)} == {"D/s/1"}
    assert play("", "", player="bela") == 1
    assert lines(folder)[-1].set == "D/s/2"


@pytest.mark.parametrize("at", ["take", "keep"])
def test_two_alike_runs_keep_each_igloo_once(at: str, folder: Path, play: Play) -> None:
    def beside() -> None:
        assert play("", "") == 1

    play(*([""] if at == "keep" else []), beside, *[""] * 10)
    assert sorted(beads or 0 for beads, *_ in kept(folder)) == [3, 6, 9]
    assert len({r.file for r in lines(folder)}) == len(lines(folder))


def test_a_session_minutes_after_the_last_is_told_to_be_no_other_day(
    folder: Path, play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    play("", "")
    assert "another day" not in capsys.readouterr().err
    play(session="t")
    assert "The session s was recorded minutes ago" in capsys.readouterr().err
    (take,), at = lines(folder), now()
    assert too_soon([take], "D", "t", "anna", at) is not None
    later = replace(at, at=at.at + 20 * 3600, up=at.up + 20 * 3600)
    assert too_soon([take], "D", "t", "anna", later) is None
    assert too_soon([take], "D", "t", "bela", at) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_root_records_belongs_to_the_folders_owner(tmp_path: Path, folder: Path, play: Play) -> None:
    os.chown(tmp_path, 65534, 65534)
    assert play("", "") == 1
    made = [folder, *folder.rglob("*")]
    assert {path.name for path in made} == {"mine", "D", "s", lines(folder)[0].path.name, store.LIST}
    assert {(path.stat().st_uid, path.stat().st_gid) for path in made} == {(65534, 65534)}
