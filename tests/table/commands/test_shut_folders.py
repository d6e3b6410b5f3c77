"""Names that cannot be meant, and folders that this user may not enter: one sentence, and never a defect of ours."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from table.cli import run

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def shut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of somebody else's: what is in it cannot even be looked at. (root could; so the system is played.)"""
    folder, look, plain = tmp_path / "shut", os.stat, os.open
    folder.mkdir()
    (folder / "in").mkdir()

    def check(path: Any) -> None:
        if isinstance(path, str | Path) and f"{path}".startswith(f"{folder}{os.sep}"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), f"{path}")

    def stat(path: Any, *more: Any, **named: Any) -> Any:
        check(path)
        return look(path, *more, **named)

    def opened(path: Any, *more: Any, **named: Any) -> Any:
        check(path)
        return plain(path, *more, **named)

    monkeypatch.setattr(os, "stat", stat)
    monkeypatch.setattr(os, "open", opened)
    return folder


@pytest.mark.parametrize(
    ("command", "number"),
    [
        ("listen {}/a.wav", 201),
        ("listen {}/a.wav {}/b.wav", 201),
        ("listen {}/in", 201),
        ("calibrate igloos fit {}/in --out mine.profile", 211),
        ("journal list --journal {}/book.sqlite", 101),
        ("report --out {}/report.zip", 101),
        ("simulate shakes --out {}/in", 101),
        ("simulate cubes --links {}/in --seconds 1", 101),
        ("cubes {}/port --seconds 1", 101),
    ],
)
def test_what_is_in_a_folder_that_is_shut(
    command: str, number: int, shut: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(shut.parent)
    assert run(command.replace("{}", str(shut)).split()) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith(f"polartable: PT-{number}: {shut}/")
    assert "Permission denied" in said.err


@pytest.mark.parametrize(
    "command",
    [
        "report --out",
        "report --recordings=",
        "journal list --journal",
        "settings check",
        "calibrate igloos fit",
        "simulate shakes --out",
        "simulate cubes --links",
        "calibrate igloos evaluate mine --profile=mine.profile --profile=",
        "play ice-cult --load",
    ],
)
def test_a_variable_of_the_shell_that_is_not_set_names_nothing(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """`--out "$OUT"`: where nothing is named, the folder that one stands in is not meant."""
    monkeypatch.chdir(tmp_path)
    words = command.split()
    assert run(words if words[-1].endswith("=") else [*words, ""]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("polartable: PT-101: Invalid value for ")
    assert "the name is empty" in said.err
    assert list(tmp_path.iterdir()) == []


def test_a_report_is_not_written_over_the_folder_that_one_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["report", "--out", "."]) == 2
    assert ". is there already – give another name with --out" in capsys.readouterr().err
