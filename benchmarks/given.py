"""Arguments that name files or folders: they are checked before hours of work begin."""

from __future__ import annotations

import argparse
from pathlib import Path


def recordings(text: str) -> Path:
    """A folder of recordings, as argparse's `type`. Raises ArgumentTypeError, which ends the program."""
    if not (Path(text) / "recordings.jsonl").is_file():
        raise argparse.ArgumentTypeError(f"there is no {text}/recordings.jsonl: name a folder of recordings")
    return Path(text)


def file(text: str) -> Path:
    """A file; otherwise like `recordings`."""
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return Path(text)
