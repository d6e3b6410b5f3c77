"""A real Mosquitto on a free port, that can be killed, stopped in its tracks and started again."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WHERE = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Mosquitto:
    """The broker as Debian ships it: nothing persists, so a kill loses whatever it held."""

    def __init__(self, folder: Path, *more: str) -> None:
        self.port, self.scheme = free_port(), "mqtt"
        self._config = folder / "mosquitto.conf"
        self.configure(*(more or ("allow_anonymous true",)))
        self._process: subprocess.Popen[bytes] | None = None

    def configure(self, *lines: str) -> None:
        """Holds from the next start on."""
        fixed = (f"listener {self.port} 127.0.0.1", "user root")
        self._config.write_text("\n".join((*fixed, *lines)) + "\n")

    @property
    def url(self) -> str:
        return self.url_of(None)

    def url_of(self, user: str | None) -> str:
        return f"{self.scheme}://{'' if user is None else f'{user}@'}127.0.0.1:{self.port}"

    def start(self) -> None:
        command = shutil.which("mosquitto", path=WHERE)
        assert command is not None
        self._process = subprocess.Popen(
            [command, "-c", str(self._config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while True:  # it listens after some milliseconds, or ends
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self._process.poll() is None, "mosquitto did not start"

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def look_anew(self) -> None:
        """At its access list, without losing anybody."""
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def stall(self) -> None:
        """It holds its connections and says nothing any more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)


@contextmanager
def mosquitto(folder: Path, *more: str) -> Iterator[Mosquitto]:
    broker = Mosquitto(folder, *more)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()
