"""Files that survive a power cut whole: the old content or the new one, never half of either."""

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

# errors that neither another owner nor sudo would cure: the disk or a quota is full, or the file is too large
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_whole(file: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace `file` atomically, and return when it is on disk; see `replacing`. Raises OSError."""
    with replacing(file, mode) as out:
        out.write(data)


@contextmanager
def replacing(file: Path, mode: int = 0o600) -> Iterator[BinaryIO]:
    """What is written inside this block replaces `file` atomically, and is on disk when the block is left. Raises
    OSError; after that, or any other exception, the old file is unchanged.

    An existing file keeps its permissions and, where we may set it, its owner. A new one that root writes gets the
    owner of its directory. Links are followed.
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
        # on a disk that became read-only meanwhile, report the first failure
        with contextlib.suppress(OSError):
            Path(name).unlink(missing_ok=True)
        raise
    sync_directory(file.parent)


def make_directory(directory: Path) -> None:
    """Create it and its parents where they are missing; see `give_on`. Raises OSError."""
    missing = list(takewhile(lambda one: not one.exists(), (directory, *directory.parents)))
    directory.mkdir(parents=True, exist_ok=True)
    for made in reversed(missing):
        give_on(made, made.parent)


def give_on(made: Path | int, directory: Path) -> None:
    """What root creates in somebody's directory gets the directory's owner, who wants to read it and add to it, where
    the file system has owners. `made`: its path, or an open file descriptor."""
    if os.geteuid() == 0:
        where = directory.stat()
        # a network disk or a stick may refuse: no harm done
        with contextlib.suppress(PermissionError):
            os.chown(made, where.st_uid, where.st_gid, follow_symlinks=isinstance(made, int))


def sync_directory(directory: Path) -> None:
    """Flush a directory to disk: a rename is only safe after this."""
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
