"""The page of `calibrate igloos report`: how it was tested, what it leaves out, and that an old one is not lost."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calibration.bulk import Hands, lost
from calibration.testing import evaluate
from calibration.words import interval
from table.cli import run
from tests.rattle import write_sweeps

Capture = pytest.CaptureFixture[str]


def told(capsys: Capture) -> tuple[str, str]:
    said = capsys.readouterr()
    return said.out, said.err


def test_no_page_shows_the_profiles_own_figures(
    one_sitting: tuple[Path, Path], tmp_path: Path, capsys: Capture
) -> None:
    folder, profile = one_sitting
    page = tmp_path / "page.html"
    words = ["calibrate", "igloos", "report", str(folder), "--profile", str(profile), "--out", str(page)]
    assert run(words) == 0
    text = page.read_text()
    assert "No figures are shown" in text
    assert all(re.match(r"[A-Z0-9].*\.$", w) for w in re.findall(r'<p class="warn">(.*?)</p>', text))
    assert "exact" not in text
    assert "within one" not in text
    assert "A row is" not in text
    assert "fitted on 12 takes of 1 session, 1 device and 1 person." in text
    # an option that this command has not, and another would refuse
    assert "--leave-out" not in text
    assert "or record another session on another day. One more session is enough." in text


def test_the_page_says_what_the_picture_of_confusions_shows(few: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ["calibrate", "igloos", "report", str(few), "--profile", "microphone", "--out", str(page)]
    assert run(words) == 0
    assert "A row is the igloos of one count: how many takes were told as what" in page.read_text()


def test_takes_whose_beginning_holds_no_shake_do_not_cost_the_page(
    few: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from calibration.takes.features import beginnings
    from sensors.ear.errors import SoundError

    def cut(of_one: Any, lengths: Any) -> Any:
        if of_one[0].recording.beads == 8:
            raise SoundError(f"{of_one[0].recording.path} is gone", "put it back")
        return beginnings(of_one, lengths)

    monkeypatch.setattr("table.commands.igloo_report.beginnings", cut)
    drawn: dict[str, Any] = {}

    def curve(points: Any, xlabel: str, words: str) -> str:
        drawn[xlabel] = {x: told.n for x, told in points.items()}
        return ""

    monkeypatch.setattr("calibration.report.pictures.curve", curve)
    page = tmp_path / "page.html"
    words = ["calibrate", "igloos", "report", str(few), "--profile", "microphone", "--out", str(page)]
    assert run(words) == 0
    assert told(capsys)[1] == ""
    assert page.exists()
    of = drawn["seconds heard"]
    assert of == {0.5: 9, 1.0: 9}  # of twelve, and these shakes end before two seconds


def test_the_page_says_how_it_was_tested_and_has_no_empty_heading(
    few: Path, tmp_path: Path, capsys: Capture
) -> None:
    profile, page = tmp_path / "mine.profile", tmp_path / "page.html"
    assert run(["calibrate", "igloos", "fit", str(few), "--out", str(profile)]) == 0
    words = ["calibrate", "igloos", "report", str(few), "--out", str(page), "--profile"]
    assert run([*words, str(profile)]) == 0
    text = page.read_text()
    assert "Every session was left out in turn" in text
    assert "onger shakes" not in text
    assert not re.search(r"</h2>\s*(<div[^>]*>\s*</div>\s*)?<h2>", text)
    assert run([*words, "microphone"]) == 0
    text = page.read_text()
    assert "it was not fitted on these takes" in text
    assert "<h2>Longer shakes</h2>" in text


def test_a_page_of_two_profiles_is_refused_and_not_one_of_them_dropped(
    tmp_path: Path, capsys: Capture
) -> None:
    words = ["calibrate", "igloos", "report", str(tmp_path), "--out", str(tmp_path / "page.html")]
    assert run([*words, "--profile", "accelerometer", "--profile", "contact"]) == 2
    assert "on one profile, and 2 were named (accelerometer, contact)" in told(capsys)[1]


def test_shakes_that_two_microphones_heard_are_of_one_session_on_the_page(
    one_sitting: tuple[Path, Path], tmp_path: Path, capsys: Capture
) -> None:
    folder, page = tmp_path / "both", tmp_path / "page.html"
    shutil.copytree(one_sitting[0], folder)
    lines = [json.loads(text) for text in (folder / "recordings.jsonl").read_text().splitlines()]
    ways = [
        line | {"device": p, "place": p, "pair": line["file"]} for line in lines for p in ("shell", "table")
    ]
    for i, line in enumerate(ways):  # a file is listed once
        line["file"] = f"{i}.wav"
        shutil.copy(folder / line["pair"], folder / line["file"])
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in ways))
    words = ["calibrate", "igloos", "report", str(folder), "--profile", "microphone", "--out", str(page)]
    assert run(words) == 0, capsys.readouterr().err
    text = page.read_text()
    assert f"{len(ways)} recordings of 1 session," in text
    assert "One session says nothing of another" in text
    assert "Record another sweep on another day" in text


def test_the_page_is_worked_at_by_all_hands_and_says_what_they_lost(
    few: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile, page = tmp_path / "mine.profile", tmp_path / "page.html"
    assert run(["calibrate", "igloos", "fit", str(few), "--out", str(profile)]) == 0
    capsys.readouterr()
    kept, jobs = 2, []

    def dying(*asked: Any, hands: Hands, complain: Any, **more: Any) -> Iterator[Any]:
        jobs.append(hands.jobs)
        for i, fold in enumerate(evaluate.evaluate_left_out(*asked, hands=hands, complain=complain, **more)):
            if i < kept:
                yield fold
            else:
                complain(lost(f"session {i}"))
                yield []

    monkeypatch.setattr("table.commands.igloo_figures.evaluate_left_out", dying)
    words = ["calibrate", "igloos", "report", str(few), "--profile", str(profile), "--out", str(page)]
    assert run([*words, "--jobs", "2"]) == 2
    assert jobs == [2]
    assert "PT-731: session 2 is left out" in told(capsys)[1]
    text = page.read_text()
    assert "Every session was left out in turn" in text
    assert "1 of 3 sessions could not be tested" in text
    kept = 0
    assert run(words) == 2
    assert jobs == [2, 1]
    assert "left out in turn" not in told(capsys)[1]
    text = page.read_text()
    assert "No figures are shown: no session could be tested." in text
    assert "exact" not in text


def test_a_name_that_cannot_be_shown_costs_its_line_and_not_the_page(
    few: Path, tmp_path: Path, capsys: Capture
) -> None:
    shutil.copytree(few, tmp_path / "odd")
    list_ = tmp_path / "odd" / "recordings.jsonl"
    lines = [json.loads(line) for line in list_.read_text().splitlines()]
    lines[3]["session"], lines[5]["player"] = "\ud800", "\x1b]0;owned\x07"
    list_.write_text("".join(json.dumps(line) + "\n" for line in lines))
    page = tmp_path / "page.html"
    words = [
        "calibrate",
        "igloos",
        "report",
        str(list_.parent),
        "--profile",
        "microphone",
        "--out",
        str(page),
    ]
    assert run(words) == 2
    out, err = told(capsys)
    assert "line 4, has a \"session\" that cannot be shown ('\\ud800')" in err
    assert 'line 6, has a "player" that cannot be shown' in err
    assert (out + err).replace("\n", "").isprintable()
    assert "10 recordings of 3 sessions" in page.read_text()


def test_the_page_says_how_many_lines_and_recordings_it_is_not_of(few: Path, tmp_path: Path) -> None:
    """The terminal told them, one by one, and the page spoke of the rest as if that were all."""
    folder, page = tmp_path / "odd", tmp_path / "page.html"
    words = ["calibrate", "igloos", "report", str(folder), "--profile", "microphone", "--out", str(page)]
    shutil.copytree(few, folder)
    assert run(words) == 0
    assert "left out here" not in page.read_text()
    list_ = folder / "recordings.jsonl"
    lines = list_.read_text().splitlines()
    list_.write_text("\n".join(["no JSON", *lines[1:], '{"file": "a.wav"}']) + "\n")
    (folder / json.loads(lines[5])["file"]).unlink()
    assert run(words) == 2
    assert (
        '<p class="warn">2 lines of recordings.jsonl could not be used, and are left out here: the command that wrote '
        "this page tells them one by one.</p>"
    ) in page.read_text()
    assert (
        '<p class="warn">1 recording could not be heard or tested, and is left out here: the command that wrote '
        "this page tells it.</p>"
    ) in page.read_text()
    assert "10 recordings of 3 sessions" in page.read_text()


def test_an_old_page_stands_until_the_new_one_does(
    few: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    page.write_text("<!doctype html>the old one")
    words = ["calibrate", "igloos", "report", str(few), "--profile", "microphone", "--out", str(page)]

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        assert run(words) == 2
    assert f"{page} cannot be written (No space left on device)" in told(capsys)[1]
    assert page.read_text() == "<!doctype html>the old one"
    assert list(tmp_path.iterdir()) == [page]
    assert run(words) == 0
    assert "<html" in page.read_text()
    assert list(tmp_path.iterdir()) == [page]


def test_a_pipe_is_not_replaced_by_a_page(tmp_path: Path, capsys: Capture) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    folder = tmp_path / "gone"  # nothing of it is read
    words = ["calibrate", "igloos", "report", str(folder), "--profile", "microphone", "--out", str(pipe)]
    assert run(words) == 2
    assert "it is a device or a pipe" in told(capsys)[1]
    assert pipe.is_fifo()


def test_a_shake_that_two_microphones_heard_is_one_shake(tmp_path: Path, capsys: Capture) -> None:
    """On the page as in the lines of `evaluate`: else its intervals promised twice as many tries as there were."""
    folder, own, page = tmp_path / "folder", tmp_path / "own.profile", tmp_path / "page.html"
    lines = write_sweeps(folder, sessions=4, counts=(2, 6, 13), place="table")
    list_ = folder / "recordings.jsonl"
    list_.write_text("".join(json.dumps(line) + "\n" for line in lines[:6]))
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(own)]) == 0
    both = []
    for i, line in enumerate(lines[6:]):
        shutil.copy(folder / line["file"], folder / f"shelf-{line['file']}")
        both += [line | {"pair": f"{i}"}]
        both += [both[-1] | {"file": f"shelf-{line['file']}", "place": "shelf"}]
    list_.write_text("".join(json.dumps(line) + "\n" for line in both))
    capsys.readouterr()
    of = [str(folder), "--profile", str(own)]
    assert run(["calibrate", "igloos", "evaluate", *of, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]
    assert figures["different_shakes"] == 6
    assert run(["calibrate", "igloos", "report", *of, "--out", str(page)]) == 0
    for name in ("exact", "within_one"):
        assert interval([], figures, name) in page.read_text()
