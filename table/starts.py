"""Was the last start finished? A mark on the disk says so, from before anything is opened until all is well.

After two starts that did not finish, the table starts in safe mode. A safe start that goes well gives the next start
one honest try: whoever mended the cause has his table back, and if not, the start after that is safe again.
OctoPrint's safe mode after a start that did not finish is the example.
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
    """How this start begins: how many before it did not finish, and what the last of them said."""

    unfinished: int
    why: str

    @property
    def safe(self) -> bool:
        return self.unfinished >= PATIENCE

    @property
    def reason(self) -> str:
        """For people: why it is safe."""
        return f"the last {self.unfinished} starts did not finish; the last one: {self.why}"


class Starts:
    """The mark. A disk that cannot be written costs the count, never the start."""

    def __init__(self, directory: Path) -> None:
        self._file = directory / NAME
        self._before = Start(0, UNKNOWN)
        self._told = False  # that the disk cannot be written

    def begin(self) -> Start:
        """This start has begun, and has not finished yet; on the disk when this returns."""
        self._before = self._read()
        self._write(self._before.unfinished + 1, UNKNOWN)
        return self._before

    def any(self) -> bool:
        """Whether a table was ever started here; where that cannot be seen, `last` says so."""
        try:
            self._file.lstat()
        except FileNotFoundError:
            return False
        except OSError:
            pass
        return True

    def last(self) -> Start:
        """How it stands, without beginning anything."""
        return self._read()

    def failed(self, why: str) -> None:
        """This start will not finish, and it is known why."""
        self._write(self._before.unfinished + 1, why)

    def refused(self) -> None:
        """This start was refused with a sentence to the person who asked for it: it does not count."""
        self._write(self._before.unfinished, self._before.why)

    def finished(self) -> None:
        """All is well. After a safe start one more that does not finish is enough to be safe again."""
        self._write(PATIENCE - 1 if self._before.safe else 0, self._before.why)

    def forgive(self) -> None:
        """Somebody asked for a start as always, whatever was before."""
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
