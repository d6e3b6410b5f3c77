"""Files of a sensor that lacks what counting takes: told once, heard all the same, and never sure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.cli import run
from tests.table.listening.lacking_files import COARSE, NARROW, Lack, shakes

Capture = pytest.CaptureFixture[str]


@pytest.fixture(params=[COARSE, NARROW], ids=["coarse", "narrow"])
def lack(request: pytest.FixtureRequest) -> Lack:
    found: Lack = request.param
    return found


@pytest.fixture
def folder(lack: Lack, tmp_path: Path) -> Path:
    return lack.write(tmp_path)


def test_a_file_is_told_once_and_its_count_is_not_sure(lack: Lack, folder: Path, capsys: Capture) -> None:
    assert run(["listen", str(folder / "7.wav"), "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == f"polartable: of {folder / '7.wav'}, {lack.sentence}\n"
    (line,) = shakes(said.out)
    assert (line["verdict"], line["beads"]) == ("unsure", None)
    assert line["reason"] == lack.sentence.replace("; ", ": ")
    assert line["probabilities"]
    assert run(["listen", str(folder / "whole.wav"), "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert lack.mark not in said.out


def test_a_folder_is_told_once(lack: Lack, folder: Path, capsys: Capture) -> None:
    assert run(["listen", str(folder), "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == f"polartable: of 3 recordings of {folder} (5.wav and others), {lack.sentence}\n"
    assert [lack.mark in str(line.get("reason")) for line in shakes(said.out)] == [True] * 3 + [False]


def test_evaluate_and_the_report_tell_how_many(lack: Lack, folder: Path, capsys: Capture) -> None:
    asked = [str(folder), "--profile", lack.sensor]
    assert run(["calibrate", "igloos", "evaluate", *asked, "--json"]) == 0
    said = capsys.readouterr()
    assert said.err.count(lack.page_mark) == 1
    assert f"polartable: of 3 of 4 recordings (5.wav and others), {lack.sentence}" in said.err
    *lines, last = map(json.loads, said.out.splitlines())
    assert [lack.mark in str(line.get("reason")) for line in lines] == [True] * 3 + [False]
    assert last["summary"]["n"] == 4
    page = folder / "page.html"
    assert run(["calibrate", "igloos", "report", *asked, "--out", str(page)]) == 0
    assert page.read_text().count(lack.page_mark) == 1
