"""Folders that other people wrote: what would flatter, or is left out, is told in a sentence."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from calibration.recordings import parse_line
from sensors.ear.profile import load
from table.cli import run
from tests.rattle import RATE, rattle, write_sweeps

Capture = pytest.CaptureFixture[str]
Line = dict[str, Any]


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("few")
    write_sweeps(folder, counts=range(2, 6))
    return folder


def rewritten(folder: Path, into: Path, change: Callable[[int, Line], Line]) -> Path:
    """A copy whose lines were changed."""
    shutil.copytree(folder, into)
    list_ = into / "recordings.jsonl"
    lines = [change(i, json.loads(line)) for i, line in enumerate(list_.read_text().splitlines())]
    list_.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return into


def evaluate(folder: Path, capsys: Capture, *options: str) -> tuple[list[Line], str]:
    """Lines of JSON, the summary last, and what was said beside them."""
    run(["calibrate", "igloos", "evaluate", str(folder), *options, "--json"])
    said = capsys.readouterr()
    return [json.loads(line) for line in said.out.splitlines()], said.err


def summary_of(folder: Path, capsys: Capture, *options: str) -> Line:
    summary: Line = evaluate(folder, capsys, *options)[0][-1]["summary"]
    return summary


def test_a_start_that_knows_what_is_left_out_flatters(few: Path, tmp_path: Path, capsys: Capture) -> None:
    own = tmp_path / "own.profile"
    assert run(["calibrate", "igloos", "fit", str(few), "--out", str(own)]) == 0
    capsys.readouterr()
    left = ("--leave-out", "session", "--start-from")
    assert "it knows what is left out" in summary_of(few, capsys, *left, str(own))["flattering"]
    assert summary_of(few, capsys, *left, "microphone")["flattering"] is None
    again = tmp_path / "again.profile"
    assert run(["calibrate", "igloos", "fit", str(few), "--start-from", str(own), "--out", str(again)]) == 0
    assert "no accuracy is shown: the profile to start from was fitted on 100%" in capsys.readouterr().out


def test_what_a_start_knew_is_known_to_what_grew_from_it(few: Path, tmp_path: Path, capsys: Capture) -> None:
    older, younger = tmp_path / "older.profile", tmp_path / "younger.profile"
    other = tmp_path / "other"
    write_sweeps(other, counts=range(6, 10))
    assert run(["calibrate", "igloos", "fit", str(few), "--out", str(older), "--counts", "2-13"]) == 0
    words = ["calibrate", "igloos", "fit", str(other), "--out", str(younger), "--counts", "2-13"]
    assert run([*words, "--start-from", str(older)]) == 0
    capsys.readouterr()
    assert "was fitted on 100% of these" in summary_of(few, capsys, "--profile", str(younger))["flattering"]


def test_copies_under_another_session_flatter(few: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = rewritten(few, tmp_path / "copied", lambda i, line: line)
    list_ = folder / "recordings.jsonl"
    first = [json.loads(line) for line in list_.read_text().splitlines()][:4]
    with list_.open("a") as file:
        for line in first:
            shutil.copy(folder / line["file"], folder / f"copy-{line['file']}")
            file.write(json.dumps(line | {"file": f"copy-{line['file']}", "session": "another"}) + "\n")
    summary = summary_of(folder, capsys, "--leave-out", "session")
    example = f"({first[0]['file']} as copy-{first[0]['file']}, say)"
    told = f"50% of what is tested is there once more under another session {example}"
    assert told in summary["flattering"]
    out = tmp_path / "copied.profile"
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(out)]) == 0
    assert "no accuracy is shown: 50% of what is tested" in capsys.readouterr().out
    page = tmp_path / "copied.html"
    words = ["calibrate", "igloos", "report", str(folder), "--profile", str(out), "--out", str(page)]
    assert run(words) == 0
    assert "No figures are shown: 50% of what is tested" in page.read_text()


def test_only_what_is_tested_can_flatter(few: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = rewritten(few, tmp_path / "one", lambda i, line: line)
    list_ = folder / "recordings.jsonl"
    lines = [json.loads(line) for line in list_.read_text().splitlines()]
    copied = next(line for line in lines if line["session"] == "s0")
    shutil.copy(folder / copied["file"], folder / "copy.wav")
    with list_.open("a") as file:
        file.write(json.dumps(copied | {"file": "copy.wav", "session": "mine"}) + "\n")
    left = ("--leave-out", "session", "--test-on")
    assert (
        "100% of what is tested is there once more" in summary_of(folder, capsys, *left, "mine")["flattering"]
    )
    assert summary_of(folder, capsys, *left, "s2")["flattering"] is None


def test_one_file_under_two_spellings_is_listed_twice(few: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = rewritten(few, tmp_path / "dotted", lambda i, line: line)
    list_ = folder / "recordings.jsonl"
    line = json.loads(list_.read_text().splitlines()[0])
    with list_.open("a") as file:
        file.write(json.dumps(line | {"file": f"./{line['file']}"}) + "\n")
    _, said = evaluate(folder, capsys, "--profile", "microphone")
    assert f"names {line['file']} more than once" in said


def test_a_set_is_of_one_occasion_and_of_one_place(few: Path, tmp_path: Path, capsys: Capture) -> None:
    named = rewritten(
        few, tmp_path / "named", lambda i, line: line | {"set": "1", "igloo": f"{line['beads']}"}
    )
    apart = rewritten(few, tmp_path / "apart", lambda i, line: line | {"igloo": f"{line['beads']}"})
    options = ("--profile", "microphone")
    joined = [[line["in_set"] for line in evaluate(f, capsys, *options)[0][:-1]] for f in (named, apart)]
    assert joined[0] == joined[1]
    assert None not in joined[0]
    twice = tmp_path / "twice"
    shutil.copytree(apart, twice)
    list_ = twice / "recordings.jsonl"
    lines = [json.loads(line) for line in list_.read_text().splitlines()]
    for line in lines:
        shutil.copy(twice / line["file"], twice / f"near-{line['file']}")
    near = [line | {"file": f"near-{line['file']}", "place": "near"} for line in lines]
    list_.write_text("".join(json.dumps(line) + "\n" for line in [*lines, *near]))
    told = [line["in_set"] for line in evaluate(twice, capsys, *options)[0][:-1]]
    assert told == joined[1] * 2  # what two microphones heard of one set is two sets, not two rounds


def test_igloos_beyond_the_counts_do_not_cost_the_others_their_set(
    few: Path, tmp_path: Path, capsys: Capture
) -> None:
    options = ("--leave-out", "session", "--counts", "2-4")
    lines, _ = evaluate(few, capsys, *options)
    assert {(line["true_beads"] > 4, line["in_set"] is None) for line in lines[:-1]} == {
        (False, False),
        (True, True),
    }


def test_microphones_on_the_shell_and_elsewhere_are_not_one_lot(
    few: Path, tmp_path: Path, capsys: Capture
) -> None:
    mixed = rewritten(few, tmp_path / "mixed", lambda i, line: line | {"place": ("shell", "table")[i % 2]})
    _, said = evaluate(mixed, capsys, "--profile", "microphone")
    assert "6 recordings of a microphone on the shell and 6 of one elsewhere are mixed" in said
    _, said = evaluate(mixed, capsys, "--profile", "microphone", "--only", "place=table")
    assert "place" not in said
    _, said = evaluate(mixed, capsys, "--profile", "microphone", "--only", "place=shell")
    assert "take one of its kind (--profile contact)" in said


def test_listen_takes_the_profile_of_the_place(few: Path, tmp_path: Path, capsys: Capture) -> None:
    mixed = rewritten(few, tmp_path / "mixed", lambda i, line: line | {"place": ("shell", "table")[i % 2]})
    run(["listen", str(mixed), "--json"])
    profiles = [json.loads(line)["profile"] for line in capsys.readouterr().out.splitlines()]
    assert len(set(profiles)) == 2
    assert profiles[::2] != profiles[1::2]


def test_names_that_only_some_lines_have(few: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = rewritten(
        few,
        tmp_path / "some",
        lambda i, line: {
            key: value for key, value in line.items() if i % 4 or key not in ("player", "beads")
        },
    )
    _, said = evaluate(folder, capsys, "--leave-out", "player")
    assert "3 of 12 recordings name no player" in said
    assert '3 of 12 recordings have no "beads"' in said


def test_an_igloo_with_two_counts_in_one_set(few: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = rewritten(few, tmp_path / "two", lambda i, line: line | {"igloo": "A"})
    _, said = evaluate(folder, capsys, "--profile", "microphone")
    assert "the igloo A is said to hold 2–5 beads in one set" in said


def test_what_comes_after_a_minute_is_not_heard_and_that_is_told(tmp_path: Path, capsys: Capture) -> None:
    sound = np.concatenate([rattle(5, 1), np.zeros(61 * RATE, np.float32)])
    soundfile.write(tmp_path / "long.wav", sound, RATE)
    line = {"file": "long.wav", "sensor": "microphone", "beads": 5}
    (tmp_path / "recordings.jsonl").write_text(json.dumps(line) + "\n")
    _, said = evaluate(tmp_path, capsys, "--profile", "microphone")
    assert "of long.wav only the first 60 s were heard" in said


def test_a_microphone_that_is_too_slow_for_the_highest_bands_is_told(tmp_path: Path, capsys: Capture) -> None:
    soundfile.write(tmp_path / "slow.wav", rattle(5, 1)[::2], 16000)
    line = {"file": "slow.wav", "sensor": "microphone", "beads": 5}
    (tmp_path / "recordings.jsonl").write_text(json.dumps(line) + "\n")
    _, said = evaluate(tmp_path, capsys, "--profile", "microphone")
    assert "this recording has only 16000 Hz" in said
    assert "record at 44.1 or 48 kHz" in said


def test_a_profile_answers_the_counts_that_were_recorded_and_says_what_it_never_says(
    tmp_path: Path, capsys: Capture
) -> None:
    folder, out = tmp_path / "gaps", tmp_path / "gaps.profile"
    write_sweeps(folder, counts=(2, 3, 7, 9))
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(out)]) == 0
    assert load(out).counts == (2, 3, 7, 9)
    said = capsys.readouterr()
    assert "counts 2, 3, 7 or 9" in said.out
    assert "no take holds 4–6 or 8 beads, so they will never be said" in said.err


@pytest.mark.parametrize("taken", ["recordings.jsonl", "letter.txt", "own.wav"])
def test_nothing_else_is_written_over(few: Path, tmp_path: Path, capsys: Capture, taken: str) -> None:
    folder = rewritten(few, tmp_path / "own", lambda i, line: line)
    there = folder / taken
    there.exists() or there.write_text("Dear Ann")
    before = there.read_bytes()
    for words in (["fit", str(folder)], ["report", str(folder), "--profile", "microphone"]):
        assert run(["calibrate", "igloos", *words, "--out", str(there)]) == 2
        assert "something else, and would be lost" in capsys.readouterr().err
    assert there.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[\n {"file": "a.wav"}\n]', "is one JSON text over many lines"),
        ('[{"file": "a.wav"},\n{"file": "b.wav"}]', "is one JSON text over many lines"),
        ('{\n "file": "a.wav"\n}', "is one JSON text over many lines"),
        ('{"file": "a.wav"}\n'.encode("utf-16"), "is written in UTF-16"),
        (None, "is no file"),
    ],
)
def test_a_list_that_is_none_is_told_once(
    tmp_path: Path, capsys: Capture, text: str | bytes | None, said: str
) -> None:
    list_ = tmp_path / "recordings.jsonl"
    if text is None:
        os.mkfifo(list_)
    else:
        list_.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert run(["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", "microphone"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1


def test_numbers_that_are_none_are_nothing_and_stay_json(few: Path, tmp_path: Path) -> None:
    line = '{"file": "a.wav", "sensor": "microphone", "beads": NaN, "temp": 1e400, "more": -Infinity}'
    recording = parse_line(tmp_path, 1, line)
    assert recording.beads is None
    assert json.dumps(recording.to_json(), allow_nan=False)


def test_counts_without_end_are_refused_before_the_work(few: Path, tmp_path: Path, capsys: Capture) -> None:
    words = ["calibrate", "igloos", "fit", str(few), "--out", str(tmp_path / "x"), "--counts", "2-1000"]
    assert run(words) == 2
    assert "999 counts, too many" in capsys.readouterr().err


def test_two_counts_that_are_asked_for_become_no_twelve(few: Path, tmp_path: Path, capsys: Capture) -> None:
    words = ["calibrate", "igloos", "fit", str(few), "--out", str(tmp_path / "x"), "--counts", "2-3"]
    assert run(words) == 2
    assert "2 counts to be told apart are too few to fit on" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_a_fit_that_fails_says_what_is_missing(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "two"
    write_sweeps(folder, sessions=6, counts=(3, 9))
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / "x")]) == 2
    assert "12 takes of 2 counts are too few to fit on" in capsys.readouterr().err


def test_a_pipe_is_not_replaced_by_a_profile(few: Path, capsys: Capture, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert run(["calibrate", "igloos", "fit", str(few), "--out", str(pipe)]) == 2
    assert "it is a device or a pipe" in capsys.readouterr().err
    assert pipe.is_fifo()


@pytest.mark.parametrize("value", ["", 0, False, [], {}])
def test_what_is_empty_is_no_reason_to_reject(value: Any) -> None:
    line = {"file": "a.wav", "sensor": "microphone", "beads": 5.0, "rejected": value}
    recording = parse_line(Path("x"), 1, json.dumps(line))
    assert recording.rejected is None
    assert recording.beads == 5


@pytest.mark.parametrize("name", ["new\nline.wav", "\x1b[31mred.wav", "a" * 5000])
def test_a_name_that_no_file_has_is_one_short_line(tmp_path: Path, capsys: Capture, name: str) -> None:
    line = {"file": name, "sensor": "microphone", "beads": 5}
    (tmp_path / "recordings.jsonl").write_text(json.dumps(line) + "\n")
    _, said = evaluate(tmp_path, capsys, "--profile", "microphone")
    first = said.splitlines()[0]
    assert 'line 1, has a "file" that no sound file is called' in first
    assert len(first) < 300
    assert "\x1b" not in said


def test_every_fold_s_profile_has_a_hash(few: Path, capsys: Capture) -> None:
    lines, _ = evaluate(few, capsys, "--leave-out", "session")
    hashes = {line["profile"] for line in lines[:-1]}
    assert len(hashes) == 3
    assert all(len(name) == len("sha256:") + 64 for name in hashes)


def test_a_page_on_takes_without_counts_asks_for_them(few: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = rewritten(few, tmp_path / "unknown", lambda i, line: line | {"beads": None})
    page = tmp_path / "unknown.html"
    words = ["calibrate", "igloos", "report", str(folder), "--profile", "microphone", "--out", str(page)]
    assert run(words) == 0
    text = page.read_text()
    assert "Write how many beads each igloo holds" in text
    assert "Let a second person" not in text
    assert "Nobody knows: none could be tested" in text
    beyond = rewritten(few, tmp_path / "beyond", lambda i, line: line | {"beads": line["beads"] + 12})
    words = ["calibrate", "igloos", "report", str(beyond), "--profile", "microphone", "--out", str(page)]
    assert run(words) == 0
    assert "these igloos hold 14–17 beads, and the profile tells 2–13 apart" in page.read_text()
