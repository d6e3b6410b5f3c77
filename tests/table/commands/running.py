"""Commands as a user meets them: the real one, in its own process, and the lines that it tells programs."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any


def run(*arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    code = "import sys; from table.cli import main; main(sys.argv[1:])"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=timeout
    )


def start(*arguments: str) -> subprocess.Popen[str]:
    code = "import sys; from table.cli import main; main(sys.argv[1:])"
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]
