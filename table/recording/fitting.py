"""Fits a profile on what was recorded and writes its report, in processes of their own: the page goes on meanwhile."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from firmware_bridge.clock import Clock

State = Literal["idle", "fits", "fitted", "failed"]
_FIT = 3  # where the word `fit` stands in the command
# this installation, wherever its script lies, and not what a maker keeps in the present folder under such names
_MAIN = "import sys; sys.path[:] = {path!r}; from table.cli import main; main(sys.argv[1:])"


class Fitting:
    """At most one at a time.

    `version` counts changes, the last was at `changed_s` on the clock. `said`: what the fit printed, and why it or the
    report failed.
    """

    def __init__(self, command: Callable[[], Sequence[str] | None], clock: Clock) -> None:
        """`command`: the present `polartable calibrate igloos fit …`, word by word; None if nothing can be fitted."""
        self._command, self._clock = command, clock
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self.version, self.changed_s = 0, -math.inf
        self.state: State = "idle"
        self.said: tuple[str, ...] = ()
        self.profile: Path | None = None

    @property
    def report(self) -> Path | None:
        """The page that shows how good the profile is, once it is there."""
        return None if self.profile is None or self.state != "fitted" else _page(self.profile)

    def possible(self) -> bool:
        """Whether there is enough to fit a profile on, and none is being fitted."""
        return self.state != "fits" and self._command() is not None

    def begin(self) -> None:
        """Begin; nothing if it is going on already, or if there is too little."""
        with self._lock:
            command = self._command()
            if self.state == "fits" or command is None:
                return
            self.profile = Path(command[-1])
            self._now("fits", ())
        self._thread = threading.Thread(
            target=self._run, args=(command, self.profile), name="fitting", daemon=True
        )
        self._thread.start()

    def wait(self, seconds: float) -> None:
        """Wait until what is going on has ended, but no longer than that."""
        if self._thread is not None:
            self._thread.join(seconds)

    def forget(self) -> None:
        """Why it failed is of no interest any more; the report of a profile that was fitted is there to the end."""
        if self.state == "failed":
            self._now("idle", ())

    def close(self) -> None:
        """End what is going on. Nothing half-written is left behind."""
        with self._lock:
            self._closed = True
            process = self._process
        if process is not None:
            process.terminate()
            process.wait()

    def _run(self, command: Sequence[str], profile: Path) -> None:
        # the same folder and choice of recordings, without --out
        report = [*command[:_FIT], "report", *command[_FIT + 1 : -2]]
        said = list[str]()
        for words in (command, [*report, "--profile", str(profile), "--out", str(_page(profile))]):
            right, told = self._done(words)
            if not right:
                self._now("failed", said + told)
                return
            said = said or told  # what is to be said of the report is in it
        self._now("fitted", said)

    def _done(self, words: Sequence[str]) -> tuple[bool, list[str]]:
        """Run that command; whether it succeeded, and its lines."""
        with self._lock:
            if self._closed:
                return False, []
            self._process = subprocess.Popen(
                [sys.executable, "-c", _MAIN.format(path=sys.path), *words[1:]],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            )
        told, _ = self._process.communicate()
        return self._process.returncode == 0, [line for line in told.splitlines() if line.strip()]

    def _now(self, state: State, said: Sequence[str]) -> None:
        self.state, self.said, self.changed_s = state, tuple(said), self._clock.now()
        self.version += 1


def _page(profile: Path) -> Path:
    return profile.with_suffix(".html")
