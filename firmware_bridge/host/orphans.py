"""Ends a worker process together with its parent, however the parent ended."""

from __future__ import annotations

import os
import threading
import time
from functools import cache

LOOK_S = 1.0


@cache  # once in a process, however many tasks it gets
def end_with(parent: int) -> None:
    """End this process within a second or two of the end of `parent`, the process that started it.

    Nobody else would tell it: a worker of a pool holds the writing end of its own queue, so it waits at the queue for
    ever.
    """
    threading.Thread(target=_look, args=(parent,), name="looks after its parent", daemon=True).start()


def _look(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_S)
    os._exit(1)  # whatever it is working on, nobody waits for it
