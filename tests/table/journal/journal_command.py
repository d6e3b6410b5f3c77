"""`polartable journal …`, and what it says."""

from __future__ import annotations

import pytest

from table.cli import run


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    """(exit code, lines, what is told of errors)."""
    code = run(["journal", *arguments])
    out = capsys.readouterr()
    return code, out.out.splitlines(), out.err
