"""Waiting for another process, thread or device, which take their time: asked again and again until it is so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PATIENT_S = 60.0  # for a busy machine; nothing waits for it where things go well


async def until(true: Callable[[], bool], what: str) -> None:
    """Beside a loop that has to go on meanwhile."""
    for _ in range(int(PATIENT_S / 0.02)):
        if true():
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"waited in vain until {what}")


def waited_until(true: Callable[[], bool], what: str) -> None:
    """For another process."""
    end = time.monotonic() + PATIENT_S
    while not true():
        if time.monotonic() > end:
            pytest.fail(f"waited in vain until {what}")
        time.sleep(0.05)


def alive(pid: int) -> bool:
    """Whether that process still runs: one that has ended, and that nobody asked how yet, does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
