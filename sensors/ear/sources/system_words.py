"""Keeps PortAudio, ALSA and JACK from printing into our output.

They print to standard error while a device is opened or closed, whether that fails or not, in the middle of a level
meter or of results. Where it fails, ALSA's last message is the cause, and goes into our sentence.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import BinaryIO

from sensors.ear.sources.quiet import ONE_AT_A_TIME, STDERR, give_back

_ALSA = re.compile(r"ALSA lib \S+:\d+:\(\w+\) ")
# the beginnings of their lines
THEIRS = (
    "ALSA lib ",
    "Expression '",
    "Cannot connect to server ",
    "jack server is not running",
    "JackShmReadWritePtr::",
    "connect(2) call to ",
    "attempt to connect to server failed",
)


@contextmanager
def kept_apart() -> Iterator[list[str]]:
    """Collects in the list, when the block is left, what they print meanwhile, instead of standard error. This
    redirects the whole process, so use it only around a single call to them; lines by others are passed on. Raises
    nothing: where there is no room to collect, the messages go where they went before."""
    said: list[str] = []
    with ONE_AT_A_TIME, ExitStack() as after:
        with suppress(OSError):  # also where standard error is closed: nobody reads it
            apart = after.enter_context(tempfile.TemporaryFile())
            kept = os.dup(STDERR)
            after.callback(_part, apart, said)
            after.callback(give_back, kept)
            os.dup2(apart.fileno(), STDERR)
        yield said


def _part(apart: BinaryIO, said: list[str]) -> None:
    """After standard error is restored: separate their lines from others."""
    with suppress(OSError):
        apart.seek(0)
        for line in apart.readlines():
            words = line.decode(errors="replace").rstrip("\n")
            if words.startswith(THEIRS):
                said.append(words)
            else:
                os.write(STDERR, line)


def alsa_cause(said: Iterable[str]) -> str | None:
    """ALSA's last message, without the place in its source; None where there is none."""
    told = [_ALSA.sub("", line) for line in said if _ALSA.match(line)]
    return told[-1] if told else None
