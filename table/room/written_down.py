"""Logs failures beside the game, so that they stop nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from typing import Any

_LOG = logging.getLogger("polartable")


@contextlib.contextmanager
def all_the_same(what: str) -> Iterator[None]:
    """Log any exception from the block, and continue after it."""
    try:
        yield
    except Exception:
        _LOG.exception(what)


def write_down(task: asyncio.Task[Any]) -> None:
    """For a task's `add_done_callback`: log its exception."""
    if not task.cancelled() and task.exception() is not None:
        _LOG.error("a wire of the table broke", exc_info=task.exception())
