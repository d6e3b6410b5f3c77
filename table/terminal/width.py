"""Sentences in a terminal of any width: it would break a line in the middle of a word."""

from __future__ import annotations

import os
import re
import shutil
from typing import TextIO

USUAL = 80
# a command stands whole, so that it can be copied: a terminal joins what it broke itself
_WORD = re.compile(r"(?:`[^`]*`|\S)+")


def columns_of(stream: TextIO) -> int:
    """The width of a stream's terminal, or what COLUMNS says; standard output may lead elsewhere."""
    if os.environ.get("COLUMNS", "").isdecimal():
        return shutil.get_terminal_size().columns
    try:
        return os.get_terminal_size(stream.fileno()).columns or USUAL
    except (OSError, ValueError):
        return USUAL


def at_spaces(text: str, stream: TextIO) -> str:
    """The text in lines that fit the stream's terminal, broken at spaces; unchanged where it leads to none."""
    if not stream.isatty():
        return text
    return "\n".join("\n".join(_lines(line, columns_of(stream))) for line in text.split("\n"))


def _lines(text: str, columns: int) -> list[str]:
    lines = [""]
    for word in _WORD.findall(text):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > columns:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines
