"""`polartable play`: piped lines for all four games, a real terminal with completion, records, bad input."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

import rules
from rules import games
from table.terminal.play import HELP
from table.terminal.typing import next_words
from tests.table.commands.running import called

COMMAND = [sys.executable, "-c", "from table.cli import main; main()", "play"]


def play(*arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    return called("play", *arguments, lines=lines)


@pytest.mark.parametrize("name", games.NAMES)
def test_a_pipe_plays_numbered_moves_and_takes_them_back(name: str) -> None:
    lines = "moves\n1\nmoves\n2\nwhy nonsense\nnonsense\nundo\nredo\nboard\nscore\n\n999\nquit\nnever read\n"
    done = subprocess.run(
        [*COMMAND, name, "--seed", "3"],
        input=lines,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Traceback" not in done.stdout
    assert "  1  " in done.stdout
    assert "is taken back" in done.stdout
    assert done.stdout.count("No: 'nonsense' is no move") == 2
    assert "never read" not in done.stdout


@pytest.mark.parametrize("columns", [80, 60, 40])
def test_the_help_keeps_its_columns_where_the_screen_is_narrow(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    told = play("ice-cult", lines="help\n").stdout
    first = told[: told.index("  quit ")].splitlines()
    again = told[told.rindex("A move is typed") : told.rindex("  quit ")].splitlines()
    assert first == again
    assert max(map(len, first)) <= columns
    assert [line for line in first[1:] if not line.startswith("  ")] == []
    rows = first[next(k for k, line in enumerate(first) if line.startswith("  moves")) :]
    assert {line[:17].strip() for line in rows} == {
        "moves [WORDS]", "why MOVE", "undo, redo", "board", "hand", "score", "save FILE", ""
    }  # fmt: skip
    assert " ".join(told[: told.index("leave")].split()) in " ".join(HELP.split())


def test_the_help_of_a_wide_screen_and_of_programs_is_as_it_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert play("ice-cult", lines="help\n").stdout.count(HELP + "\n") == 2
    monkeypatch.setenv("COLUMNS", "40")
    told = play("ice-cult", "--json", lines="help\n").stdout.splitlines()
    assert json.loads(told[-1]) == {"event": "said", "text": HELP}


def test_a_mark_before_the_first_line_is_no_part_of_a_move() -> None:
    done = play("ice-cult", lines="\ufefftilt n>N\n\ufefftilt n>N\n")
    assert "yellow tilts the north pair" in done.stdout
    assert done.stdout.count("is no move") == 1


def test_why_names_the_rule_and_what_was_possible() -> None:
    done = play("ice-cult", lines="tilt n>N\nwhy tilt n>S\nwhy tilt n>N\nuse NE\nwhy\n")
    assert "No (IC-5): tilt n>S would undo the first tilt, n>N" in done.stdout
    assert "tilt n>N is legal now" in done.stdout
    assert "No (IC-6)" in done.stdout
    assert "why what?" in done.stdout


def test_a_hidden_thing_is_not_told_beforehand() -> None:
    done = play("igloo-pop", lines="count\ngrab red A\nplace red 1\npass red\npass blue\nwhy resolve\n")
    assert "resolve is legal now" in done.stdout
    assert "wins the card" not in done.stdout


def test_one_screen_keeps_secrets_until_somebody_asks_for_his_hand() -> None:
    lines = "commit A red\ncommit B blue\nplace red L @ 0,0\nscore\n"
    done = play("igloo", "--json", lines=lines + "hand\n")
    views = [json.loads(line)["view"] for line in done.stdout.splitlines() if '"event": "view"' in line]
    assert [view["real"] for view in views] == [{"A": None, "B": None}] * 4 + [{"A": None, "B": "blue"}]
    assert "for the eyes of A only" in done.stdout
    assert "your real colour" not in done.stdout


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


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["chess"], "there is no game 'chess'"),
        (["ice cult"], "did you mean ice-cult?"),
        (["ice-cult", "--players", "red"], "2 to 4"),
        (["ice-cult", "-o", "length=12"], "4 to 9"),
        (["ice-cult", "-o", "length"], "has no value"),
        (["ice-cult", "--load", "nowhere.json"], "nowhere.json cannot be read"),
        (["ice-cult", "-o", "cubes=@nowhere"], "PT-101: nowhere cannot be read"),
    ],
)
def test_bad_usage_is_one_sentence(arguments: list[str], part: str) -> None:
    done = play(*arguments)
    assert done.returncode == 2
    assert part in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (done.stderr.count("PT-101"), done.stderr.count("cannot be read") < 2) == (1, True)


def test_a_reader_that_leaves_while_boards_are_drawn_is_no_failure() -> None:
    """`polartable play … | head -3`: of what Rich writes, too, nobody is left to read the rest."""
    with subprocess.Popen(
        [*COMMAND, "igloo-pop"],
        env=os.environ | {"PYTHONUNBUFFERED": ""},  # help and first board come in one piece
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as said:
        assert said.stdin is not None
        assert said.stdout is not None
        assert said.stderr is not None
        assert said.stdout.readline()
        said.stdout.close()
        said.stdin.write("board\n" * 9)
        said.stdin.close()
        assert (said.wait(timeout=60), said.stderr.read()) == (0, "")


def test_arcs_lie_as_their_cubes_do() -> None:
    """IC-2's set-up is a circle; a cube that was tilted shows the arc that it has there."""
    lines = [line.split() for line in play("ice-cult", "--players", "yellow,red").stdout.splitlines()]
    at = next(k for k, words in enumerate(lines) if "+" in words)
    assert [lines[at - 1], lines[at + 1]] == [["◜", "◝"], ["◟", "◞"]]


def test_bytes_that_are_no_text_are_refused_like_any_other_word() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [*COMMAND, "ice-cult"],
        input=b"\xff\xfe\ntilt n>N\n",
        capture_output=True,
        env=environment,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is no move" in done.stdout
    assert b"yellow tilts the north pair" in done.stdout


def test_completion_goes_word_by_word() -> None:
    moves = ["tilt n>N", "use NE pool", "use NE 3", "use SW 1", "end"]
    assert next_words("", moves) == ["tilt", "use", "end"]
    assert next_words("u", moves) == ["use"]
    assert next_words("use ", moves) == ["NE", "SW"]
    assert next_words("use ne ", moves) == ["pool", "3"]
    assert next_words("use NE 3 ", moves) == []


def test_a_real_terminal_completes_with_the_tabulator() -> None:
    controller, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
    player = subprocess.Popen(
        [*COMMAND, "ice-cult", "--seed", "1"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
    )
    os.close(terminal)
    try:
        heard = until(controller, "yellow (tilt-1)")
        os.write(controller, b"sco\t")
        heard += until(controller, "score")
        os.write(controller, b"\r")
        heard += until(controller, "red: 0")
        os.write(controller, b"tilt s>S\r")
        heard += until(controller, "yellow (tilt-2)")
        assert "tilts the south pair" in heard
        os.write(controller, b"\x04")
        assert player.wait(timeout=30) == 0
        assert "Traceback" not in heard
    finally:
        player.kill()
        player.wait()
        os.close(controller)


def until(controller: int, words: str) -> str:
    """What the terminal shows until these words come (within a minute), without colours and cursor movements."""
    raw, shown, end = "", "", time.monotonic() + 60
    while words not in shown and time.monotonic() < end:
        if select.select([controller], [], [], 1)[0]:
            raw += os.read(controller, 65536).decode(errors="replace")
            shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", raw)
    assert words in shown
    return shown
