"""Fits a profile on what was recorded and makes its report, in processes of their own: the page goes on meanwhile."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from calibration.recordings.folder import LIST
from firmware_bridge.clock import Clock
from table import steps
from table.steps import Steps

# fitting, then making the report; fitted with a report, or the report alone; why there is none
State = Literal["idle", "fits", "reports", "fitted", "reported", "failed", "unreported"]
_FIT = 3  # where the word `fit` stands in the command
# this installation, wherever its script lies, and not what a maker keeps in the present folder under such names
_MAIN = """
import sys
sys.path[:] = {path!r}
from table import cli, steps
steps.to_be_read = True
cli.main(sys.argv[1:])
"""
_TITLE = "– Polartable</title>".encode()  # of a report of ours, within its first bytes
_HEAD = 1024


class Fitting:
    """At most one at a time.

    `version` counts changes, the last was at `changed_s` on the clock. `said`: what the fit printed (or the report, if
    that alone was made), and why either failed. `steps`: how far what is being made is, once that is known.
    """

    def __init__(self, folder: Path, command: Callable[[], Sequence[str] | None], clock: Clock) -> None:
        """`command`: the present `polartable calibrate igloos fit …` of `folder`, word by word; None if nothing can be
        fitted."""
        self._folder, self._ask, self._clock = folder, command, clock
        self._asked: tuple[int, Sequence[str] | None] | None = None
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self._last: Path | None = None  # the profile that was worked on
        self._made: tuple[object, object] | None = None  # the report that was made here, and of what
        self.version, self.changed_s = 0, -math.inf
        self.state: State = "idle"
        self.said: tuple[str, ...] = ()
        self.steps: Steps | None = None

    @property
    def busy(self) -> bool:
        return self.state in ("fits", "reports")

    @property
    def profile(self) -> Path | None:
        """The one to report on: the folder's, also of another day; or the last that was fitted."""
        command = self._command()
        named = None if command is None else Path(command[-1])
        return named if named is not None and named.is_file() else self._last

    @property
    def report(self) -> Path | None:
        """The page that shows how good the profile is, once it is there."""
        profile = self.profile
        page = None if profile is None else _page(profile)
        return page if page is not None and _is_a_report(page) else None

    def outdated(self) -> bool:
        """Whether the takes or the profile changed after the report was made."""
        profile = self.profile
        if profile is None:
            return False
        made, of = _stamp(_page(profile)), self._made_of(profile)
        # a report that was made here is of what was there when it was begun
        if self._made is not None and self._made[0] == (profile, made):
            return self._made[1] != of
        return made < max(of)

    def possible(self) -> bool:
        """Whether there is enough to fit a profile on, and nothing is being made."""
        return not self.busy and self._command() is not None

    def reportable(self) -> bool:
        """Whether there is a profile without a report, or with one that is out of date, and nothing is being made."""
        command = self._command()
        if self.busy or command is None or not Path(command[-1]).is_file():
            return False
        return self.report is None or self.outdated()

    def begin(self) -> None:
        """Begin to fit a profile and to make its report; nothing if something is being made, or if there is too
        little."""
        self._begin("fits")

    def make_report(self) -> None:
        """Begin to make the report on the profile that is there; nothing as in `begin`."""
        self._begin("reports")

    def wait(self, seconds: float) -> None:
        """Wait until what is going on has ended, but no longer than that."""
        if self._thread is not None:
            self._thread.join(seconds)

    def forget(self) -> None:
        """Why it failed is of no interest any more; the report of a profile that was fitted is there to the end."""
        if self.state in ("failed", "unreported"):
            self._now("idle", ())

    def close(self) -> None:
        """End what is going on. Nothing half-written is left behind."""
        with self._lock:
            self._closed = True
            process = self._process
        if process is not None:
            process.terminate()
            process.wait()

    def _command(self) -> Sequence[str] | None:
        """Pages ask many times a second while it listens, and going through a long list takes time."""
        stamp = _stamp(self._folder / LIST)
        if self._asked is None or self._asked[0] != stamp:
            self._asked = stamp, self._ask()
        return self._asked[1]

    def _begin(self, state: State) -> None:
        with self._lock:
            command = self._command()
            if self.busy or command is None:
                return
            self._last = Path(command[-1])
            self._now(state, ())
        # what is listed or thrown out from here on is not in the profile, nor in the report
        listed = _stamp(self._folder / LIST)
        self._thread = threading.Thread(target=self._run, args=(command, listed), name="fitting", daemon=True)
        self._thread.start()

    def _run(self, command: Sequence[str], listed: int) -> None:
        fits, profile, said = self.state == "fits", Path(command[-1]), list[str]()
        if fits:
            written, said = self._written(profile, command)
            if not written:
                self._now("failed", said)
                return
            self._now("reports", said)
        page, of = _page(profile), (listed, _stamp(profile))
        # the same folder and choice of recordings, without --out
        words = [
            *command[:_FIT],
            "report",
            *command[_FIT + 1 : -2],
            "--profile",
            str(profile),
            "--out",
            str(page),
        ]
        written, told = self._written(page, words)
        if written:
            self._made = (profile, _stamp(page)), of
            self._now("fitted" if fits else "reported", said or told)  # what is to be said of it is in it
        else:
            self._now("unreported", said + told)

    def _written(self, file: Path, words: Sequence[str]) -> tuple[bool, list[str]]:
        """Run that command; whether it wrote the file, and its lines.

        Where some recordings could not be used it ends as if it had failed, and the file is good all the same.
        """
        before = _stamp(file)
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
        told = list[str]()
        with self._process as process:
            assert process.stdout is not None
            for line in process.stdout:
                if (read := steps.read(line)) is not None:
                    self.steps = read
                    self.version += 1
                elif line.strip():
                    told.append(line.rstrip("\n"))
        return _stamp(file) not in (0, before), told

    def _made_of(self, profile: Path) -> tuple[int, int]:
        return _stamp(self._folder / LIST), _stamp(profile)

    def _now(self, state: State, said: Sequence[str]) -> None:
        self.state, self.said, self.changed_s = state, tuple(said), self._clock.now()
        self.steps = None
        self.version += 1


def _page(profile: Path) -> Path:
    return profile.with_suffix(".html")


def _stamp(file: Path) -> int:
    """Another one each time that it is written; 0 if it is not there."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _is_a_report(page: Path) -> bool:
    """Somebody's own page may be called so, and is shown to nobody."""
    try:
        if not page.is_file():
            return False
        with page.open("rb") as opened:
            return _TITLE in opened.read(_HEAD)
    except OSError:
        return False
