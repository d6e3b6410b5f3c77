"""`polartable referee`: the rules on standard input and output, one JSON object a line."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import BinaryIO

import typer

from rules.protocol.lines import LONGEST
from rules.protocol.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EXAMPLE = """Example: echo '{"do":"new","game":"ice-cult","players":["yellow","red"]}' | polartable referee"""


@app.command(epilog=EXAMPLE)
def referee(
    json_lines: bool = typer.Option(
        False, "--json", help="For uniformity: the answers are JSON lines anyway."
    ),
) -> None:
    """The rules for other programs: requests are read from standard input, answers written to standard output.

    do: games, new, setup, moves, play, undo, redo, state, view, score, record, load (docs/contracts.md).
    """
    with contextlib.suppress(KeyboardInterrupt):  # it ends so, and at the end of its input
        serve(sys.stdin.buffer, sys.stdout.buffer)


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer every line of `source` until it ends."""
    session = Session()
    while line := source.readline(LONGEST + 2):
        rest = line
        while not rest.endswith(b"\n") and len(rest) > LONGEST:  # too long: discard the rest of it
            rest = source.readline(LONGEST + 2)
        try:
            reply = session.answer(line)
        except Exception as wrong:  # a defect of ours must not end a process that others rely on
            print(f"polartable referee: defect: {wrong!r} on {line[:200]!r}", file=sys.stderr)
            text = "the referee has a defect and could not read this line; nothing was changed"
            reply = json.dumps({"id": None, "ok": False, "error": {"kind": "unreadable", "text": text}})
        sink.write(reply.encode("ascii") + b"\n")
        sink.flush()
