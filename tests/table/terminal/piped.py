"""`polartable play` with its lines through a pipe."""

from __future__ import annotations

import subprocess

from tests.table.commands.running import called


def play(*arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    return called("play", *arguments, lines=lines)
