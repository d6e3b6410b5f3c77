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

import pytest

from rules import games
from table.terminal.play import HELP
from table.terminal.score_words import in_words
from table.terminal.typing import next_words
from tests.table.terminal.piped import play

COMMAND = [sys.executable, "-c", "from table.cli import main; main()", "play"]


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


def test_the_score_is_told_in_words() -> None:
    """It was written as JSON, and what nobody knows yet as None."""
    done = play("igloo", lines="commit A red\ncommit B blue\nscore\n")
    said = " ".join(done.stdout.split())
    assert "A: not known yet – prisoners (blue (S 0, M 0, L 0), green (S 0, M 0, L 0))" in said
    assert "if real (blue 0, green 0)" in said
    assert "None" not in said
    assert "{" not in said
    assert "red: 10 – cards 0, own 10, captured 0" in play("igloo-pop", lines="score\n").stdout


def test_what_a_score_is_made_of_may_be_a_list() -> None:
    made = {
        "animals": 3,
        "islands": [{"squares": ["b2", "b3"], "points": 1.5}, {"squares": [], "points": None}],
    }
    assert in_words(made) == (
        "animals 3, islands ((squares (b2, b3), points 1.5), (squares none, points not known yet))"
    )


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


def test_a_number_that_no_listed_move_has_is_told_so() -> None:
    """After each move the list is another one, and its numbers with it."""
    out = play("ice-cult", "--seed", "1", lines=f"1\nmoves\n55\nwhy 9\n{'9' * 5000}\n1\n1\n").stdout
    assert out.count("No: no move has the number 1 now: moves lists them with their numbers") == 2
    assert "No: no move has the number 55: the list goes to 8" in out
    assert "No: no move has the number 9: the list goes to 8" in out
    assert "a move of 5000 characters" in out
    assert "moves begin with" not in out


def test_words_that_no_legal_move_has_do_not_make_them_none() -> None:
    out = play("ice-cult", "--seed", "1", lines="moves north\nmoves n>S zzz\n").stdout
    assert "none of the 8 moves in the list has the words: north" in out
    assert "none of the 8 moves in the list has the words: n>S zzz" in out
    assert "no legal move\n" not in out
