"""Atomic operations on files and links, and their errors."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from firmware_bridge.errors import PolartableError
from firmware_bridge.host.durable import sync_directory

Got = TypeVar("Got")


class SetupFailed(PolartableError):
    """A step of the set-up failed."""

    number = 104


def guarded(act: Callable[[], Got], path: Path) -> Got:
    """The result of `act`. Raises `SetupFailed` if the system refuses it."""
    try:
        return act()
    except OSError as error:
        mend = "run it with sudo" if isinstance(error, PermissionError) else "mend that"
        raise SetupFailed(f"{path}: {error.strerror}", f"{mend}; then once more, or --undo") from error


def swap(link: Path, to: Path) -> None:
    """Point `link` to `to` atomically, by one rename."""
    link.parent.mkdir(parents=True, exist_ok=True)
    fresh = link.with_name(f".{link.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(to)
    fresh.replace(link)
    sync_directory(link.parent)


def take_away(path: Path, tree: bool) -> None:
    """Delete it; `tree`: a directory with everything in it. Also deletes a directory of our name that becomes empty."""
    if tree and path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
    if path.parent.name == "polartable":
        with contextlib.suppress(OSError):  # somebody has put something there
            path.parent.rmdir()
