"""Detects unfinished starts: a mark on the disk, written before anything is opened and cleared once all is well.

After two unfinished starts the table starts in safe mode. A safe start that succeeds gives the next start one normal
try: whoever fixed the cause has his table back; if not, the start after that is safe again. The model is OctoPrint's
safe mode after an incomplete start.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from firmware_bridge.host.durable import NO_ROOM, write_whole

NAME = "start.json"
PATIENCE = 2  # unfinished starts before the next one is safe
_MAKE_ROOM = "make room on its disk, or name another directory with POLARTABLE_DATA"
_MAY_WRITE = (
    "check who owns that directory and whether its disk is mounted read-only, "
    "or name another with POLARTABLE_DATA"
)
UNKNOWN = "it was killed, or the power went"


@dataclass(frozen=True, slots=True)
class Start:
    """How this start begins: how many starts before it did not finish, and the error of the last of them."""

    unfinished: int
    why: str

    @property
    def safe(self) -> bool:
        return self.unfinished >= PATIENCE

    @property
    def reason(self) -> str:
        """Why it is safe, in words for people."""
        return f"the last {self.unfinished} starts did not finish; the last one: {self.why}"


class Starts:
    """The mark. If the disk cannot be written, only the count is lost, never the start."""

    def __init__(self, directory: Path) -> None:
        self._file = directory / NAME
        self._before = Start(0, UNKNOWN)
        self._told = False  # whether the unwritable disk was reported

    def begin(self) -> Start:
        """Mark this start as begun and not yet finished; it is on the disk when this returns."""
        self._before = self._read()
        self._write(self._before.unfinished + 1, UNKNOWN)
        return self._before

    def any(self) -> bool:
        """Whether a table was ever started here; if that cannot be determined, `last` reports it."""
        try:
            self._file.lstat()
        except FileNotFoundError:
            return False
        except OSError:
            pass
        return True

    def last(self) -> Start:
        """The present mark, without beginning a start."""
        return self._read()

    def failed(self, why: str) -> None:
        """This start will not finish, and the reason is known."""
        self._write(self._before.unfinished + 1, why)

    def refused(self) -> None:
        """This start was refused with a sentence to the person who asked for it: it does not count."""
        self._write(self._before.unfinished, self._before.why)

    def finished(self) -> None:
        """All is well. After a safe start, one more unfinished start is enough to be safe again."""
        self._write(PATIENCE - 1 if self._before.safe else 0, self._before.why)

    def forgive(self) -> None:
        """Somebody asked for a normal start, whatever happened before."""
        self._write(0, UNKNOWN)

    def _read(self) -> Start:
        try:
            value = json.loads(self._file.read_text(encoding="utf-8"))
            return Start(max(0, int(value["unfinished"])), str(value["why"])[:500])
        except FileNotFoundError:
            return Start(0, UNKNOWN)
        except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
            return Start(1, "its mark on the disk cannot be read")

    def _write(self, unfinished: int, why: str) -> None:
        value = {"unfinished": unfinished, "why": why, "at": datetime.now(UTC).isoformat(timespec="seconds")}
        try:
            write_whole(self._file, json.dumps(value).encode())
        except OSError as error:
            if not self._told:  # each start writes its mark twice
                self._told = True
                number, mend = (601, _MAKE_ROOM) if error.errno in NO_ROOM else (602, _MAY_WRITE)
                logging.getLogger("polartable").warning(
                    "PT-%d: unfinished starts cannot be counted: %s cannot be written (%s) – %s",
                    number,
                    self._file,
                    error.strerror or error,
                    mend,
                )
