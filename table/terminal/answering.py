"""A person's answer at a terminal."""

from __future__ import annotations

import select
import sys

LOOK_S = 0.5


def read_answer() -> str:
    """The next line of standard input; empty once it has ended.

    At a terminal, signals end the wait. Python handles a signal between two of its own steps: one that arrives in the
    moment before the system waits for a key would otherwise be handled after that key.
    """
    if sys.stdin.isatty():  # elsewhere lines may be buffered already, and `select` would not see them
        while not select.select([sys.stdin], [], [], LOOK_S)[0]:
            pass
    return sys.stdin.readline()
