"""Lists of recordings that other people wrote: what is no list, no number, no name, and what stands there twice."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import soundfile

from calibration.errors import RecordingsError
from calibration.recordings.folder import parse_line
from calibration.recordings.throw_out import throw_out
from calibration.words import many
from table.cli import run
from table.commands.igloo_choice import matches
from tests.calibration.folders import Capture, evaluate, rewritten


def test_one_file_under_two_spellings_is_listed_twice(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    folder = rewritten(two_to_five, tmp_path / "dotted", lambda i, line: line)
    list_ = folder / "recordings.jsonl"
    line = json.loads(list_.read_text().splitlines()[0])
    with list_.open("a") as file:
        file.write(json.dumps(line | {"file": f"./{line['file']}"}) + "\n")
    _, said = evaluate(folder, capsys, "--profile", "microphone")
    assert f"names {line['file']} more than once" in said


@pytest.mark.parametrize("session", [None, "another"])
def test_copies_under_other_names_are_told_where_they_count_as_more_takes(
    two_to_five: Path, tmp_path: Path, capsys: Capture, session: str | None
) -> None:
    folder = rewritten(two_to_five, tmp_path / "copied", lambda i, line: line)
    list_ = folder / "recordings.jsonl"
    lines = [json.loads(line) for line in list_.read_text().splitlines()]
    for line in lines[:2]:
        sound, rate = soundfile.read(folder / line["file"])
        copy = line["file"].replace(".wav", ".flac")
        soundfile.write(folder / copy, sound, rate)
        lines.append(line | {"file": copy, "session": session or line["session"]})
    list_.write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, said = evaluate(folder, capsys, "--profile", "microphone")
    assert (
        "2 of 14 recordings are copies of others under other names (s0-02.flac of s0-02.wav and others), and each "
        "counts as another take"
    ) in said
    _, said = evaluate(folder, capsys, "--leave-out", "session")
    # in another session they are fitted on while left out, and that is told
    assert ("are copies of others" in said) == (session is None)
    assert "are copies of others" not in evaluate(two_to_five, capsys, "--profile", "microphone")[1]


def test_one_line_with_a_comma_behind_it_is_told_as_that(tmp_path: Path) -> None:
    with pytest.raises(RecordingsError, match=r"line 3, ends with a comma – take it away"):
        parse_line(tmp_path, 3, '{"file": "a.wav", "sensor": "microphone", "beads": 3},\n')
    with pytest.raises(RecordingsError, match=r"line 3, is no JSON"):
        parse_line(tmp_path, 3, '{"file": "a.wav", "sensor": "microphone", "beads": 3,\n')


def test_names_that_only_some_lines_have(two_to_five: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = rewritten(
        two_to_five,
        tmp_path / "some",
        lambda i, line: {
            key: value for key, value in line.items() if i % 4 or key not in ("player", "beads")
        },
    )
    _, said = evaluate(folder, capsys, "--leave-out", "player")
    assert "3 of 12 recordings name no player" in said
    assert '3 of 12 recordings have no "beads"' in said


@pytest.mark.parametrize("how", [("--profile", "microphone"), ("--leave-out", "session")])
def test_names_that_only_some_lines_have_are_told_whatever_is_left_out(
    two_to_five: Path, tmp_path: Path, capsys: Capture, how: tuple[str, str]
) -> None:
    folder = rewritten(
        two_to_five,
        tmp_path / "some",
        lambda i, line: {key: value for key, value in line.items() if i % 4 or key != "player"},
    )
    _, said = evaluate(folder, capsys, *how)
    assert (
        '3 of 12 recordings name no player, and nobody knows whether it is one of those that are named; give "player" '
        "in recordings.jsonl"
    ) in said


def test_takes_of_nobody_that_is_named_are_no_further_person_s(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    folder = rewritten(
        two_to_five,
        tmp_path / "some",
        lambda i, line: {key: value for key, value in line.items() if i % 4 or key != "player"},
    )
    people = len(
        {line["player"] for line in map(json.loads, (folder / "recordings.jsonl").open()) if "player" in line}
    )
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / "p.profile")]) == 0
    assert f" by {many(people, 'person', 'people')}, counts" in capsys.readouterr().out


def test_an_igloo_with_two_counts_in_one_set(two_to_five: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = rewritten(two_to_five, tmp_path / "two", lambda i, line: line | {"igloo": "A"})
    _, said = evaluate(folder, capsys, "--profile", "microphone")
    assert "the igloo A is said to hold 2–5 beads in one set" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[\n {"file": "a.wav"}\n]', "is one JSON text over many lines"),
        ('[{"file": "a.wav"},\n{"file": "b.wav"}]', "is one JSON text over many lines"),
        ('{\n "file": "a.wav"\n}', "is one JSON text over many lines"),
        ('{"file": "a.wav"},\n{"file": "b.wav"},\n{"file": "c.wav"},\n', "has a comma after each line"),
        ('{"file": "a.wav"},\n{"file": "b.wav"},\n{"file": "c.wav"}\n', "has a comma after each line"),
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


def test_numbers_that_are_none_are_nothing_and_stay_json(two_to_five: Path, tmp_path: Path) -> None:
    line = '{"file": "a.wav", "sensor": "microphone", "beads": NaN, "temp": 1e400, "more": -Infinity}'
    recording = parse_line(tmp_path, 1, line)
    assert recording.beads is None
    assert json.dumps(recording.to_json(), allow_nan=False)


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


def line_of(**more: Any) -> str:
    return json.dumps({"file": "a.wav", "sensor": "microphone", "beads": 3} | more)


def test_folders_as_windows_writes_them_are_found(tmp_path: Path) -> None:
    (tmp_path / "s1").mkdir()
    for name in (r"s1\a.wav", rf"{tmp_path}\s1\a.wav"):
        assert parse_line(tmp_path, 1, line_of(file=name)).file == "s1/a.wav"
    (tmp_path / r"s1\a.wav").touch()  # a name like any, here
    assert parse_line(tmp_path, 1, line_of(file=r"s1\a.wav")).file == r"s1\a.wav"
    with pytest.raises(RecordingsError, match="points outside its folder"):
        parse_line(tmp_path, 1, line_of(file=r"..\a.wav"))


@pytest.mark.parametrize("word", ["no", "None", " FALSE ", "null"])
def test_a_word_for_no_is_no_reason_to_throw_a_take_out(tmp_path: Path, word: str) -> None:
    """It went without a sentence."""
    with pytest.raises(
        RecordingsError, match=r'line 7, has .* as "rejected" – write null where the take counts'
    ):
        parse_line(tmp_path, 7, line_of(rejected=word))
    for counts in (None, False, "", " "):
        assert parse_line(tmp_path, 7, line_of(rejected=counts)).rejected is None
    assert parse_line(tmp_path, 7, line_of(rejected="no beads")).rejected == "no beads"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('"beads": 5, "beads": 7', '"beads" twice, as 5 and as 7'),
        ('"beads": 5, "beads": null', '"beads" twice, as 5 and as null'),
        ('"player": "red", "beads": 5, "player": "blue"', '"player" twice, as "red" and as "blue"'),
        ('"weather": "fog", "weather": "rain"', '"weather" twice, as "fog" and as "rain"'),
        ('"of": {"node": 1, "node": 2}', '"node" twice, as 1 and as 2'),
        (f'"note": "\\u001b", "note": "{"x" * 99}"', rf'"note" twice, as "\u001b" and as "{"x" * 59}'),
    ],
)
def test_a_key_that_stands_twice_with_two_values_is_told(tmp_path: Path, more: str, said: str) -> None:
    """The last one won without a sentence, and an igloo was fitted under a count that it may not hold."""
    line = f'{{"file": "a.wav", "sensor": "microphone", {more}}}'
    with pytest.raises(RecordingsError, match="line 3, has ") as told:
        parse_line(tmp_path, 3, line)
    assert told.value.cause.endswith(f"has {said}")
    assert told.value.mend == "keep the one that is right"


def test_a_key_that_stands_twice_with_one_value_costs_nothing(tmp_path: Path) -> None:
    """Whichever of the two is meant, it says the same."""
    take = parse_line(tmp_path, 3, f'{line_of(beads=5)[:-1]}, "beads": 5, "of": [1], "of": [1]}}')
    assert (take.beads, take.more) == (5, {"of": [1]})


def test_a_line_with_a_key_twice_stays_in_the_list_as_it_is(tmp_path: Path) -> None:
    """Also where another take is thrown out, which writes the list anew."""
    twice = line_of(file="b.wav")[:-1] + ', "beads": 7}'
    (tmp_path / "recordings.jsonl").write_text(f"{line_of()}\n{twice}\n")
    throw_out(tmp_path, ["a.wav"])
    assert (tmp_path / "recordings.jsonl").read_text().splitlines()[1] == twice


@pytest.mark.parametrize("place", ["Shell", "SHELL ", "shell"])
def test_a_microphone_on_the_shell_is_one_however_that_is_written(tmp_path: Path, place: str) -> None:
    """It was heard as one across the table."""
    take = parse_line(tmp_path, 1, line_of(place=place))
    assert take.kind == "contact"
    assert matches(take, "place=shell")
    assert take.to_json()["place"] == place
    assert parse_line(tmp_path, 1, line_of(place="Shelf")).place == "Shelf"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"sensor": None}, 'names no "sensor" – '),
        ({"sensor": True}, "has the sensor true – "),
        ({"beads": True}, 'has true as "beads" – '),
        ({"beads": ["7" * 100_000]}, 'has ["777'),
    ],
)
def test_what_is_wrong_in_a_line_is_shown_as_it_is_written(
    tmp_path: Path, wrong: dict[str, Any], said: str
) -> None:
    """In the words of JSON, not of Python, and not a whole page of it."""
    line = json.dumps({"file": "a.wav", "sensor": "microphone", "beads": 3} | wrong)
    with pytest.raises(RecordingsError) as told:
        parse_line(tmp_path, 3, line)
    assert said in str(told.value)
    assert len(str(told.value)) < len(str(tmp_path)) + 250
