"""Pieces of work for the tests of bulk work, importable by other processes."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path


def square(n: int) -> int:
    return n * n


def deadly(n: int) -> int:
    """Piece 7 takes its worker with it, every time."""
    if n == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return n * n


def deadly_once(marks: Path, n: int) -> int:
    """Piece 7 is interrupted once, as by somebody who pulls a plug."""
    mark = marks / "pulled"
    if n == 7 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return n * n


def long_sum(n: int) -> float:
    """A sum whose last bits depend on the order in which it is added."""
    import numpy as np

    values = np.random.default_rng(n).normal(size=(300, 300))
    return float((values @ values.T).sum())


def slow(marks: Path, n: int) -> int:
    """A piece that takes a minute, and says who works at it."""
    (marks / str(os.getpid())).touch()
    time.sleep(60)
    return n


def stuck_once(marks: Path, n: int) -> int:
    """Whoever takes piece 3 first does not come back."""
    mark = marks / "stuck"
    if n == 3 and not mark.exists():
        mark.touch()
        threading.Event().wait()
    return n * n
