"""libsndfile hands what it does not know to mpg123, which talks on standard error by itself and cannot be asked not to.

What is wrong with a file is ours to say, in one sentence.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

STDERR = 2
# what libsndfile reads itself, by the first bytes
KNOWN_STARTS = (b"RIFF", b"RIFX", b"RF64", b"riff", b"fLaC", b"OggS", b"FORM", b".snd", b"caff")
ONE_AT_A_TIME = threading.Lock()  # two at once would give each other's silence back


@contextmanager
def quiet(path: Path) -> Iterator[None]:
    """While `path` is opened, standard error leads nowhere if mpg123 could be asked: for the whole process, so for
    nothing longer than that. Raises OSError where the file cannot be read."""
    with path.open("rb") as file:
        known = file.read(4) in KNOWN_STARTS
    if known:
        yield
        return
    with ONE_AT_A_TIME, Path(os.devnull).open("wb") as nowhere, ExitStack() as after:
        with suppress(OSError):  # it is closed: nobody hears
            after.callback(give_back, os.dup(STDERR))
            os.dup2(nowhere.fileno(), STDERR)
        yield


def give_back(kept: int) -> None:
    """Standard error leads again to where `kept`, a copy of it, does."""
    os.dup2(kept, STDERR)
    os.close(kept)
