"""PortAudio, ALSA and JACK talk on standard error by themselves while a device is opened or closed, whether that fails
or not: in the midst of a level meter, of what is heard.

Where it fails, ALSA's last word is the cause, and goes into our sentence.
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
# what they begin their lines with
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
    """What they say meanwhile comes into the list when it is over, and not to standard error. That is the whole
    process's, so this is for nothing longer than one call to them; what anybody else wrote there meanwhile is handed
    on. Raises nothing: where there is no room for their words, they go where they went."""
    said: list[str] = []
    with ONE_AT_A_TIME, ExitStack() as after:
        with suppress(OSError):  # also where standard error is closed: nobody hears
            apart = after.enter_context(tempfile.TemporaryFile())
            kept = os.dup(STDERR)
            after.callback(_part, apart, said)
            after.callback(give_back, kept)
            os.dup2(apart.fileno(), STDERR)
        yield said


def _part(apart: BinaryIO, said: list[str]) -> None:
    """Standard error is back: what is theirs, and what is not."""
    with suppress(OSError):
        apart.seek(0)
        for line in apart.readlines():
            words = line.decode(errors="replace").rstrip("\n")
            if words.startswith(THEIRS):
                said.append(words)
            else:
                os.write(STDERR, line)


def alsa_cause(said: Iterable[str]) -> str | None:
    """The last thing that ALSA said, without the place in its source; None where it said nothing."""
    told = [_ALSA.sub("", line) for line in said if _ALSA.match(line)]
    return told[-1] if told else None
