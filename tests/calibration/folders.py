"""What tests of strange recordings folders share: a copy with other lines, and what `evaluate` says of a folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from table.cli import run

Capture = pytest.CaptureFixture[str]
Line = dict[str, Any]


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
