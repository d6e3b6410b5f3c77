"""`polartable play`: records that are written and read, and data sets of one's own."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

import rules
from tests.table.terminal.piped import play


def test_json_lines_and_a_record_that_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    done = play("ice-cult", "--json", "--seed", "1", lines=f"tilt n>N\ntilt n>S\nmoves\nscore\nsave {file}\n")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events] == [
        *("view", "tilted", "view", "refused", "moves", "score", "said"),
    ]
    assert json.loads(file.read_text())["moves"] == ["tilt n>N"]
    on = play("ice-cult", "--load", str(file), lines="tilt n>N\n")
    assert "yellow tilts the north pair" in on.stdout
    other = play("igloo-pop", "--load", str(file))
    assert (other.returncode, "record of ice-cult" in other.stderr) == (2, True)
    file.write_text(file.read_text(), encoding="utf-8-sig")  # as editors of Windows save it
    assert "yellow tilts the north pair" in play("ice-cult", "--load", str(file), lines="tilt n>N\n").stdout
    file.write_text("{")
    assert play("ice-cult", "--load", str(file)).returncode == 2


def test_a_data_set_of_ones_own_comes_from_a_file(tmp_path: Path) -> None:
    shipped = Path(rules.__file__).parent / "data" / "cubes-assumed-v1.toml"
    mine = tmp_path / "mine.toml"
    mine.write_text(
        shipped.read_text().replace('N = "red>U"\nE = "yellow>N"', 'N = "green>U"\nE = "yellow>N"')
    )
    done = play("ice-cult", "-o", f"cubes=@{mine}", lines="tilt n>S\n")
    assert "NW shows green>S" in done.stdout
    mine.write_text(shipped.read_text().replace("circle", "square"))
    wrong = play("ice-cult", "-o", f"cubes=@{mine}")
    assert wrong.returncode == 2
    assert all(f"C1: cube {cube}, face D" in wrong.stderr for cube in "ABCD")
    assert "cannot be read" in play("ice-cult", "-o", "cubes=@nowhere.toml").stderr


@pytest.mark.parametrize(
    ("name", "as_json", "encoding"),
    [
        ("mine", True, "utf-8"),
        ("mine.txt", True, "utf-8"),
        ("MINE.JSON", True, "utf-8"),
        ("mine.json", True, "utf-8-sig"),
        ("mine.toml", False, "utf-8-sig"),
    ],
)
def test_a_data_set_is_read_by_what_stands_in_it(
    tmp_path: Path, name: str, as_json: bool, encoding: str
) -> None:
    text = (Path(rules.__file__).parent / "data" / "cubes-assumed-v1.toml").read_text()
    mine = tmp_path / name
    mine.write_text(json.dumps(tomllib.loads(text), indent=1) if as_json else text, encoding=encoding)
    done = play("ice-cult", "-o", f"cubes=@{mine}", lines="tilt n>S\n")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("argument", ["-o cubes=@{}", "--load {}"])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('{"a": 1}'.encode("utf-16"), "is written in UTF-16 – save it as UTF-8"),
        ('{\n"a": "Küche"}'.encode("latin-1"), "cannot be read: line 2 is not UTF-8"),
        (b'{"a": ', "cannot be read: Expecting value"),
        (b'{"a": ' + 9999 * b"[", "nested too deeply"),
    ],
)
def test_a_file_that_is_none_is_told_by_its_fault(
    tmp_path: Path, argument: str, data: bytes, said: str
) -> None:
    mine = tmp_path / "mine"
    mine.write_bytes(data)
    done = play("ice-cult", *argument.format(mine).split())
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert f"PT-101: {mine} " in done.stderr
    assert said in done.stderr


RECORD = '{"game": "ice-cult", "players": ["yellow", "red"], "seed": 7, "options": {}, "moves": []'


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["length=5", "length=6"], "--option gives 'length' twice, as '5' and as '6' – give it once"),
        (["cubes=a=b", "cubes=4"], "--option gives 'cubes' twice, as 'a=b' and as '4' – give it once"),
        (['cubes={{"n":1,"n":2}}'], "--option 'cubes' has 'n' twice, as 1 and as 2 – keep the one that is right"),
        (["cubes=@{}"], "{} has 'seed' twice, as 7 and as 8 – keep the one that is right"),
        (None, "{} has 'seed' twice, as 7 and as 8 – keep the one that is right"),
    ],
)  # fmt: skip
def test_a_key_that_stands_twice_with_two_values_is_refused(
    tmp_path: Path, options: list[str] | None, said: str
) -> None:
    """The last one won, and a game was played that may not have been meant."""
    file = tmp_path / "game.json"
    file.write_text(RECORD + ', "seed": 8}')
    asked = ["--load", "{}"] if options is None else [part for one in options for part in ("-o", one)]
    done = play("ice-cult", *(part.format(file) for part in asked))
    assert (done.returncode, done.stderr) == (2, f"polartable: PT-101: {said.format(file)}\n")


def test_a_key_that_stands_twice_with_one_value_says_one_thing(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(RECORD + ', "seed": 7, "format": 1, "format": 1}')
    for asked in (["--load", str(file)], ["-o", "length=5", "-o", "length=5"]):
        done = play("ice-cult", *asked)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("option", ["igloo-pop deck", "ice-cult cubes", "igloo-igloo tiles"])
@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("mine.toml", "name = 2020-01-01", "it has a date, or a time of day"),
        ("mine.toml", "name = " + 9999 * "[", "it is nested too deeply"),
        ("mine.json", 9999 * "[", "it is nested too deeply"),
    ],
)
def test_what_no_data_set_can_hold_is_one_sentence(
    tmp_path: Path, option: str, name: str, text: str, part: str
) -> None:
    """TOML has dates, for one; a record, in which the set stands, is JSON."""
    game, _, key = option.partition(" ")
    mine = tmp_path / name
    mine.write_text(text)
    done = play(game, "-o", f"{key}=@{mine}")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert f"PT-101: {mine} cannot be read: {part}" in done.stderr


def test_a_whole_number_may_be_written_with_a_point(tmp_path: Path) -> None:
    """To JSON 6.0 is the number 6, and some languages write every number so."""
    file = tmp_path / "game.json"
    assert play("ice-cult", "-o", "length=6.0", "--seed", "1", lines=f"save {file}\n").returncode == 0
    record = json.loads(file.read_text())
    assert str(record["options"]["length"]) == "6"
    file.write_text(json.dumps(record | {"seed": 1.0}))
    assert play("ice-cult", "--load", str(file)).returncode == 0
