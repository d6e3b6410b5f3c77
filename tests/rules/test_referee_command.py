"""`polartable referee` as a program: a line in, a line out."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys

from rules.protocol.lines import LONGEST

COMMAND = "from table.cli import main; main(['referee'])"


def test_the_command_answers_line_by_line_and_survives_everything() -> None:
    lines = [
        b'{"id":1,"do":"new","game":"ice-cult","players":["red","blue"],"seed":1}',
        b"\x00\xff not a line",
        b'{"id":2,"do":"x","pad":"' + b"a" * (LONGEST + 10) + b'"}',
        b"",
        b'{"id":3,"do":"play","move":"tilt n>N"}\r',
        b'{"id":4,"do":"state"}',  # without an end of line
    ]
    done = subprocess.run(
        [sys.executable, "-c", COMMAND],
        input=b"\n".join(lines),
        capture_output=True,
        timeout=60,
        check=False,
    )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, b"")
    assert [(reply["id"], reply["ok"]) for reply in replies] == [
        (1, True),
        (None, False),
        (None, False),
        (None, False),
        (3, True),
        (4, True),
    ]
    assert replies[-1]["state"]["phase"] == "tilt-2"


def test_the_command_answers_before_the_next_line_comes() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as referee:
        assert referee.stdin is not None
        assert referee.stdout is not None
        for k in range(3):
            referee.stdin.write(json.dumps({"id": k, "do": "games"}).encode() + b"\n")
            referee.stdin.flush()
            assert json.loads(referee.stdout.readline())["id"] == k
        referee.stdin.close()
        assert referee.wait(timeout=30) == 0


def test_an_interrupt_ends_it_with_0() -> None:
    """As docs/contracts.md 1 says of the commands that run until somebody ends them; it was 130."""
    with subprocess.Popen(
        [sys.executable, "-c", COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as referee:
        assert referee.stdin is not None
        assert referee.stdout is not None
        assert referee.stderr is not None
        referee.stdin.write(b'{"do":"games"}\n{"do":"ga')
        referee.stdin.flush()
        assert json.loads(referee.stdout.readline())["ok"]
        interrupt(referee)
        assert (referee.returncode, referee.stderr.read()) == (0, b"")


def interrupt(process: subprocess.Popen[bytes]) -> None:
    """Ctrl-C, and again, as a person would: one in the very moment before a read is handled after that read."""
    for _ in range(6):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
            return
