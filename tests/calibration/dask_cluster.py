"""A Dask cluster on this machine, for the tests of bulk work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Self

from tests.mosquitto import free_port
from tests.parts import ROOT


class Cluster:
    """A real scheduler and real workers, processes of their own, until it is left.

    `root`: where these find Polartable.
    """

    def __init__(self, root: Path = ROOT, workers: int = 2) -> None:
        self._root = root
        self.address = f"tcp://127.0.0.1:{free_port()}"
        port = self.address.rsplit(":", 1)[1]
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", port)
        self.workers = [self.another() for _ in range(workers)]

    def another(self) -> subprocess.Popen[bytes]:
        """One more worker."""
        return self._start("worker", self.address, "--nthreads", "1", "--no-nanny")

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        environment = os.environ | {"PYTHONPATH": str(self._root)}
        return subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=self._root, env=environment)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
