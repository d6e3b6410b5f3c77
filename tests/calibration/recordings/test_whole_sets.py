"""What sets are made of is said beside their figures, and where one cannot be joined, or not rightly, why."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from calibration.recordings.folder import Recording
from calibration.recordings.whole_sets import SetMade, as_a_set, once_each, sets_of, span_of
from table.cli import run
from tests.rattle import write_sweeps

Capture = pytest.CaptureFixture[str]
Line = dict[str, Any]
EVALUATE = ("calibrate", "igloos", "evaluate")


@pytest.fixture(scope="module")
def sweeps(tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    """Lines of two sweeps of 2–13, with the folder of their files, and each igloo named."""
    folder = tmp_path_factory.mktemp("sweeps")
    lines = write_sweeps(folder, sessions=2)
    return [line | {"igloo": f"I{line['beads']}", "file": str(folder / line["file"])} for line in lines]


def listed(folder: Path, lines: Iterable[Line]) -> Path:
    """A folder of copies of these lines' files, in their order."""
    folder.mkdir()
    told = []
    for i, line in enumerate(lines):
        shutil.copy(line["file"], folder / f"{i:02d}.wav")
        told.append(json.dumps(line | {"file": f"{i:02d}.wav"}) + "\n")
    (folder / "recordings.jsonl").write_text("".join(told))
    return folder


def evaluate(folder: Path, capsys: Capture, *options: str) -> tuple[list[Line], str]:
    assert run([*EVALUATE, str(folder), "--profile", "microphone", *options, "--json"]) == 0
    said = capsys.readouterr()
    return [json.loads(line) for line in said.out.splitlines()], said.err


def in_the_shell(folder: Path, capsys: Capture) -> str:
    assert run([*EVALUATE, str(folder), "--profile", "microphone"]) == 0
    return capsys.readouterr().out


def on_the_page(folder: Path, tmp_path: Path) -> str:
    page = tmp_path / "page.html"
    run(["calibrate", "igloos", "report", str(folder), "--profile", "microphone", "--out", str(page)])
    return page.read_text()


def test_what_is_listed_again_changes_no_round() -> None:
    names = ("1a", "1b", "2a", "2b", "./1a")
    recordings = [Recording(Path(), name, "microphone", 3, igloo=name[-1], set="s") for name in names]
    (igloos,) = sets_of(recordings, (3,))
    assert once_each(igloos, recordings) == {"a": [0, 2], "b": [1, 3]}


@pytest.mark.parametrize("apart", ["sensor", "place", "device", "session", "set"])
def test_what_two_sensors_places_or_occasions_have_is_two_sets_though_igloos_are_called_alike(
    apart: str,
) -> None:
    """Two microphones that hear one set are two sets, and not two rounds of one."""
    alike = {"sensor": "microphone", "place": "table", "device": "D01", "session": "s1", "set": "1"}
    other = alike | {apart: "accelerometer" if apart == "sensor" else "other"}
    recordings = []
    for k, said in enumerate((alike, other, alike, other)):
        more = {"place": said["place"]}
        recordings.append(
            Recording(
                Path(),
                f"{k}.wav",
                said["sensor"],
                3,
                igloo="A" if k < 2 else "B",
                device=said["device"],
                session=said["session"],
                set=said["set"],
                more=more,
            )
        )
    assert sets_of(recordings, (3,)) == [{"A": [0], "B": [2]}, {"A": [1], "B": [3]}]


def test_a_file_that_is_listed_again_was_shaken_once(
    sweeps: list[Line], tmp_path: Path, capsys: Capture
) -> None:
    folder = listed(tmp_path / "once", sweeps[:12])
    (*lines, plain), _ = evaluate(folder, capsys)
    list_ = folder / "recordings.jsonl"
    list_.write_text(list_.read_text() + list_.read_text().replace('"file": "', '"file": "./'))
    (*again, said), _ = evaluate(folder, capsys)
    assert said["summary"]["sets"] == plain["summary"]["sets"]
    assert said["summary"]["sets"]["whole"]
    assert [line["in_set"] for line in again] == [line["in_set"] for line in lines] * 2


def test_whole_sets_are_called_whole(sweeps: list[Line], tmp_path: Path, capsys: Capture) -> None:
    folder = listed(tmp_path / "whole", sweeps)
    lines, said = evaluate(folder, capsys)
    whole = {"whole": True, "igloos": [12, 12], "counts": [12, 12], "shakes": [1, 1]}
    assert lines[-1]["summary"]["sets"] == whole
    assert "set" not in said
    for text in (in_the_shell(folder, capsys), on_the_page(folder, tmp_path)):
        assert "a whole set, one shake each" in text


