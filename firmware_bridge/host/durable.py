"""Files that stand whole after a pulled plug: the old text or the new one, never half of either."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO

# what no other owner and no sudo mends: the disk is full, or somebody's share of it, or a file is as large as may be
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_whole(file: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace `file` at once, and return when it is on the disk; see `replacing`. Raises OSError."""
    with replacing(file, mode) as out:
        out.write(data)


@contextmanager
def replacing(file: Path, mode: int = 0o600) -> Iterator[BinaryIO]:
    """What is written meanwhile replaces `file` at once, and is on the disk when this is left. Raises OSError; then, or
    where anything else is raised, the old file stands as it was.

    An existing file keeps its permissions and, where we may give it away, its owner; a new one that root writes belongs
    to the owner of its directory. A link is followed.
    """
    file = file.resolve()
    make_directory(file.parent)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        _as_before(file, Path(name), mode)
        Path(name).replace(file)
    except BaseException:
        # a disk that turned read-only under us; what failed first is what is told
        with contextlib.suppress(OSError):
            Path(name).unlink(missing_ok=True)
        raise
    sync_directory(file.parent)


def make_directory(directory: Path) -> None:
    """Make it where it is not there, and those that it is in; see `give_on`. Raises OSError."""
    missing = list(takewhile(lambda one: not one.exists(), (directory, *directory.parents)))
    directory.mkdir(parents=True, exist_ok=True)
    for made in reversed(missing):
        give_on(made, made.parent)


def give_on(made: Path | int, directory: Path) -> None:
    """What root makes in somebody's directory belongs to its owner, who wants to read it and add to it, where the disk
    knows owners. `made`: its path, or the number of an open file."""
    if os.geteuid() == 0:
        where = directory.stat()
        # another machine's disk may refuse, or a stick: nothing is lost by it
        with contextlib.suppress(PermissionError):
            os.chown(made, where.st_uid, where.st_gid, follow_symlinks=isinstance(made, int))


def sync_directory(directory: Path) -> None:
    """Put a directory's names on the disk: a rename is safe only after this."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _as_before(old: Path, new: Path, mode: int) -> None:
    try:
        was = old.stat()
    except FileNotFoundError:
        new.chmod(mode)
        give_on(new, old.parent)
    else:
        new.chmod(was.st_mode & 0o7777)
        if os.geteuid() == 0:
            os.chown(new, was.st_uid, was.st_gid)
