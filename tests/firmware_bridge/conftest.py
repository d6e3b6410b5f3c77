"""What the tests of the link share: real pseudo-terminals and a real socat."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.clock import SystemClock
from hw_mock.ports import PtyPort


@pytest.fixture
def port() -> Iterator[PtyPort]:
    pty = PtyPort()
    yield pty
    pty.close()


@pytest.fixture
def socat() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start socat with two addresses, waiting for the paths it should make; all are stopped in the end."""
    running: list[subprocess.Popen[bytes]] = []

    def start(one: str, other: str, *paths: Path) -> subprocess.Popen[bytes]:
        running.append(subprocess.Popen(["socat", one, other], stderr=subprocess.DEVNULL))
        clock = SystemClock()
        while not all(path.exists() for path in paths):
            assert clock.now() < 5, "socat made no link"
            os.sched_yield()
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()
