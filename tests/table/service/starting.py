"""For tests: a real service that starts, and the mark that it makes of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from table.starts import NAME

COMMAND = [sys.executable, "-c", "from table.cli import main; main()", "serve", "--port", "0", "--json"]


def mark(data: Path) -> dict[str, Any]:
    """What is written of starts that are not finished."""
    value: dict[str, Any] = json.loads((data / NAME).read_text())
    return value


def goes_on(process: subprocess.Popen[Any], seconds: float = 0.001) -> None:
    """It does not end within that time."""
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(seconds)
