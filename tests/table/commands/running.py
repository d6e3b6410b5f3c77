"""Commands as a user meets them: the real one, in its own process or in this one, and the lines that it tells
programs."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

import pytest

from table import cli


def run(*arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    code = "import sys; from table.cli import main; main(sys.argv[1:])"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=timeout
    )


def called(*arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    """The same in this process, between pipes as well: nearly all that a process of its own takes is its start."""
    pipes = {"stdin": io.BytesIO(lines.encode()), "stdout": io.BytesIO(), "stderr": io.BytesIO()}
    with pytest.MonkeyPatch.context() as patched:
        streams = {name: io.TextIOWrapper(pipe, "utf-8") for name, pipe in pipes.items()}
        for name, stream in streams.items():
            patched.setattr(sys, name, stream)
        code = cli.run(list(arguments))
    for name in ("stdout", "stderr"):
        streams[name].flush()
    out, err = (pipes[name].getvalue().decode() for name in ("stdout", "stderr"))
    return subprocess.CompletedProcess(arguments, code, out, err)


def start(*arguments: str) -> subprocess.Popen[str]:
    code = "import sys; from table.cli import main; main(sys.argv[1:])"
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]