def test_what_is_no_whole_set_is_told_as_what_it_is(
    sweeps: list[Line], tmp_path: Path, capsys: Capture
) -> None:
    seven = [line for line in sweeps if line["beads"] < 9]
    twice = [line | {"session": "s", "set": "1"} for line in sweeps]
    for name, lines, told in (
        ("seven", seven, "as a set, 7 igloos for 12 counts, one shake each"),
        ("twice", twice, "as a set, 12 igloos for 12 counts, 2 shakes each"),
        ("mixed", [*seven, *twice], "as a set, 7–12 igloos for 12 counts, 1–2 shakes each"),
        ("one", sweeps[:1], "as a set, 1 igloo for 12 counts, one shake each"),
    ):
        folder = listed(tmp_path / name, lines)
        texts = [in_the_shell(folder, capsys)]
        if name == "mixed":  # the page's words are the same ones, and take a report each
            texts.append(on_the_page(folder, tmp_path))
        for text in texts:
            assert told in text
            assert "a whole set" not in text


def test_igloos_that_are_too_many_for_a_set_are_told(
    sweeps: list[Line], tmp_path: Path, capsys: Capture
) -> None:
    more = sweeps[12] | {"session": "s0", "set": "s0/1", "igloo": "stranger", "beads": None}
    lines, said = evaluate(listed(tmp_path / "more", [*sweeps[:12], more]), capsys)
    assert {line["in_set"] for line in lines[:-1]} == {None}
    told = (
        "13 igloos of one set (s0/1) are too many for 12 counts, so it is not joined: say in recordings.jsonl"
    )
    assert told in said
    unnamed = [{k: v for k, v in line.items() if k != "igloo"} for line in sweeps]
    folder = listed(tmp_path / "unnamed", [line | {"session": "s", "set": "1"} for line in unnamed])
    lines, said = evaluate(folder, capsys)
    assert "24 igloos of one set (1) are too many for 12 counts" in said
    assert 'a recording without "igloo" is taken for an igloo of its own' in said
    assert "both said" not in said
    assert "sets" not in lines[-1]["summary"]


def test_two_igloos_of_one_set_with_one_count_are_told(
    sweeps: list[Line], tmp_path: Path, capsys: Capture
) -> None:
    wrong = [line | {"beads": 7} if line["beads"] == 8 else line for line in sweeps[:12]]
    lines, said = evaluate(listed(tmp_path / "wrong", wrong), capsys)
    assert "I7 and I8 are both said to hold 7 beads in one set (s0/1)" in said
    assert "mend recordings.jsonl" in said
    assert lines[-1]["summary"]["sets"]["whole"] is False
    again = [{k: v for k, v in line.items() if k != "igloo"} for line in sweeps if line["beads"] < 5]
    folder = listed(tmp_path / "again", [line | {"session": "s", "set": "1"} for line in again])
    _, said = evaluate(folder, capsys)
    assert "00.wav and 03.wav are both said to hold 2 beads in one set (1 and others)" in said
    assert 'if they are one igloo, give "igloo"' in said


def test_without_any_count_there_is_a_summary_all_the_same(
    sweeps: list[Line], tmp_path: Path, capsys: Capture
) -> None:
    folder = listed(tmp_path / "unknown", [line | {"beads": None} for line in sweeps])
    lines, _ = evaluate(folder, capsys)
    assert len(lines) == 25
    assert lines[-1]["summary"]["n"] == 0
    assert lines[-1]["summary"]["exact"] is None
    assert lines[-1]["summary"]["refused"] == 0
    assert {line["in_set"] for line in lines[:12]} == set(range(2, 14))
    assert run([*EVALUATE, str(folder), "--profile", "microphone"]) == 0
    (said,) = capsys.readouterr().out.splitlines()
    assert said.startswith("24 recordings, none with a count: nothing can be told right or wrong")


def test_counts_that_nobody_tells_apart_end_with_a_summary_and_a_reason(
    sweeps: list[Line], tmp_path: Path, capsys: Capture
) -> None:
    folder = listed(tmp_path / "beyond", [line | {"beads": line["beads"] + 12} for line in sweeps[:12]])
    assert run([*EVALUATE, str(folder), "--profile", "microphone", "--json"]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out.splitlines()[-1])["summary"]["n"] == 0
    assert "no recording has a count of 2–13, which are told apart" in said.err


def test_a_page_about_one_recording_says_so(sweeps: list[Line], tmp_path: Path, capsys: Capture) -> None:
    folder, page = listed(tmp_path / "one", sweeps[:1]), tmp_path / "one.html"
    run(["calibrate", "igloos", "report", str(folder), "--profile", "microphone", "--out", str(page)])
    assert capsys.readouterr().out == f"{page}: 1 recording\n"


def test_sets_of_which_one_is_not_whole_are_told_as_what_all_are_made_of() -> None:
    whole, part = SetMade(12, 12, (1, 1), False), SetMade(10, 12, (1, 2), False)
    assert as_a_set({"sets": span_of([whole, whole])}) == "a whole set, one shake each"
    assert as_a_set({"sets": span_of([whole, part])}, "gesture") == (
        "as a set, 10–12 igloos for 12 counts, 1–2 gestures each"
    )
    twice = SetMade(12, 12, (1, 1), True)
    assert as_a_set({"sets": span_of([whole, twice])}) == "as a set, 12 igloos for 12 counts, one shake each"
    assert as_a_set({}) == "as a set"  # figures of before this was told
