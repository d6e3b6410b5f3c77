"""Silences mpg123: libsndfile passes unknown files to it, and it prints to standard error and cannot be told not to.

What is wrong with a file is for us to say, in one sentence.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

STDERR = 2
# formats that libsndfile reads itself, by their first bytes
KNOWN_STARTS = (b"RIFF", b"RIFX", b"RF64", b"riff", b"fLaC", b"OggS", b"FORM", b".snd", b"caff")
ONE_AT_A_TIME = threading.Lock()  # two at once would restore each other's redirected output


@contextmanager
def quiet(path: Path) -> Iterator[None]:
    """Redirects standard error to nowhere while `path` is opened, if mpg123 might be involved. That holds for the whole
    process, so use it for nothing longer. Raises OSError where the file cannot be read."""
    with path.open("rb") as file:
        known = file.read(4) in KNOWN_STARTS
    if known:
        yield
        return
    with ONE_AT_A_TIME, Path(os.devnull).open("wb") as nowhere, ExitStack() as after:
        with suppress(OSError):  # it is closed: nobody reads it
            after.callback(give_back, os.dup(STDERR))
            os.dup2(nowhere.fileno(), STDERR)
        yield


def give_back(kept: int) -> None:
    """Point standard error back to `kept`, a copy of it."""
    os.dup2(kept, STDERR)
    os.close(kept)
